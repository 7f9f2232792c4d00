// A sum that leaves products out: it stops early, starts late, or skips some of each tile.
#include <fmt/format.h>

#include <algorithm>

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
    add_overrun({"m"}, product_->m());
    add_overrun({"n"}, product_->n());
    return std::move(hypotheses_);
  }

 private:
  void add_term(TermSum& sum, int p) const {
    sum.add(product_->a(first_.first, p), product_->b(p, first_.second));
  }

  void add(std::string word, std::string variant, Rank rank, Text clause, Text hint,
           std::function<bool(int)> counts) {
    hypotheses_.push_back({std::move(word), std::move(variant), rank, std::move(clause),
                           std::move(hint), sum_where(product_, std::move(counts))});
    // A loop's bound is the same for every element, so the mistake must fit everywhere.
    hypotheses_.back().everywhere = rank == Rank::specific;
  }

  void add_stop(int stop) {
    const int k = product_->k();
    const auto counts = [stop](int p) { return p < stop; };
    const Text stops = say(Phrase::k_stops_at, stop, k);
    for (const int tile : product_->output().tile_sizes()) {
      const int phases = (k + tile - 1) / tile;
      const Text left_out = stop == 0 ? say(Phrase::no_phase_counted, k, tile)
                                      : stops + say(Phrase::last_phase_left_out, tile);
      if (stop == k / tile * tile && stop < k) {
        add("missing-last-phase", "rounded down", Rank::specific, left_out,
            say(Phrase::phases_rounded_down_hint, tile), counts);
      }
      if (stop == (phases - 1) * tile) {
        add("missing-last-phase", "one too few", Rank::specific, left_out,
            say(Phrase::one_phase_too_few_hint, phases, tile, k), counts);
      }
      if (stop == tile) {
        add("only-first-phase", "", Rank::specific, stops + say(Phrase::only_first_phase, phases),
            Phrase::only_first_phase_hint, counts);
      }
    }
    if (stop == k - 1) {
      add("missing-last-product", "", Rank::specific, stops + Phrase::last_product_left_out,
          Phrase::last_product_left_out_hint, counts);
    }
    for (const auto& [letter, extent] :
         {std::pair{Name{"m"}, product_->m()}, {Name{"n"}, product_->n()}}) {
      const Text hint = say(Phrase::inner_extent_hint, letter);
      for (const int tile : product_->output().tile_sizes()) {
        if (stop != (extent + tile - 1) / tile * tile || stop == extent) continue;
        add("wrong-inner-extent", letter.text + " in tiles", Rank::specific,
            stops + say(Phrase::as_many_phases, tile, letter), hint, counts);
      }
      if (stop != extent) continue;
      add("wrong-inner-extent", letter.text, Rank::specific,
          stops + say(Phrase::which_is_extent, letter), hint, counts);
    }
  }

  void add_start(int start) {
    const int k = product_->k();
    const auto counts = [start](int p) { return p >= start; };
    const Text starts = say(Phrase::only_from_to, start, k - 1, k);
    for (const int tile : product_->output().tile_sizes()) {
      if (start == (k - 1) / tile * tile) {
        add("only-last-phase", "", Rank::specific, starts + Phrase::only_last_phase,
            Phrase::only_last_phase_hint, counts);
      }
      if (start == tile) {
        add("missing-first-phase", "", Rank::specific, starts + Phrase::first_phase_left_out,
            Phrase::first_phase_left_out_hint, counts);
      }
    }
    if (start == k - 1) {
      add("only-last-product", "", Rank::specific, say(Phrase::only_last_product, k),
          Phrase::only_last_product_hint, counts);
    }
    if (start == 1) {
      add("missing-first-product", "", Rank::specific, starts + Phrase::first_product_left_out,
          Phrase::first_product_left_out_hint, counts);
    }
  }

  /// If most factors are 0, several stops fit as well as the kernel's own. The stop that all cases
  /// share comes first, then the last stop, since what is behind it is left out in any case. The
  /// same goes for the starts.
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
    add("sum-stops-early", std::move(variant), Rank::general, say(Phrase::left_out_from, stop, k),
        say(Phrase::left_out_from_hint, k), [stop](int p) { return p < stop; });
  }

  void add_left_out_before(int start, std::string variant) {
    add("sum-starts-late", std::move(variant), Rank::general,
        say(Phrase::left_out_before, start, product_->k()), Phrase::left_out_before_hint,
        [start](int p) { return p >= start; });
  }

  void add_parts(int tile) {
    for (int part = 1; part < tile; ++part) {
      add("part-of-each-tile", fmt::format("first {} of {}", part, tile), Rank::specific,
          part == 1 ? say(Phrase::first_product_added, tile)
                    : say(Phrase::first_products_added, part, tile),
          say(Phrase::first_products_added_hint,
              Count{static_cast<std::uint64_t>(tile), Phrase::step}),
          [tile, part](int p) { return p % tile < part; });
      add("part-of-each-tile", fmt::format("without {} of {}", part, tile), Rank::specific,
          part == 1 ? say(Phrase::first_product_of_every_lost, tile)
                    : say(Phrase::first_products_of_every_lost, part, tile),
          Phrase::first_products_lost_hint, [tile, part](int p) { return p % tile >= part; });
    }
  }

  void add_every(int step) {
    for (int start = 0; start < step; ++start) {
      add("products-skipped", "", Rank::general,
          say(Phrase::every_nth_added,
              step == 2   ? Phrase::second_one
              : step == 3 ? Phrase::third_one
                          : Phrase::fourth_one,
              start),
          Phrase::every_nth_added_hint, [step, start](int p) { return p % step == start; });
    }
  }

  /// A loop that goes on beyond k, through what lies in memory behind a row of A and behind B.
  void add_overrun(const Name& letter, int extent) {
    if (extent <= product_->k()) return;
    hypotheses_.push_back(
        {"wrong-inner-extent", letter.text, Rank::specific,
         say(Phrase::k_goes_on, extent, letter, product_->k()), say(Phrase::k_goes_on_hint, letter),
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
