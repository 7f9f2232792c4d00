// A lab for tests of proofs: differences of neighbours, in blocks of 32.
#pragma once

#include <fstream>
#include <string>

#include "grader/lab/test_folder.h"

namespace tessera {

inline constexpr const char* kGoodCases =
    "    - {n: 1, data: integers}\n"
    "    - {n: 33, data: integers}\n"
    "    - {n: 1000, data: integers}\n";

/// Whole blocks only: no case shows whether the guard is there.
inline constexpr const char* kWeakCases =
    "    - {n: 64, data: integers}\n"
    "    - {n: 1024, data: integers}\n";

inline constexpr const char* kReference = R"(#include <tessera/lab.cuh>
__global__ void difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  // BEGIN SOLUTION: YOUR CODE HERE
  if (i >= n) return;
  result[i] = i > 0 ? input[i] - input[i - 1] : input[i];
  // END SOLUTION
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 32)), dim3(32), 0}; }
)";

inline constexpr const char* kSkeleton = R"(#include <tessera/lab.cuh>
__global__ void difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  // YOUR CODE HERE
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 32)), dim3(32), 0}; }
)";

inline constexpr const char* kNoGuard = R"(// expect: out-of-bounds -- no thread returns
#include <tessera/lab.cuh>
__global__ void difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  result[i] = i > 0 ? input[i] - input[i - 1] : input[i];
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 32)), dim3(32), 0}; }
)";

/// Right, but slower: it has useless loads.
inline constexpr const char* kSlow = R"(#include <tessera/lab.cuh>
__global__ void difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= n) return;
  volatile int last = 0;
  for (int j = 0; j < 100; ++j) last = input[(i + j) % n];
  result[i] = i > 0 ? input[i] - input[i - 1] : input[i];
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 32)), dim3(32), 0}; }
)";

/// Writes labs/00-difference and solutions/00-difference.
inline void write_test_lab(const TestFolder& folder, const std::string& cases) {
  folder.write("labs/00-difference/lab.yaml",
               "title: Difference\n"
               "operation: adjacent_difference\n"
               "element: int32\n"
               "kernel: difference\n"
               "arguments: [input.data, result.data, n]\n"
               "correctness:\n"
               "  points: 30\n"
               "  cases:\n" +
                   cases +
                   "checks:\n"
                   "  points: 20\n"
                   "  forbid: [out-of-bounds, race, uninitialized-read]\n"
                   "technique:\n"
                   "  - {metric: global_load_requests, at_most: 80, points: 60}\n");
  folder.write("labs/00-difference/kernel.cu", kSkeleton);
  folder.write("labs/00-difference/README.md", "# Lab 00: Difference\n");
  folder.write("solutions/00-difference/kernel.cu", kReference);
}

/// Writes the same lab with thresholds, lines of lab.yaml, at n = 100,000.
inline void write_timed_test_lab(const TestFolder& folder, const std::string& thresholds) {
  write_test_lab(folder, kGoodCases);
  std::ofstream(folder.path() / "labs/00-difference/lab.yaml", std::ios::app)
      << "performance:\n"
         "  shape: {n: 100000}\n"
         "  thresholds:\n"
      << thresholds;
}

}  // namespace tessera
