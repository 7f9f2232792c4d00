// Fragments of tensor cores that hold other elements of A or B than the instruction takes, and
// tiles that are swizzled only where they are stored or only where they are read.
#include <string>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

constexpr int kSide = 16;              // of a fragment of A, or of two fragments of B side by side
constexpr int kHalf = 8;               // of the blocks that they consist of
constexpr int kSwizzledElements = 64;  // of a row, among which a swizzle moves pieces of kHalf

struct Place {
  int row;
  int column;
};

/// A wrong layout: where the element comes from that stands at `at` in the fragment.
struct Layout {
  const char* variant;
  Phrase words;
  Phrase hint;
  Place (*source)(Place at);
};

Place blocks_transposed(Place at) {
  return {at.row / kHalf * kHalf + at.column % kHalf, at.column / kHalf * kHalf + at.row % kHalf};
}

Place blocks_exchanged(Place at) {
  return {at.column / kHalf * kHalf + at.row % kHalf, at.row / kHalf * kHalf + at.column % kHalf};
}

Place rows_exchanged(Place at) {
  return {at.row ^ kHalf, at.column};
}

Place columns_exchanged(Place at) {
  return {at.row, at.column ^ kHalf};
}

constexpr Layout kLayouts[] = {
    {"blocks transposed", Phrase::fragment_blocks_transposed, Phrase::fragment_pairs_hint,
     blocks_transposed},
    {"transposed", Phrase::fragment_transposed, Phrase::fragment_transposed_hint,
     [](Place at) {
       return Place{at.column, at.row};
     }},
    {"blocks exchanged", Phrase::fragment_blocks_exchanged, Phrase::fragment_registers_hint,
     blocks_exchanged},
    {"rows exchanged", Phrase::fragment_rows_exchanged, Phrase::fragment_registers_hint,
     rows_exchanged},
    {"columns exchanged", Phrase::fragment_columns_exchanged, Phrase::fragment_registers_hint,
     columns_exchanged},
    {"rows repeated", Phrase::fragment_rows_repeated, Phrase::fragment_registers_hint,
     [](Place at) {
       return Place{at.row % kHalf, at.column};
     }},
    {"columns repeated", Phrase::fragment_columns_repeated, Phrase::fragment_registers_hint,
     [](Place at) {
       return Place{at.row, at.column % kHalf};
     }},
    {"first row", Phrase::fragment_first_row, Phrase::fragment_lanes_hint,
     [](Place at) {
       return Place{0, at.column};
     }},
};

/// `at` with its place in its fragment changed to another one.
Place in_fragment(Place at, Place (*source)(Place)) {
  const Place from = source({at.row % kSide, at.column % kSide});
  return {at.row / kSide * kSide + from.row, at.column / kSide * kSide + from.column};
}

Place swizzled(Place at) {
  return {at.row, at.column ^ (at.row % kHalf * kHalf)};
}

/// Explains products in which each element of one of the matrices comes from source(its place).
std::function<bool(int, int)> with_sources(const Shared& product, bool of_a,
                                           std::function<Place(Place)> source) {
  return sum_of(product, product->k(),
                [of_a, source = std::move(source)](const Product& x, int row, int column, int p) {
                  const Place from = source(of_a ? Place{row, p} : Place{p, column});
                  return of_a ? Factors{x.a(from.row, from.column), x.b(p, column)}
                              : Factors{x.a(row, p), x.b(from.row, from.column)};
                });
}

}  // namespace

std::vector<Hypothesis> fragment_hypotheses(const Shared& product) {
  std::vector<Hypothesis> hypotheses;
  for (const bool of_a : {true, false}) {
    const std::string name = of_a ? "A" : "B";
    const auto add = [&](const char* word, std::string variant, Text clause, Text hint,
                         std::function<Place(Place)> source) {
      hypotheses.push_back({word, std::move(variant), Rank::specific, std::move(clause),
                            std::move(hint), with_sources(product, of_a, std::move(source))});
      hypotheses.back().everywhere = true;
    };
    const int height = of_a ? product->m() : product->k();
    const int width = of_a ? product->k() : product->n();
    if (height % kSide == 0 && width % kSide == 0) {
      for (const Layout& layout : kLayouts) {
        // The same product as with exchanged columns of A.
        if (!of_a && layout.source == rows_exchanged) continue;
        const Text clause = of_a && layout.source == columns_exchanged
                                ? Text(Phrase::fragments_do_not_meet)
                                : say(Phrase::fragment_layout, Name{name}, layout.words);
        add("fragment-layout", name + ", " + layout.variant, clause, layout.hint,
            [&layout](Place at) { return in_fragment(at, layout.source); });
      }
    }
    if (width % kSwizzledElements == 0)
      add("swizzled-on-one-side", name, say(Phrase::swizzled_on_one_side, Name{name}),
          Phrase::swizzled_on_one_side_hint, swizzled);
  }
  return hypotheses;
}

}  // namespace tessera
