// The picture of a result map, for every medium that draws it: cells in lines, borders of tiles,
// numbers of rows and columns, words of heading and legend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/compare/result_map.h"

namespace tessera {

/// What a medium can show. A line of any has room for 64 cells.
struct MapMedium {
  std::size_t lines = 0;         // of a matrix
  int lines_and_borders = 0;     // of a matrix; a border between tiles takes a line
  std::size_t vector_cells = 0;  // in all lines
  bool halves = false;           // two rows of cells can share a line
  int width = 0;                 // of a line, in characters: its number, cells and borders of tiles
};

/// An entry of the legend; ordered like the legend.
struct MapSign {
  ElementState state = ElementState::right;
  bool partly = false;  // other elements of the cell are right

  auto operator<=>(const MapSign&) const = default;
};

/// "right", "partly never written"
std::string name_of(const MapSign& sign);

struct MapCell {
  enum class Half { both, upper, lower };

  ElementState state = ElementState::right;  // of its worst element
  double share = 0;                          // of its elements that are not right, from 0 to 1
  Half half = Half::both;  // of two rows that share a line, the wrong one; the other is right

  MapSign sign() const { return {state, state != ElementState::right && share < 1}; }
};

/// The rows or the columns of the output.
struct MapSide {
  int extent = 1;         // elements
  std::int64_t cell = 1;  // elements in a cell; the last cell may have fewer
  int tile = 0;           // elements in a tile; 0 if tiles are not shown

  bool begins_tile(std::int64_t element) const { return tile > 0 && element % tile == 0; }

  /// The element as a number if a tile begins with it or, without tiles, a quarter; else "".
  std::string number_of(std::int64_t element) const;
};

struct MapLayout {
  bool vector = false;  // the lines are pieces of a vector
  MapSide rows;
  MapSide columns;
  int rows_in_line = 1;        // rows of cells that share a line
  std::size_t cell_width = 1;  // of a cell, in characters
  std::vector<std::vector<MapCell>> lines;
  bool row_borders = false;      // lines are drawn between the rows of tiles
  std::size_t number_width = 2;  // of a line's number, in characters
  std::string title;             // "C, 64 x 64"
  std::string tile;              // "16 x 16"; "" if no borders are drawn
  std::set<MapSign> signs;       // of all cells

  std::size_t down() const { return lines.size(); }
  std::size_t across(std::size_t line) const { return lines[line].size(); }

  /// The first row of a line, the first column of a cell; behind the last of them, the extent.
  std::int64_t row_of(std::size_t line) const;
  std::int64_t column_of(std::size_t line, std::size_t cell) const;

  /// The number before a line: of its row or, in a vector, of its first element.
  std::string number_of(std::size_t line) const;

  /// Whether two tiles meet above a line, in a vector before it; or inside it, before a cell.
  bool is_border(std::size_t line) const {
    return line > 0 &&
           (vector ? columns.begins_tile(column_of(line, 0)) : rows.begins_tile(row_of(line)));
  }
  bool is_border(std::size_t line, std::size_t cell) const {
    return cell > 0 && columns.begins_tile(column_of(line, cell));
  }

  /// The title, the tiles and, unless a cell is an element, what a cell is; the medium calls it
  /// `cell`.
  std::string heading(const std::string& cell) const;
};

/// The picture of a map, which must have cells. They are joined until the medium can show them.
MapLayout map_layout(const ResultMap& map, const MapMedium& medium);

}  // namespace tessera
