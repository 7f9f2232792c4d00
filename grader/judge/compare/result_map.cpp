#include "grader/judge/compare/result_map.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tessera {
namespace {

constexpr int kMostCells = 64;          // along a side
constexpr int kMostVectorCells = 1024;  // in the row of a vector
constexpr std::string_view kLetters = ".xnu";

/// The extent of a cell: a power of two, as of most tiles, whose borders then lie between cells.
int cell_extent(int extent, int most_cells) {
  int cell = 1;
  while ((extent - 1) / cell >= most_cells) cell *= 2;
  return cell;
}

struct Cell {
  ElementState worst = ElementState::right;
  std::uint64_t not_right = 0;
  std::uint64_t all = 0;

  void add(ElementState state) {
    worst = std::max(worst, state);
    if (state != ElementState::right) ++not_right;
    ++all;
  }
};

int tile_extent(int extent, std::uint64_t blocks, std::uint64_t threads) {
  if (blocks <= 1) return 0;
  const auto all = static_cast<std::uint64_t>(extent);
  const std::uint64_t each = std::max<std::uint64_t>(1, (all - 1) / (blocks * threads) + 1);
  const std::uint64_t tile = each * threads;
  return tile < all ? static_cast<int>(tile) : 0;
}

}  // namespace

char letter_of(ElementState state) {
  return kLetters[static_cast<std::size_t>(state)];
}

std::optional<ElementState> element_state(char letter) {
  const std::size_t at = kLetters.find(letter);
  if (at == kLetters.npos) return std::nullopt;
  return static_cast<ElementState>(at);
}

char amount_of(std::uint64_t not_right, std::uint64_t all) {
  if (not_right == 0) return '0';
  if (not_right >= all) return '9';
  const std::uint64_t ninths = (18 * not_right + all) / (2 * all);
  return static_cast<char>('0' + std::clamp<std::uint64_t>(ninths, 1, 8));
}

ResultMap result_map(const std::string& output, int rows, int columns,
                     const std::function<ElementState(int row, int column)>& state) {
  ResultMap map;
  map.output = output;
  map.rows = rows;
  map.columns = columns;
  map.cell_rows = cell_extent(rows, kMostCells);
  map.cell_columns = cell_extent(columns, rows == 1 ? kMostVectorCells : kMostCells);
  const auto down = static_cast<std::size_t>((rows - 1) / map.cell_rows + 1);
  const auto across = static_cast<std::size_t>((columns - 1) / map.cell_columns + 1);
  std::vector<std::vector<Cell>> cells(down, std::vector<Cell>(across));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      cells[static_cast<std::size_t>(row / map.cell_rows)]
           [static_cast<std::size_t>(column / map.cell_columns)]
               .add(state(row, column));
    }
  }
  for (const std::vector<Cell>& line : cells) {
    std::string& letters = map.cells.emplace_back();
    for (const Cell& cell : line) letters += letter_of(cell.worst);
    if (map.cell_rows == 1 && map.cell_columns == 1) continue;
    std::string& amounts = map.amounts.emplace_back();
    for (const Cell& cell : line) amounts += amount_of(cell.not_right, cell.all);
  }
  return map;
}

void set_tiles(ResultMap& map, const LaunchShape& shape) {
  if (map.rows == 1) {
    map.tile_columns = tile_extent(map.columns, shape.grid.count(), shape.block.count());
    return;
  }
  map.tile_rows = tile_extent(map.rows, shape.grid.y, shape.block.y);
  map.tile_columns = tile_extent(map.columns, shape.grid.x, shape.block.x);
}

}  // namespace tessera
