// Products that count more than once or not at all, by phases or by their place in a repeated
// group: how often each does is computed from the elements themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// A division of the products into `count` classes; `of` returns the class of product p.
struct Classes {
  int count = 0;
  std::function<int(int p)> of;
};

/// The sum of each class's products.
std::vector<double> class_sums(const Product& product, const Classes& classes, int row,
                               int column) {
  std::vector<TermSum> sums(static_cast<std::size_t>(classes.count), product.sum());
  for (int p = 0; p < product.k(); ++p)
    sums[static_cast<std::size_t>(classes.of(p))].add(product.a(row, p), product.b(p, column));
  std::vector<double> values;
  for (const TermSum& sum : sums) values.push_back(sum.prediction().value);
  return values;
}

using NormalEquations = std::vector<std::vector<double>>;  // n lines of n + 1 numbers

/// The solution of the equations; nothing if they do not determine it.
std::optional<std::vector<double>> solve(NormalEquations lines) {
  const std::size_t size = lines.size();
  for (std::size_t i = 0; i < size; ++i) {
    const auto pivot = std::ranges::max_element(
        lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(), {},
        [i](const std::vector<double>& line) { return std::abs(line[i]); });
    std::swap(lines[i], *pivot);
    if (!(std::abs(lines[i][i]) > 1e-9)) return std::nullopt;
    for (std::size_t line = 0; line < size; ++line) {
      if (line == i) continue;
      const double factor = lines[line][i] / lines[i][i];
      for (std::size_t j = i; j <= size; ++j) lines[line][j] -= factor * lines[i][j];
    }
  }
  std::vector<double> solution;
  for (std::size_t i = 0; i < size; ++i) solution.push_back(lines[i][size] / lines[i][i]);
  return solution;
}

/// The whole numbers near `values`; nothing if a value is not near one, or is below 0 or above
/// `largest`.
std::optional<std::vector<int>> whole(const std::vector<double>& values, int largest) {
  std::vector<int> counts;
  for (const double value : values) {
    const double count = std::round(value);
    if (!(std::abs(value - count) < 0.01) || count < 0 || count > largest) return std::nullopt;
    counts.push_back(static_cast<int>(count));
  }
  return counts;
}

/// How often each class counts in the elements of the target, by least squares. Nothing if they do
/// not determine it, or if a count is not a whole number from 0 to `largest`.
std::optional<std::vector<int>> solve_counts(const Product& product, const Classes& classes,
                                             int largest, Target target) {
  const auto size = static_cast<std::size_t>(classes.count);
  NormalEquations lines(size, std::vector<double>(size + 1));
  const std::size_t enough = 6 * size;
  const WrongOutput& output = product.output();
  const int elements = output.height() * output.width();
  const int stride = std::max(1, elements / static_cast<int>(4 * enough));
  std::size_t used = 0;
  for (int at = 0; at < elements && used < enough; at += stride) {
    const int row = at / output.width();
    const int column = at % output.width();
    if ((target & target_of(output.verdict(row, column))) == 0) continue;
    ++used;
    std::vector<double> parts = class_sums(product, classes, row, column);
    parts.push_back(output.value(row, column));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= size; ++j) lines[i][j] += parts[i] * parts[j];
    }
  }
  if (used < 2 * size) return std::nullopt;
  const auto counts = solve(std::move(lines));
  return counts ? whole(*counts, largest) : std::nullopt;
}

bool all_alike(const std::vector<int>& counts) {
  return std::ranges::count(counts, counts.front()) == std::ssize(counts);
}

/// The phrases for what is counted.
struct CountWords {
  Phrase counted;
  Phrase left_out;
  Phrase several_left_out;
};

constexpr CountWords kPhases{Phrase::phase_counted, Phrase::phase_left_out,
                             Phrase::phases_left_out};
constexpr CountWords kNumbers{Phrase::number_counted, Phrase::number_left_out,
                              Phrase::numbers_left_out};

/// "phase 0 is added 2 times; phases 3, 5 are left out"
Text counts_text(const std::vector<int>& counts, const CountWords& words) {
  constexpr int kMostListed = 3;
  std::vector<std::size_t> missing;
  Text text;
  int listed = 0;
  const auto add = [&](const Text& more) {
    if (!text.empty()) text += Phrase::mistake_next;
    text += more;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) missing.push_back(i);
    if (counts[i] != 0 && counts[i] != 1 && listed++ < kMostListed)
      add(say(words.counted, i, counts[i]));
  }
  if (missing.size() == 1) add(say(words.left_out, missing.front()));
  if (missing.size() > 1)
    add(say(words.several_left_out, Detail(fmt::format("{}", fmt::join(missing, ", ")))));
  return text;
}

/// Explains the elements in which the product p counts times[p] times.
std::function<bool(int, int)> summed_times(const Shared& product, std::vector<int> times) {
  return [product, times = std::move(times)](int row, int column) {
    TermSum sum = product->sum();
    for (int p = 0; p < product->k(); ++p) {
      sum.add_times(product->a(row, p), product->b(p, column), times[static_cast<std::size_t>(p)]);
    }
    return product->holds(row, column, sum);
  };
}

/// How often each product counts, from how often its class does.
std::vector<int> by_product(const Product& product, const std::vector<int>& counts,
                            const std::function<int(int)>& class_of) {
  std::vector<int> times;
  for (int p = 0; p < product.k(); ++p)
    times.push_back(counts[static_cast<std::size_t>(class_of(p))]);
  return times;
}

/// Whether `counts` is `part`, repeated.
bool repeats(const ProductCounts& counts, const ProductCounts& part) {
  if (counts.size() % part.size() != 0) return false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != part[i % part.size()]) return false;
  }
  return true;
}

}  // namespace

std::vector<Hypothesis> counted_phases(const Shared& product, int tile, Target target) {
  constexpr int kMostPhases = 40;
  const int phases = (product->k() + tile - 1) / tile;
  if (phases < 2 || phases > kMostPhases) return {};
  const auto phase_of = [tile](int p) { return p / tile; };
  const auto counts = solve_counts(*product, {phases, phase_of}, phases + 1, target);
  if (!counts || all_alike(*counts)) return {};  // right, or a multiple
  return {{"phases-miscounted", "", Rank::listing,
           counts_text(*counts, kPhases) + say(Phrase::phases_from_0, phases),
           Phrase::phases_counted_hint,
           summed_times(product, by_product(*product, *counts, phase_of))}};
}

std::vector<ProductCounts> repeated_counts(const WrongOutput& output) {
  constexpr int kLongest = 8;
  constexpr int kLargestTile = 32;
  constexpr int kMostOften = 2;  // if a copied line was not changed
  const Product product(output);
  std::set<int> lengths;
  for (int length = 2; length <= kLongest; ++length) lengths.insert(length);
  for (const int tile : output.tile_sizes()) {
    if (tile <= kLargestTile) lengths.insert(tile);
  }
  std::vector<ProductCounts> found;
  for (const int length : lengths) {
    if (length > product.k() / 2) continue;
    const auto place = [length](int p) { return p % length; };
    const auto counts =
        solve_counts(product, {length, place}, kMostOften, target_of(Verdict::wrong));
    const auto known = [&](const ProductCounts& part) { return repeats(*counts, part); };
    if (counts && !all_alike(*counts) && std::ranges::none_of(found, known))
      found.push_back(*counts);
  }
  return found;
}

Hypothesis repeated_count(const Shared& product, const ProductCounts& counts) {
  const auto length = static_cast<int>(counts.size());
  return {
      "products-miscounted",
      fmt::format("{}", fmt::join(counts, " ")),
      Rank::listing,
      say(Phrase::of_every_products, length) + counts_text(counts, kNumbers) +
          Phrase::numbers_from_0,
      say(Phrase::numbers_counted_hint, Count{counts.size(), Phrase::step}),
      summed_times(product, by_product(*product, counts, [length](int p) { return p % length; }))};
}

}  // namespace tessera
