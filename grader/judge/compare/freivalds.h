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
  double excess = 0;  // largest difference over the tolerance; infinite where the data is exact
};

/// Rows of `got` that cannot be those of A B, in order. `got` must be as large as the product; all
/// of one element type. Throws std::invalid_argument otherwise.
///
/// Each of 48 vectors of random signs (int32: random words, modulo 2^32) misses a row that holds an
/// element further off than the row's tolerance with probability 1/2 at most: 2^-48 in all. `seed`
/// must not be known to the kernel that computed `got`.
///
/// The tolerance is 0 where whole numbers make every sum exact in float32. Otherwise it is ten
/// standard deviations of what rounding to float32 in any order leaves: errors of single roundings
/// are taken as independent and at most u = 2^-24, partial sums as those of terms in random order,
/// and where one row's products lean to one sign by their worst case. A tighter demand than the sum
/// of the elements' a-priori bounds, which for k = 8192 would hide a missing element; TF32 fails
/// it.
std::vector<SuspectRow> suspect_rows(const HostMatrix& a, const HostMatrix& b,
                                     const HostMatrix& got, std::uint64_t seed);

/// Output `name` against A B, told as compare_output() tells it. Suspect rows are computed again in
/// double precision to locate the wrong elements: all of them where they are few, else the first.
Comparison check_product(const std::string& name, const HostMatrix& a, const HostMatrix& b,
                         const HostMatrix& got, std::uint64_t seed);

/// One row of A B in double precision, and how far a float32 result may lie from each element.
struct ProductRow {
  std::vector<double> value;
  std::vector<double> bound;
};

ProductRow product_row(const HostMatrix& a, const HostMatrix& b, int row);

}  // namespace tessera
