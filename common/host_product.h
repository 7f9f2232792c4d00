// Algorithms that multiply matrices on the host, for the host experiments. All of them add the
// terms of an element in the order of k, so that their results are bitwise equal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/host_matrix.h"

namespace tessera {

struct HostProduct {
  std::string_view name;
  std::string_view what;  // a description for lists
  bool threaded = false;  // runs on all of OpenMP's threads
  void (*multiply)(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) = nullptr;
};

/// C = A B, element by element: a row of A times a column of B. Consecutive steps read elements of
/// B that are a row apart.
void matmul_textbook(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// The same with a transposed copy of B: both factors are read along rows. The time to make the
/// copy counts too.
void matmul_transposed(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// C = A B with tiles of B that stay in the cache while 64 rows of A are multiplied by them; each
/// OpenMP thread takes 64 rows at a time.
void matmul_blocked(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// All algorithms: textbook, transposed, serial, openmp, blocked. matmul.h has serial and openmp.
const std::vector<HostProduct>& host_products();

/// The algorithm named `name`; nullptr if there is none.
const HostProduct* find_host_product(std::string_view name);

}  // namespace tessera
