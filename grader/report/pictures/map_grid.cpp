#include "grader/report/pictures/map_grid.h"

#include <algorithm>
#include <cstdint>

#include "grader/report/pictures/pictures.h"

namespace tessera {
namespace {

/// How many elements cell `index` has along one side.
double extent_of(int index, int cell, int extent) {
  const std::int64_t first = std::int64_t{index} * cell;
  return static_cast<double>(std::min<std::int64_t>(cell, extent - first));
}

int parts(int whole, int by) {
  return (whole - 1) / by + 1;
}

/// The extent of `by` joined cells; in records of large outputs it comes close to the largest int.
int times(int cell, int by) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  return static_cast<int>(std::min(std::int64_t{cell} * by, kMost));
}

GridCell joined_cell(const MapGrid& grid, int first_row, int first_column, int by_rows,
                     int by_columns) {
  GridCell all;
  double bad = 0, elements = 0;
  for (int row = first_row; row < std::min(first_row + by_rows, grid.down()); ++row) {
    for (int column = first_column; column < std::min(first_column + by_columns, grid.across());
         ++column) {
      const GridCell& cell = grid.at(row, column);
      const double size = extent_of(row, grid.cell_rows, grid.rows) *
                          extent_of(column, grid.cell_columns, grid.columns);
      all.worst = std::max(all.worst, cell.worst);
      bad += cell.share * size;
      elements += size;
    }
  }
  all.share = bad >= elements ? 1 : bad / elements;
  return all;
}

}  // namespace

MapGrid grid_of(const ResultMap& map) {
  MapGrid grid{map.rows, map.columns, map.cell_rows, map.cell_columns, {}};
  for (std::size_t row = 0; row < map.cells.size(); ++row) {
    std::vector<GridCell>& cells = grid.cells.emplace_back();
    for (std::size_t column = 0; column < map.cells[row].size(); ++column) {
      GridCell cell;
      cell.worst = element_state(map.cells[row][column]).value_or(ElementState::right);
      if (cell.worst != ElementState::right)
        cell.share = map.amounts.empty() ? 1 : (map.amounts[row][column] - '0') / 9.0;
      cells.push_back(cell);
    }
  }
  return grid;
}

MapGrid joined(const MapGrid& grid, int by_rows, int by_columns) {
  if (by_rows == 1 && by_columns == 1) return grid;
  MapGrid result{grid.rows,
                 grid.columns,
                 times(grid.cell_rows, by_rows),
                 times(grid.cell_columns, by_columns),
                 {}};
  for (int row = 0; row < grid.down(); row += by_rows) {
    std::vector<GridCell>& cells = result.cells.emplace_back();
    for (int column = 0; column < grid.across(); column += by_columns)
      cells.push_back(joined_cell(grid, row, column, by_rows, by_columns));
  }
  return result;
}

int reduction(int cells, int most) {
  int by = 1;
  while (parts(cells, by) > most) by *= 2;
  return by;
}

bool fits_cells(int tile, int cell, int extent) {
  return tile > 0 && tile < extent && tile % cell == 0;
}

bool is_worth_drawing(const ResultMap& map) {
  const MapGrid grid = grid_of(map);
  if (grid.cells.empty() || grid.across() == 0) return false;
  const GridCell& first = grid.at(0, 0);
  if (first.share > 0 && first.share < 1) return true;
  return std::ranges::any_of(grid.cells, [&](const std::vector<GridCell>& line) {
    return std::ranges::any_of(line, [&](const GridCell& cell) {
      return cell.worst != first.worst || cell.share != first.share;
    });
  });
}

}  // namespace tessera
