// The right elements with wrong arithmetic: sums in a type that loses something, or another
// operation.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "common/rounding.h"
#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

using Shared = std::shared_ptr<const Product>;

/// Returns the sum after one more product.
using Step = double (*)(double sum, double a, double b);

/// Explains the elements that `step` computes, from 0 and in the order of p. The values must be
/// equal, since the accumulation is imitated bit by bit.
std::function<bool(int, int)> accumulated(const Shared& product, Step step) {
  return [product, step](int row, int column) {
    double sum = 0;
    for (int p = 0; p < product->k(); ++p)
      sum = step(sum, product->a(row, p), product->b(p, column));
    return product->output().holds(row, column, {sum, 0});
  };
}

double in_float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

double fma_in_float(double a, double b, double sum) {
  return static_cast<double>(
      std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(sum)));
}

/// Conversion to int as the device has it: towards zero, clamped.
double to_int(double value) {
  return std::trunc(std::clamp(value, static_cast<double>(std::numeric_limits<std::int32_t>::min()),
                               static_cast<double>(std::numeric_limits<std::int32_t>::max())));
}

double wrapped_product(double a, double b) {
  const auto word = static_cast<std::uint32_t>(static_cast<std::int64_t>(a)) *
                    static_cast<std::uint32_t>(static_cast<std::int64_t>(b));
  return static_cast<double>(static_cast<std::int32_t>(word));
}

std::vector<Hypothesis> float32_hypotheses(const Shared& product) {
  constexpr Phrase whole = Phrase::sum_cut_hint;
  constexpr Phrase narrow = Phrase::sum_in_half_hint;
  const auto cut = [&](const char* variant, Phrase clause, Step step) {
    return Hypothesis{"fraction-cut", variant, Rank::specific,
                      clause,         whole,   accumulated(product, step)};
  };
  const auto half = [&](const char* variant, Step step) {
    return Hypothesis{"low-precision-sum", variant, Rank::specific,
                      Phrase::sum_in_half, narrow,  accumulated(product, step)};
  };
  return {
      cut("sum, fused", Phrase::sum_cut,
          [](double sum, double a, double b) { return to_int(fma_in_float(a, b, sum)); }),
      cut("sum", Phrase::sum_cut,
          [](double sum, double a, double b) { return to_int(in_float(sum + in_float(a * b))); }),
      cut("product", Phrase::product_cut,
          [](double sum, double a, double b) { return sum + to_int(in_float(a * b)); }),
      half("product rounded",
           [](double sum, double a, double b) {
             return round_to(sum + round_to(a * b, kHalf), kHalf);
           }),
      half("fused", [](double sum, double a, double b) { return round_to(sum + a * b, kHalf); }),
      half("factors too",
           [](double sum, double a, double b) {
             return round_to(sum + round_to(a, kHalf) * round_to(b, kHalf), kHalf);
           }),
      half("from float",
           [](double sum, double a, double b) { return round_to(fma_in_float(a, b, sum), kHalf); }),
  };
}

std::vector<Hypothesis> int32_hypotheses(const Shared& product) {
  const auto in_float_sum = [&](const char* variant, Step step) {
    return Hypothesis{"sum-in-float",
                      variant,
                      Rank::specific,
                      Phrase::sum_in_float,
                      Phrase::sum_in_float_hint,
                      [product, step](int row, int column) {
                        double sum = 0;
                        for (int p = 0; p < product->k(); ++p)
                          sum = step(sum, product->a(row, p), product->b(p, column));
                        return product->output().holds(row, column, {to_int(sum), 0});
                      }};
  };
  const auto narrow = [&](const char* word, int bits) {
    const double modulus = std::ldexp(1.0, bits);
    return Hypothesis{"narrow-integer",
                      word,
                      Rank::specific,
                      say(Phrase::result_narrow, bits),
                      Phrase::result_narrow_hint,
                      [product, modulus](int row, int column) {
                        TermSum sum = product->sum();
                        for (int p = 0; p < product->k(); ++p)
                          sum.add(product->a(row, p), product->b(p, column));
                        const double value = sum.prediction().value;
                        const double cut = value - modulus * std::floor(value / modulus + 0.5);
                        return product->output().holds(row, column, {cut, 0});
                      }};
  };
  return {
      in_float_sum("product in int",
                   [](double sum, double a, double b) {
                     return in_float(sum + in_float(wrapped_product(a, b)));
                   }),
      in_float_sum("fused", [](double sum, double a,
                               double b) { return fma_in_float(in_float(a), in_float(b), sum); }),
      in_float_sum("product in float",
                   [](double sum, double a, double b) {
                     return in_float(sum + in_float(in_float(a) * in_float(b)));
                   }),
      narrow("16", 16), narrow("8", 8)};
}

}  // namespace

std::vector<Hypothesis> arithmetic_hypotheses(const Shared& product) {
  const bool floats = product->output().got().element() == Element::float32;
  std::vector<Hypothesis> hypotheses =
      floats ? float32_hypotheses(product) : int32_hypotheses(product);
  hypotheses.push_back({"added-not-multiplied", "", Rank::specific, Phrase::added_not_multiplied,
                        Phrase::added_not_multiplied_hint, [product](int row, int column) {
                          TermSum sum = product->sum();
                          for (int p = 0; p < product->k(); ++p) {
                            sum.add(product->a(row, p), 1);
                            sum.add(product->b(p, column), 1);
                          }
                          return product->holds(row, column, sum);
                        }});
  hypotheses.push_back(
      {"subtracted", "", Rank::specific, Phrase::products_subtracted,
       Phrase::products_subtracted_hint,
       sum_of(product, product->k(), [](const Product& x, int row, int column, int p) {
         return Factors{-x.a(row, p), x.b(p, column)};
       })});
  return hypotheses;
}

}  // namespace tessera
