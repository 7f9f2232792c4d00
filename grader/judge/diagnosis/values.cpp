// What an output may hold whatever its operation is: nothing, an input, too much of the right
// thing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "common/recipe.h"
#include "grader/judge/diagnosis/placement.h"

namespace tessera {
namespace {

/// What an input holds at the same place, where it has one.
Hypothesis copy_of(const WrongOutput& output, std::size_t input) {
  const HostMatrix& from = output.inputs()[input];
  return {"copy-of-input",
          output.input_name(input),
          Rank::specific,
          fmt::format("{} holds the elements of {}", output.name(), output.input_name(input)),
          "store what was computed, not what was read",
          [&output, &from](int row, int column) {
            if (row >= from.height() || column >= from.width())
              return !std::isfinite(output.value(row, column)) ||
                     output.verdict(row, column) == Verdict::unwritten;
            return output.holds(row, column, {from.value(row, column), 0});
          },
          true};
}

Hypothesis multiple_of(const WrongOutput& output, const char* word, Rank rank, double factor,
                       std::string clause, const char* hint) {
  return {word,
          fmt::format("{}", factor),
          rank,
          std::move(clause),
          hint,
          [&output, factor](int row, int column) {
            const Prediction right = output.right(row, column);
            return output.holds(row, column,
                                {factor * right.value, std::abs(factor) * right.tolerance});
          }};
}

/// A wrong element and what it must be; the one with the largest right value.
std::optional<std::pair<double, double>> largest_wrong(const WrongOutput& output) {
  std::optional<std::pair<double, double>> largest;
  for (int row = 0; row < output.height(); ++row) {
    for (int column = 0; column < output.width(); ++column) {
      if (output.verdict(row, column) != Verdict::wrong) continue;
      const double right = output.right(row, column).value;
      if (!largest || std::abs(right) > std::abs(largest->second))
        largest = {output.value(row, column), right};
    }
  }
  return largest;
}

/// Twice, or the multiple or the part that the largest element is.
Hypothesis times_or_divided(const WrongOutput& output) {
  constexpr double kMost = 4096;
  const auto wrong = largest_wrong(output);
  const double factor = wrong && wrong->second != 0 ? std::round(wrong->first / wrong->second) : 2;
  const double divisor = wrong && wrong->first != 0 ? std::round(wrong->second / wrong->first) : 1;
  if (divisor >= 2 && divisor <= kMost) {
    return multiple_of(output, "divided", Rank::specific, 1 / divisor,
                       fmt::format("every element is 1/{} of what it must be", divisor),
                       "by what is the result divided, and why?");
  }
  if (!(factor > 2 && factor <= kMost)) {
    return multiple_of(output, "counted-twice", Rank::specific, 2,
                       "every element is twice what it must be",
                       "something is added twice: a loop that runs twice, or a sum that is stored "
                       "with += by two threads or after it was already stored");
  }
  return multiple_of(output, "counted-several-times", Rank::specific, factor,
                     fmt::format("every element is {} times what it must be", factor),
                     "something is added that often: by how many threads, or in how many steps of "
                     "a loop around it?");
}

/// A sum that does not start at 0.
std::vector<Hypothesis> constant_added(const WrongOutput& output) {
  constexpr double kLargest = 1e6;
  constexpr double kRounding = 0x1p-16;  // of a sum that is near the constant
  constexpr double kDistinct = 0.25;     // what would hide a constant
  const auto wrong = largest_wrong(output);
  const double constant = wrong ? std::round(wrong->first - wrong->second) : 0;
  if (constant == 0 || !(std::abs(constant) <= kLargest)) return {};
  Hypothesis hypothesis;
  hypothesis.word = "constant-added";
  hypothesis.variant = fmt::format("{}", constant);
  hypothesis.rank = Rank::general;
  hypothesis.clause = fmt::format("every element is {} too {}", std::abs(constant),
                                  constant > 0 ? "large" : "small");
  hypothesis.hint = "what does the sum start with? It must be 0";
  hypothesis.explains = [&output, constant](int row, int column) {
    const auto [value, tolerance] = output.right(row, column);
    const double rounding = tolerance > 0 ? 2 * tolerance + kRounding * std::abs(constant) : 0;
    return rounding < kDistinct && output.holds(row, column, {value + constant, rounding});
  };
  hypothesis.everywhere = true;
  return {hypothesis};
}

/// int32, whose poison is a number: the old contents plus `factor` times what is right.
Hypothesis added_to_old(const WrongOutput& output) {
  return {
      "added-to-old-content",
      "",
      Rank::specific,
      fmt::format("the result is added to what {} held before the launch", output.name()),
      fmt::format("{} holds nothing useful at the start: assign to it, or start at 0",
                  output.name()),
      [&output](int row, int column) {
        const auto right = static_cast<std::int64_t>(output.right(row, column).value);
        const std::uint32_t sum = static_cast<std::uint32_t>(right) + poison_bits(Element::int32);
        return output.holds(row, column, {static_cast<double>(static_cast<std::int32_t>(sum)), 0});
      }};
}

/// float32: the right result, through an int.
Hypothesis fraction_cut(const WrongOutput& output) {
  return {"fraction-cut",
          "result",
          Rank::specific,
          "the result loses its fraction",
          "an int holds no fraction: keep the result in a float",
          [&output](int row, int column) {
            const auto [value, tolerance] = output.right(row, column);
            const double got = output.value(row, column);
            return got == std::trunc(value - tolerance) || got == std::trunc(value + tolerance);
          }};
}

/// Whether every wrong element must be no whole number: an int on its way would make it one.
bool fractions_expected(const WrongOutput& output) {
  for (int row = 0; row < output.height(); ++row) {
    for (int column = 0; column < output.width(); ++column) {
      if (output.verdict(row, column) != Verdict::wrong) continue;
      const double right = output.right(row, column).value;
      if (right == std::trunc(right)) return false;
    }
  }
  return true;
}

/// Not one element is anything but 0.
Hypothesis zero(const WrongOutput& output) {
  return {"zero",
          "",
          Rank::fact,
          "every element is 0",
          fractions_expected(output)
              ? "is everything loaded, is the sum computed, and is it what is stored? On its way "
                "through an int a number below 1 becomes 0"
              : "is everything loaded, is the sum computed, and is it what is stored?",
          [&output](int row, int column) {
            return output.holds(row, column, {0, 0});
          }};
}

}  // namespace

std::vector<Hypothesis> value_hypotheses(const WrongOutput& output) {
  std::vector<Hypothesis> hypotheses = {
      times_or_divided(output),
      multiple_of(output, "sign-changed", Rank::general, -1, "every element has the wrong sign",
                  "which operand stands left of the minus, and which right?"),
      zero(output)};
  std::ranges::move(constant_added(output), std::back_inserter(hypotheses));
  for (std::size_t input = 0; input < output.inputs().size(); ++input)
    hypotheses.push_back(copy_of(output, input));
  hypotheses.push_back(output.got().element() == Element::int32 ? added_to_old(output)
                                                                : fraction_cut(output));
  return hypotheses;
}

}  // namespace tessera
