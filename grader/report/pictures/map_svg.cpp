#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "common/numbers.h"
#include "grader/report/pictures/map_grid.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/svg.h"

namespace tessera {
namespace {

constexpr double kSide = 320;  // of the plot, in pixels, unless cells must be smaller or larger
constexpr double kLeastCell = 3;
constexpr double kLargestCell = 20;
constexpr double kLargestRatio = 4;  // of a cell's extents
constexpr int kVectorCells = 64;     // of a vector in a line
constexpr double kVectorHeight = 12;
constexpr double kVectorGap = 6;
constexpr double kMapLine = 17;  // height of a line of text
constexpr double kHeading = 24;
constexpr double kColumnLabels = 16;
constexpr double kLeastTile = 5;
constexpr std::array kStates = {ElementState::wrong, ElementState::not_finite,
                                ElementState::unwritten};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

Paint paint_of(ElementState state) {
  switch (state) {
    case ElementState::right:
      return Paint::right;
    case ElementState::wrong:
      return Paint::wrong;
    case ElementState::not_finite:
      return Paint::not_finite;
    case ElementState::unwritten:
      return Paint::unwritten;
  }
  return Paint::ink;
}

const char* name_of(ElementState state) {
  switch (state) {
    case ElementState::right:
      return "right";
    case ElementState::wrong:
      return "wrong";
    case ElementState::not_finite:
      return "not finite";
    case ElementState::unwritten:
      return "never written";
  }
  return "";
}

Box shrunk(const Box& box, double by_width, double by_height) {
  return {box.x + box.width * (1 - by_width) / 2, box.y + box.height * (1 - by_height) / 2,
          box.width * by_width, box.height * by_height};
}

std::string path_of(const Box& box) {
  return rect_path(box.x, box.y, box.width, box.height);
}

std::string cross(const Box& box) {
  return line_path(box.x, box.y, box.x + box.width, box.y + box.height) +
         line_path(box.x, box.y + box.height, box.x + box.width, box.y);
}

/// A filled square is wrong, a dash was never written, a cross is not finite: the shapes differ
/// without colour, and their size shows how much of the cell is meant.
std::string shape_of(ElementState state, const Box& box, double share) {
  const double side = std::max(std::sqrt(share), 0.3);
  switch (state) {
    case ElementState::wrong:
      return path_of(shrunk(box, side, side));
    case ElementState::not_finite:
      return cross(shrunk(box, 0.8 * side, 0.8 * side));
    default:
      return path_of(shrunk(box, share >= 1 ? 1 : side, 0.34));
  }
}

/// Where the elements lie that are not right, as precisely as cells show.
struct Extent {
  std::int64_t first_row = std::numeric_limits<std::int64_t>::max();
  std::int64_t first_column = first_row;
  std::int64_t last_row = -1;
  std::int64_t last_column = -1;
};

class MapDrawing {
 public:
  explicit MapDrawing(const ResultMap& map)
      : map_(map), grid_(grid_of(map)), vector_(map.rows == 1) {
    lines_ = vector_ ? (grid_.across() - 1) / kVectorCells + 1 : grid_.down();
    choose_cell();
    const std::string last = std::to_string(vector_ ? map.columns : map.rows);
    top_ = kHeading + (vector_ ? 0 : kColumnLabels);
    left_ = 12 + 7.0 * static_cast<double>(last.size());
    gather();
  }

  std::string svg() {
    const double bottom = top_ + height() + 8;
    const auto entries = 1 + std::ranges::count(seen_, true) + (partial_ ? 1 : 0);
    Svg svg("result-map", std::max(left_ + width() + 8, 330.0),
            bottom + kMapLine * static_cast<double>(entries) + 4,
            fmt::format("Map of {}, {}", map_.output, extents()), description());
    svg.text(0, 13, heading());
    if (!vector_) labels(svg);
    ground(svg);
    for (const ElementState state : kStates) {
      const std::string& path = paths_[static_cast<std::size_t>(state)];
      if (state == ElementState::not_finite) {
        svg.stroke(path, paint_of(state), std::clamp(std::min(cell_, cell_height_) / 6, 0.7, 2.0));
      } else {
        svg.fill(path, paint_of(state));
      }
    }
    borders(svg);
    legend(svg, bottom);
    return svg.str();
  }

 private:
  /// Makes cells proportional to the elements that they hold, unless that would make them strips.
  void choose_cell() {
    if (vector_) {
      const int across = std::min(kVectorCells, grid_.across());
      cell_ = std::clamp(kSide / across, kLeastCell, kVectorHeight);
      cell_height_ = kVectorHeight;
      return;
    }
    const double ratio = static_cast<double>(grid_.cell_columns) / grid_.cell_rows;
    const bool strips = ratio > kLargestRatio || ratio < 1 / kLargestRatio;
    const double wide = strips ? 1 : std::min(1.0, ratio);
    const double high = strips ? 1 : std::min(1.0, 1 / ratio);
    const double longest = std::max(wide * grid_.across(), high * grid_.down());
    const double unit = std::clamp(kSide / longest, kLeastCell, kLargestCell);
    cell_ = unit * wide;
    cell_height_ = unit * high;
  }

  std::string extents() const {
    if (vector_) return counted(static_cast<std::uint64_t>(map_.columns), "element");
    return fmt::format("{} x {}", map_.rows, map_.columns);
  }

  std::string heading() const {
    std::string text = fmt::format("{}, {}", map_.output, extents());
    const bool ruled = starts(tile_columns(), map_.columns).size() > 1 ||
                       (!vector_ && starts(tile_rows(), map_.rows).size() > 1);
    if (ruled) text += "; lines: tiles of the blocks";
    return text;
  }

  int tile_columns() const { return map_.tile_columns < map_.columns ? map_.tile_columns : 0; }
  int tile_rows() const { return map_.tile_rows < map_.rows ? map_.tile_rows : 0; }

  double width() const {
    return cell_ * (vector_ ? std::min(kVectorCells, grid_.across()) : grid_.across());
  }
  double height() const {
    return vector_ ? lines_ * (kVectorHeight + kVectorGap) : cell_height_ * grid_.down();
  }

  /// The pixels at which an element of the matrix lies.
  double x_of(double column) const { return left_ + width() * column / map_.columns; }
  double y_of(double row) const { return top_ + height() * row / map_.rows; }
  double line_y(int line) const { return top_ + line * (kVectorHeight + kVectorGap); }

  Box box_of(int row, int column) const {
    if (vector_) {
      return {left_ + cell_ * (column % kVectorCells), line_y(column / kVectorCells), cell_,
              kVectorHeight};
    }
    const auto edge = [](int cell, int extent, int all) {
      return static_cast<double>(std::min(std::int64_t{cell} * extent, std::int64_t{all}));
    };
    Box box;
    box.x = x_of(edge(column, grid_.cell_columns, map_.columns));
    box.y = y_of(edge(row, grid_.cell_rows, map_.rows));
    box.width = x_of(edge(column + 1, grid_.cell_columns, map_.columns)) - box.x;
    box.height = y_of(edge(row + 1, grid_.cell_rows, map_.rows)) - box.y;
    return box;
  }

  /// Gathers the shapes of all cells; neighbours in a row that are wholly alike share a shape.
  void gather() {
    for (int row = 0; row < grid_.down(); ++row) {
      for (int column = 0; column < grid_.across(); ++column) {
        const GridCell& cell = grid_.at(row, column);
        if (cell.worst == ElementState::right) continue;
        note(row, column);
        Box box = box_of(row, column);
        const int first = column;
        while (cell.worst != ElementState::not_finite && continues(row, column, first)) {
          ++column;
          note(row, column);
          box.width += box_of(row, column).width;
        }
        const auto state = static_cast<std::size_t>(cell.worst);
        seen_[state] = true;
        partial_ |= cell.share < 1;
        paths_[state] += shape_of(cell.worst, box, cell.share);
      }
    }
  }

  bool continues(int row, int column, int first) const {
    if (column + 1 >= grid_.across()) return false;
    if (vector_ && (column + 1) / kVectorCells != first / kVectorCells) return false;
    const GridCell& cell = grid_.at(row, column);
    const GridCell& next = grid_.at(row, column + 1);
    return cell.worst == next.worst && cell.share >= 1 && next.share >= 1;
  }

  void note(int row, int column) {
    const auto last = [](int cell, int extent, int all) {
      return std::min((std::int64_t{cell} + 1) * extent, std::int64_t{all}) - 1;
    };
    bad_.first_row = std::min(bad_.first_row, std::int64_t{row} * grid_.cell_rows);
    bad_.first_column = std::min(bad_.first_column, std::int64_t{column} * grid_.cell_columns);
    bad_.last_row = std::max(bad_.last_row, last(row, grid_.cell_rows, map_.rows));
    bad_.last_column = std::max(bad_.last_column, last(column, grid_.cell_columns, map_.columns));
  }

  /// "row 15", "rows 3 to 15"
  static std::string span(std::string_view what, std::int64_t first, std::int64_t last) {
    return first == last ? fmt::format("{} {}", what, first)
                         : fmt::format("{}s {} to {}", what, first, last);
  }

  std::string description() const {
    if (bad_.last_row < 0) return "Every element is right.";
    std::string states;
    for (const ElementState state : kStates) {
      if (!seen_[static_cast<std::size_t>(state)]) continue;
      states += (states.empty() ? "" : " or ") + std::string(name_of(state));
    }
    if (vector_) {
      return fmt::format("What is {} lies in {} of 0 to {}.", states,
                         span("element", bad_.first_column, bad_.last_column), map_.columns - 1);
    }
    return fmt::format("What is {} lies in {} and {}.", states,
                       span("row", bad_.first_row, bad_.last_row),
                       span("column", bad_.first_column, bad_.last_column));
  }

  /// Numbers the rows and columns at which tiles start, as far as there is room.
  void labels(Svg& svg) const {
    double free = 0;
    for (const int column : marks(tile_columns(), map_.columns)) {
      const double x = x_of(column);
      if (x < free) continue;
      const std::string text = std::to_string(column);
      svg.text(x, top_ - 5, text, Anchor::start, Paint::faint, 10);
      free = x + 6.5 * static_cast<double>(text.size()) + 6;
    }
    free = 0;
    for (const int row : marks(tile_rows(), map_.rows)) {
      const double y = y_of(row);
      if (y < free) continue;
      svg.text(left_ - 5, y + 9, std::to_string(row), Anchor::end, Paint::faint, 10);
      free = y + 12;
    }
  }

  /// Where tiles start, at most as many as a plot can show: a record may hold any numbers.
  static std::vector<int> starts(int tile, int extent) {
    std::vector<int> all = {0};
    if (tile <= 0 || extent / tile > kSide / kLeastTile) return all;
    for (std::int64_t at = tile; at < extent; at += tile) all.push_back(static_cast<int>(at));
    return all;
  }

  /// Where tiles start; about every quarter if no borders are drawn.
  static std::vector<int> marks(int tile, int extent) {
    const std::vector<int> all = starts(tile, extent);
    if (all.size() > 1) return all;
    int quarter = 4;
    while (quarter < extent / 4) quarter *= 2;
    return starts(quarter, extent);
  }

  void ground(Svg& svg) const {
    if (!vector_) {
      svg.rect(left_, top_, width(), height(), Paint::right);
      return;
    }
    for (int line = 0; line < lines_; ++line) {
      const int cells = std::min(kVectorCells, grid_.across() - line * kVectorCells);
      svg.rect(left_, line_y(line), cell_ * cells, kVectorHeight, Paint::right);
      const std::int64_t first = std::int64_t{line} * kVectorCells * grid_.cell_columns;
      svg.text(left_ - 5, line_y(line) + 10, std::to_string(first), Anchor::end, Paint::faint, 10);
    }
  }

  void borders(Svg& svg) const {
    std::string path;
    for (const int column : starts(tile_columns(), map_.columns)) {
      if (column == 0) continue;
      if (vector_) {
        const int line = column / grid_.cell_columns / kVectorCells;
        const double first = static_cast<double>(line) * kVectorCells * grid_.cell_columns;
        const double x = left_ + cell_ * (column - first) / grid_.cell_columns;
        path += line_path(x, line_y(line) - 2, x, line_y(line) + kVectorHeight + 2);
      } else {
        path += line_path(x_of(column), top_, x_of(column), top_ + height());
      }
    }
    for (const int row : starts(vector_ ? 0 : tile_rows(), map_.rows)) {
      if (row > 0) path += line_path(left_, y_of(row), left_ + width(), y_of(row));
    }
    svg.stroke(path, Paint::ink, 1);
  }

  void legend(Svg& svg, double top) const {
    double y = top;
    const auto entry = [&](const std::string& text) {
      svg.text(left_ + 20, y + 11, text, Anchor::start, Paint::ink, 11);
      y += kMapLine;
    };
    svg.rect(left_, y + 1, 12, 12, Paint::right);
    entry("right");
    for (const ElementState state : kStates) {
      if (!seen_[static_cast<std::size_t>(state)]) continue;
      const std::string shape = shape_of(state, {left_, y + 1, 12, 12}, 1);
      svg.rect(left_, y + 1, 12, 12, Paint::right);
      if (state == ElementState::not_finite) {
        svg.stroke(shape, paint_of(state), 1.5);
      } else {
        svg.fill(shape, paint_of(state));
      }
      entry(name_of(state));
    }
    if (partial_) entry(fmt::format("smaller: part of its {} elements", cell_extents()));
  }

  std::string cell_extents() const {
    if (vector_) return std::to_string(grid_.cell_columns);
    return fmt::format("{} x {}", grid_.cell_rows, grid_.cell_columns);
  }

  const ResultMap& map_;
  MapGrid grid_;
  bool vector_;
  int lines_ = 1;
  double cell_ = 1;  // width of a cell in pixels
  double cell_height_ = 1;
  double left_ = 0;  // of the plot
  double top_ = 0;
  std::array<std::string, 4> paths_;  // by state
  std::array<bool, 4> seen_{};
  bool partial_ = false;  // some cell is wrong in part
  Extent bad_;
};

}  // namespace

std::string map_svg(const ResultMap& map) {
  return MapDrawing(map).svg();
}

}  // namespace tessera
