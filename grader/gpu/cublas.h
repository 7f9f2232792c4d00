// cuBLAS in a worker, loaded when it is needed. Only sources of the CUDA implementation may include
// this.
#pragma once

#include <cublas_v2.h>

#include <cstddef>
#include <vector>

#include "grader/gpu/timing.h"

namespace tessera {

class Cublas {
 public:
  /// Loads the library and starts it in pedantic float32: no tensor cores, no reduced precision.
  /// Throws CudaError.
  Cublas();

  /// Queues C = A B in the default stream. Throws CudaError.
  void multiply(const CublasSgemm& product, const std::vector<GpuBuffer>& buffers,
                const std::vector<std::byte*>& addresses) const;

 private:
  cublasHandle_t handle_ = nullptr;
  decltype(&cublasSgemm_v2) sgemm_ = nullptr;
};

}  // namespace tessera
