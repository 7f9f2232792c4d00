// Ways to multiply matrices on the host, for the host experiments. All of them add the terms of an
// element in the order of k, so that their results are equal to the bit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/host_matrix.h"

namespace tessera {

struct HostProduct {
  std::string_view name;
  std::string_view what;  // in words, for a list
  bool threaded = false;  // over OpenMP's threads; else one
  void (*multiply)(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) = nullptr;
};

/// C = A B, element by element: a row of A times a column of B. Consecutive steps read B one row
/// apart.
void matmul_textbook(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// The same on a transposed copy of B, which is part of the work: both are read along rows.
void matmul_transposed(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// Tiles of B that stay in the cache while 64 rows of A pass over them; OpenMP's threads take 64
/// rows at a time.
void matmul_blocked(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// The ways: textbook, transposed, serial, openmp, blocked. serial and openmp are matmul.h's.
const std::vector<HostProduct>& host_products();

/// The way called `name`, or nullptr.
const HostProduct* find_host_product(std::string_view name);

}  // namespace tessera
