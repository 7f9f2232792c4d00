// Lines for a terminal whose characters have colours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/terminal.h"

namespace tessera {

/// The columns that a picture may take.
constexpr int kPictureWidth = 80;

/// Text in which neighbours of the same colour share an escape sequence.
class InkedText {
 public:
  explicit InkedText(bool color) : color_(color) {}

  void put(std::string_view text, std::optional<Color> ink = std::nullopt);

  /// Ends the line; blanks at its end are dropped.
  void end_line();

  /// Adds whole lines as they are. Only at the beginning of a line.
  void put_lines(const std::string& lines) { text_ += lines; }

  const std::string& str() const { return text_; }

 private:
  struct Run {
    std::string text;
    std::optional<Color> ink;
  };

  bool color_;
  std::string text_;
  std::vector<Run> line_;
};

}  // namespace tessera
