#include "grader/gpu/launch_check.h"

#include <fmt/format.h>

#include <utility>

namespace tessera {
namespace {

Finding bad_launch(std::string message, std::string hint) {
  Finding finding;
  finding.kind = FindingKind::bad_launch;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  return finding;
}

std::optional<Finding> check_extents(std::string_view what, Dim3 given, Dim3 limit,
                                     std::string_view hint) {
  const std::pair<char, std::pair<std::uint32_t, std::uint32_t>> axes[] = {
      {'x', {given.x, limit.x}}, {'y', {given.y, limit.y}}, {'z', {given.z, limit.z}}};
  for (const auto& [axis, values] : axes) {
    if (values.first == 0) {
      return bad_launch(fmt::format("the {} is empty: its {} is 0", what, axis), std::string(hint));
    }
    if (values.first > values.second) {
      return bad_launch(fmt::format("the {}'s {} is {}; the device allows at most {}", what, axis,
                                    values.first, values.second),
                        std::string(hint));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Finding> refused_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device) {
  auto finding =
      check_extents("grid", shape.grid, device.max_grid,
                    "Compute the grid from the matrix's extents, rounded up: ceil_div(n, TILE).");
  if (!finding) {
    finding = check_extents("block", shape.block, device.max_block, "Choose a smaller block.");
  }
  if (finding) return finding;
  const std::uint64_t threads = shape.block.count();
  if (threads > static_cast<std::uint64_t>(device.max_threads_per_block)) {
    return bad_launch(fmt::format("a block of {} x {} x {} has {} threads; {} allows at most {}",
                                  shape.block.x, shape.block.y, shape.block.z, threads, device.name,
                                  device.max_threads_per_block),
                      "Choose a smaller block, and give each thread more than one element or the "
                      "grid more blocks.");
  }
  if (threads > static_cast<std::uint64_t>(needs.max_threads_per_block)) {
    return bad_launch(fmt::format("a block of {} threads does not fit: with {} registers a thread "
                                  "this kernel runs in blocks of at most {}",
                                  threads, needs.registers_per_thread, needs.max_threads_per_block),
                      "Choose a smaller block, or give __launch_bounds__ the block's size.");
  }
  const std::uint64_t shared = needs.static_shared_bytes + shape.shared_bytes;
  if (shared > device.shared_bytes_per_block_optin) {
    return bad_launch(
        fmt::format("a block needs {} bytes of shared memory ({} static, {} dynamic); {} allows {}",
                    shared, needs.static_shared_bytes, shape.shared_bytes, device.name,
                    device.shared_bytes_per_block_optin),
        "Use smaller tiles.");
  }
  return std::nullopt;
}

}  // namespace tessera
