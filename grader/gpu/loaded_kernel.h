// A kernel loaded into a worker's context. Only sources of the CUDA implementation may include
// this.
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

/// Launches a kernel of the grader. Throws CudaError.
void launch_helper(cudaKernel_t kernel, unsigned blocks, unsigned threads,
                   std::vector<void*> arguments);

/// A submission's kernel with its launch shape.
class LoadedKernel {
 public:
  /// Throws CudaError if the kernel cannot be loaded.
  explicit LoadedKernel(const GpuKernel& kernel);

  /// The resources that the kernel needs and, if it can be launched and prepare() was called, the
  /// occupancy of its shape.
  KernelReport report(const DeviceProfile& device) const;

  /// Why the kernel cannot be launched on `device`; nothing if it can.
  std::optional<Finding> refused(const DeviceProfile& device) const;

  /// Whether the kernel's parameters have the sizes of its arguments. Always true before CUDA 13,
  /// whose runtime does not report them.
  bool takes_arguments() const;

  /// Opts in to the shared memory of the shape, and sets the part of L1 that is wanted as shared
  /// memory. Throws CudaError.
  void prepare() const;

  /// Launches into the default stream with the device addresses of the buffers.
  cudaError_t launch(const std::vector<std::byte*>& addresses) const;

 private:
  const GpuKernel& kernel_;
  LoadedModule module_;
  cudaKernel_t handle_;
  cudaFuncAttributes attributes_{};
};

/// Fills in how a kernel ended whose launch, or the wait for it, returned this error.
void report_error(cudaError_t code, EndReport& end);

/// The same for a call that failed. If no kernel can have caused the error, the message says what
/// was being done.
void report_error(const CudaError& error, EndReport& end);

}  // namespace tessera
