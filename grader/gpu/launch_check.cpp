#include "grader/gpu/launch_check.h"

#include <fmt/format.h>

#include "common/launch_limits.h"

namespace tessera {

std::optional<Finding> refused_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device) {
  const std::vector<Finding> of_shape = shape_findings(shape, device);
  if (!of_shape.empty()) return of_shape.front();
  const std::uint64_t threads = shape.block.count();
  if (threads > static_cast<std::uint64_t>(needs.max_threads_per_block)) {
    return bad_launch(fmt::format("a block of {} threads does not fit: with {} registers a thread "
                                  "this kernel runs in blocks of at most {}",
                                  threads, needs.registers_per_thread, needs.max_threads_per_block),
                      "Choose a smaller block, or give __launch_bounds__ the block's size.");
  }
  return shared_memory_finding(shape, needs.static_shared_bytes, device,
                               device.shared_bytes_per_block_optin);
}

}  // namespace tessera
