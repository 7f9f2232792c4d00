// A map of which elements of an output are right, small enough for a record.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/launch.h"

namespace tessera {

/// The state of an element, from good to bad.
enum class ElementState { right, wrong, not_finite, unwritten };

/// '.' right, 'x' wrong, 'n' not finite, 'u' unwritten.
char letter_of(ElementState state);

/// The state with this letter, or nothing.
std::optional<ElementState> element_state(char letter);

/// An output in cells, each with the state of its worst element and how many are not right. At
/// most 64 x 64 cells; a vector, which is a row, has up to 1,024.
struct ResultMap {
  std::string output;  // "C"
  int rows = 1;        // of the output, in elements; 1 for a vector
  int columns = 1;
  int tile_rows = 0;  // elements that a block covers; 0: a block covers all, or it is not known
  int tile_columns = 0;
  int cell_rows = 1;  // elements in a cell, a power of two; the last cells may have fewer
  int cell_columns = 1;
  std::vector<std::string> cells;  // a string of letters for each row of cells
  /// As many digits, from amount_of(); empty if a cell is a single element.
  std::vector<std::string> amounts;

  bool operator==(const ResultMap&) const = default;
};

/// How much of a cell is not right, as a digit: the nearest ninth; '0' is nothing and '9' all of
/// it. `all` must not be 0.
char amount_of(std::uint64_t not_right, std::uint64_t all);

/// The map of a rows x columns output, without tiles.
ResultMap result_map(const std::string& output, int rows, int columns,
                     const std::function<ElementState(int row, int column)>& state);

/// Sets the tiles: the block's threads, times the elements that each of them must compute for the
/// grid to cover the output; x counts columns, and for a vector all threads of a block are in a
/// row.
void set_tiles(ResultMap& map, const LaunchShape& shape);

}  // namespace tessera
