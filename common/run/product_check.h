// Checks C = A B on the host without computing A B, for which a host is too slow.
#pragma once

#include <cstdio>
#include <random>
#include <vector>

#include "common/run/unwritten.h"

namespace host {

/// Whether all m x n elements of C are right. Prints a wrong element and how many rows are wrong.
///
/// If C = A B, then C x = A (B x) for every vector x. That takes three products of a matrix with a
/// vector instead of a product of matrices: n^2 steps instead of n^3 (Freivalds, 1977). Element i
/// of C x belongs to row i of C, so it also shows which row is wrong. A wrong row stays hidden only
/// if its errors happen to cancel against x: less than once in 65,536 vectors. A, B and x are small
/// whole numbers, so that nothing is rounded and "equal" means equal. (A type of 16 bits becomes a
/// double by way of a float.)
template <class Input, class T>
bool check_product(const Input* A, const Input* B, const T* C, int m, int n, int k,
                   unsigned int seed) {
  std::mt19937 random(seed);
  std::vector<double> x(n);
  for (double& value : x) value = 1 + random() % 65536;

  std::vector<double> Bx(k);
  for (int p = 0; p < k; ++p) {
    for (int j = 0; j < n; ++j)
      Bx[p] += static_cast<double>(float(B[std::size_t(p) * n + j])) * x[j];
  }

  int wrong_rows = 0, first = 0;
  for (int i = 0; i < m; ++i) {
    double from_C = 0, from_A = 0;
    for (int j = 0; j < n; ++j) from_C += static_cast<double>(C[std::size_t(i) * n + j]) * x[j];
    for (int p = 0; p < k; ++p)
      from_A += static_cast<double>(float(A[std::size_t(i) * k + p])) * Bx[p];
    if (from_C == from_A) continue;  // NaN equals nothing, so it counts as wrong
    if (wrong_rows++ == 0) first = i;
  }
  if (wrong_rows == 0) {
    std::printf("  C is right: all %d x %d elements\n", m, n);
    return true;
  }

  // A single row is quick to compute in the ordinary way.
  std::printf("  C is WRONG in %d of %d rows", wrong_rows, m);
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int p = 0; p < k; ++p) {
      sum += static_cast<double>(float(A[std::size_t(first) * k + p])) *
             static_cast<double>(float(B[std::size_t(p) * n + j]));
    }
    const T& got = C[std::size_t(first) * n + j];
    if (static_cast<double>(got) == sum) continue;
    std::printf(": C(%d, %d) ", first, j);
    if (is_unwritten(got)) {
      std::printf("was not written");
    } else {
      std::printf("is %.9g", static_cast<double>(got));
    }
    std::printf(" and should be %.9g", sum);
    break;
  }
  std::printf("\n");
  return false;
}

}  // namespace host
