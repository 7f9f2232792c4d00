// Kernels for whole tiles, on extents that are not multiples of the tile: every thread loads and
// stores, and what lies behind the end of a row is in the next row.
#include <cstdint>
#include <utility>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

class Unguarded {
 public:
  /// The sum is over the products p = 0 ... count - 1.
  Unguarded(Shared product, int tile, int count)
      : product_(std::move(product)), tile_(tile), count_(count) {}

  /// Whether one of the threads that store into C[row][column] stores what is there.
  bool explains(int row, int column) const {
    const WrongOutput& output = product_->output();
    const std::int64_t pitch = output.got().pitch();
    const std::int64_t place = row * pitch + column;
    for (int i = 0; i < whole(product_->m()) && i * pitch <= place; ++i) {
      const std::int64_t j = place - i * pitch;
      if (j < whole(product_->n()) && product_->holds(row, column, sum(i, static_cast<int>(j))))
        return true;
    }
    return false;
  }

 private:
  int whole(int extent) const { return (extent + tile_ - 1) / tile_ * tile_; }

  TermSum sum(std::int64_t row, std::int64_t column) const {
    const HostMatrix& a = product_->output().inputs()[0];
    const HostMatrix& b = product_->output().inputs()[1];
    TermSum sum = product_->sum();
    for (std::int64_t p = count_ - 1; p >= 0 && !sum.is_nan(); --p)
      sum.add(element_at(a, row * a.pitch() + p), element_at(b, p * b.pitch() + column));
    return sum;
  }

  Shared product_;
  int tile_;
  int count_;
};

}  // namespace

std::vector<Hypothesis> unguarded_hypotheses(const Shared& product, int tile) {
  const int k = product->k();
  const int whole = k / tile * tile;
  const Text right = say(Phrase::whole_tiles_hint, tile);
  const auto hypothesis = [&](const char* variant, Text clause, Text hint, int count) {
    Hypothesis made{"made-for-whole-tiles", variant,         Rank::specific,
                    std::move(clause),      std::move(hint), {}};
    made.explains = [unguarded = Unguarded(product, tile, count)](int row, int column) {
      return unguarded.explains(row, column);
    };
    made.everywhere = true;
    return made;
  };
  return {hypothesis("down", say(Phrase::stores_all_stops_at, whole, k),
                     right + say(Phrase::and_round_up_hint, tile), whole),
          hypothesis("up", Phrase::loads_and_stores_all, right, (k + tile - 1) / tile * tile)};
}

}  // namespace tessera
