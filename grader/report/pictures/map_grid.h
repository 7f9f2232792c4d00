// A result map as cells to draw, and the same from farther away.
#pragma once

#include <cstddef>
#include <vector>

#include "grader/judge/compare/result_map.h"

namespace tessera {

struct GridCell {
  ElementState worst = ElementState::right;
  double share = 0;  // of its elements that are not right, from 0 to 1
};

struct MapGrid {
  int rows = 1;  // of the output, in elements
  int columns = 1;
  int cell_rows = 1;  // elements in a cell; the last cells may have fewer
  int cell_columns = 1;
  std::vector<std::vector<GridCell>> cells;

  int down() const { return static_cast<int>(cells.size()); }
  int across() const { return cells.empty() ? 0 : static_cast<int>(cells.front().size()); }
  const GridCell& at(int row, int column) const {
    return cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }
};

/// The cells of the map. If a record does not say how much of a cell is wrong, all of it is.
MapGrid grid_of(const ResultMap& map);

/// The grid with `by_rows` x `by_columns` cells joined into each new cell.
MapGrid joined(const MapGrid& grid, int by_rows, int by_columns);

/// The smallest power of two by which `cells` must be divided to become at most `most`.
int reduction(int cells, int most);

/// Whether the borders of tiles of extent `tile` lie between cells of extent `cell`.
bool fits_cells(int tile, int cell, int extent);

}  // namespace tessera
