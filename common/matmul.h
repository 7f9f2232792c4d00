// Host products C = A B for tests and the host experiments; every extent comes from the matrices.
#pragma once

#include <vector>

#include "common/host_matrix.h"

namespace tessera {

/// Three nested loops in the element type's precision on one thread. float32 accumulates in
/// float32.
void matmul_serial(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// The same sums in the same order with the rows spread over OpenMP threads: bitwise equal to
/// matmul_serial.
void matmul_openmp(const HostMatrix& a, const HostMatrix& b, HostMatrix& c);

/// Throws std::invalid_argument unless C has the shape and the element type of A B.
void require_product(const HostMatrix& a, const HostMatrix& b, const HostMatrix& c);

/// Row-major product in double precision, without padding, on OpenMP's threads.
std::vector<double> matmul_float64(const HostMatrix& a, const HostMatrix& b);

}  // namespace tessera
