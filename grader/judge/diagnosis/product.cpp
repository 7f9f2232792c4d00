#include "grader/judge/diagnosis/product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/float32.h"

namespace tessera {
namespace {

std::vector<double> elements_of(const HostMatrix& matrix) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(matrix.height()) *
                 static_cast<std::size_t>(matrix.width()));
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column)
      values.push_back(matrix.value(row, column));
  }
  return values;
}

bool all_whole(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value == std::trunc(value); });
}

}  // namespace

Prediction TermSum::prediction() const {
  if (element_ == Element::int32)
    return {static_cast<double>(static_cast<std::int32_t>(wrapped_)), 0};
  if (whole_ && magnitude_ <= kExactBelow) return {value_, 0};
  const double roundings = terms_ * kUnitRoundoff;
  const double underflow = terms_ * static_cast<double>(std::numeric_limits<float>::denorm_min());
  return {value_, roundings / (1 - roundings) * magnitude_ + underflow};
}

Product::Product(const WrongOutput& output, const HostMatrix& a, const HostMatrix& b)
    : output_(output),
      element_(a.element()),
      k_(a.width()),
      a_(elements_of(a)),
      b_(elements_of(b)),
      whole_(all_whole(a_) && all_whole(b_)) {
}

std::function<bool(int, int)> sum_of(std::shared_ptr<const Product> product, int count,
                                     TermOf term) {
  return [product = std::move(product), count, term = std::move(term)](int row, int column) {
    TermSum sum = product->sum();
    for (int p = count - 1; p >= 0 && !sum.is_nan(); --p) {
      const auto [a, b] = term(*product, row, column, p);
      sum.add(a, b);
    }
    return product->holds(row, column, sum);
  };
}

}  // namespace tessera
