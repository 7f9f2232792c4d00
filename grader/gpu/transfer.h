// Timing from arrays on the host to a result on the host: the kernel with all its copies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/gpu/device.h"
#include "grader/gpu/run.h"

namespace tessera {

/// The ways that CUDA offers to make data available to a kernel.
enum class MemoryKind {
  pageable,    // copies from and to memory of malloc
  pinned,      // copies from and to memory that cannot be swapped out
  managed,     // one array for both: its pages move to the processor that accesses them
  prefetched,  // managed, with the pages moved beforehand
  advised,     // prefetched, with advice: inputs are mostly read, the output stays on the GPU
};

std::string_view to_string(MemoryKind kind);
std::optional<MemoryKind> memory_kind_from(std::string_view word);

/// The names of all kinds, in the order above.
std::vector<std::string> memory_kind_names();

struct TransferRequest {
  GpuDevice device;
  GpuWork work;
  std::vector<GpuBuffer> buffers;
  MemoryKind memory = MemoryKind::pageable;
  /// Sampling stops after `most` samples (at most kMostTransfers), or earlier if there are `least`
  /// and `patience_ms` have passed. One more transfer comes first and is not kept.
  std::size_t least = 7;
  std::size_t most = 21;
  double patience_ms = 1500;
  double time_limit_ms = 120'000;
};

inline constexpr std::size_t kMostTransfers = 84;

/// Milliseconds. At the start the inputs are in host memory as the host wrote them; at the end the
/// host has the result.
struct TransferSample {
  double to_device = 0;   // 0 if pages move only when the kernel accesses them
  double launch = 0;      // the kernel, and the pages that it waits for
  double to_host = 0;     // the copy, or reading a word of each page
  double end_to_end = 0;  // by the host's clock; a little more than the sum
};

struct TransferResult {
  GpuStatus status = GpuStatus::infra;
  Text message;  // if the status is not `completed`
  Text hint;
  std::vector<TransferSample> samples;
  std::vector<std::vector<std::byte>> contents;  // per buffer, at the end; inputs: empty
};

/// Measures in a child process. Allocating and freeing memory is not timed.
TransferResult transfer_on_gpu(const TransferRequest& request);

}  // namespace tessera
