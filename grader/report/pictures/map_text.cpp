#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "common/numbers.h"
#include "grader/report/pictures/inked_text.h"
#include "grader/report/pictures/map_grid.h"
#include "grader/report/pictures/pictures.h"

namespace tessera {
namespace {

constexpr int kMostLines = 16;   // of cells
constexpr int kMostBorders = 3;  // between lines: a border that runs across takes a line
constexpr int kMostCells = 64;   // in a line
constexpr int kMostVectorCells = 256;
constexpr int kIndent = 4;

/// What a character of the map means, in the order of the legend.
enum class Sign {
  right,
  wrong,
  some_wrong,
  not_finite,
  some_not_finite,
  unwritten,
  some_unwritten
};

struct Glyph {
  const char* text;
  Sign sign;
};

Color color_of(Sign sign) {
  switch (sign) {
    case Sign::right:
      return Color::dim;
    case Sign::wrong:
    case Sign::some_wrong:
      return Color::red;
    case Sign::not_finite:
    case Sign::some_not_finite:
      return Color::magenta;
    default:
      return Color::yellow;
  }
}

/// The character of a cell, or of two cells, one above the other.
class Glyphs {
 public:
  explicit Glyphs(bool ascii) : ascii_(ascii) {}

  Glyph of(const GridCell& cell) const {
    const bool all = cell.share >= 1;
    switch (cell.worst) {
      case ElementState::right:
        return {ascii_ ? "." : "\u00b7", Sign::right};
      case ElementState::wrong:
        if (all) return {ascii_ ? "X" : "\u2588", Sign::wrong};
        return {shade(cell.share), Sign::some_wrong};
      case ElementState::not_finite:
        return all ? Glyph{"N", Sign::not_finite} : Glyph{"n", Sign::some_not_finite};
      case ElementState::unwritten:
        return all ? Glyph{"U", Sign::unwritten} : Glyph{"u", Sign::some_unwritten};
    }
    return {" ", Sign::right};
  }

  /// Half a block if each cell is either right or wrong altogether; else both cells as one.
  Glyph of(const GridCell& above, const GridCell& below) const {
    if (is_plain(above) && is_plain(below) && above.worst != below.worst)
      return {above.worst == ElementState::wrong ? "\u2580" : "\u2584", Sign::wrong};
    return of({std::max(above.worst, below.worst), (above.share + below.share) / 2});
  }

  const char* legend(Sign sign) const {
    switch (sign) {
      case Sign::right:
        return ascii_ ? ". right" : "\u00b7 right";
      case Sign::wrong:
        return ascii_ ? "X wrong" : "\u2588 wrong";
      case Sign::some_wrong:
        return ascii_ ? "x partly wrong" : "\u2591\u2592\u2593 partly wrong";
      case Sign::not_finite:
        return "N not finite";
      case Sign::some_not_finite:
        return "n partly not finite";
      case Sign::unwritten:
        return "U never written";
      case Sign::some_unwritten:
        return "u partly never written";
    }
    return "";
  }

 private:
  static bool is_plain(const GridCell& cell) {
    return cell.worst == ElementState::right ||
           (cell.worst == ElementState::wrong && cell.share >= 1);
  }

  const char* shade(double share) const {
    if (ascii_) return "x";
    return share < 0.375 ? "\u2591" : share < 0.625 ? "\u2592" : "\u2593";
  }

  bool ascii_;
};

/// The cells as lines of characters, with what the borders and labels need to know.
struct Sheet {
  MapGrid grid;
  bool vector = false;
  int rows_each = 1;   // rows of cells in a line
  int chars_each = 1;  // columns of the terminal for a cell

  int lines() const {
    if (vector) return (grid.across() - 1) / kMostCells + 1;
    return (grid.down() - 1) / rows_each + 1;
  }

  int cells_in(int line) const {
    return vector ? std::min(kMostCells, grid.across() - line * kMostCells) : grid.across();
  }

  /// The first element of the line: a row, or an element of the vector.
  std::int64_t first_of(int line) const {
    if (vector) return std::int64_t{line} * kMostCells * grid.cell_columns;
    return std::int64_t{line} * rows_each * grid.cell_rows;
  }
};

Sheet vector_sheet(const MapGrid& grid) {
  const int by = reduction(grid.across(), kMostVectorCells);
  return {.grid = joined(grid, 1, by), .vector = true};
}

/// A few rows get a line each. If there are more, two share a line as half blocks, which are about
/// square; ASCII has no half blocks, and a character is about twice as high as wide.
Sheet matrix_sheet(const MapGrid& grid, bool ascii) {
  Sheet sheet;
  if (grid.down() > kMostLines && !ascii) sheet.rows_each = 2;
  int by_rows = reduction(grid.down(), kMostLines * sheet.rows_each);
  int by_columns = reduction(grid.across(), kMostCells);
  constexpr int kFew = 8;  // cells that a side keeps if it is reduced like the other
  const int square = sheet.rows_each == 2 || by_rows == 1 ? by_rows : by_rows / 2;
  if (grid.across() / square >= kFew) by_columns = std::max(by_columns, square);
  if (grid.down() / by_columns >= kFew) by_rows = std::max(by_rows, by_columns);
  sheet.grid = joined(grid, by_rows, by_columns);
  if (sheet.rows_each == 2 && sheet.grid.down() <= kMostLines) sheet.rows_each = 1;
  if (sheet.rows_each == 1 && 2 * sheet.grid.across() <= kMostCells) sheet.chars_each = 2;
  return sheet;
}

class MapPage {
 public:
  MapPage(const ResultMap& map, const TextOptions& options)
      : map_(map), glyphs_(options.ascii), ascii_(options.ascii), out_(options.color) {
    sheet_ = map.rows == 1 ? vector_sheet(grid_of(map)) : matrix_sheet(grid_of(map), ascii_);
    label_width_ = static_cast<int>(
        std::max(std::to_string(sheet_.first_of(sheet_.lines() - 1)).size(), std::size_t{2}));
    choose_borders();
  }

  std::string text() {
    heading();
    if (!sheet_.vector) column_labels();
    for (int line = 0; line < sheet_.lines(); ++line) {
      if (line > 0 && rows_ruled_ && is_tile_row(line)) rule();
      cells(line);
    }
    legend();
    return out_.str();
  }

 private:
  const char* sign(const char* utf8, const char* ascii) const { return ascii_ ? ascii : utf8; }

  void choose_borders() {
    const MapGrid& grid = sheet_.grid;
    const int tile = map_.tile_columns;
    const int room =
        kPictureWidth - kIndent - label_width_ - 3 - sheet_.cells_in(0) * sheet_.chars_each;
    if (fits_cells(tile, grid.cell_columns, grid.columns)) {
      const int in_tile = tile / grid.cell_columns;
      columns_ruled_ =
          in_tile * sheet_.chars_each >= 2 && (sheet_.cells_in(0) - 1) / in_tile <= room;
    }
    if (!fits_cells(map_.tile_rows, grid.cell_rows * sheet_.rows_each, grid.rows)) return;
    rows_known_ = true;
    const int borders = (map_.rows - 1) / map_.tile_rows;
    rows_ruled_ = borders + sheet_.lines() <= kMostLines + kMostBorders;
  }

  bool is_tile_row(int line) const {
    return rows_known_ && sheet_.first_of(line) % map_.tile_rows == 0;
  }

  bool is_tile_column(int line, int cell) const {
    if (!columns_ruled_) return false;
    const std::int64_t base = sheet_.vector ? sheet_.first_of(line) : 0;
    return (base + std::int64_t{cell} * sheet_.grid.cell_columns) % map_.tile_columns == 0;
  }

  void heading() {
    const std::string extents = sheet_.vector
                                    ? counted(static_cast<std::uint64_t>(map_.columns), "element")
                                    : fmt::format("{} x {}", map_.rows, map_.columns);
    std::string caption = fmt::format("{}, {}", printable(map_.output), extents);
    if (columns_ruled_ || rows_ruled_) caption += "; tiles: " + tile();
    caption += scale();
    out_.put_lines(wrapped(caption, std::string(kIndent, ' '), kPictureWidth));
  }

  /// What a character stands for, unless that is a single element.
  std::string scale() const {
    const MapGrid& grid = sheet_.grid;
    const bool single = grid.cell_rows == 1 && grid.cell_columns == 1;
    if (single && sheet_.rows_each == 1) return "";
    const char* what = sheet_.rows_each == 2    ? "half a character"
                       : sheet_.chars_each == 2 ? "two characters"
                                                : "a character";
    if (single) return fmt::format("; {}: 1 element", what);
    if (sheet_.vector) return fmt::format("; {}: {} elements", what, grid.cell_columns);
    return fmt::format("; {}: {} x {} elements", what, grid.cell_rows, grid.cell_columns);
  }

  std::string tile() const {
    if (sheet_.vector) return std::to_string(map_.tile_columns);
    const int rows = map_.tile_rows > 0 ? map_.tile_rows : map_.rows;
    const int columns = map_.tile_columns > 0 ? map_.tile_columns : map_.columns;
    return fmt::format("{} x {}", rows, columns);
  }

  void begin(const std::string& label, const char* edge) {
    out_.put(std::string(kIndent, ' '));
    out_.put(fmt::format("{:>{}} {}", label, label_width_, edge), Color::dim);
  }

  /// Labels the columns at which tiles start, or every sixteenth, as far as there is room.
  void column_labels() {
    std::string line;
    const auto start = static_cast<std::size_t>(kIndent + label_width_ + 2);
    std::size_t at = start;
    for (int cell = 0; cell < sheet_.grid.across(); ++cell) {
      if (cell > 0 && is_tile_column(0, cell)) ++at;
      const bool marked = columns_ruled_ ? is_tile_column(0, cell) : cell % 16 == 0;
      if (marked && (line.empty() || line.size() + 2 <= at)) {
        line.resize(at, ' ');
        line += std::to_string(std::int64_t{cell} * sheet_.grid.cell_columns);
      }
      at += static_cast<std::size_t>(sheet_.chars_each);
    }
    out_.put(line, Color::dim);
    out_.end_line();
  }

  bool is_labelled(int line) const {
    if (sheet_.vector || line == 0) return true;
    return rows_known_ ? is_tile_row(line) : line % 4 == 0;
  }

  void cells(int line) {
    const bool tick = line > 0 && is_tile_row(line) && !rows_ruled_;
    const std::string label = is_labelled(line) ? std::to_string(sheet_.first_of(line)) : "";
    begin(label, tick ? sign("\u251c", "+") : sign("\u2502", "|"));
    for (int cell = 0; cell < sheet_.cells_in(line); ++cell) {
      if (cell > 0 && is_tile_column(line, cell)) out_.put(sign("\u2502", "|"), Color::dim);
      put(glyph(line, cell));
    }
    out_.put(sign("\u2502", "|"), Color::dim);
    out_.end_line();
  }

  Glyph glyph(int line, int cell) const {
    if (sheet_.vector) return glyphs_.of(sheet_.grid.at(0, line * kMostCells + cell));
    const int row = line * sheet_.rows_each;
    const GridCell& above = sheet_.grid.at(row, cell);
    if (sheet_.rows_each == 1) return glyphs_.of(above);
    if (row + 1 < sheet_.grid.down()) return glyphs_.of(above, sheet_.grid.at(row + 1, cell));
    // Nothing lies below: a half block is all of it.
    return above.worst == ElementState::wrong && above.share >= 1 ? Glyph{"\u2580", Sign::wrong}
                                                                  : glyphs_.of(above);
  }

  void put(const Glyph& glyph) {
    seen_.insert(glyph.sign);
    const std::string_view text = glyph.text;
    if (sheet_.chars_each == 2) {
      // Blocks fill the cell; letters and dots stand as near its middle as they can.
      const bool block = glyph.sign == Sign::wrong || glyph.sign == Sign::some_wrong;
      out_.put(block ? text : " ", color_of(glyph.sign));
    }
    out_.put(text, color_of(glyph.sign));
  }

  /// A border between tiles.
  void rule() {
    begin("", sign("\u251c", "+"));
    for (int cell = 0; cell < sheet_.grid.across(); ++cell) {
      if (cell > 0 && is_tile_column(0, cell)) out_.put(sign("\u253c", "+"), Color::dim);
      for (int i = 0; i < sheet_.chars_each; ++i) out_.put(sign("\u2500", "-"), Color::dim);
    }
    out_.put(sign("\u2524", "+"), Color::dim);
    out_.end_line();
  }

  void legend() {
    std::string text;
    for (const Sign seen : seen_) {
      if (!text.empty()) text += ", ";
      text += glyphs_.legend(seen);
    }
    const std::string indent(static_cast<std::size_t>(kIndent + label_width_ + 2), ' ');
    out_.put_lines(wrapped(text, indent, kPictureWidth));
  }

  const ResultMap& map_;
  Glyphs glyphs_;
  bool ascii_;
  InkedText out_;
  Sheet sheet_;
  int label_width_ = 2;
  bool columns_ruled_ = false;
  bool rows_known_ = false;  // every tile starts at a line of cells
  bool rows_ruled_ = false;
  std::set<Sign> seen_;
};

}  // namespace

std::string map_text(const ResultMap& map, const TextOptions& options) {
  return MapPage(map, options).text();
}

}  // namespace tessera
