#include "grader/simulator/exec/tensor_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "common/sixteen_bits.h"

namespace tessera::sim {
namespace {

constexpr int kKeptBits = 25;  // below the largest power among the addends
constexpr int kFloatBits = 23;
constexpr int kFloatBias = 127;

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
std::uint32_t element(const TensorRows& a, std::size_t row, const TensorColumns& b,
                      std::size_t column, std::size_t depth, std::uint32_t c, Format format) {
  std::array<Number, kTensorDepth + 1> addends;
  std::size_t count = 0;
  addends[count++] = number_from(c, kFloat);
  for (std::size_t k = 0; k < depth; ++k) {
    const Number x = number_from(a.bits[row][k], format);
    const Number y = number_from(b.bits[k][column], format);
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
  if (nan || (rising && falling)) return std::bit_cast<std::uint32_t>(kCanonicalNan);
  if (rising || falling) return rising ? 0x7f800000u : 0xff800000u;
  if (!power) return 0;
  const int lowest = *power - kKeptBits;
  std::int64_t sum = 0;
  for (const Number& addend : all) {
    if (addend.whole == 0) continue;  // of any power
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

constexpr float kLargestWhole = 0x1p22f;  // that rounded() keeps

/// Numbers up to kLargestWhole, rounded to whole numbers.
template <class Floats>
Floats rounded(const Floats& values) {
  constexpr float kWithoutFractions = 3 * kLargestWhole;  // a float of this size has no fraction
  return values + kWithoutFractions - kWithoutFractions;
}

/// Writes the `count` elements as floats to `value`, and to `power` the powers of two of their
/// exponent fields: 0 for zero.
template <TensorType kType, std::size_t kCount>
TensorRange convert(const std::uint32_t* from, float* value, float* power) {
  constexpr std::int32_t kLeast =
      kType == TensorType::f16 ? (kFloatBias - 14) << kFloatBits : kLeastExponent;
  std::int32_t largest = 0;
  std::int32_t least = kExponents;
  std::int32_t fractions = 0;
#pragma GCC ivdep
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::int32_t bits =
        kType == TensorType::f16
            ? std::bit_cast<std::int32_t>(widen<HalfFormat>(static_cast<std::uint16_t>(from[i])))
        : kType == TensorType::bf16 ? static_cast<std::int32_t>(from[i] << 16)
                                    : static_cast<std::int32_t>(from[i] & 0xffffe000u);
    const std::int32_t exponent = bits & kExponents;
    const std::int32_t raised = exponent > kLeast ? exponent : kLeast;
    const bool zero = (bits & 0x7fffffff) == 0;
    const std::int32_t kept = zero ? 0 : raised;
    const std::int32_t counted = zero ? kExponents : raised;
    largest = largest > kept ? largest : kept;
    least = least < counted ? least : counted;
    value[i] = std::bit_cast<float>(bits);
    power[i] = std::bit_cast<float>(kept);
    fractions |= static_cast<std::int32_t>(rounded(value[i]) != value[i]);
  }
  return {std::bit_cast<float>(largest), least == kExponents ? 1 : std::bit_cast<float>(least),
          largest != kExponents, fractions == 0};
}

template <std::size_t kCount>
TensorRange convert(TensorType type, const std::uint32_t* from, float* value, float* power) {
  switch (type) {
    case TensorType::f16:
      return convert<TensorType::f16, kCount>(from, value, power);
    case TensorType::tf32:
      return convert<TensorType::tf32, kCount>(from, value, power);
    case TensorType::bf16:
      break;
  }
  return convert<TensorType::bf16, kCount>(from, value, power);
}

/// Whether products and their powers are exact in floats.
bool are_moderate(const TensorRange& a, const TensorRange& b) {
  return a.finite && b.finite && a.largest * b.largest <= kLargestPower &&
         a.least * b.least >= kLeastPower;
}

template <class T, std::size_t kCount>
using Vector [[gnu::vector_size(sizeof(T) * kCount)]] = T;
using Floats = Vector<float, kTensorColumns>;
using Integers = Vector<std::int32_t, kTensorColumns>;
using Words = Vector<std::uint32_t, kTensorColumns>;
constexpr std::size_t kHalf = kTensorColumns / 2;
using Doubles = Vector<double, kHalf>;

/// Whether `is_wrong`, of a row's elements, is 0 for each element.
template <class IsWrong>
bool none_wrong(const TensorSums& sums, const IsWrong& is_wrong) {
  Integers wrong{};
  for (const auto& row : sums.bits) {
    Floats values;
    std::memcpy(&values, row.data(), sizeof values);
    wrong |= is_wrong(values);
  }
  using Halves = Vector<std::uint64_t, sizeof wrong / sizeof(std::uint64_t)>;
  const auto halves = std::bit_cast<Halves>(wrong);
  return (halves[0] | halves[1] | halves[2] | halves[3]) == 0;
}

bool are_moderate(const TensorSums& sums) {
  return none_wrong(sums, [](const Floats& values) {
    const Floats sizes = values < 0 ? -values : values;  // NaN stays
    return (sizes != 0) & ~((sizes >= kLeastPower) & (sizes <= kLargestPower));
  });
}

/// Half of the columns, as doubles.
template <std::size_t kFirst, class V>
Doubles half_of(const V& values) {
  return __builtin_convertvector(
      __builtin_shufflevector(values, values, kFirst, kFirst + 1, kFirst + 2, kFirst + 3), Doubles);
}

/// The sums of three numbers, in units of power / kUnits, as floats that are cut towards zero.
template <std::size_t kFirst>
void cut_sums(const Integers& x, const Integers& y, const Integers& z, const Floats& power,
              std::uint32_t* to) {
  using Bits = Vector<std::int64_t, kHalf>;
  const Doubles sum = half_of<kFirst>(x) + half_of<kFirst>(y) + half_of<kFirst>(z);  // exact
  // Without the bits of a double beyond those of a float.
  const Bits kept = std::bit_cast<Bits>(sum) & ~((std::int64_t{1} << (52 - kFloatBits)) - 1);
  const Doubles scaled = std::bit_cast<Doubles>(kept) * half_of<kFirst>(power / kUnits);
  const auto cut = __builtin_convertvector(scaled, Vector<float, kHalf>);
  std::memcpy(to + kFirst, &cut, sizeof cut);
}

template <std::size_t kTerms>
void multiply_moderate(const TensorRows& a, const TensorColumns& b, TensorSums& sums) {
  // kUnits / power has this less the exponent of the power.
  constexpr std::uint32_t kExponentOfUnits = std::uint32_t{2 * kFloatBias + kKeptBits}
                                             << kFloatBits;
  const auto in = [](const std::array<float, kTensorColumns>& row) {
    Floats vector;
    std::memcpy(&vector, row.data(), sizeof vector);
    return vector;
  };
  for (std::size_t i = 0; i < kTensorRows; ++i) {
    Integers bits;
    std::memcpy(&bits, sums.bits[i].data(), sizeof bits);
    Floats power = std::bit_cast<Floats>(bits & kExponents);
    power = power > kLeastPower ? power : kLeastPower + Floats{};
    std::array<Floats, 4> most{};  // several, so that no step waits for the one before
    for (std::size_t k = 0; k < kTerms; ++k) {
      const Floats of_product = a.power[i][k] * in(b.power[k]);
      Floats& so_far = most[k % most.size()];
      so_far = of_product > so_far ? of_product : so_far;
    }
    for (const Floats& of_some : most) power = of_some > power ? of_some : power;
    const Floats scale = std::bit_cast<Floats>(kExponentOfUnits - std::bit_cast<Words>(power));
    // Half of the addends stay below 2^31.
    Integers low{};
    Integers high{};
    for (std::size_t k = 0; k < kTerms / 2; ++k) {
      low += __builtin_convertvector(a.value[i][k] * in(b.value[k]) * scale, Integers);
      const std::size_t other = k + kTerms / 2;
      high += __builtin_convertvector(a.value[i][other] * in(b.value[other]) * scale, Integers);
    }
    const Integers start = __builtin_convertvector(std::bit_cast<Floats>(bits) * scale, Integers);
    cut_sums<0>(low, high, start, power, sums.bits[i].data());
    cut_sums<kHalf>(low, high, start, power, sums.bits[i].data());
  }
}

/// Whether every sum of products and elements of C, in any order, is a whole number that a float
/// holds.
bool are_whole(const TensorRange& a, const TensorRange& b, const TensorSums& sums) {
  constexpr float kMost = 4 * kTensorDepth;  // of products, each of less than four powers
  if (!a.whole || !b.whole || !(a.largest * b.largest <= kLargestWhole / kMost)) return false;
  return none_wrong(sums, [](const Floats& values) {
    return (rounded(values) != values) | (values > kLargestWhole) | (values < -kLargestWhole);
  });
}

/// The same for whole numbers, of which nothing is cut.
template <std::size_t kTerms>
void multiply_whole(const TensorRows& a, const TensorColumns& b, TensorSums& sums) {
  constexpr std::size_t kTogether = 8;  // rows
  for (std::size_t i = 0; i < kTensorRows; i += kTogether) {
    std::array<Floats, kTogether> sum;
    for (std::size_t row = 0; row < kTogether; ++row)
      std::memcpy(&sum[row], sums.bits[i + row].data(), sizeof sum[row]);
    for (std::size_t k = 0; k < kTerms; ++k) {
      Floats column;
      std::memcpy(&column, b.value[k].data(), sizeof column);
      for (std::size_t row = 0; row < kTogether; ++row) sum[row] += a.value[i + row][k] * column;
    }
    for (std::size_t row = 0; row < kTogether; ++row) {
      sum[row] += 0.0f;  // zero has no sign
      std::memcpy(sums.bits[i + row].data(), &sum[row], sizeof sum[row]);
    }
  }
}

bool is_nan(float value) {
  return value != value;
}

/// The elements of the result that are NaN, as a NaN is in their row of A, their column of B or
/// their place in the sums.
class NanElements {
 public:
  NanElements(const TensorRows& a, const TensorColumns& b, const TensorSums& sums) {
    for (std::size_t i = 0; i < kTensorRows; ++i) {
      for (const float value : a.value[i]) rows_[i] |= is_nan(value) ? kAll : 0;
      for (std::size_t j = 0; j < kTensorColumns; ++j)
        rows_[i] |= is_nan(std::bit_cast<float>(sums.bits[i][j])) ? 1u << j : 0;
    }
    for (const auto& of_k : b.value) {
      for (std::size_t j = 0; j < kTensorColumns; ++j) {
        if (is_nan(of_k[j]))
          for (std::uint32_t& row : rows_) row |= 1u << j;
      }
    }
  }
  bool any() const {
    return std::ranges::any_of(rows_, [](std::uint32_t row) { return row != 0; });
  }
  bool has(std::size_t row, std::size_t column) const { return (rows_[row] >> column & 1) != 0; }

 private:
  static constexpr std::uint32_t kAll = (1u << kTensorColumns) - 1;
  std::array<std::uint32_t, kTensorRows> rows_{};  // of each row, a bit for each column
};

/// The factor with zeros in place of NaN.
template <class Factor>
Factor without_nans(Factor factor, TensorType type) {
  for (std::size_t i = 0; i < factor.bits.size(); ++i) {
    for (std::size_t j = 0; j < factor.bits[i].size(); ++j) {
      if (is_nan(factor.value[i][j])) factor.bits[i][j] = 0;
    }
  }
  factor.prepare(type);
  return factor;
}

}  // namespace

void TensorRows::prepare(TensorType type) {
  range =
      convert<kTensorRows * kTensorDepth>(type, bits[0].data(), value[0].data(), power[0].data());
}

void TensorColumns::prepare(TensorType type) {
  range = convert<kTensorDepth * kTensorColumns>(type, bits[0].data(), value[0].data(),
                                                 power[0].data());
}

void multiply(const TensorRows& a, const TensorColumns& b, TensorType type, std::size_t depth,
              TensorSums& sums) {
  if (are_whole(a.range, b.range, sums)) {
    if (depth <= kTensorDepth / 2) return multiply_whole<kTensorDepth / 2>(a, b, sums);
    return multiply_whole<kTensorDepth>(a, b, sums);
  }
  if (are_moderate(a.range, b.range) && are_moderate(sums)) {
    if (depth <= kTensorDepth / 2) return multiply_moderate<kTensorDepth / 2>(a, b, sums);
    return multiply_moderate<kTensorDepth>(a, b, sums);
  }
  const NanElements nans(a, b, sums);
  if (nans.any()) {  // as in all that has not been written: the rest is worth a faster way
    const auto set_nans = [&](std::uint32_t bits) {
      for (std::size_t i = 0; i < kTensorRows; ++i) {
        for (std::size_t j = 0; j < kTensorColumns; ++j) {
          if (nans.has(i, j)) sums.bits[i][j] = bits;
        }
      }
    };
    set_nans(0);
    multiply(without_nans(a, type), without_nans(b, type), type, depth, sums);
    return set_nans(std::bit_cast<std::uint32_t>(kCanonicalNan));
  }
  const Format format = format_of(type);
  for (std::size_t i = 0; i < kTensorRows; ++i) {
    for (std::size_t j = 0; j < kTensorColumns; ++j)
      sums.bits[i][j] = element(a, i, b, j, depth, sums.bits[i][j], format);
  }
}

}  // namespace tessera::sim
