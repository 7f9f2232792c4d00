// What an output may hold whatever its operation is: zeros, an input, a multiple of the right
// values, or the right values with something added or cut off.
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

/// Each element is the input's at the same place, if the input has one there.
Hypothesis copy_of(const WrongOutput& output, std::size_t input) {
  const HostMatrix& from = output.inputs()[input];
  return {"copy-of-input",
          output.input_name(input),
          Rank::specific,
          say(Phrase::holds_elements_of, Name{output.name()}, Name{output.input_name(input)}),
          Phrase::holds_elements_of_hint,
          [&output, &from](int row, int column) {
            if (row >= from.height() || column >= from.width())
              return !std::isfinite(output.value(row, column)) ||
                     output.verdict(row, column) == Verdict::unwritten;
            return output.holds(row, column, {from.value(row, column), 0});
          },
          true};
}

Hypothesis multiple_of(const WrongOutput& output, const char* word, Rank rank, double factor,
                       const Text& what, Phrase hint) {
  return {word,
          fmt::format("{}", factor),
          rank,
          Phrase::every_element + what,
          hint,
          [&output, factor](int row, int column) {
            const Prediction right = output.right(row, column);
            return output.holds(row, column,
                                {factor * right.value, std::abs(factor) * right.tolerance});
          }};
}

/// The value and the right value of the wrong element whose right value is largest.
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

/// Each element is twice the right value, or the multiple or the part of it that the largest wrong
/// element is.
Hypothesis times_or_divided(const WrongOutput& output) {
  constexpr double kMost = 4096;
  const auto wrong = largest_wrong(output);
  const double factor = wrong && wrong->second != 0 ? std::round(wrong->first / wrong->second) : 2;
  const double divisor = wrong && wrong->first != 0 ? std::round(wrong->second / wrong->first) : 1;
  if (divisor >= 2 && divisor <= kMost) {
    return multiple_of(output, "divided", Rank::specific, 1 / divisor,
                       say(Phrase::is_divided, Detail(fmt::format("{}", divisor))),
                       Phrase::is_divided_hint);
  }
  if (!(factor > 2 && factor <= kMost)) {
    return multiple_of(output, "counted-twice", Rank::specific, 2, Phrase::is_twice,
                       Phrase::is_twice_hint);
  }
  return multiple_of(output, "counted-several-times", Rank::specific, factor,
                     say(Phrase::is_times, Detail(fmt::format("{}", factor))),
                     Phrase::is_times_hint);
}

/// A sum that does not start at 0.
std::vector<Hypothesis> constant_added(const WrongOutput& output) {
  constexpr double kLargest = 1e6;
  constexpr double kRounding = 0x1p-16;  // of a sum that is near the constant
  constexpr double kDistinct = 0.25;     // a rounding that would hide a constant
  const auto wrong = largest_wrong(output);
  const double constant = wrong ? std::round(wrong->first - wrong->second) : 0;
  if (constant == 0 || !(std::abs(constant) <= kLargest)) return {};
  Hypothesis hypothesis;
  hypothesis.word = "constant-added";
  hypothesis.variant = fmt::format("{}", constant);
  hypothesis.rank = Rank::general;
  hypothesis.clause =
      Phrase::every_element + say(constant > 0 ? Phrase::is_too_large : Phrase::is_too_small,
                                  Detail(fmt::format("{}", std::abs(constant))));
  hypothesis.hint = Phrase::constant_added_hint;
  hypothesis.explains = [&output, constant](int row, int column) {
    const auto [value, tolerance] = output.right(row, column);
    const double rounding = tolerance > 0 ? 2 * tolerance + kRounding * std::abs(constant) : 0;
    return rounding < kDistinct && output.holds(row, column, {value + constant, rounding});
  };
  hypothesis.everywhere = true;
  return {hypothesis};
}

/// For int32, whose poison is a number: each element is its old contents plus the right value.
Hypothesis added_to_old(const WrongOutput& output) {
  return {
      "added-to-old-content",
      "",
      Rank::specific,
      say(Phrase::added_to_old, Name{output.name()}),
      say(Phrase::added_to_old_hint, Name{output.name()}),
      [&output](int row, int column) {
        const auto right = static_cast<std::int64_t>(output.right(row, column).value);
        const std::uint32_t sum = static_cast<std::uint32_t>(right) + poison_bits(Element::int32);
        return output.holds(row, column, {static_cast<double>(static_cast<std::int32_t>(sum)), 0});
      }};
}

/// For float32: each element is the right value, converted to int.
Hypothesis fraction_cut(const WrongOutput& output) {
  return {"fraction-cut",
          "result",
          Rank::specific,
          Phrase::result_cut,
          Phrase::result_cut_hint,
          [&output](int row, int column) {
            const auto [value, tolerance] = output.right(row, column);
            const double got = output.value(row, column);
            return got == std::trunc(value - tolerance) || got == std::trunc(value + tolerance);
          }};
}

/// Whether no wrong element must be a whole number: an int on its way would make it one.
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

/// Every element is 0.
Hypothesis zero(const WrongOutput& output) {
  return {"zero",
          "",
          Rank::fact,
          Phrase::every_element + Text(Phrase::is_zero),
          fractions_expected(output) ? Phrase::is_zero_through_int_hint : Phrase::is_zero_hint,
          [&output](int row, int column) {
            return output.holds(row, column, {0, 0});
          }};
}

}  // namespace

std::vector<Hypothesis> value_hypotheses(const WrongOutput& output) {
  std::vector<Hypothesis> hypotheses = {
      times_or_divided(output),
      multiple_of(output, "sign-changed", Rank::general, -1, Phrase::has_wrong_sign,
                  Phrase::wrong_sign_hint),
      zero(output)};
  std::ranges::move(constant_added(output), std::back_inserter(hypotheses));
  for (std::size_t input = 0; input < output.inputs().size(); ++input)
    hypotheses.push_back(copy_of(output, input));
  hypotheses.push_back(output.got().element() == Element::int32 ? added_to_old(output)
                                                                : fraction_cut(output));
  return hypotheses;
}

}  // namespace tessera
