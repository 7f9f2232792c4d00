#include "common/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "common/occupancy.h"

namespace tessera {
namespace {

/// Without cudaFuncAttributeNonPortableClusterSizeAllowed (CUDA C++ Programming Guide, "Thread
/// Block Clusters").
constexpr std::uint64_t kMostBlocksOfCluster = 8;

constexpr const char* kFittingBlock =
    "Choose a smaller block, or give __launch_bounds__ the block's size.";

void check_extents(std::vector<Finding>& findings, std::string_view what, Dim3 given, Dim3 limit,
                   const std::string& hint) {
  const std::pair<char, std::pair<std::uint32_t, std::uint32_t>> axes[] = {
      {'x', {given.x, limit.x}}, {'y', {given.y, limit.y}}, {'z', {given.z, limit.z}}};
  for (const auto& [axis, values] : axes) {
    if (values.first == 0) {
      findings.push_back(bad_launch(fmt::format("the {} is empty: its {} is 0", what, axis), hint));
    } else if (values.first > values.second) {
      findings.push_back(bad_launch(fmt::format("the {}'s {} is {}; the device allows at most {}",
                                                what, axis, values.first, values.second),
                                    hint));
    }
  }
}

std::string extents(const Dim3& size) {
  return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

bool is_multiple(const Dim3& grid, const Dim3& cluster) {
  return grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
}

std::optional<Finding> bounds_finding(const LaunchShape& shape, const LaunchBounds& bounds) {
  const std::uint64_t threads = shape.block.count();
  if (bounds.most_threads != 0 && threads > bounds.most_threads) {
    return bad_launch(fmt::format("a block of {} threads does not fit: by its __launch_bounds__ "
                                  "this kernel runs in blocks of at most {}",
                                  threads, bounds.most_threads),
                      kFittingBlock);
  }
  if (bounds.block != Dim3{0, 0, 0} && shape.block != bounds.block) {
    return bad_launch(fmt::format("a block of {} does not fit: by its __block_size__ this kernel "
                                  "runs in blocks of {} alone",
                                  extents(shape.block), extents(bounds.block)),
                      "Launch blocks of this size, or give __block_size__ the block's.");
  }
  if (bounds.cluster.count() > kMostBlocksOfCluster) {
    return bad_launch(fmt::format("a cluster of {} blocks: every device runs at most {} together",
                                  bounds.cluster.count(), kMostBlocksOfCluster),
                      "Give __cluster_dims__ fewer blocks.");
  }
  if (!is_multiple(shape.grid, bounds.cluster)) {
    return bad_launch(fmt::format("a grid of {} does not fit: by its __cluster_dims__ this kernel "
                                  "runs in grids that are multiples of {}",
                                  extents(shape.grid), extents(bounds.cluster)),
                      "Round the grid up to whole clusters, or leave __cluster_dims__ out.");
  }
  return std::nullopt;
}

}  // namespace

Finding bad_launch(std::string message, std::string hint) {
  Finding finding;
  finding.kind = FindingKind::bad_launch;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  return finding;
}

std::vector<Finding> shape_findings(const LaunchShape& shape, const DeviceProfile& device) {
  std::vector<Finding> findings;
  check_extents(findings, "grid", shape.grid, device.max_grid,
                "Compute the grid from the matrix's extents, rounded up: between whole numbers n / "
                "TILE rounds down, ceil_div(n, TILE) up.");
  const std::size_t of_grid = findings.size();
  check_extents(findings, "block", shape.block, device.max_block, "Choose a smaller block.");
  const std::uint64_t threads = shape.block.count();
  if (findings.size() == of_grid &&
      threads > static_cast<std::uint64_t>(device.max_threads_per_block)) {
    findings.push_back(
        bad_launch(fmt::format("a block of {} x {} x {} has {} threads; {} allows at most {}",
                               shape.block.x, shape.block.y, shape.block.z, threads, device.name,
                               device.max_threads_per_block),
                   "Choose a smaller block, and give each thread more than one element or the grid "
                   "more blocks."));
  }
  return findings;
}

std::optional<Finding> kernel_finding(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device) {
  if (auto finding = bounds_finding(shape, needs.bounds)) return finding;
  const std::uint64_t threads = shape.block.count();
  const std::uint64_t most = std::min(static_cast<std::uint64_t>(needs.max_threads_per_block),
                                      most_threads_of_block(device, needs.registers_per_thread));
  if (threads <= most) return std::nullopt;
  return bad_launch(
      fmt::format("a block of {} threads does not fit: with {} registers a thread this kernel runs "
                  "in blocks of at most {}",
                  threads, needs.registers_per_thread, most),
      kFittingBlock);
}

std::optional<Finding> shared_memory_finding(const LaunchShape& shape,
                                             std::uint64_t static_shared_bytes,
                                             const DeviceProfile& device, std::uint64_t allowed) {
  // A kernel chooses both: a sum that wraps would fit.
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t shared =
      static_shared_bytes + std::min(shape.shared_bytes, kMost - static_shared_bytes);
  if (shared <= allowed) return std::nullopt;
  return bad_launch(
      fmt::format("a block needs {} bytes of shared memory ({} static, {} dynamic); {} allows {}",
                  shared, static_shared_bytes, shape.shared_bytes, device.name, allowed),
      "Use smaller tiles.");
}

}  // namespace tessera
