// A kernel in a worker's context: loaded, measured, launched. Sources of the CUDA implementation
// alone may include this.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <string>
#include <vector>

#include "grader/gpu/backend.h"
#include "grader/gpu/cuda_call.h"
#include "grader/gpu/kernel.h"

namespace tessera {

/// A loaded module.
class LoadedModule {
 public:
  /// Throws CudaError.
  explicit LoadedModule(const std::string& code);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  /// Throws CudaError.
  cudaKernel_t kernel(const std::string& entry) const;

 private:
  cudaLibrary_t library_ = nullptr;
};

/// The grader's own launches.
void launch_helper(cudaKernel_t kernel, unsigned blocks, unsigned threads,
                   std::vector<void*> arguments);

/// A submission's kernel with its shape, ready to be launched.
class LoadedKernel {
 public:
  /// Throws CudaError where it cannot be loaded.
  explicit LoadedKernel(const GpuKernel& kernel);

  /// What it needs; with the occupancy of its shape where it can be launched, once prepared.
  KernelReport report(const DeviceProfile& device) const;

  /// Why it cannot be launched on `device`, or nothing.
  std::optional<Finding> refused(const DeviceProfile& device) const;

  /// Whether the kernel takes arguments of these sizes.
  bool takes_arguments() const;

  /// Opts in to the shared memory that the shape asks for, and says what part of L1 is wanted as
  /// such. Throws CudaError.
  void prepare() const;

  /// Launches into the default stream with `addresses` of the buffers.
  cudaError_t launch(const std::vector<std::byte*>& addresses) const;

 private:
  const GpuKernel& kernel_;
  LoadedModule module_;
  cudaKernel_t handle_;
  cudaFuncAttributes attributes_{};
};

/// How a kernel ended that gave this error, at its launch or after it.
void tell_error(cudaError_t code, EndReport& end);

/// The same for a call that failed; what is no kernel's doing is told with what was being done.
void tell_error(const CudaError& error, EndReport& end);

}  // namespace tessera
