#include "common/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "common/occupancy.h"

namespace tessera {
namespace {

/// The limit without cudaFuncAttributeNonPortableClusterSizeAllowed (CUDA C++ Programming Guide,
/// "Thread Block Clusters").
constexpr std::uint64_t kMostBlocksOfCluster = 8;

void check_extents(std::vector<Finding>& findings, Phrase what, Dim3 given, Dim3 limit,
                   Phrase hint) {
  const std::pair<Name, std::pair<std::uint32_t, std::uint32_t>> axes[] = {
      {{"x"}, {given.x, limit.x}}, {{"y"}, {given.y, limit.y}}, {{"z"}, {given.z, limit.z}}};
  for (const auto& [axis, values] : axes) {
    if (values.first == 0) {
      findings.push_back(bad_launch(say(Phrase::empty_extent, what, axis), hint));
    } else if (values.first > values.second) {
      findings.push_back(
          bad_launch(say(Phrase::extent_too_large, what, axis, values.first, values.second), hint));
    }
  }
}

Detail extents(const Dim3& size) {
  return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

bool is_multiple(const Dim3& grid, const Dim3& cluster) {
  return grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
}

std::optional<Finding> bounds_finding(const LaunchShape& shape, const LaunchBounds& bounds) {
  const std::uint64_t threads = shape.block.count();
  if (bounds.most_threads != 0 && threads > bounds.most_threads) {
    return bad_launch(say(Phrase::beyond_launch_bounds, threads, bounds.most_threads),
                      Phrase::fitting_block_hint);
  }
  if (bounds.block != Dim3{0, 0, 0} && shape.block != bounds.block) {
    return bad_launch(say(Phrase::not_of_block_size, extents(shape.block), extents(bounds.block)),
                      Phrase::not_of_block_size_hint);
  }
  if (bounds.cluster.count() > kMostBlocksOfCluster) {
    return bad_launch(say(Phrase::cluster_too_large, bounds.cluster.count(), kMostBlocksOfCluster),
                      Phrase::cluster_too_large_hint);
  }
  if (!is_multiple(shape.grid, bounds.cluster)) {
    return bad_launch(say(Phrase::parts_of_clusters, extents(shape.grid), extents(bounds.cluster)),
                      Phrase::parts_of_clusters_hint);
  }
  return std::nullopt;
}

std::optional<Finding> kernel_finding(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device) {
  if (auto finding = bounds_finding(shape, needs.bounds)) return finding;
  const std::uint64_t threads = shape.block.count();
  const std::uint64_t most = std::min(static_cast<std::uint64_t>(needs.max_threads_per_block),
                                      most_threads_of_block(device, needs.registers_per_thread));
  if (threads <= most) return std::nullopt;
  return bad_launch(
      say(Phrase::registers_need_smaller_block, threads, needs.registers_per_thread, most),
      Phrase::fitting_block_hint);
}

std::optional<Finding> shared_memory_finding(const LaunchShape& shape,
                                             std::uint64_t static_shared_bytes,
                                             const DeviceProfile& device) {
  // A kernel chooses both numbers of bytes. If their sum wrapped, it would seem to fit.
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t shared =
      static_shared_bytes + std::min(shape.shared_bytes, kMost - static_shared_bytes);
  const bool variables_fit = static_shared_bytes <= device.shared_bytes_per_block;
  if (variables_fit && shared <= device.shared_bytes_per_block_optin) return std::nullopt;
  const std::uint64_t allowed =
      variables_fit ? device.shared_bytes_per_block_optin : device.shared_bytes_per_block;
  return bad_launch(
      say(Phrase::too_much_shared_memory, shared, static_shared_bytes, shape.shared_bytes,
          Name{device.name}, allowed),
      variables_fit ? Phrase::too_much_shared_memory_hint : Phrase::shared_too_large_hint);
}

}  // namespace

Finding bad_launch(Text message, Text hint) {
  Finding finding;
  finding.kind = FindingKind::bad_launch;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  return finding;
}

std::vector<Finding> shape_findings(const LaunchShape& shape, const DeviceProfile& device) {
  std::vector<Finding> findings;
  check_extents(findings, Phrase::grid, shape.grid, device.max_grid, Phrase::grid_extent_hint);
  const std::size_t of_grid = findings.size();
  check_extents(findings, Phrase::block, shape.block, device.max_block, Phrase::block_extent_hint);
  const std::uint64_t threads = shape.block.count();
  if (findings.size() == of_grid &&
      threads > static_cast<std::uint64_t>(device.max_threads_per_block)) {
    findings.push_back(bad_launch(say(Phrase::too_many_threads, extents(shape.block), threads,
                                      Name{device.name}, device.max_threads_per_block),
                                  Phrase::too_many_threads_hint));
  }
  return findings;
}

std::vector<Finding> check_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                  const DeviceProfile& device) {
  std::vector<Finding> findings = shape_findings(shape, device);
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(*std::move(finding));
  };
  if (findings.empty()) add(kernel_finding(shape, needs, device));
  add(shared_memory_finding(shape, needs.static_shared_bytes, device));
  return findings;
}

}  // namespace tessera
