// Tiles in one array of shared memory, A's before B's, whose rows are read at another distance than
// they are stored.
#include <fmt/format.h>

#include <limits>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// The two tiles of a phase, as the thread that computes C[row][column] finds them.
struct Tiles {
  Tiles(const Product& of, int side, int row, int column, int p)
      : product(of),
        tile(side),
        row_start(row - row % side),
        column_start(column - column % side),
        p_start(p - p % side) {}

  /// Element `index` of the array; NaN behind both tiles, where no thread stores.
  double at(int index) const {
    const int size = tile * tile;
    const int row = index % size / tile;
    const int column = index % size % tile;
    if (index < size) return product.a(row_start + row, p_start + column);
    if (index < 2 * size) return product.b(p_start + row, column_start + column);
    return std::numeric_limits<double>::quiet_NaN();
  }

  const Product& product;
  int tile;
  int row_start;
  int column_start;
  int p_start;
};

}  // namespace

std::vector<Hypothesis> stride_hypotheses(const Shared& product, int tile) {
  std::vector<Hypothesis> hypotheses;
  // int32 has no NaN, which stands for what lies behind both tiles.
  if (product->output().got().element() != Element::float32) return {};
  const int count = (product->k() + tile - 1) / tile * tile;
  struct Variant {
    Phrase tiles;
    bool of_a;
    bool of_b;
  };
  for (const int length : {4, 8, 16, 32}) {
    if (length == tile) continue;
    for (const auto& [tiles, of_a, of_b] : {Variant{Phrase::tile_of_a, true, false},
                                            {Phrase::tile_of_b, false, true},
                                            {Phrase::tiles_of_both, true, true}}) {
      hypotheses.push_back(
          {"fixed-block-size", fmt::format("{}, {}", to_string(tiles), length), Rank::specific,
           say(Phrase::tile_rows_read_apart, tiles, length, tile),
           say(Phrase::fixed_size_hint, length, tile),
           sum_of(product, count,
                  [tile, length, of_a = of_a, of_b = of_b](const Product& x, int row, int column,
                                                           int p) {
                    const Tiles both(x, tile, row, column, p);
                    const int of_row = row % tile * (of_a ? length : tile) + p % tile;
                    const int of_column = p % tile * (of_b ? length : tile) + column % tile;
                    return Factors{both.at(of_row), both.at(tile * tile + of_column)};
                  })});
      hypotheses.back().everywhere = true;
    }
  }
  return hypotheses;
}

}  // namespace tessera
