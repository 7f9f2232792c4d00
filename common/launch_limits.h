// Launches that a device refuses, reported in words that a student understands. The simulator and
// the GPU backend report the same findings, before CUDA says "invalid argument".
#pragma once

#include <cstdint>
#include <vector>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"

namespace tessera {

/// A `bad-launch` finding.
Finding bad_launch(Text message, Text hint);

/// Findings about grid and block that exceed the limits of `device`: an empty extent, an extent
/// above its limit, or too many threads in a block (only if each extent of the block is allowed).
std::vector<Finding> shape_findings(const LaunchShape& shape, const DeviceProfile& device);

/// What a kernel needs of a multiprocessor, and the launches that its declaration allows.
struct KernelNeeds {
  std::uint64_t static_shared_bytes = 0;
  int registers_per_thread = 0;      // 0: unknown, no limit
  int max_threads_per_block = 1024;  // the driver's limit for this kernel
  LaunchBounds bounds = {};
};

/// Returns the bad-launch findings of this launch on `device`: those of shape_findings(); if it has
/// none, that of the kernel's declaration or registers; and always that of shared memory. Variables
/// may take shared_bytes_per_block, variables and dynamic memory together
/// shared_bytes_per_block_optin, since every launch opts in
/// (cudaFuncAttributeMaxDynamicSharedMemorySize).
std::vector<Finding> check_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                  const DeviceProfile& device);

}  // namespace tessera
