#include "grader/simulator/exec/tensor_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

namespace tessera::sim {
namespace {

constexpr std::size_t kRows = TensorOperands::kRows;
constexpr std::size_t kColumns = TensorOperands::kColumns;
constexpr std::size_t kDepth = TensorOperands::kDepth;

constexpr int kKeptBits = 25;  // below the largest power among the addends
constexpr int kFloatBits = 23;
constexpr int kFloatBias = 127;
constexpr std::uint32_t kCanonicalNan = 0x7fffffff;

struct Format {
  int bits;      // of the fraction
  int exponent;  // bits of it
  int unused;    // lowest bits
};

constexpr Format format_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
      return {10, 5, 0};
    case TensorType::tf32:
      return {10, 8, 13};
    case TensorType::bf16:
      break;
  }
  return {7, 8, 0};
}

constexpr Format kFloat{kFloatBits, 8, 0};

/// A number: sign * whole * 2^(power - bits), where 2^power is what its exponent field stands for.
struct Number {
  bool nan = false;
  bool infinite = false;
  bool negative = false;
  std::int64_t whole = 0;
  int power = 0;
  int bits = 0;
};

Number number_from(std::uint32_t bits, Format format) {
  bits >>= format.unused;
  const int most = (1 << format.exponent) - 1;
  const int field = static_cast<int>(bits >> format.bits) & most;
  const std::uint32_t fraction = bits & ((1u << format.bits) - 1);
  Number number;
  number.negative = (bits >> (format.bits + format.exponent) & 1) != 0;
  number.bits = format.bits;
  number.nan = field == most && fraction != 0;
  number.infinite = field == most && fraction == 0;
  number.power = std::max(field, 1) - most / 2;
  if (field != most) number.whole = static_cast<std::int64_t>(fraction);
  if (field != most && field != 0) number.whole |= std::int64_t{1} << format.bits;
  return number;
}

/// Returns whole * 2^lowest as the bits of a float, cut towards zero.
std::uint32_t cut_to_float(std::int64_t whole, int lowest) {
  if (whole == 0) return 0;
  const std::uint32_t sign = whole < 0 ? 0x80000000u : 0;
  auto rest = static_cast<std::uint64_t>(std::abs(whole));
  const int top = static_cast<int>(std::bit_width(rest)) - 1;
  if (top + lowest > kFloatBias) return sign | 0x7f800000u;
  const int last = std::max(top + lowest - kFloatBits, 1 - kFloatBias - kFloatBits);
  if (last >= lowest) {
    rest = last - lowest > 63 ? 0 : rest >> (last - lowest);
  } else {
    rest <<= lowest - last;
  }
  return sign | std::bit_cast<std::uint32_t>(
                    std::ldexp(static_cast<float>(static_cast<std::uint32_t>(rest)), last));
}

/// One element of the result, whatever the numbers.
std::uint32_t element(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                      std::uint32_t c, Format format) {
  std::array<Number, kDepth + 1> addends;
  std::size_t count = 0;
  addends[count++] = number_from(c, kFloat);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Number x = number_from(a[k], format);
    const Number y = number_from(b[k], format);
    const auto is_zero = [](const Number& n) { return n.whole == 0 && !n.infinite && !n.nan; };
    Number product;
    product.infinite = x.infinite || y.infinite;
    product.nan = x.nan || y.nan || (product.infinite && (is_zero(x) || is_zero(y)));
    product.negative = x.negative != y.negative;
    product.whole = x.whole * y.whole;
    product.power = x.power + y.power;
    product.bits = 2 * format.bits;
    addends[count++] = product;
  }
  const std::span all(addends.data(), count);
  bool nan = false;
  bool rising = false;
  bool falling = false;
  std::optional<int> power;
  for (const Number& addend : all) {
    nan |= addend.nan;
    (addend.negative ? falling : rising) |= addend.infinite;
    if (addend.whole != 0) power = std::max(power.value_or(addend.power), addend.power);
  }
  if (nan || (rising && falling)) return kCanonicalNan;
  if (rising || falling) return rising ? 0x7f800000u : 0xff800000u;
  if (!power) return 0;
  const int lowest = *power - kKeptBits;
  std::int64_t sum = 0;
  for (const Number& addend : all) {
    const int shift = addend.power - addend.bits - lowest;
    const std::int64_t kept = shift >= 0    ? addend.whole << shift
                              : shift < -62 ? 0
                                            : addend.whole >> -shift;
    sum += addend.negative ? -kept : kept;
  }
  return cut_to_float(sum, lowest);
}

// The same for numbers of moderate size, for which every step is exact in floats: a row at a time.

constexpr float kUnits = static_cast<float>(1 << kKeptBits);  // of the largest power
constexpr std::int32_t kExponents = 0x7f800000;               // of a float's bits, infinite and NaN
constexpr std::int32_t kLeastExponent = 0x00800000;
constexpr float kLargestPower = 0x1p100f;
constexpr float kLeastPower = 0x1p-100f;

/// Elements as floats, and the powers of two of their exponent fields; 0 for zero.
struct Values {
  std::array<std::array<float, kDepth>, kRows> value;
  std::array<std::array<float, kDepth>, kRows> power;
  float largest = 0;
  float least = kLargestPower;  // of those that are not zero
  bool finite = true;
};

/// The bits of the float that an f16 stands for; infinite and NaN stay so.
std::int32_t float_of_half(std::uint32_t half) {
  // Its fraction and exponent in their places make a float that is 2^112 too small, also if the
  // number is subnormal.
  const float scaled = std::bit_cast<float>((half & 0x7fffu) << 13) * 0x1p112f;
  const std::int32_t size = std::bit_cast<std::int32_t>(scaled);
  const std::int32_t all = (half & 0x7c00u) == 0x7c00u ? kExponents : 0;
  return size | all | static_cast<std::int32_t>((half & 0x8000u) << 16);
}

template <TensorType kType>
Values values_from(const std::array<std::array<std::uint32_t, kDepth>, kRows>& from,
                   std::size_t rows) {
  constexpr std::int32_t kLeast =
      kType == TensorType::f16 ? (kFloatBias - 14) << kFloatBits : kLeastExponent;
  Values to;
  std::int32_t largest = 0;
  std::int32_t least = kExponents;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < kDepth; ++k) {
      const std::uint32_t element = from[i][k];
      const std::int32_t bits = kType == TensorType::f16 ? float_of_half(element)
                                : kType == TensorType::bf16
                                    ? static_cast<std::int32_t>(element << 16)
                                    : static_cast<std::int32_t>(element & 0xffffe000u);
      const std::int32_t exponent = bits & kExponents;
      const std::int32_t raised = exponent > kLeast ? exponent : kLeast;
      const bool zero = (bits & 0x7fffffff) == 0;
      const std::int32_t power = zero ? 0 : raised;
      const std::int32_t counted = zero ? kExponents : raised;
      largest = largest > power ? largest : power;
      least = least < counted ? least : counted;
      to.value[i][k] = std::bit_cast<float>(bits);
      to.power[i][k] = std::bit_cast<float>(power);
    }
  }
  to.finite = largest != kExponents;
  to.largest = std::bit_cast<float>(largest);
  to.least = least == kExponents ? 1 : std::bit_cast<float>(least);
  return to;
}

Values values_of(const std::array<std::array<std::uint32_t, kDepth>, kRows>& from, std::size_t rows,
                 TensorType type) {
  switch (type) {
    case TensorType::f16:
      return values_from<TensorType::f16>(from, rows);
    case TensorType::tf32:
      return values_from<TensorType::tf32>(from, rows);
    case TensorType::bf16:
      break;
  }
  return values_from<TensorType::bf16>(from, rows);
}

/// Whether products and their powers are exact in floats.
bool are_moderate(const Values& a, const Values& b) {
  return a.finite && b.finite && a.largest * b.largest <= kLargestPower &&
         a.least * b.least >= kLeastPower;
}

bool are_moderate(const std::array<std::array<std::uint32_t, kColumns>, kRows>& c) {
  bool all = true;
  for (const auto& row : c) {
    for (const std::uint32_t bits : row) {
      const float size = std::bit_cast<float>(bits & 0x7fffffffu);
      all &= (size == 0) | ((size >= kLeastPower) & (size <= kLargestPower));
    }
  }
  return all;
}

// Eight neighbouring columns.
constexpr std::size_t kLanesOfVector = 8;
using Floats = float __attribute__((vector_size(4 * kLanesOfVector)));
using Integers = std::int32_t __attribute__((vector_size(4 * kLanesOfVector)));

/// The sum, in units of power / kUnits, as a float that is cut towards zero.
std::uint32_t cut_sum(std::int64_t sum, float power) {
  const double size = static_cast<double>(sum);
  // Without the bits of a double beyond those of a float.
  const double kept = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) &
                                            ~((std::uint64_t{1} << (52 - kFloatBits)) - 1));
  return std::bit_cast<std::uint32_t>(
      static_cast<float>(kept * static_cast<double>(power) / static_cast<double>(kUnits)));
}

/// Eight columns of the result from `first` on.
template <std::size_t kTerms>
void moderate_columns(const TensorOperands& operands, const Values& a, const Values& b,
                      std::size_t first, TensorResult& result) {
  std::array<Floats, kTerms> values;
  std::array<Floats, kTerms> powers;
  for (std::size_t k = 0; k < kTerms; ++k) {
    for (std::size_t j = 0; j < kLanesOfVector; ++j) {
      values[k][j] = b.value[first + j][k];
      powers[k][j] = b.power[first + j][k];
    }
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    Integers bits;
    std::memcpy(&bits, &operands.c[i][first], sizeof bits);
    const Floats c = std::bit_cast<Floats>(bits);
    Floats power = std::bit_cast<Floats>(bits & kExponents);
    for (std::size_t k = 0; k < kTerms; ++k) {
      const Floats of_product = a.power[i][k] * powers[k];
      power = of_product > power ? of_product : power;
    }
    const Floats scale = power > 0.0f ? kUnits / power : power;
    // Half of the addends stay below 2^31.
    Integers low{};
    Integers high{};
    for (std::size_t k = 0; k < kTerms / 2; ++k) {
      low += __builtin_convertvector(a.value[i][k] * values[k] * scale, Integers);
      const std::size_t other = k + kTerms / 2;
      high += __builtin_convertvector(a.value[i][other] * values[other] * scale, Integers);
    }
    const Integers start = __builtin_convertvector(c * scale, Integers);
    for (std::size_t j = 0; j < kLanesOfVector; ++j)
      result[i][first + j] =
          cut_sum(std::int64_t{low[j]} + std::int64_t{high[j]} + std::int64_t{start[j]}, power[j]);
  }
}

}  // namespace

TensorResult tensor_product(const TensorOperands& operands) {
  TensorResult result{};
  const Values a = values_of(operands.a, kRows, operands.type);
  const Values b = values_of(operands.b, operands.columns, operands.type);
  if (are_moderate(a, b) && are_moderate(operands.c)) {
    for (std::size_t first = 0; first < operands.columns; first += kLanesOfVector) {
      if (operands.depth <= 8) {
        moderate_columns<8>(operands, a, b, first, result);
      } else {
        moderate_columns<kDepth>(operands, a, b, first, result);
      }
    }
    return result;
  }
  const Format format = format_of(operands.type);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < operands.columns; ++j)
      result[i][j] =
          element(std::span(operands.a[i]).first(operands.depth),
                  std::span(operands.b[j]).first(operands.depth), operands.c[i][j], format);
  }
  return result;
}

}  // namespace tessera::sim
