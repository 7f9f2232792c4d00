// A lab that declares its own operation: y is x, scaled as the test's reference.cu says.
#pragma once

#include <string>

namespace tessera {

inline constexpr const char* kScaleLab = R"(title: Scale
operation: {name: scale, extents: [n], inputs: {x: [1, n]}, output: {y: [1, n]}, work: [n]}
kernel: scale
arguments: [x.data, y.data, n]
correctness:
  points: 10
  cases:
    - {n: 1000, data: uniform}
)";

/// A kernel that stores `value` in y[i].
inline std::string scale_kernel(const std::string& value) {
  return R"(#include <tessera/lab.cuh>
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = )" +
         value + R"(;
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 128)), dim3(128), 0}; }
)";
}

}  // namespace tessera
