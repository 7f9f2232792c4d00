// Tiles in one array of shared memory, A's before B's, whose rows are read another length apart
// than they are stored.
#include <fmt/format.h>

#include <limits>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// The two tiles of a phase, as threads find them that compute C[row][column].
struct Tiles {
  Tiles(const Product& of, int side, int row, int column, int p)
      : product(of),
        tile(side),
        row_start(row - row % side),
        column_start(column - column % side),
        p_start(p - p % side) {}

  /// Element `index` of the array. Behind both tiles it is nobody's.
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
  // A number in the place of a NaN cannot be told in whole numbers.
  if (product->output().got().element() != Element::float32) return {};
  const int count = (product->k() + tile - 1) / tile * tile;
  struct Variant {
    const char* text;
    bool of_a;
    bool of_b;
  };
  for (const int length : {4, 8, 16, 32}) {
    if (length == tile) continue;
    for (const auto& [text, of_a, of_b] : {Variant{"the tile of A", true, false},
                                           {"the tile of B", false, true},
                                           {"the tiles of A and B", true, true}}) {
      hypotheses.push_back(
          {"fixed-block-size", fmt::format("{}, {}", text, length), Rank::specific,
           fmt::format("rows of {} are read {} elements apart, and are {} apart", text, length,
                       tile),
           fmt::format("does the kernel say {} in place of the block's size, which is {} here?",
                       length, tile),
           sum_of(product, count,
                  [tile, length, of_a = of_a, of_b = of_b](const Product& x, int row, int column,
                                                           int p) {
                    const Tiles tiles(x, tile, row, column, p);
                    const int of_row = row % tile * (of_a ? length : tile) + p % tile;
                    const int of_column = p % tile * (of_b ? length : tile) + column % tile;
                    return Factors{tiles.at(of_row), tiles.at(tile * tile + of_column)};
                  })});
      hypotheses.back().everywhere = true;
    }
  }
  return hypotheses;
}

}  // namespace tessera
