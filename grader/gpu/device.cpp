#include "grader/gpu/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/text.h"
#include "grader/gpu/backend.h"
#include "grader/gpu/driver_version.h"
#include "grader/gpu/worker.h"
#include "grader/gpu/worker/report_check.h"

namespace tessera {
namespace {

/// In milliseconds: starting the driver on a machine of many cards takes seconds.
constexpr double kAnswerPatience = 30'000;

/// Fused multiply-adds per clock and multiprocessor, which the driver does not report.
double fp32_lanes(int compute_capability) {
  switch (compute_capability) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
      return 64;
    default:
      return 128;
  }
}

/// 13000 -> "13.0"
std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

Dim3 dim3_of(const std::uint32_t (&values)[3]) {
  return {values[0], values[1], values[2]};
}

DeviceProfile profile_of(const DeviceReport& report) {
  DeviceProfile profile;
  profile.name = plain(report.name);
  profile.compute_capability = report.compute_capability;
  profile.multiprocessors = report.multiprocessors;
  profile.max_threads_per_block = report.max_threads_per_block;
  profile.max_block = dim3_of(report.max_block);
  profile.max_grid = dim3_of(report.max_grid);
  profile.max_threads_per_sm = report.max_threads_per_sm;
  profile.max_blocks_per_sm = report.max_blocks_per_sm;
  profile.registers_per_sm = report.registers_per_sm;
  profile.shared_bytes_per_block = report.shared_bytes_per_block;
  profile.shared_bytes_per_block_optin = report.shared_bytes_per_block_optin;
  profile.shared_bytes_per_sm = report.shared_bytes_per_sm;
  profile.reserved_shared_bytes_per_block = report.reserved_shared_bytes_per_block;
  profile.constant_bytes = report.constant_bytes;
  profile.l2_bytes = report.l2_bytes;
  profile.clock_mhz = report.clock_khz / 1e3;
  // Data is transferred on both edges of the clock.
  profile.memory_gb_per_s = 2.0 * report.memory_clock_khz * report.memory_bus_bits / 8 / 1e6;
  profile.fp32_lanes_per_sm = fp32_lanes(report.compute_capability);
  return profile;
}

/// Whether this system may have a driver; asking the driver itself starts a process. Drivers are
/// reached through the first file on Linux, the second on Windows (WSL 2), the others on Jetson.
bool may_have_driver() {
  std::error_code ignored;
  return std::ranges::any_of(
      std::array{"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-ctrl", "/dev/nvmap", "/dev/nvgpu"},
      [&](const char* path) { return std::filesystem::exists(path, ignored); });
}

Error no_gpu(std::string reason) {
  return Error{.message = std::move(reason)};
}

}  // namespace

Expected<std::vector<GpuDevice>> gpu_devices(const std::filesystem::path& worker) {
  if (!missing_backend().empty()) return no_gpu(missing_backend());
  if (!may_have_driver()) return no_gpu("there is no NVIDIA driver");
  WorkerTask task{DevicesJob{}};
  const auto end = task.run(worker, kAnswerPatience, kAnswerPatience);
  if (!end) return end.error();
  if (end->end == WorkerEnd::End::overdue) {
    return no_gpu("the driver gave no answer within 30 s; see whether `nvidia-smi` does");
  }
  const DevicesReport report = task.results().at<DevicesReport>(1);
  if (!report.reason.view().empty()) return no_gpu(plain(report.reason));
  if (end->end != WorkerEnd::End::exited || end->status != 0 || report.count == 0 ||
      why_impossible(report)) {
    return no_gpu("asking the driver broke down; see whether `nvidia-smi` works");
  }
  const auto version = read_file("/proc/driver/nvidia/version", 1 << 16);
  std::string driver = version ? driver_version_in(*version) : "";
  if (driver.empty()) driver = plain(report.driver);
  std::vector<GpuDevice> devices;
  for (int index = 0; index < report.count; ++index) {
    const DeviceReport& card = report.devices[index];
    devices.push_back({.index = index,
                       .uuid = plain(card.uuid),
                       .profile = profile_of(card),
                       .memory_bytes = card.memory_bytes,
                       .memory_clock_mhz = card.memory_clock_khz / 1e3,
                       .memory_bus_bits = card.memory_bus_bits,
                       .driver = driver,
                       .cuda_driver = cuda_version(report.cuda_driver),
                       .cuda_runtime = cuda_version(report.cuda_runtime),
                       .worker = worker});
  }
  return devices;
}

}  // namespace tessera
