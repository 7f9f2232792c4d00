// A folder with an experiment, for tests.
#pragma once

#include <string>

#include "grader/experiment/experiment.h"
#include "grader/lab/test_folder.h"

namespace tessera {

inline constexpr const char* kCopyKernels = R"(#include <tessera/lab.cuh>
__global__ void naive(const int* input, int* result, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) result[i] = input[i] - (i > 0 ? input[i - 1] : 0);
}
__global__ void off_by_one(const int* input, int* result, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) result[i] = input[i];
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0}; }
)";

/// The yaml of an experiment with the rows `fast` and `slow`, both with the kernel naive, followed
/// by `rest`.
inline std::string experiment_yaml(const std::string& rest = "") {
  return R"(title: Differences
question: Which one?
operation: adjacent_difference
element: int32
shapes: [1000, 2000]
simulated: [256]
arguments: [input.data, result.data, n]
rows:
  - {name: slow, kernel: naive, parameters: {BLOCK: [64, 128]}}
  - {name: fast, kernel: naive, parameters: {BLOCK: [64, 128]}}
measure: [time_ms, global_load_requests, static_shared_bytes, theoretical_occupancy, ptx_instructions]
ratio: {to: slow}
plots:
  - {name: time, x: shape, y: time_ms, log: [x, y]}
)" + rest;
}

class ExperimentFolder {
 public:
  explicit ExperimentFolder(const std::string& yaml = experiment_yaml()) {
    folder_.write("labs/experiments/differences/kernel.cu", kCopyKernels);
    set_yaml(yaml);
  }

  void set_yaml(const std::string& yaml) const {
    folder_.write("labs/experiments/differences/experiment.yaml", yaml);
  }

  Expected<Experiment> load() const {
    return load_experiment(labs() / "experiments" / "differences", labs());
  }

  const TestFolder& folder() const { return folder_; }
  std::filesystem::path labs() const { return folder_.path() / "labs"; }

 private:
  TestFolder folder_;
};

}  // namespace tessera
