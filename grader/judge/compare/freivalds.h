// Whether C = A B, for products too large to compute again on the host: C x and A (B x) are
// compared for random vectors x, at the cost of reading the matrices a few times (Freivalds, 1977).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/host_matrix.h"
#include "grader/judge/compare/compare.h"

namespace tessera {

/// A row of C for which C x and A (B x) differ by more than rounding explains.
struct SuspectRow {
  int row = 0;
  double excess = 0;  // the largest difference over the tolerance; infinite if the data is exact
};

/// The rows of `got` that cannot be those of A B, in order. `got` must be as large as the product,
/// and all of the same element type; throws std::invalid_argument otherwise.
///
/// If a row holds an element that is off by more than the row's tolerance, each of 48 vectors of
/// random signs (int32: random words, modulo 2^32) misses the row with a probability of at most
/// 1/2, and all of them together with 2^-48. The kernel that computed `got` must not know `seed`.
///
/// The tolerance is 0 if whole numbers make every sum exact in float32. Otherwise it is ten
/// standard deviations of the error of rounding to float32 in any order: errors of single roundings
/// are taken as independent and at most u = 2^-24, partial sums as those of terms in random order,
/// or by their worst case if most products of a row have the same sign. With 16-bit inputs u is
/// 2^-23, and a sum may be cut towards zero every 16 products. This is tighter than the
/// sum of the elements' a-priori bounds, which for k = 8192 would hide a missing element. TF32 does
/// not meet it.
std::vector<SuspectRow> suspect_rows(const HostMatrix& a, const HostMatrix& b,
                                     const HostMatrix& got, std::uint64_t seed);

/// Compares output `name` with A B, and reports as compare_output() does. Suspect rows are computed
/// again in double precision to locate the wrong elements: all such rows if they are few, else the
/// first.
Comparison check_product(const std::string& name, const HostMatrix& a, const HostMatrix& b,
                         const HostMatrix& got, std::uint64_t seed);

/// A row of A B in double precision, and how far a float32 result may lie from each element.
struct ProductRow {
  std::vector<double> value;
  std::vector<double> bound;
};

ProductRow product_row(const HostMatrix& a, const HostMatrix& b, int row);

}  // namespace tessera
