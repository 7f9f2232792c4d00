// From arrays of the host's to a result of the host's: the whole way, copies included.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/gpu/device.h"
#include "grader/gpu/run.h"

namespace tessera {

/// The ways that CUDA offers to bring data to a kernel.
enum class MemoryKind {
  pageable,    // copies from and to what malloc gives
  pinned,      // copies from and to memory that cannot be swapped out
  managed,     // one array for both: its pages move to whoever touches them
  prefetched,  // the same, moved beforehand
  advised,     // prefetched, with advice: inputs are read mostly, the output lives on the GPU
};

std::string_view to_string(MemoryKind kind);
std::optional<MemoryKind> memory_kind_from(std::string_view word);

/// All words, in the order above.
std::vector<std::string> memory_kind_names();

struct TransferRequest {
  GpuDevice device;
  GpuWork work;
  std::vector<GpuBuffer> buffers;
  MemoryKind memory = MemoryKind::pageable;
  /// Sampling stops at `most` (at most kMostTransfers), or once `least` took longer than
  /// `patience_ms`. One more, the first, is not kept.
  std::size_t least = 7;
  std::size_t most = 21;
  double patience_ms = 1500;
  double time_limit_ms = 120'000;
};

inline constexpr std::size_t kMostTransfers = 84;

/// Milliseconds. The inputs lie in the host's memory as the host wrote them; at the end the host
/// has the result.
struct TransferSample {
  double to_device = 0;   // 0 where pages move only when the kernel touches them
  double launch = 0;      // the kernel, and the pages that it has to wait for
  double to_host = 0;     // the copy, or reading a word of each page
  double end_to_end = 0;  // by the host's clock; a little more than the sum
};

struct TransferResult {
  GpuStatus status = GpuStatus::infra;
  Text message;  // where the status is not `completed`
  Text hint;
  std::vector<TransferSample> samples;
  std::vector<std::vector<std::byte>> contents;  // per buffer, of the last one; empty for inputs
};

/// Measures in a child process that allocates and frees outside of what is timed.
TransferResult transfer_on_gpu(const TransferRequest& request);

}  // namespace tessera
