// Time on the GPU. A launch returns at once, long before its kernel ends, so a clock of the host
// would time only the launch. An event is a mark that the GPU passes in the order of its work:
// after the work queued before it, before the work queued after it.
#pragma once

#include "common/run/cuda_check.cuh"

namespace host {

class Stopwatch {
 public:
  Stopwatch() {
    CUDA_CHECK(cudaEventCreate(&begin_));
    CUDA_CHECK(cudaEventCreate(&end_));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  void start() { CUDA_CHECK(cudaEventRecord(begin_)); }

  /// Waits for the GPU and returns the milliseconds since start().
  float stop() {
    CUDA_CHECK(cudaEventRecord(end_));
    CUDA_CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds;
  }

 private:
  cudaEvent_t begin_;
  cudaEvent_t end_;
};

}  // namespace host
