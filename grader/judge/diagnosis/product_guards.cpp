// Guards of the loads into tiles that leave out elements which exist: what they leave out counts as
// 0, and what they let through is read from wherever it lies.
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
/// Guards that compare the thread's own column or row instead of the loaded element's.
bool own_column_for_a(const Loader& at, const Extents3& x) {
  return at.row < x.m && at.column < x.k;
}
bool own_row_for_b(const Loader& at, const Extents3& x) {
  return at.row < x.k && at.column < x.n;
}
/// Guards that compare the index which belongs to the other matrix.
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
  Phrase clause;
  Phrase hint;
  Guard a;
  Guard b;
};

constexpr Phrase kExchanged = Phrase::exchanged_guard_hint;
constexpr Phrase kOwnElement = Phrase::own_element_hint;
constexpr Phrase kJoint = Phrase::two_guards_hint;

constexpr WrongGuards kWrongGuards[] = {
    {"joint", Phrase::loads_where_both, kJoint, joint, joint},
    {"A exchanged", Phrase::exchanged_guard_of_a, kExchanged, exchanged_for_a, right_for_b},
    {"B exchanged", Phrase::exchanged_guard_of_b, kExchanged, right_for_a, exchanged_for_b},
    {"both exchanged", Phrase::exchanged_guards, kExchanged, exchanged_for_a, exchanged_for_b},
    {"A by the own column", Phrase::own_column_guards_a, kOwnElement, own_column_for_a,
     right_for_b},
    {"B by the own row", Phrase::own_row_guards_b, kOwnElement, right_for_a, own_row_for_b},
    {"both by the own place", Phrase::own_place_guards_both, kOwnElement, own_column_for_a,
     own_row_for_b},
    {"A by y", Phrase::thread_y_guards_a, kOwnElement, by_y_for_a, right_for_b},
    {"B by x", Phrase::thread_x_guards_b, kOwnElement, right_for_a, by_x_for_b},
    {"both by the other", Phrase::threads_exchanged_in_guards, kOwnElement, by_y_for_a, by_x_for_b},
    {"A by the store", Phrase::store_guards_a, kOwnElement, of_the_store, right_for_b},
    {"B by the store", Phrase::store_guards_b, kOwnElement, right_for_a, of_the_store},
    {"both by the store", Phrase::store_guards_both, kOwnElement, of_the_store, of_the_store},
};

/// What the tile holds in place of this element.
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
