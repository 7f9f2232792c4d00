#include "common/occupancy.h"

#include <algorithm>
#include <limits>

namespace tessera {
namespace {

constexpr std::uint64_t kWarp = 32;
constexpr std::uint64_t kRegisterUnit = 256;  // registers are allocated to a warp in this unit
constexpr std::uint64_t kPartitions = 4;      // of a multiprocessor's registers

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// `registers` is not 0.
std::uint64_t warps_by_registers(const DeviceProfile& device, int registers) {
  const std::uint64_t a_warp =
      round_up(static_cast<std::uint64_t>(registers) * kWarp, kRegisterUnit);
  const auto all = static_cast<std::uint64_t>(device.registers_per_sm);
  return all / kPartitions / a_warp * kPartitions;
}

std::uint64_t by_registers(const DeviceProfile& device, std::uint64_t warps, int registers) {
  return registers == 0 ? kNoLimit : warps_by_registers(device, registers) / warps;
}

std::uint64_t by_shared(const DeviceProfile& device, std::uint64_t bytes) {
  const std::uint64_t unit = device.compute_capability >= 80 ? 128 : 256;
  const std::uint64_t a_block = round_up(bytes + device.reserved_shared_bytes_per_block, unit);
  return a_block == 0 ? kNoLimit : device.shared_bytes_per_sm / a_block;
}

}  // namespace

Occupancy occupancy(const DeviceProfile& device, std::uint32_t threads, int registers,
                    std::uint64_t shared_bytes) {
  const std::uint64_t warps = (threads + kWarp - 1) / kWarp;
  const std::uint64_t warps_per_sm = static_cast<std::uint64_t>(device.max_threads_per_sm) / kWarp;
  const std::pair<const char*, std::uint64_t> limits[] = {
      {"threads", warps_per_sm / warps},
      {"blocks", static_cast<std::uint64_t>(device.max_blocks_per_sm)},
      {"registers", by_registers(device, warps, registers)},
      {"shared memory", by_shared(device, shared_bytes)}};
  const auto least =
      std::ranges::min_element(limits, {}, [](const auto& limit) { return limit.second; });
  Occupancy result;
  result.blocks_per_sm = static_cast<int>(least->second);
  result.percent =
      100.0 * static_cast<double>(least->second * warps) / static_cast<double>(warps_per_sm);
  result.limited_by = least->first;
  return result;
}

std::uint64_t most_threads_of_block(const DeviceProfile& device, int registers) {
  const auto most = static_cast<std::uint64_t>(device.max_threads_per_block);
  return registers == 0 ? most : std::min(most, warps_by_registers(device, registers) * kWarp);
}

}  // namespace tessera
