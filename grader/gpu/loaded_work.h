// A kernel or cuBLAS in a worker's context, launched in the same way. Only sources of the CUDA
// implementation may include this.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <optional>
#include <vector>

#include "grader/gpu/loaded_kernel.h"

namespace tessera {

/// Launches into the default stream with these device addresses of the buffers. May throw
/// CudaError.
using Launcher = std::function<cudaError_t(const std::vector<std::byte*>& addresses)>;

/// Loads and prepares `work`, which must outlive the launcher, as must `buffers`. Returns nothing
/// if the card refuses it; `end` then says why. A `report` that is not null gets the resources that
/// a kernel needs. Throws CudaError.
std::optional<Launcher> load_work(const GpuWork& work, const std::vector<GpuBuffer>& buffers,
                                  const DeviceProfile& device, KernelReport* report,
                                  EndReport& end);

}  // namespace tessera
