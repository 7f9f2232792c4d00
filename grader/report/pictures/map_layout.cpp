#include "grader/report/pictures/map_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using Cells = std::vector<std::vector<MapCell>>;

constexpr std::size_t kMostInLine = 64;  // cells
constexpr int kMostBorders = 31;         // beside each other: more would hide the cells

/// How many cells of the record become one.
struct Join {
  std::size_t rows = 1;
  std::size_t columns = 1;
};

/// The smallest power of two by which `cells` must be divided to become at most `most`.
std::size_t reduction(std::size_t cells, std::size_t most) {
  std::size_t by = 1;
  while ((cells - 1) / by >= most) by *= 2;
  return by;
}

/// A character is about twice as high as wide, a half about square.
Join join_of_matrix(std::size_t down, std::size_t across, std::size_t lines, bool halves) {
  constexpr std::size_t kFew = 8;  // cells that a side keeps if it is reduced like the other
  Join by{reduction(down, lines), reduction(across, kMostInLine)};
  const std::size_t square = halves || by.rows == 1 ? by.rows : by.rows / 2;
  if (across / square >= kFew) by.columns = std::max(by.columns, square);
  if (down / by.columns >= kFew) by.rows = std::max(by.rows, by.columns);
  return by;
}

/// If a record does not say how much of a cell is wrong, all of it is.
MapCell cell_at(const ResultMap& map, std::size_t row, std::size_t column) {
  const auto state = element_state(map.cells[row][column]).value_or(ElementState::right);
  if (state == ElementState::right) return {};
  return {state, map.amounts.empty() ? 1 : (map.amounts[row][column] - '0') / 9.0};
}

MapCell joined_cell(const ResultMap& map, std::size_t first_row, std::size_t first_column,
                    const Join& by) {
  MapCell all;
  double count = 0;
  for (std::size_t row = first_row; row < std::min(map.cells.size(), first_row + by.rows); ++row) {
    const std::size_t end = std::min(map.cells[row].size(), first_column + by.columns);
    for (std::size_t column = first_column; column < end; ++column, ++count) {
      const MapCell cell = cell_at(map, row, column);
      all.state = std::max(all.state, cell.state);
      all.share += cell.share;
    }
  }
  all.share /= count;
  return all;
}

Cells joined_cells(const ResultMap& map, const Join& by) {
  Cells lines;
  for (std::size_t row = 0; row < map.cells.size(); row += by.rows) {
    for (std::size_t column = 0; column < map.cells[row].size(); column += by.columns) {
      if (column % (kMostInLine * by.columns) == 0) lines.emplace_back();
      lines.back().push_back(joined_cell(map, row, column, by));
    }
  }
  return lines;
}

/// Two rows in a line: as halves if each cell is either right or wrong altogether.
Cells in_pairs(const Cells& rows) {
  const MapSign right, wrong{ElementState::wrong};
  Cells lines;
  for (std::size_t row = 0; row < rows.size(); row += 2) {
    std::vector<MapCell>& line = lines.emplace_back(rows[row]);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const MapCell above = line[i];
      const MapCell none = above.sign() == wrong ? MapCell{} : above;  // below the last row
      const MapCell below = row + 1 < rows.size() ? rows[row + 1][i] : none;
      line[i] = {std::max(above.state, below.state), (above.share + below.share) / 2};
      if (above.sign() == wrong && below.sign() == right)
        line[i] = {above.state, 1, MapCell::Half::upper};
      if (above.sign() == right && below.sign() == wrong)
        line[i] = {below.state, 1, MapCell::Half::lower};
    }
  }
  return lines;
}

/// Sets the lines and the extents of cells.
void lay_out(MapLayout& layout, const ResultMap& map, const MapMedium& medium) {
  const std::size_t down = map.cells.size(), across = map.cells.front().size();
  const bool halves = medium.halves && down > medium.lines;
  const Join by = layout.vector
                      ? Join{1, reduction(across, medium.vector_cells)}
                      : join_of_matrix(down, across, medium.lines * (halves ? 2 : 1), halves);
  layout.rows = {map.rows, map.cell_rows * static_cast<std::int64_t>(by.rows)};
  layout.columns = {map.columns, map.cell_columns * static_cast<std::int64_t>(by.columns)};
  layout.lines = joined_cells(map, by);
  if (layout.lines.size() > medium.lines) {
    layout.rows_in_line = 2;
    layout.lines = in_pairs(layout.lines);
  } else if (!layout.vector && 2 * layout.across(0) <= kMostInLine) {
    layout.cell_width = 2;
  }
}

/// The extent of tiles if their borders lie between cells, and those in `elements` are few; else 0.
int drawable(int tile, std::int64_t cell, int extent, std::int64_t elements, int most) {
  const bool fits = tile > 0 && tile < extent && tile % cell == 0;
  return fits && (elements - 1) / tile <= most ? tile : 0;
}

void choose_borders(MapLayout& layout, const ResultMap& map, const MapMedium& medium) {
  layout.rows.tile = drawable(map.tile_rows, layout.row_of(1), map.rows, map.rows, kMostBorders);
  const int borders = layout.rows.tile > 0 ? (map.rows - 1) / layout.rows.tile : 0;
  layout.row_borders =
      borders > 0 && static_cast<int>(layout.down()) + borders <= medium.lines_and_borders;
  for (std::size_t line = 0; line < layout.down(); ++line)
    layout.number_width = std::max(layout.number_width, layout.number_of(line).size());
  const std::size_t across = layout.across(0);
  int room = medium.width - static_cast<int>(layout.number_width + across * layout.cell_width);
  if (layout.vector && layout.down() > 1) --room;  // another line may have a border more
  layout.columns.tile = drawable(map.tile_columns, layout.columns.cell, map.columns,
                                 layout.column_of(0, across), std::min(kMostBorders, room));
}

/// "64 x 64", of a vector "4,096"
std::string extents(bool vector, std::int64_t rows, std::int64_t columns) {
  if (vector) return grouped(static_cast<std::uint64_t>(columns));
  return fmt::format("{} x {}", rows, columns);
}

}  // namespace

std::string name_of(const MapSign& sign) {
  constexpr const char* kNames[] = {"right", "wrong", "not finite", "never written"};
  return fmt::format("{}{}", sign.partly ? "partly " : "",
                     kNames[static_cast<std::size_t>(sign.state)]);
}

std::string MapSide::number_of(std::int64_t element) const {
  int step = tile > 0 ? tile : 4;
  while (tile == 0 && step < extent / 4) step *= 2;
  return element % step == 0 ? std::to_string(element) : "";
}

std::int64_t MapLayout::row_of(std::size_t line) const {
  return std::min<std::int64_t>(static_cast<int>(line) * rows_in_line * rows.cell, rows.extent);
}

std::int64_t MapLayout::column_of(std::size_t line, std::size_t cell) const {
  const std::size_t before = vector ? line * kMostInLine : 0;
  return std::min<std::int64_t>(static_cast<int>(before + cell) * columns.cell, columns.extent);
}

std::string MapLayout::number_of(std::size_t line) const {
  return vector ? std::to_string(column_of(line, 0)) : rows.number_of(row_of(line));
}

std::string MapLayout::heading(const std::string& cell) const {
  std::string text = title;
  if (!tile.empty()) text += "; a block's tile: " + tile;
  if (rows.cell > 1 || columns.cell > 1)
    return text + fmt::format("; {}: {} elements", cell, extents(vector, rows.cell, columns.cell));
  return rows_in_line == 1 ? text : text + fmt::format("; {}: 1 element", cell);
}

MapLayout map_layout(const ResultMap& map, const MapMedium& medium) {
  MapLayout layout;
  layout.vector = map.rows == 1;
  lay_out(layout, map, medium);
  choose_borders(layout, map, medium);
  layout.title =
      fmt::format("{}, {}", printable(map.output), extents(layout.vector, map.rows, map.columns));
  if (layout.vector) layout.title += map.columns == 1 ? " element" : " elements";
  if (layout.columns.tile > 0 || layout.row_borders)
    layout.tile = extents(layout.vector, map.tile_rows > 0 ? map.tile_rows : map.rows,
                          map.tile_columns > 0 ? map.tile_columns : map.columns);
  for (const std::vector<MapCell>& line : layout.lines) {
    for (const MapCell& cell : line) layout.signs.insert(cell.sign());
  }
  return layout;
}

bool is_worth_drawing(const ResultMap& map) {
  const auto vary = [](const std::vector<std::string>& lines) {
    return std::ranges::any_of(lines, [&](const std::string& line) {
      return line.find_first_not_of(lines.front().front()) != line.npos;
    });
  };
  const bool is_partly = !map.amounts.empty() && map.amounts.front().find_first_of("12345678") == 0;
  return is_partly || vary(map.cells) || vary(map.amounts);
}

}  // namespace tessera
