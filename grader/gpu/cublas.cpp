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
  require_blas(create(&handle_), "starting cuBLAS");
  require_blas(set_math_mode(handle_, CUBLAS_PEDANTIC_MATH), "choosing pedantic float32");
}

void Cublas::multiply(const CublasSgemm& product, const std::vector<GpuBuffer>& buffers,
                      const std::vector<std::byte*>& addresses) const {
  // A row-major matrix is the transpose of what cuBLAS reads, so it computes C^T = B^T A^T.
  const auto matrix = [&](std::size_t index) { return reinterpret_cast<float*>(addresses[index]); };
  const auto pitch = [&](std::size_t index, int width) {
    return buffers[index].pitch == 0 ? width : static_cast<int>(buffers[index].pitch);
  };
  const float one = 1, zero = 0;
  require_blas(
      sgemm_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, product.n, product.m, product.k, &one,
             matrix(product.b), pitch(product.b, product.n), matrix(product.a),
             pitch(product.a, product.k), &zero, matrix(product.c), pitch(product.c, product.n)),
      "multiplying with cuBLAS");
}

}  // namespace tessera
