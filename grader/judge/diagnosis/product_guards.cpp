// Guards of the loads into tiles that leave out elements which exist: what they leave out counts as
// 0, and what they let through is read from wherever it lies.
#include <fmt/format.h>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// What a thread may compare in one phase: its row and column in C, the column of A and the row of
/// B that it loads.
struct Loader {
  int row;
  int column;
  int a_column;
  int b_row;
};

struct Extents3 {
  int m;
  int n;
  int k;
};

using Guard = bool (*)(const Loader&, const Extents3&);

bool right_for_a(const Loader& at, const Extents3& x) {
  return at.row < x.m && at.a_column < x.k;
}
bool right_for_b(const Loader& at, const Extents3& x) {
  return at.b_row < x.k && at.column < x.n;
}
bool exchanged_for_a(const Loader& at, const Extents3& x) {
  return at.row < x.k && at.a_column < x.m;
}
bool exchanged_for_b(const Loader& at, const Extents3& x) {
  return at.b_row < x.n && at.column < x.k;
}
/// The thread's own column or row where that of the element belongs.
bool own_column_for_a(const Loader& at, const Extents3& x) {
  return at.row < x.m && at.column < x.k;
}
bool own_row_for_b(const Loader& at, const Extents3& x) {
  return at.row < x.k && at.column < x.n;
}
/// The place in the tile that belongs to the other matrix.
bool by_y_for_a(const Loader& at, const Extents3& x) {
  return at.row < x.m && at.b_row < x.k;
}
bool by_x_for_b(const Loader& at, const Extents3& x) {
  return at.a_column < x.k && at.column < x.n;
}
bool of_the_store(const Loader& at, const Extents3& x) {
  return at.row < x.m && at.column < x.n;
}
bool joint(const Loader& at, const Extents3& x) {
  return right_for_a(at, x) && right_for_b(at, x);
}

struct WrongGuards {
  const char* variant;
  const char* clause;
  const char* hint;
  Guard a;
  Guard b;
};

constexpr const char* kExchanged =
    "compare a row with the height and a column with the width of the matrix that is loaded from: "
    "the row of A with m and its column with k, the row of B with k and its column with n";
constexpr const char* kOwnElement =
    "compare what is loaded: A's column is phase * TILE + threadIdx.x, B's row phase * TILE + "
    "threadIdx.y; the thread's row and column in C are others";
constexpr const char* kJoint =
    "two elements, two guards: that of A may exist where that of B does not, and the other way "
    "round";

constexpr WrongGuards kWrongGuards[] = {
    {"joint", "a thread loads its elements of A and B only where both exist", kJoint, joint, joint},
    {"A exchanged",
     "elements of A count only where their row is below A's width and their column below its "
     "height",
     kExchanged, exchanged_for_a, right_for_b},
    {"B exchanged",
     "elements of B count only where their row is below B's width and their column below its "
     "height",
     kExchanged, right_for_a, exchanged_for_b},
    {"both exchanged",
     "elements of A and B count only where their row is below the matrix's width and their column "
     "below its height",
     kExchanged, exchanged_for_a, exchanged_for_b},
    {"A by the own column",
     "a thread loads its element of A only where its own column in C is below A's width",
     kOwnElement, own_column_for_a, right_for_b},
    {"B by the own row",
     "a thread loads its element of B only where its own row in C is below B's height", kOwnElement,
     right_for_a, own_row_for_b},
    {"both by the own place",
     "a thread loads its elements of A and B only where its own row and column in C are below A's "
     "and B's extents",
     kOwnElement, own_column_for_a, own_row_for_b},
    {"A by y",
     "a thread loads its element of A only where phase * TILE + threadIdx.y is below A's width",
     kOwnElement, by_y_for_a, right_for_b},
    {"B by x",
     "a thread loads its element of B only where phase * TILE + threadIdx.x is below B's height",
     kOwnElement, right_for_a, by_x_for_b},
    {"both by the other", "the guards of the loads have threadIdx.x and threadIdx.y exchanged",
     kOwnElement, by_y_for_a, by_x_for_b},
    {"A by the store", "a thread loads its element of A only where its own element of C exists",
     kOwnElement, of_the_store, right_for_b},
    {"B by the store", "a thread loads its element of B only where its own element of C exists",
     kOwnElement, right_for_a, of_the_store},
    {"both by the store",
     "a thread loads its elements of A and B only where its own element of C exists", kOwnElement,
     of_the_store, of_the_store},
};

/// What a tile holds in the place of this element.
double loaded(const HostMatrix& matrix, int row, int column, bool guard) {
  if (!guard) return 0;
  return element_at(matrix, static_cast<std::int64_t>(row) * matrix.pitch() + column);
}

}  // namespace

std::vector<Hypothesis> load_guard_hypotheses(const Shared& product, int tile) {
  std::vector<Hypothesis> hypotheses;
  const int count = (product->k() + tile - 1) / tile * tile;
  const Extents3 extents{product->m(), product->n(), product->k()};
  for (const WrongGuards& guards : kWrongGuards) {
    hypotheses.push_back(
        {"load-guard-wrong", guards.variant, Rank::specific, guards.clause, guards.hint,
         sum_of(product, count,
                [&guards, tile, extents](const Product& x, int row, int column, int p) {
                  const int start = p - p % tile;
                  const Loader of_a{row, column - column % tile + p % tile, p, start + row % tile};
                  const Loader of_b{row - row % tile + p % tile, column, start + column % tile, p};
                  const std::vector<HostMatrix>& inputs = x.output().inputs();
                  return Factors{loaded(inputs[0], row, p, guards.a(of_a, extents)),
                                 loaded(inputs[1], p, column, guards.b(of_b, extents))};
                })});
    hypotheses.back().everywhere = true;
  }
  return hypotheses;
}

}  // namespace tessera
