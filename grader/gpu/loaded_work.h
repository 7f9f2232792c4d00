// Kernel or cuBLAS in a worker's context, as one thing to launch. Sources of the CUDA
// implementation alone may include this.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <optional>
#include <vector>

#include "grader/gpu/loaded_kernel.h"

namespace tessera {

/// Launches into the default stream with these addresses of the buffers. May throw CudaError.
using Launcher = std::function<cudaError_t(const std::vector<std::byte*>& addresses)>;

/// Loads and prepares `work`, which must outlive the launcher, as must `buffers`. Where the card
/// refuses it there is none, and `end` says why. `report`, where there is one, gets what a kernel
/// needs. Throws CudaError.
std::optional<Launcher> load_work(const GpuWork& work, const std::vector<GpuBuffer>& buffers,
                                  const DeviceProfile& device, KernelReport* report,
                                  EndReport& end);

}  // namespace tessera
