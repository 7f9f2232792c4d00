// Every product here adds the terms of an element in the order of k and gives each thread whole
// rows, so that its result depends neither on the number of threads nor on vectorisation.
#include "common/matmul.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "common/float32.h"
#include "common/operation.h"

namespace tessera {
namespace {

/// The number of multiply-adds below which waking the threads costs more time than it saves.
constexpr double kParallelWork = 0x1p23;

bool is_worth_threads(int m, int n, int k) {
  return 1.0 * m * n * k > kParallelWork;
}

void require_factors(const HostMatrix& a, const HostMatrix& b) {
  if (a.width() != b.height() || a.element() != b.element()) {
    throw std::invalid_argument("matmul: A is " + a.shape_text() + " and B is " + b.shape_text() +
                                "; expected one element type and inner extents that agree");
  }
}

std::size_t row_start(const HostMatrix& matrix, int row) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch());
}

/// Computes a row of C. Value is float, or std::uint32_t for int32 so that sums wrap.
template <class Stored, class Value>
void multiply_row(const HostMatrix& a, const HostMatrix& b, HostMatrix& c, int row) {
  const auto width = static_cast<std::size_t>(c.width());
  const std::span<const Stored> a_all = a.as<Stored>();
  std::vector<Value> sums(width, Value{0});
  for (int k = 0; k < a.width(); ++k) {
    const auto factor = static_cast<Value>(a_all[row_start(a, row) + static_cast<std::size_t>(k)]);
    const Stored* b_row = b.as<Stored>().data() + row_start(b, k);
    for (std::size_t j = 0; j < width; ++j) sums[j] += factor * static_cast<Value>(b_row[j]);
  }
  Stored* c_row = c.as<Stored>().data() + row_start(c, row);
  for (std::size_t j = 0; j < width; ++j) c_row[j] = static_cast<Stored>(sums[j]);
}

void multiply_row(const HostMatrix& a, const HostMatrix& b, HostMatrix& c, int row) {
  if (a.element() == Element::float32) {
    multiply_row<float, float>(a, b, c, row);
  } else {
    multiply_row<std::int32_t, std::uint32_t>(a, b, c, row);
  }
}

/// The elements in double precision, row-major without padding.
std::vector<double> widen(const HostMatrix& matrix) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(matrix.height()) *
                 static_cast<std::size_t>(matrix.width()));
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column) {
      values.push_back(matrix.value(row, column));
    }
  }
  return values;
}

/// C(m x n) = A(m x k) B(k x n), all row-major without padding.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, int m,
                            int n, int k) {
  const auto width = static_cast<std::size_t>(n);
  const auto depth = static_cast<std::size_t>(k);
  std::vector<double> c(static_cast<std::size_t>(m) * width, 0.0);
#pragma omp parallel for schedule(static) if (is_worth_threads(m, n, k))
  for (int row = 0; row < m; ++row) {
    double* sums = c.data() + static_cast<std::size_t>(row) * width;
    const double* a_row = a.data() + static_cast<std::size_t>(row) * depth;
    for (std::size_t step = 0; step < depth; ++step) {
      const double factor = a_row[step];
      const double* b_row = b.data() + step * width;
      for (std::size_t j = 0; j < width; ++j) sums[j] += factor * b_row[j];
    }
  }
  return c;
}

bool is_whole(double value) {
  return value == std::trunc(value);
}

/// Which rows of A and which columns of B contain only whole numbers.
struct WholeLines {
  std::vector<bool> rows;
  std::vector<bool> columns;
};

WholeLines find_whole_lines(const HostMatrix& a, const HostMatrix& b) {
  WholeLines whole{std::vector<bool>(static_cast<std::size_t>(a.height()), true),
                   std::vector<bool>(static_cast<std::size_t>(b.width()), true)};
  for (int row = 0; row < a.height(); ++row) {
    for (int column = 0; column < a.width(); ++column) {
      if (!is_whole(a.value(row, column))) whole.rows[static_cast<std::size_t>(row)] = false;
    }
  }
  for (int row = 0; row < b.height(); ++row) {
    for (int column = 0; column < b.width(); ++column) {
      if (!is_whole(b.value(row, column))) whole.columns[static_cast<std::size_t>(column)] = false;
    }
  }
  return whole;
}

void take_magnitudes(std::vector<double>& values) {
  for (double& value : values) value = std::abs(value);
}

/// The bound needs no term for the rounding of the float64 reference: products of two float32 are
/// exact in float64, and gamma_k exceeds the worst float32 error (1 + u)^k - 1 by more than k - 1
/// additions in float64 can lose.
Reference reference_float32(const HostMatrix& a, const HostMatrix& b) {
  const int m = a.height();
  const int n = b.width();
  const int k = a.width();
  std::vector<double> a_values = widen(a);
  std::vector<double> b_values = widen(b);
  Reference reference;
  reference.value = product(a_values, b_values, m, n, k);
  take_magnitudes(a_values);
  take_magnitudes(b_values);
  reference.bound = product(a_values, b_values, m, n, k);

  const double ku = k * unit_roundoff(a.storage());
  const double gamma = ku < 1.0 ? ku / (1.0 - ku) : std::numeric_limits<double>::infinity();
  const double underflow = k * static_cast<double>(std::numeric_limits<float>::denorm_min());
  const WholeLines whole = find_whole_lines(a, b);
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      double& bound = reference.bound[static_cast<std::size_t>(row) * static_cast<std::size_t>(n) +
                                      static_cast<std::size_t>(column)];
      const bool exact = whole.rows[static_cast<std::size_t>(row)] &&
                         whole.columns[static_cast<std::size_t>(column)] && bound <= kExactBelow;
      bound = exact ? 0.0 : gamma * bound + underflow;
    }
  }
  return reference;
}

Reference reference_int32(const HostMatrix& a, const HostMatrix& b) {
  HostMatrix c(Element::int32, a.height(), b.width());
  matmul_openmp(a, b, c);
  Reference reference{widen(c), {}};
  reference.bound.assign(reference.value.size(), 0.0);
  return reference;
}

/// A matrix of the given rows and columns of `from`.
HostMatrix picked(const HostMatrix& from, std::span<const int> rows, std::span<const int> columns) {
  HostMatrix part(from.element(), static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (int row = 0; row < part.height(); ++row) {
    for (int column = 0; column < part.width(); ++column) {
      part.set(row, column,
               from.value(rows[static_cast<std::size_t>(row)],
                          columns[static_cast<std::size_t>(column)]));
    }
  }
  return part;
}

std::vector<int> up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// The index of `number` in the sorted `numbers`, which contain it.
int place_of(int number, const std::vector<int>& numbers) {
  return static_cast<int>(std::ranges::lower_bound(numbers, number) - numbers.begin());
}

void sort_unique(std::vector<int>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

class Matmul final : public Operation {
 public:
  std::string_view name() const override { return "matmul"; }

  const std::vector<std::string>& extents() const override {
    static const std::vector<std::string> names = {"m", "n", "k"};
    return names;
  }

  std::vector<Operand> operands(const Extents& extents) const override {
    const int m = extents.at("m");
    const int n = extents.at("n");
    const int k = extents.at("k");
    return {{.name = "A", .height = m, .width = k},
            {.name = "B", .height = k, .width = n},
            {.name = "C", .height = m, .width = n, .output = true}};
  }

  bool is_product() const override { return true; }

  double work(const Extents& extents) const override {
    return 1.0 * extents.at("m") * extents.at("n") * extents.at("k");
  }

  Reference reference(std::span<const HostMatrix> inputs) const override {
    if (inputs.size() != 2) throw std::invalid_argument("matmul: expected two inputs");
    const HostMatrix& a = inputs[0];
    const HostMatrix& b = inputs[1];
    require_factors(a, b);
    return a.element() == Element::float32 ? reference_float32(a, b) : reference_int32(a, b);
  }

  /// Multiplies only the rows and columns of the elements.
  Reference reference_at(std::span<const HostMatrix> inputs,
                         std::span<const std::int32_t> elements) const override {
    if (inputs.size() != 2) throw std::invalid_argument("matmul: expected two inputs");
    const int width = inputs[1].width();
    std::vector<int> rows;
    std::vector<int> columns;
    for (const std::int32_t element : elements) {
      rows.push_back(element / width);
      columns.push_back(element % width);
    }
    sort_unique(rows);
    sort_unique(columns);
    const HostMatrix factors[] = {picked(inputs[0], rows, up_to(inputs[0].width())),
                                  picked(inputs[1], up_to(inputs[1].height()), columns)};
    std::vector<std::int32_t> places;
    for (const std::int32_t element : elements) {
      places.push_back(place_of(element / width, rows) * static_cast<int>(columns.size()) +
                       place_of(element % width, columns));
    }
    return Operation::reference_at(factors, places);
  }
};

}  // namespace

void require_product(const HostMatrix& a, const HostMatrix& b, const HostMatrix& c) {
  require_factors(a, b);
  if (c.height() != a.height() || c.width() != b.width() || c.element() != a.element()) {
    throw std::invalid_argument("matmul: C is " + c.shape_text() + "; expected " +
                                std::to_string(a.height()) + " x " + std::to_string(b.width()) +
                                " of the factors' element type");
  }
}

void matmul_serial(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  require_product(a, b, c);
  for (int row = 0; row < c.height(); ++row) multiply_row(a, b, c, row);
}

void matmul_openmp(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  require_product(a, b, c);
#pragma omp parallel for schedule(static) if (is_worth_threads(c.height(), c.width(), a.width()))
  for (int row = 0; row < c.height(); ++row) multiply_row(a, b, c, row);
}

std::vector<double> matmul_float64(const HostMatrix& a, const HostMatrix& b) {
  require_factors(a, b);
  return product(widen(a), widen(b), a.height(), b.width(), a.width());
}

const Operation& matmul_operation() {
  static const Matmul operation;
  return operation;
}

}  // namespace tessera
