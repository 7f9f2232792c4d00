#include "grader/gpu/cublas.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "grader/gpu/cuda_call.h"

namespace tessera {
namespace {

void require_blas(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(cudaErrorUnknown,
                  fmt::format("{}: cuBLAS status {}", doing, static_cast<int>(status)));
}

void* load_library() {
  for (const char* name : {TESSERA_CUBLAS_LIBRARY, TESSERA_CUBLAS_SONAME, "libcublas.so"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) return library;
  }
  throw CudaError(
      cudaErrorUnknown,
      fmt::format("{} cannot be loaded; install the CUDA Toolkit's cuBLAS", TESSERA_CUBLAS_SONAME));
}

template <class Function>
void bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw CudaError(cudaErrorUnknown, fmt::format("{} has no {}", TESSERA_CUBLAS_SONAME, name));
  }
}

}  // namespace

Cublas::Cublas() {
  void* library = load_library();
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasSetMathMode) set_math_mode = nullptr;
  bind(library, "cublasCreate_v2", create);
  bind(library, "cublasSetMathMode", set_math_mode);
  bind(library, "cublasSgemm_v2", sgemm_);
  bind(library, "cublasGemmEx", gemm_);
  require_blas(create(&handle_), "starting cuBLAS");
  require_blas(set_math_mode(handle_, CUBLAS_PEDANTIC_MATH), "choosing pedantic float32");
}

void Cublas::multiply(const CublasProduct& product, const std::vector<GpuBuffer>& buffers,
                      const std::vector<std::byte*>& addresses) const {
  // A row-major matrix is the transpose of what cuBLAS reads, so it computes C^T = B^T A^T.
  const auto matrix = [&](std::size_t index) { return reinterpret_cast<float*>(addresses[index]); };
  const auto pitch = [&](std::size_t index, int width) {
    return buffers[index].pitch == 0 ? width : static_cast<int>(buffers[index].pitch);
  };
  const float one = 1, zero = 0;
  const int m = product.m, n = product.n, k = product.k;
  const int pitch_a = pitch(product.a, k), pitch_b = pitch(product.b, n);
  const int pitch_c = pitch(product.c, n);
  const cudaDataType_t type = product.inputs == Storage::bfloat16 ? CUDA_R_16BF : CUDA_R_16F;
  const cublasStatus_t status =
      product.inputs == Storage::same
          ? sgemm_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, matrix(product.b), pitch_b,
                   matrix(product.a), pitch_a, &zero, matrix(product.c), pitch_c)
          : gemm_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, addresses[product.b], type,
                  pitch_b, addresses[product.a], type, pitch_a, &zero, addresses[product.c],
                  CUDA_R_32F, pitch_c, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  require_blas(status, "multiplying with cuBLAS");
}

}  // namespace tessera
