// Products by phases: which tiles are multiplied in each of them, and what stands at their edges.
#include <fmt/format.h>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// Row and column inside of a tile, and where the tile begins.
struct Place {
  Place(int index, int tile) : inside(index % tile), start(index - index % tile) {}
  int inside;
  int start;
};

/// One formula: what the tiles of A and B hold where the term p of C[row][column] reads them.
struct PhaseFormula {
  const char* word;
  const char* variant;
  const char* clause;
  const char* hint;
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
/// What the tile of A holds where that of B was stored over it, and the other way round.
double b_in_place_of_a(const Product& x, int tile, int row, int column, int p) {
  const Place i(row, tile), j(column, tile), s(p, tile);
  return x.b(s.start + i.inside, j.start + s.inside);
}
double a_in_place_of_b(const Product& x, int tile, int row, int column, int p) {
  const Place i(row, tile), j(column, tile), s(p, tile);
  return x.a(i.start + s.inside, s.start + j.inside);
}

/// The row of A as the column of C gives it, and the column of B as the row of C gives it: from the
/// block, from the place in the tile, or from both.
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

constexpr const char* kAxis =
    "a row of C needs that row of A, a column of C that column of B: which of x and y counts rows "
    "in this kernel, and which columns?";
constexpr const char* kTileAxis =
    "a thread loads the element of A whose column, and that of B whose row, is phase * TILE plus "
    "its "
    "own place in the tile: threadIdx.x for A's column, threadIdx.y for B's row";
constexpr const char* kAdvance =
    "the tile must move on with the phase: its start is phase * TILE along A's rows and down B's "
    "columns";
constexpr const char* kStale =
    "store this phase's tiles before they are read, with a barrier between";
constexpr const char* kTurned =
    "store into the tile and read from it with the same order of indices: element (row, p) of A, "
    "(p, column) of B";
constexpr const char* kOverlap =
    "give each tile its own part of shared memory: the second one begins behind the last element "
    "of the first";

constexpr PhaseFormula kPhaseFormulas[] = {
    {"tile-not-advanced", "A", "every phase multiplies the first tile of A", kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{first_tile_a(x, t, i, p), x.b(p, j)};
     }},
    {"tile-not-advanced", "B", "every phase multiplies with the first tile of B", kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), first_tile_b(x, t, p, j)};
     }},
    {"tile-not-advanced", "A and B", "every phase multiplies the first tiles of A and B again",
     kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{first_tile_a(x, t, i, p), first_tile_b(x, t, p, j)};
     }},
    {"stale-tile", "A", "each phase reads the tile of A of the phase before", kStale,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{last_a(x, t, i, p), x.b(p, j)};
     }},
    {"stale-tile", "B", "each phase reads the tile of B of the phase before", kStale,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), last_b(x, t, p, j)};
     }},
    {"stale-tile", "A and B", "each phase reads the tiles of the phase before", kStale,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{last_a(x, t, i, p), last_b(x, t, p, j)};
     }},
    {"tile-transposed", "A", "each tile of A is used with its rows and columns exchanged", kTurned,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{turned_a(x, t, i, p), x.b(p, j)};
     }},
    {"tile-transposed", "B", "each tile of B is used with its rows and columns exchanged", kTurned,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), turned_b(x, t, p, j)};
     }},
    {"tile-transposed", "A and B",
     "the tiles of both A and B are used with their rows and columns exchanged", kTurned,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{turned_a(x, t, i, p), turned_b(x, t, p, j)};
     }},
    {"tiles-overlap", "B over A",
     "the tile of A holds what was stored in the tile of B: both lie in the same place", kOverlap,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{b_in_place_of_a(x, t, i, j, p), x.b(p, j)};
     }},
    {"tiles-overlap", "A over B",
     "the tile of B holds what was stored in the tile of A: both lie in the same place", kOverlap,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), a_in_place_of_b(x, t, i, j, p)};
     }},
    {"axis-exchanged", "A, block",
     "the row of A follows from the block's column in C instead of its row", kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(by_block({i, t}, {j, t}), p), x.b(p, j)};
     }},
    {"axis-exchanged", "A, thread",
     "the row of A follows from the thread's column in the tile instead of its row", kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(by_thread({i, t}, {j, t}), p), x.b(p, j)};
     }},
    {"axis-exchanged", "A", "the row of A follows from the column in C instead of the row", kAxis,
     [](const Product& x, int, int, int j, int p) {
       return Factors{x.a(j, p), x.b(p, j)};
     }},
    {"axis-exchanged", "B, block",
     "the column of B follows from the block's row in C instead of its column", kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(p, by_block({j, t}, {i, t}))};
     }},
    {"axis-exchanged", "B, thread",
     "the column of B follows from the thread's row in the tile instead of its column", kAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(p, by_thread({j, t}, {i, t}))};
     }},
    {"axis-exchanged", "B", "the column of B follows from the row in C instead of the column",
     kAxis,
     [](const Product& x, int, int i, int, int p) {
       return Factors{x.a(i, p), x.b(p, i)};
     }},
    {"axis-exchanged", "A's column",
     "the column of A follows from the thread's row in the tile instead of its column", kTileAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, by_thread({p, t}, {i, t})), x.b(p, j)};
     }},
    {"axis-exchanged", "B's row",
     "the row of B follows from the thread's column in the tile instead of its row", kTileAxis,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(by_thread({p, t}, {j, t}), j)};
     }},
    {"tile-step-wrong", "A", "the tile of A moves on by one column a phase instead of a whole tile",
     kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, one_a_phase(t, p)), x.b(p, j)};
     }},
    {"tile-step-wrong", "B", "the tile of B moves on by one row a phase instead of a whole tile",
     kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, p), x.b(one_a_phase(t, p), j)};
     }},
    {"tile-step-wrong", "A and B",
     "the tiles of A and B move on by one element a phase instead of a whole tile", kAdvance,
     [](const Product& x, int t, int i, int j, int p) {
       return Factors{x.a(i, one_a_phase(t, p)), x.b(one_a_phase(t, p), j)};
     }},
};

/// Every product, and behind the edge of the last tile what `beyond` says.
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

/// The last tile sticks out over the edge of A and B, and what stands there is not zero.
std::vector<Hypothesis> edge_hypotheses(const Shared& product, int tile) {
  const int k = product->k();
  const int missing = (tile - k % tile) % tile;
  if (missing == 0) return {};
  const std::string rest = fmt::format("the last tile has {} of {} columns", k % tile, tile);
  const std::string hint =
      "a thread whose element of A or B does not exist must store a 0 into the tile";
  std::vector<Hypothesis> hypotheses;
  if (k > tile) {
    hypotheses.push_back(
        {"edge-not-cleared", "", Rank::specific,
         rest + ", and behind them the elements of the phase before are still there", hint,
         product_and(product, tile, [product, tile](int row, int column, int p) {
           return Factors{product->a(row, p - tile), product->b(p - tile, column)};
         })});
  }
  hypotheses.push_back({"edge-not-zero", "ones", Rank::specific,
                        rest + ", and the rest of it is filled with 1 instead of 0", hint,
                        product_and(product, tile, [](int, int, int) {
                          return Factors{1, 1};
                        })});
  hypotheses.push_back({"edge-not-zero", "repeated", Rank::specific,
                        rest + ", and the last product is added again for each that does not exist",
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
          "each thread multiplies only the two elements that it has loaded itself",
          "an element of C needs a whole row of the tile of A and a whole column of the tile of B: "
          "loop over them",
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
