// Products by phases: which tiles are multiplied in each of them, and what stands at their edges.
#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// A row or column as its place inside of a tile, and where the tile begins.
struct Place {
  Place(int index, int tile) : inside(index % tile), start(index - index % tile) {}
  int inside;
  int start;
};

/// A mistake, as what the tiles of A and B hold where term p of C[row][column] reads them.
struct PhaseFormula {
  const char* word;
  const char* variant;
  Phrase clause;
  Phrase hint;
  Factors (*term)(const Product&, int tile, int row, int column, int p);
};

double first_tile_a(const Product& x, int tile, int row, int p) {
  return x.a(row, p % tile);
}
double first_tile_b(const Product& x, int tile, int p, int column) {
  return x.b(p % tile, column);
}
double last_a(const Product& x, int tile, int row, int p) {
  return x.a(row, p < tile ? p : p - tile);
}
double last_b(const Product& x, int tile, int p, int column) {
  return x.b(p < tile ? p : p - tile, column);
}
/// The tile of A with rows and columns exchanged.
double turned_a(const Product& x, int tile, int row, int p) {
  const Place i(row, tile), s(p, tile);
  return x.a(i.start + s.inside, s.start + i.inside);
}
double turned_b(const Product& x, int tile, int p, int column) {
  const Place s(p, tile), j(column, tile);
  return x.b(s.start + j.inside, j.start + s.inside);
}
/// What the tile of A holds if that of B was stored over it, and the other way round.
double b_in_place_of_a(const Product& x, int tile, int row, int column, int p) {
  const Place i(row, tile), j(column, tile), s(p, tile);
  return x.b(s.start + i.inside, j.start + s.inside);
}
double a_in_place_of_b(const Product& x, int tile, int row, int column, int p) {
  const Place i(row, tile), j(column, tile), s(p, tile);
  return x.a(i.start + s.inside, s.start + j.inside);
}

/// An index with the block, or with the place in the tile, of the other axis.
int by_block(const Place& own, const Place& other) {
  return other.start + own.inside;
}
int by_thread(const Place& own, const Place& other) {
  return own.start + other.inside;
}
/// A tile that moves on by one element a phase.
int one_a_phase(int tile, int p) {
  return p / tile + p % tile;
}

constexpr Phrase kAxis = Phrase::axis_hint;
constexpr Phrase kTileAxis = Phrase::tile_axis_hint;
constexpr Phrase kAdvance = Phrase::advance_hint;
constexpr Phrase kStale = Phrase::stale_tile_hint;
constexpr Phrase kTurned = Phrase::turned_tile_hint;
constexpr Phrase kOverlap = Phrase::overlap_hint;

constexpr PhaseFormula kPhaseFormulas[] = {
    {"tile-not-advanced", "A", Phrase::first_tile_of_a, kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{first_tile_a(x, t, i, p), x.b(p, j)};
     }},
    {"tile-not-advanced", "B", Phrase::first_tile_of_b, kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), first_tile_b(x, t, p, j)};
     }},
    {"tile-not-advanced", "A and B", Phrase::first_tiles, kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{first_tile_a(x, t, i, p), first_tile_b(x, t, p, j)};
     }},
    {"stale-tile", "A", Phrase::tile_a_of_phase_before, kStale,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{last_a(x, t, i, p), x.b(p, j)};
     }},
    {"stale-tile", "B", Phrase::tile_b_of_phase_before, kStale,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), last_b(x, t, p, j)};
     }},
    {"stale-tile", "A and B", Phrase::tiles_of_phase_before, kStale,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{last_a(x, t, i, p), last_b(x, t, p, j)};
     }},
    {"tile-transposed", "A", Phrase::tile_a_turned, kTurned,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{turned_a(x, t, i, p), x.b(p, j)};
     }},
    {"tile-transposed", "B", Phrase::tile_b_turned, kTurned,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), turned_b(x, t, p, j)};
     }},
    {"tile-transposed", "A and B", Phrase::tiles_turned, kTurned,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{turned_a(x, t, i, p), turned_b(x, t, p, j)};
     }},
    {"tiles-overlap", "B over A", Phrase::tile_b_over_a, kOverlap,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{b_in_place_of_a(x, t, i, j, p), x.b(p, j)};
     }},
    {"tiles-overlap", "A over B", Phrase::tile_a_over_b, kOverlap,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), a_in_place_of_b(x, t, i, j, p)};
     }},
    {"axis-exchanged", "A, block", Phrase::row_of_a_by_block, kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(by_block({i, t}, {j, t}), p), x.b(p, j)};
     }},
    {"axis-exchanged", "A, thread", Phrase::row_of_a_by_thread, kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(by_thread({i, t}, {j, t}), p), x.b(p, j)};
     }},
    {"axis-exchanged", "A", Phrase::row_of_a_by_column, kAxis,
     [](const Product& x, int, int, int j, int p) {
       return Factors{x.a(j, p), x.b(p, j)};
     }},
    {"axis-exchanged", "B, block", Phrase::column_of_b_by_block, kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(p, by_block({j, t}, {i, t}))};
     }},
    {"axis-exchanged", "B, thread", Phrase::column_of_b_by_thread, kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(p, by_thread({j, t}, {i, t}))};
     }},
    {"axis-exchanged", "B", Phrase::column_of_b_by_row, kAxis,
     [](const Product& x, int, int i, int, int p) {
       return Factors{x.a(i, p), x.b(p, i)};
     }},
    {"axis-exchanged", "A's column", Phrase::column_of_a_by_row, kTileAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, by_thread({p, t}, {i, t})), x.b(p, j)};
     }},
    {"axis-exchanged", "B's row", Phrase::row_of_b_by_column, kTileAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(by_thread({p, t}, {j, t}), j)};
     }},
    {"tile-step-wrong", "A", Phrase::tile_a_by_one, kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, one_a_phase(t, p)), x.b(p, j)};
     }},
    {"tile-step-wrong", "B", Phrase::tile_b_by_one, kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(one_a_phase(t, p), j)};
     }},
    {"tile-step-wrong", "A and B", Phrase::tiles_by_one, kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, one_a_phase(t, p)), x.b(one_a_phase(t, p), j)};
     }},
};

/// Explains the elements that are the sum of all products and of the terms `beyond` the edge, in
/// the last tile.
std::function<bool(int, int)> product_and(
    const Shared& product, int tile, std::function<Factors(int row, int column, int p)> beyond) {
  return [product, tile, beyond = std::move(beyond)](int row, int column) {
    const int k = product->k();
    TermSum sum = product->sum();
    for (int p = 0; p < k; ++p) sum.add(product->a(row, p), product->b(p, column));
    for (int p = k; p % tile != 0; ++p) {
      const auto [a, b] = beyond(row, column, p);
      sum.add(a, b);
    }
    return product->holds(row, column, sum);
  };
}

/// Mistakes of a last tile that sticks out over the edge of A and B and is not zero there.
std::vector<Hypothesis> edge_hypotheses(const Shared& product, int tile) {
  const int k = product->k();
  const int missing = (tile - k % tile) % tile;
  if (missing == 0) return {};
  const Text rest = say(Phrase::tile_has_columns, k % tile, tile);
  constexpr Phrase hint = Phrase::edge_not_zero_hint;
  std::vector<Hypothesis> hypotheses;
  if (k > tile) {
    hypotheses.push_back({"edge-not-cleared", "", Rank::specific, rest + Phrase::edge_not_cleared,
                          hint,
                          product_and(product, tile, [product, tile](int row, int column, int p) {
                            return Factors{product->a(row, p - tile), product->b(p - tile, column)};
                          })});
  }
  hypotheses.push_back({"edge-not-zero", "ones", Rank::specific, rest + Phrase::edge_of_ones, hint,
                        product_and(product, tile, [](int, int, int) {
                          return Factors{1, 1};
                        })});
  hypotheses.push_back({"edge-not-zero", "repeated", Rank::specific, rest + Phrase::edge_repeated,
                        hint, product_and(product, tile, [product, k](int row, int column, int) {
                          return Factors{product->a(row, k - 1), product->b(k - 1, column)};
                        })});
  return hypotheses;
}

Hypothesis own_elements(const Shared& product, int tile) {
  const int phases = (product->k() + tile - 1) / tile;
  return {"own-elements-only",
          "",
          Rank::specific,
          Phrase::own_elements_only,
          Phrase::own_elements_only_hint,
          sum_of(product, phases, [tile](const Product& x, int row, int column, int phase) {
            return Factors{x.a(row, phase * tile + column % tile),
                           x.b(phase * tile + row % tile, column)};
          })};
}

}  // namespace

std::vector<Hypothesis> phase_hypotheses(const Shared& product, int tile) {
  std::vector<Hypothesis> hypotheses = edge_hypotheses(product, tile);
  hypotheses.push_back(own_elements(product, tile));
  for (const PhaseFormula& formula : kPhaseFormulas) {
    // Whole tiles: behind the edge of A and B both are 0.
    const int count = (product->k() + tile - 1) / tile * tile;
    hypotheses.push_back(
        {formula.word, formula.variant, Rank::specific, formula.clause, formula.hint,
         sum_of(product, count, [&formula, tile](const Product& x, int row, int column, int p) {
           return formula.term(x, tile, row, column, p);
         })});
  }
  return hypotheses;
}

}  // namespace tessera
