#include "grader/judge/compare/freivalds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "common/float32.h"

namespace tessera {
namespace {

constexpr int kVectors = 48;
constexpr std::size_t kLanes = 16;  // vectors for each pass over a matrix
constexpr double kDeviations = 10;

static_assert(kVectors % kLanes == 0);

bool is_whole(double value) {
  return value == std::trunc(value);
}

template <class Stored>
const Stored* row_of(const HostMatrix& matrix, int row) {
  return matrix.as<Stored>().data() +
         static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch());
}

template <class Value>
using Lanes = std::vector<Value>;  // element i of vector v is at i * kLanes + v

/// sums += row times the vectors; `Stored` elements count as `Value`. No local array: GCC 13's
/// AddressSanitizer aligns an array of 64 bytes to 32, and AVX-512 stores need 64.
template <class Stored, class Value>
void accumulate(const Stored* row, std::size_t width, const Value* vectors,
                Value* __restrict sums) {
  for (std::size_t j = 0; j < width; ++j) {
    const Value factor = static_cast<Value>(row[j]);
    const Value* lane = vectors + j * kLanes;
#pragma omp simd
    for (std::size_t v = 0; v < kLanes; ++v) sums[v] += factor * lane[v];
  }
}

/// Whether threads pay. Below a million elements waking them costs more than it saves, and then
/// they keep processors busy for a while that the simulator's process needs.
bool is_worth_threads(const HostMatrix& matrix) {
  return std::int64_t{matrix.height()} * matrix.width() >= 1 << 20;
}

/// The matrix times the vectors.
template <class Stored, class Value>
Lanes<Value> multiply(const HostMatrix& matrix, const Lanes<Value>& vectors) {
  const auto width = static_cast<std::size_t>(matrix.width());
  Lanes<Value> product(static_cast<std::size_t>(matrix.height()) * kLanes);
#pragma omp parallel for schedule(static) if (is_worth_threads(matrix))
  for (int row = 0; row < matrix.height(); ++row) {
    accumulate<Stored, Value>(row_of<Stored>(matrix, row), width, vectors.data(),
                              product.data() + static_cast<std::size_t>(row) * kLanes);
  }
  return product;
}

/// What the tolerances need to know about B, for each row of B.
struct FactorSums {
  std::vector<double> squares;     // sum of squares
  std::vector<double> magnitudes;  // sum of magnitudes
  std::vector<double> largest;     // largest magnitude
  bool whole = true;               // B has whole numbers only
};

FactorSums summarize(const HostMatrix& b) {
  const auto height = static_cast<std::size_t>(b.height());
  FactorSums factor{std::vector<double>(height), std::vector<double>(height),
                    std::vector<double>(height)};
  int fractions = 0;
#pragma omp parallel for schedule(static) reduction(+ : fractions) if (is_worth_threads(b))
  for (int row = 0; row < b.height(); ++row) {
    const float* values = row_of<float>(b, row);
    const auto at = static_cast<std::size_t>(row);
    for (int column = 0; column < b.width(); ++column) {
      const double magnitude = std::abs(static_cast<double>(values[column]));
      factor.squares[at] += magnitude * magnitude;
      factor.magnitudes[at] += magnitude;
      factor.largest[at] = std::max(factor.largest[at], magnitude);
      if (!is_whole(magnitude)) fractions = 1;
    }
  }
  factor.whole = fractions == 0;
  return factor;
}

/// How often the sum of a product may be cut towards zero: by tensor cores, which take 16-bit
/// inputs and add at least that many products at once.
double cuts(const HostMatrix& a) {
  constexpr double kAddedAtOnce = 16;
  return a.storage() == Storage::same ? 0 : a.width() / kAddedAtOnce;
}

/// How far C x may lie from A (B x) in a row.
double tolerance(const HostMatrix& a, const FactorSums& b, const HostMatrix& got, int row) {
  const float* left = row_of<float>(a, row);
  double squares = 0, magnitudes = 0, largest = 0;
  bool whole = b.whole;
  for (int p = 0; p < a.width(); ++p) {
    const double magnitude = std::abs(static_cast<double>(left[p]));
    const auto at = static_cast<std::size_t>(p);
    squares += magnitude * magnitude * b.squares[at];
    magnitudes += magnitude * b.magnitudes[at];
    largest += magnitude * b.largest[at];
    whole = whole && is_whole(magnitude);
  }
  if (whole && largest <= kExactBelow) return 0;

  double result_squares = 0;
  const float* result = row_of<float>(got, row);
  for (int column = 0; column < got.width(); ++column) {
    result_squares += static_cast<double>(result[column]) * result[column];
  }
  const double k = a.width();
  const double n = got.width();
  const double drift = std::max(0.0, std::sqrt(result_squares) - 2 * std::sqrt(squares));
  const double rounding =
      unit_roundoff(a.storage()) *
      (std::sqrt(k * (result_squares + squares)) + k * drift + cuts(a) * std::sqrt(result_squares));
  const double underflow = k * n * static_cast<double>(std::numeric_limits<float>::denorm_min());
  const double own = (k + n) * 0x1p-52 * magnitudes;  // of C x and A (B x) in double precision
  return kDeviations * rounding + underflow + own;
}

template <class Value>
Lanes<Value> random_vectors(int width, std::mt19937_64& random) {
  Lanes<Value> vectors(static_cast<std::size_t>(width) * kLanes);
  for (Value& value : vectors) {
    if constexpr (std::is_floating_point_v<Value>) {
      value = random() >> 63 ? 1.0 : -1.0;
    } else {
      value = static_cast<Value>(random());
    }
  }
  return vectors;
}

/// For each row the largest difference between C x and A (B x) over all vectors; a NaN stays.
template <class Stored, class Value>
std::vector<double> differences(const HostMatrix& a, const HostMatrix& b, const HostMatrix& got,
                                std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> largest(static_cast<std::size_t>(got.height()), 0.0);
  for (int taken = 0; taken < kVectors; taken += static_cast<int>(kLanes)) {
    const Lanes<Value> x = random_vectors<Value>(got.width(), random);
    const Lanes<Value> left = multiply<Stored, Value>(got, x);
    const Lanes<Value> right = multiply<Stored, Value>(a, multiply<Stored, Value>(b, x));
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double difference =
          std::is_floating_point_v<Value>
              ? std::abs(static_cast<double>(left[i]) - static_cast<double>(right[i]))
              : static_cast<double>(left[i] != right[i]);
      double& most = largest[i / kLanes];
      if (!(difference <= most)) most = std::isnan(most) ? most : difference;
    }
  }
  return largest;
}

ProductRow float_row(const HostMatrix& a, const HostMatrix& b, int row) {
  const auto width = static_cast<std::size_t>(b.width());
  ProductRow result{std::vector<double>(width), std::vector<double>(width)};
  std::vector<double> magnitudes(width), squares(width);
  std::vector<char> whole(width, 1);
  bool whole_row = true;
  const float* left = row_of<float>(a, row);
  for (int p = 0; p < a.width(); ++p) {
    const double factor = left[p];
    whole_row = whole_row && is_whole(factor);
    const float* values = row_of<float>(b, p);
    for (std::size_t j = 0; j < width; ++j) {
      const double term = factor * static_cast<double>(values[j]);
      result.value[j] += term;
      magnitudes[j] += std::abs(term);
      squares[j] += term * term;
      whole[j] &= static_cast<char>(is_whole(values[j]));
    }
  }
  const double k = a.width();
  const double unit = unit_roundoff(a.storage());
  const double ku = k * unit;
  const double gamma = ku < 1 ? ku / (1 - ku) : std::numeric_limits<double>::infinity();
  const double underflow = k * static_cast<double>(std::numeric_limits<float>::denorm_min());
  for (std::size_t j = 0; j < width; ++j) {
    if (whole_row && whole[j] != 0 && magnitudes[j] <= kExactBelow) continue;
    const double value = result.value[j];
    const double drift = std::max(0.0, std::abs(value) - kDeviations * std::sqrt(squares[j]));
    const double likely =
        kDeviations * unit *
        (std::sqrt(k * (value * value + squares[j])) + k * drift + cuts(a) * std::abs(value));
    result.bound[j] = std::min(gamma * magnitudes[j], likely) + underflow;
  }
  return result;
}

ProductRow int_row(const HostMatrix& a, const HostMatrix& b, int row) {
  const auto width = static_cast<std::size_t>(b.width());
  std::vector<std::uint32_t> sums(width);
  for (int p = 0; p < a.width(); ++p) {
    const auto factor = static_cast<std::uint32_t>(row_of<std::int32_t>(a, row)[p]);
    const std::int32_t* values = row_of<std::int32_t>(b, p);
    for (std::size_t j = 0; j < width; ++j) {
      sums[j] += factor * static_cast<std::uint32_t>(values[j]);
    }
  }
  ProductRow result{std::vector<double>(width), std::vector<double>(width)};
  for (std::size_t j = 0; j < width; ++j) {
    result.value[j] = static_cast<double>(static_cast<std::int32_t>(sums[j]));
  }
  return result;
}

void require_product(const HostMatrix& a, const HostMatrix& b, const HostMatrix& got) {
  const bool fits =
      a.width() == b.height() && got.height() == a.height() && got.width() == b.width();
  const bool alike = a.element() == b.element() && got.element() == a.element();
  if (!fits || !alike) throw std::invalid_argument("these matrices are not A, B and C = A B");
}

}  // namespace

std::vector<SuspectRow> suspect_rows(const HostMatrix& a, const HostMatrix& b,
                                     const HostMatrix& got, std::uint64_t seed) {
  require_product(a, b, got);
  const bool real = got.element() == Element::float32;
  const std::vector<double> largest =
      real ? differences<float, double>(a, b, got, seed)
           : differences<std::int32_t, std::uint32_t>(a, b, got, seed);
  std::vector<double> tolerances(largest.size(), 0.0);
  if (real) {
    const FactorSums factor = summarize(b);
#pragma omp parallel for schedule(static) if (is_worth_threads(got))
    for (int row = 0; row < got.height(); ++row) {
      tolerances[static_cast<std::size_t>(row)] = tolerance(a, factor, got, row);
    }
  }
  std::vector<SuspectRow> suspects;
  for (int row = 0; row < got.height(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    if (std::isfinite(largest[at]) && largest[at] <= tolerances[at]) continue;
    suspects.push_back({row, largest[at] / tolerances[at]});
  }
  return suspects;
}

ProductRow product_row(const HostMatrix& a, const HostMatrix& b, int row) {
  return a.element() == Element::float32 ? float_row(a, b, row) : int_row(a, b, row);
}

}  // namespace tessera
