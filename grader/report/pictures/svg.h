// Pictures as pieces of SVG, for a page or for a file of their own.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/html/markup.h"

namespace tessera {

/// What a shape means. Each has a colour that is legible on white and on black, and a class of its
/// name (`.picture .wrong`) by which a page may choose another.
enum class Paint {
  ink,    // the colour of the text around the picture
  faint,  // the same, for what matters less
  right,  // the same, as a background
  wrong,
  not_finite,
  unwritten,
  used,    // memory that lanes asked for
  clash,   // what makes a warp wait
  yours,   // the submission's time
  others,  // times to compare it with
  count,   // how many there are
};

enum class Anchor { start, middle, end };

/// Shapes in pixels, x to the right and y down. The picture needs neither scripts nor styles nor
/// anything from elsewhere, and shrinks with the page. Screen readers read its title and
/// description instead of the shapes.
class Svg {
 public:
  /// `kind` becomes a class beside "picture".
  Svg(std::string_view kind, double width, double height, std::string_view title,
      std::string_view description);

  void rect(double x, double y, double width, double height, Paint paint);

  /// Adds a path; `d` is made by the functions below.
  void fill(const std::string& d, Paint paint);
  void stroke(const std::string& d, Paint paint, double width = 1, bool dashed = false);

  /// Adds any text, escaped. `y` is its baseline.
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::start,
            Paint paint = Paint::ink, double size = 12);

  /// `<svg ...>...</svg>`
  std::string str() const;

 private:
  std::string head_;
  std::string shapes_;
};

/// Paths: a rectangle, a straight line.
std::string rect_path(double x, double y, double width, double height);
std::string line_path(double x1, double y1, double x2, double y2);

/// A coordinate with at most two digits after the point.
std::string coordinate(double value);

}  // namespace tessera
