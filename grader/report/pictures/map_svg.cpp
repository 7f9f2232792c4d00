#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "grader/report/pictures/map_layout.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/svg.h"

namespace tessera {
namespace {

constexpr MapMedium kPage = {
    .lines = 64, .lines_and_borders = 96, .vector_cells = 1024, .width = 128};

// In pixels.
constexpr double kSide = 320;  // of the plot, unless cells must be smaller or larger
constexpr double kLeastCell = 3;
constexpr double kLargestCell = 20;
constexpr double kLargestRatio = 4;  // of a cell's extents
constexpr double kVectorLine = 12;   // height of a vector's line
constexpr double kVectorGap = 6;     // below it
constexpr double kMapLine = 17;      // height of a line of text
constexpr double kCharacter = 6.5;   // width of a character, about
constexpr double kSample = 12;       // side of a cell in the legend
constexpr double kLeastWidth = 330;  // of the picture

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// A filled square is wrong, a dash was never written, a cross is not finite: the shapes differ
/// without colour, and their size shows how much of the cell is meant.
std::string shape_of(ElementState state, const Box& cell, double share) {
  const double side =
      std::max(std::sqrt(share), 0.3) * (state == ElementState::not_finite ? 0.8 : 1);
  const double width = cell.width * side;
  const double height = cell.height * (state == ElementState::unwritten ? 0.34 : side);
  const double x = cell.x + (cell.width - width) / 2, y = cell.y + (cell.height - height) / 2;
  if (state != ElementState::not_finite) return rect_path(x, y, width, height);
  return line_path(x, y, x + width, y + height) + line_path(x, y + height, x + width, y);
}

/// Draws shapes of one state, in cells whose shorter side is `cell`.
void draw(Svg& svg, ElementState state, const std::string& shapes, double cell) {
  constexpr std::array kPaints = {Paint::right, Paint::wrong, Paint::not_finite, Paint::unwritten};
  const Paint paint = kPaints[static_cast<std::size_t>(state)];
  if (state == ElementState::not_finite) {
    svg.stroke(shapes, paint, std::clamp(cell / 6, 0.7, 2.0));
  } else {
    svg.fill(shapes, paint);
  }
}

/// The rows or columns with elements that are not right, as precisely as cells show.
struct Span {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;

  void add(std::int64_t from, std::int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }

  /// "row 15", "rows 3 to 15"
  std::string text(std::string_view what) const {
    if (end - begin == 1) return fmt::format("{} {}", what, begin);
    return fmt::format("{}s {} to {}", what, begin, end - 1);
  }
};

double in_cells(std::int64_t elements, const MapSide& side) {
  return static_cast<double>(elements) / static_cast<double>(side.cell);
}

class MapDrawing {
 public:
  explicit MapDrawing(const ResultMap& map) : layout_(map_layout(map, kPage)) {
    left_ = 12 + 7.0 * static_cast<double>(layout_.number_width);
    top_ = layout_.vector ? 24 : 40;
    choose_cell();
    bands_ = layout_.vector ? layout_.down() : 1;
    band_ = layout_.vector ? kVectorLine : y_of(layout_.down()) - top_;
    gather();
  }

  std::string svg() const {
    const double bottom = y_of(layout_.down()) + 8;
    const std::string heading = layout_.heading("a cell");
    const double least = std::max(kLeastWidth, kCharacter * static_cast<double>(heading.size()));
    Svg svg("result-map", std::max(end_of(0) + 8, least),
            bottom + kMapLine * static_cast<double>(layout_.signs.size()) + 4,
            "Map of " + layout_.title, description());
    svg.text(0, 13, heading);
    numbers(svg);
    for (std::size_t line = 0; line < bands_; ++line)
      svg.rect(left_, y_of(line), end_of(line) - left_, band_, Paint::right);
    for (const auto& [state, shapes] : shapes_) draw(svg, state, shapes, std::min(cell_, line_));
    borders(svg);
    legend(svg, bottom);
    return svg.str();
  }

 private:
  /// Makes cells proportional to the elements that they hold, unless that would make them strips.
  void choose_cell() {
    const auto across = static_cast<double>(layout_.across(0));
    const auto down = static_cast<double>(layout_.down());
    const double ratio =
        static_cast<double>(layout_.columns.cell) / static_cast<double>(layout_.rows.cell);
    const bool strips = ratio > kLargestRatio || ratio < 1 / kLargestRatio;
    cell_ = strips ? 1 : std::min(1.0, ratio);
    line_ = strips ? 1 : std::min(1.0, 1 / ratio);
    const double unit =
        std::clamp(kSide / std::max(cell_ * across, line_ * down), kLeastCell, kLargestCell);
    cell_ *= unit;
    line_ *= unit;
    if (!layout_.vector) return;
    cell_ = std::clamp(kSide / across, kLeastCell, kVectorLine);
    line_ = kVectorLine;
  }

  double x_of(std::size_t line, std::size_t cell) const {
    const std::int64_t elements = layout_.column_of(line, cell) - layout_.column_of(line, 0);
    return left_ + cell_ * in_cells(elements, layout_.columns);
  }

  double y_of(std::size_t line) const {
    if (layout_.vector) return top_ + static_cast<double>(line) * (kVectorLine + kVectorGap);
    return top_ + line_ * in_cells(layout_.row_of(line), layout_.rows);
  }

  double end_of(std::size_t line) const { return x_of(line, layout_.across(line)); }

  /// The box around some cells of a line.
  Box box_of(std::size_t line, std::size_t cell, std::size_t end) const {
    const double x = x_of(line, cell), y = y_of(line);
    return {x, y, x_of(line, end) - x, layout_.vector ? kVectorLine : y_of(line + 1) - y};
  }

  /// Gathers the shapes of all cells; neighbours in a line that are wholly alike share a shape.
  void gather() {
    for (std::size_t line = 0; line < layout_.down(); ++line) {
      for (std::size_t cell = 0, end = 0; cell < layout_.across(line); cell = end) {
        const std::vector<MapCell>& cells = layout_.lines[line];
        const MapCell& first = cells[cell];
        const bool joins = first.state != ElementState::not_finite && first.share >= 1;
        end = cell + 1;
        while (joins && end < cells.size() && cells[end].sign() == first.sign()) ++end;
        if (first.state == ElementState::right) continue;
        shapes_[first.state] += shape_of(first.state, box_of(line, cell, end), first.share);
        rows_.add(layout_.row_of(line), layout_.row_of(line + 1));
        columns_.add(layout_.column_of(line, cell), layout_.column_of(line, end));
      }
    }
  }

  std::string description() const {
    if (shapes_.empty()) return "Every element is right.";
    std::string states;
    for (const auto& [state, shapes] : shapes_)
      states += (states.empty() ? "" : " or ") + name_of({state});
    const std::string where =
        layout_.vector
            ? fmt::format("{} of 0 to {}", columns_.text("element"), layout_.columns.extent - 1)
            : rows_.text("row") + " and " + columns_.text("column");
    return fmt::format("What is {} lies in {}.", states, where);
  }

  /// Numbers columns and lines as far as there is room.
  void numbers(Svg& svg) const {
    double free = 0;
    for (std::size_t cell = 0; cell < layout_.across(0) && !layout_.vector; ++cell) {
      const std::string number = layout_.columns.number_of(layout_.column_of(0, cell));
      if (number.empty() || x_of(0, cell) < free) continue;
      svg.text(x_of(0, cell), top_ - 5, number, Anchor::start, Paint::faint, 10);
      free = x_of(0, cell) + kCharacter * static_cast<double>(number.size()) + 6;
    }
    free = 0;
    for (std::size_t line = 0; line < layout_.down(); ++line) {
      const std::string number = layout_.number_of(line);
      if (number.empty() || y_of(line) < free) continue;
      svg.text(left_ - 5, y_of(line) + 9, number, Anchor::end, Paint::faint, 10);
      free = y_of(line) + 12;
    }
  }

  void borders(Svg& svg) const {
    const double over = layout_.vector ? 2 : 0;  // by which borders stick out of a line
    std::string path;
    for (std::size_t line = 0; line < bands_; ++line) {
      const double top = y_of(line) - over, bottom = y_of(line) + band_ + over;
      for (std::size_t cell = 0; cell < layout_.across(line); ++cell) {
        const double x = x_of(line, cell);
        if (cell == 0 ? layout_.is_border(line) : layout_.is_border(line, cell))
          path += line_path(x, top, x, bottom);
      }
    }
    for (std::size_t line = 0; line < layout_.down() && layout_.row_borders; ++line) {
      const double y = y_of(line);
      if (layout_.is_border(line)) path += line_path(left_, y, end_of(line), y);
    }
    svg.stroke(path, Paint::ink, 1);
  }

  void legend(Svg& svg, double y) const {
    for (const MapSign& sign : layout_.signs) {
      const Box box{left_, y + 1, kSample, kSample};
      svg.rect(box.x, box.y, box.width, box.height, Paint::right);
      if (sign.state != ElementState::right)
        draw(svg, sign.state, shape_of(sign.state, box, sign.partly ? 0.4 : 1), kSample);
      svg.text(left_ + 20, y + 11, name_of(sign), Anchor::start, Paint::ink, 11);
      y += kMapLine;
    }
  }

  MapLayout layout_;
  double cell_ = 1;  // width of a cell in pixels
  double line_ = 1;  // height of a line
  double left_ = 0;  // of the plot
  double top_ = 0;
  std::size_t bands_ = 1;  // of the plot, without gaps: all of a matrix, each line of a vector
  double band_ = 0;        // height of a band
  std::map<ElementState, std::string> shapes_;
  Span rows_;
  Span columns_;
};

}  // namespace

std::string map_svg(const ResultMap& map) {
  return MapDrawing(map).svg();
}

}  // namespace tessera
