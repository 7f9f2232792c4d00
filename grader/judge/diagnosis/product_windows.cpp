// A sum that leaves products out: it stops early, starts late, or skips some of each tile.
#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// Explains the elements that are the sum of the products p for which `counts` holds.
std::function<bool(int, int)> sum_where(const Shared& product, std::function<bool(int)> counts) {
  return [product, counts = std::move(counts)](int row, int column) {
    TermSum sum = product->sum();
    for (int p = 0; p < product->k(); ++p) {
      if (counts(p)) sum.add(product->a(row, p), product->b(p, column));
    }
    return product->holds(row, column, sum);
  };
}

class Windows {
 public:
  Windows(const Shared& product, std::pair<int, int> first) : product_(product), first_(first) {}

  std::vector<Hypothesis> hypotheses() {
    const int k = product_->k();
    std::vector<int> stops;
    TermSum before = product_->sum();
    for (int stop = 0; stop < k; ++stop) {
      if (product_->holds(first_.first, first_.second, before)) stops.push_back(stop);
      add_term(before, stop);
    }
    std::vector<int> starts;
    TermSum after = product_->sum();
    for (int start = k - 1; start > 0; --start) {
      add_term(after, start);
      if (product_->holds(first_.first, first_.second, after)) starts.push_back(start);
    }
    for (const int stop : stops) add_stop(stop);
    for (const int start : starts) add_start(start);
    add_left_out(stops, starts);
    for (const int tile : product_->output().tile_sizes()) {
      if (tile < k) add_parts(tile);
    }
    for (int step = 2; step <= std::min(4, k - 1); ++step) add_every(step);
    add_overrun("m", product_->m());
    add_overrun("n", product_->n());
    return std::move(hypotheses_);
  }

 private:
  void add_term(TermSum& sum, int p) const {
    sum.add(product_->a(first_.first, p), product_->b(p, first_.second));
  }

  void add(std::string word, std::string variant, Rank rank, std::string clause, std::string hint,
           std::function<bool(int)> counts) {
    hypotheses_.push_back({std::move(word), std::move(variant), rank, std::move(clause),
                           std::move(hint), sum_where(product_, std::move(counts))});
    // A loop's bound is the same for every element; what leaves out more for some of them is not.
    hypotheses_.back().everywhere = rank == Rank::specific;
  }

  void add_stop(int stop) {
    const int k = product_->k();
    const auto counts = [stop](int p) { return p < stop; };
    const auto stops = fmt::format("k stops at {} of {}", stop, k);
    for (const int tile : product_->output().tile_sizes()) {
      const int phases = (k + tile - 1) / tile;
      const std::string left_out =
          stop == 0 ? fmt::format("no phase is counted: k = {} is less than a tile of {}", k, tile)
                    : fmt::format("{}: the last phase (tile of {}) is left out", stops, tile);
      if (stop == k / tile * tile && stop < k) {
        add("missing-last-phase", fmt::format("rounded down"), Rank::specific, left_out,
            fmt::format(
                "round the number of phases up: ceil_div(k, {}). If it is, which guard of a "
                "load leaves the last tile out?",
                tile),
            counts);
      }
      if (stop == (phases - 1) * tile) {
        add("missing-last-phase", "one too few", Rank::specific, left_out,
            fmt::format("{} phases of {} are needed for k = {}: does the loop over them end one "
                        "too early, does the guard of a load leave the last tile out, or does each "
                        "phase use the tiles of the one before?",
                        phases, tile, k),
            counts);
      }
      if (stop == tile) {
        add("only-first-phase", "", Rank::specific,
            fmt::format("{}: only the first of {} phases is counted", stops, phases),
            "is there a loop over the phases, and does it go on after the first one?", counts);
      }
    }
    if (stop == k - 1) {
      add("missing-last-product", "", Rank::specific, stops + ": the last product is left out",
          "the inner loop ends one step too early, or the guard of a load does: p < k, with p from "
          "0",
          counts);
    }
    for (const auto& [letter, extent] : {std::pair{"m", product_->m()}, {"n", product_->n()}}) {
      for (const int tile : product_->output().tile_sizes()) {
        if (stop != (extent + tile - 1) / tile * tile || stop == extent) continue;
        add("wrong-inner-extent", fmt::format("{} in tiles", letter), Rank::specific,
            fmt::format("{}: as many phases of {} as {} needs", stops, tile, letter),
            fmt::format(
                "an element of C is a sum of k products; what is compared with {} instead, the "
                "loop's counter or the guard of a load?",
                letter),
            counts);
      }
      if (stop != extent) continue;
      add("wrong-inner-extent", letter, Rank::specific,
          fmt::format("{}, which is {}", stops, letter),
          fmt::format("an element of C is a sum of k products; what is compared with {} instead, "
                      "the loop's counter or the guard of a load?",
                      letter),
          counts);
    }
  }

  void add_start(int start) {
    const int k = product_->k();
    const auto counts = [start](int p) { return p >= start; };
    const auto starts = fmt::format("only k = {} to {} of {} are added", start, k - 1, k);
    for (const int tile : product_->output().tile_sizes()) {
      if (start == (k - 1) / tile * tile) {
        add("only-last-phase", "", Rank::specific, starts + ": the sum holds the last phase alone",
            "set the sum to 0 once, before the loop over the phases, and add to it with +=",
            counts);
      }
      if (start == tile) {
        add("missing-first-phase", "", Rank::specific, starts + ": the first phase is left out",
            "the loop over the phases must begin with phase 0", counts);
      }
    }
    if (start == k - 1) {
      add("only-last-product", "", Rank::specific,
          fmt::format("only the last of {} products is there", k),
          "add each product to the sum with +=; = replaces what was there", counts);
    }
    if (start == 1) {
      add("missing-first-product", "", Rank::specific, starts + ": the first product is left out",
          "the inner loop must begin with p = 0", counts);
    }
  }

  /// Where most factors are 0, several stops fit as well as the kernel's own: the one that all
  /// cases share comes first. Then the last one, since what is behind it is left out in any case;
  /// and so for the starts.
  void add_left_out(const std::vector<int>& stops, const std::vector<int>& starts) {
    for (const bool same_in_every_case : {true, false}) {
      const auto variant = [&](int p) { return same_in_every_case ? fmt::format("at {}", p) : ""; };
      for (auto stop = stops.rbegin(); stop != stops.rend(); ++stop)
        add_left_out_from(*stop, variant(*stop));
      for (auto start = starts.rbegin(); start != starts.rend(); ++start)
        add_left_out_before(*start, variant(*start));
    }
  }

  void add_left_out_from(int stop, std::string variant) {
    const int k = product_->k();
    add("sum-stops-early", std::move(variant), Rank::general,
        fmt::format("the products from k = {} on, of {}, are left out", stop, k),
        fmt::format("why does nothing count from there on? Look at the loop's bound, which is "
                    "to be {}, and at the guards of the loads",
                    k),
        [stop](int p) { return p < stop; });
  }

  void add_left_out_before(int start, std::string variant) {
    add("sum-starts-late", std::move(variant), Rank::general,
        fmt::format("the products before k = {}, of {}, are left out", start, product_->k()),
        "what becomes of them? Look where the loop begins, and where the sum is set",
        [start](int p) { return p >= start; });
  }

  void add_parts(int tile) {
    for (int part = 1; part < tile; ++part) {
      add("part-of-each-tile", fmt::format("first {} of {}", part, tile), Rank::specific,
          part == 1 ? fmt::format("only the first of every {} products is added", tile)
                    : fmt::format("only the first {} of every {} products are added", part, tile),
          fmt::format("the loop inside of a tile must make {}",
                      counted(static_cast<std::uint64_t>(tile), "step")),
          [tile, part](int p) { return p % tile < part; });
      add("part-of-each-tile", fmt::format("without {} of {}", part, tile), Rank::specific,
          part == 1 ? fmt::format("the first of every {} products is left out", tile)
                    : fmt::format("the first {} of every {} products are left out", part, tile),
          "the loop inside of a tile must begin with 0",
          [tile, part](int p) { return p % tile >= part; });
    }
  }

  void add_every(int step) {
    for (int start = 0; start < step; ++start) {
      add("products-skipped", "", Rank::general,
          fmt::format("only every {} product is added, from k = {} on",
                      step == 2   ? "2nd"
                      : step == 3 ? "3rd"
                                  : "4th",
                      start),
          "by how much does the loop's counter grow in each step?",
          [step, start](int p) { return p % step == start; });
    }
  }

  /// Further than k, through what lies in memory behind a row of A and behind B.
  void add_overrun(const char* letter, int extent) {
    if (extent <= product_->k()) return;
    hypotheses_.push_back(
        {"wrong-inner-extent", letter, Rank::specific,
         fmt::format("k goes on to {}, which is {}, and must stop at {}", extent, letter,
                     product_->k()),
         fmt::format("an element of C is a sum of k products; is the loop's counter compared with "
                     "{} instead?",
                     letter),
         sum_of(product_, extent, [](const Product& x, int row, int column, int p) {
           const HostMatrix& a = x.output().inputs()[0];
           const HostMatrix& b = x.output().inputs()[1];
           return Factors{element_at(a, static_cast<std::int64_t>(row) * a.pitch() + p),
                          element_at(b, static_cast<std::int64_t>(p) * b.pitch() + column)};
         })});
  }

  Shared product_;
  std::pair<int, int> first_;
  std::vector<Hypothesis> hypotheses_;
};

}  // namespace

std::vector<Hypothesis> window_hypotheses(const Shared& product, std::pair<int, int> first) {
  return Windows(product, first).hypotheses();
}

}  // namespace tessera
