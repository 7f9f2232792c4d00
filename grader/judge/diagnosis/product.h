// A matrix product as sums of terms, so that a mistake is a formula: which elements of A and B
// are multiplied, and how often.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"

namespace tessera {

/// A sum of products in the element's arithmetic: float32 with the bound that every order of
/// summation keeps, int32 modulo 2^32.
class TermSum {
 public:
  /// `whole`: every factor is a whole number.
  TermSum(Element element, bool whole) : element_(element), whole_(whole) {}

  void add(double a, double b) { add_times(a, b, 1); }

  /// `times` may be negative.
  void add_times(double a, double b, int times) {
    if (element_ == Element::int32) {
      wrapped_ += word(a) * word(b) * word(times);
      return;
    }
    const double term = a * b * times;
    value_ += term;
    magnitude_ += std::abs(term);
    terms_ += std::abs(times);
  }

  Prediction prediction() const;
  /// Whether the sum is not a number, whatever else is added. Many mistakes read beyond the end,
  /// where there is none, so sums begin there.
  bool is_nan() const { return std::isnan(value_); }

 private:
  static std::uint32_t word(double value) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  }

  Element element_;
  bool whole_;
  double value_ = 0;
  double magnitude_ = 0;
  int terms_ = 0;
  std::uint32_t wrapped_ = 0;
};

class Product {
 public:
  /// The product of `a` and `b`, which may differ from the kernel's inputs, and are copied.
  /// `output` must outlive it.
  Product(const WrongOutput& output, const HostMatrix& a, const HostMatrix& b);
  explicit Product(const WrongOutput& output)
      : Product(output, output.inputs()[0], output.inputs()[1]) {}

  int m() const { return output_.height(); }
  int n() const { return output_.width(); }
  int k() const { return k_; }
  const WrongOutput& output() const { return output_; }

  /// Elements of A and B; zero outside of the matrix.
  double a(int row, int p) const { return at(a_, m(), k_, row, p); }
  double b(int p, int column) const { return at(b_, k_, n(), p, column); }

  TermSum sum() const { return {element_, whole_}; }

  /// Whether C[row][column] is the sum.
  bool holds(int row, int column, const TermSum& sum) const {
    return output_.holds(row, column, sum.prediction());
  }

 private:
  static double at(const std::vector<double>& values, int height, int width, int row, int column) {
    if (row < 0 || row >= height || column < 0 || column >= width) return 0;
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)];
  }

  const WrongOutput& output_;
  Element element_;
  int k_ = 0;
  std::vector<double> a_;
  std::vector<double> b_;
  bool whole_;
};

/// The two factors of a term.
using Factors = std::pair<double, double>;
using TermOf = std::function<Factors(const Product&, int row, int column, int p)>;

/// Explains the elements that are the sum of `term` over p = 0 ... count - 1.
std::function<bool(int, int)> sum_of(std::shared_ptr<const Product> product, int count,
                                     TermOf term);

/// Mistakes about which products are added: where the sum starts and stops, and what it skips.
/// `first` is an element that has to be explained.
std::vector<Hypothesis> window_hypotheses(const std::shared_ptr<const Product>& product,
                                          std::pair<int, int> first);

/// Mistakes of a kernel that goes through tiles of `tile` x `tile` elements in phases.
std::vector<Hypothesis> phase_hypotheses(const std::shared_ptr<const Product>& product, int tile);

/// Mistakes in the guards of the loads into such tiles.
std::vector<Hypothesis> load_guard_hypotheses(const std::shared_ptr<const Product>& product,
                                              int tile);

/// Mistakes of kernels that are made for whole tiles only.
std::vector<Hypothesis> unguarded_hypotheses(const std::shared_ptr<const Product>& product,
                                             int tile);

/// Mistakes in the length of a row of such tiles.
std::vector<Hypothesis> stride_hypotheses(const std::shared_ptr<const Product>& product, int tile);

/// Mistakes in which element of A or B a lane holds in a fragment, and in the swizzle of a tile.
std::vector<Hypothesis> fragment_hypotheses(const std::shared_ptr<const Product>& product);

/// At most one mistake: phases that count twice or not at all, computed from the target's elements.
std::vector<Hypothesis> counted_phases(const std::shared_ptr<const Product>& product, int tile,
                                       Target target);

/// How often each product of a repeated group counts: {1, 2, 0, 1} if of every four products the
/// third is left out and the second is added twice.
using ProductCounts = std::vector<int>;

/// The counts that the wrong elements of a product suggest, for groups of up to 8 products or of a
/// tile.
std::vector<ProductCounts> repeated_counts(const WrongOutput& output);

/// The mistake that makes the products count as often as `counts` says.
Hypothesis repeated_count(const std::shared_ptr<const Product>& product,
                          const ProductCounts& counts);

/// Mistakes in the arithmetic of a term or of the sum.
std::vector<Hypothesis> arithmetic_hypotheses(const std::shared_ptr<const Product>& product);

}  // namespace tessera
