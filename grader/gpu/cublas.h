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
  /// Loads the library and starts it in pedantic float32: no tensor cores, no reduced precision for
  /// inputs in float32.
  /// Throws CudaError.
  Cublas();

  /// Queues C = A B in the default stream. Throws CudaError.
  void multiply(const CublasProduct& product, const std::vector<GpuBuffer>& buffers,
                const std::vector<std::byte*>& addresses) const;

 private:
  cublasHandle_t handle_ = nullptr;
  decltype(&cublasSgemm_v2) sgemm_ = nullptr;
  /// The overload for a type of computation; older ones have a data type in its place.
  cublasStatus_t (*gemm_)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                          const void*, const void*, cudaDataType, int, const void*, cudaDataType,
                          int, const void*, void*, cudaDataType, int, cublasComputeType_t,
                          cublasGemmAlgo_t) = nullptr;
};

}  // namespace tessera
