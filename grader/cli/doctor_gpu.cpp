#include "grader/cli/doctor_gpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "common/text.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kCapSysAdmin = 21;  // linux/capability.h

/// The text after "`key`:" in the lines of a file of /proc.
std::optional<std::string> entry(std::string_view text, std::string_view key) {
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') continue;
    const std::size_t start = line.find_first_not_of(" \t", key.size() + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return std::nullopt;
}

bool has_sys_admin(std::string_view status) {
  const std::string mask = entry(status, "CapEff").value_or("0");
  return (std::strtoull(mask.c_str(), nullptr, 16) >> kCapSysAdmin & 1) != 0;
}

/// Whether user ids here are those of the kernel: a container's root may have no rights outside.
bool is_first_user_namespace(std::string_view uid_map) {
  std::string digits;
  for (const char c : uid_map) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      digits += c;
    } else if (!digits.empty() && digits.back() != ' ') {
      digits += ' ';
    }
  }
  return digits == "0 0 4294967295 ";
}

std::string text_of(CounterAccess counters) {
  switch (counters) {
    case CounterAccess::every_user:
      return "may be read by every user";
    case CounterAccess::this_administrator:
      return "may be read by administrators, such as this user";
    case CounterAccess::administrators_only:
      return "administrators only, which this user is not: run ncu as root, or load the driver "
             "with "
             "NVreg_RestrictProfilingToAdminUsers=0";
    case CounterAccess::unknown:
      break;
  }
  return "unknown whether this user may read them; `ncu` says ERR_NVGPUCTRPERM if not";
}

std::string gigabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

std::string kilobytes(std::uint64_t bytes) {
  return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes / 1024)
                           : fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
}

void add_device(const GpuDevice& device, std::vector<std::string>& lines) {
  const DeviceProfile& card = device.profile;
  lines.push_back(fmt::format("{}: {}, compute capability {}.{}, {} multiprocessors, {}",
                              device.index, card.name, card.compute_capability / 10,
                              card.compute_capability % 10, card.multiprocessors, device.uuid));
  std::string memory = gigabytes(device.memory_bytes) + " of memory";
  if (device.memory_bus_bits > 0) memory += fmt::format(", {} bits wide", device.memory_bus_bits);
  if (card.memory_gb_per_s > 0) memory += fmt::format(", {:.0f} GB/s", card.memory_gb_per_s);
  memory += fmt::format(", {:.0f} MiB of L2", static_cast<double>(card.l2_bytes) / (1 << 20));
  if (card.clock_mhz > 0) memory += fmt::format(", clock up to {:.0f} MHz", card.clock_mhz);
  lines.push_back("   " + memory);
  lines.push_back(fmt::format(
      "   a block: at most {} threads ({} x {} x {}), {} of shared memory, {} by opt-in",
      card.max_threads_per_block, card.max_block.x, card.max_block.y, card.max_block.z,
      kilobytes(card.shared_bytes_per_block), kilobytes(card.shared_bytes_per_block_optin)));
  lines.push_back(fmt::format(
      "   a multiprocessor: at most {} threads, {} blocks, {} registers, {} of shared memory",
      card.max_threads_per_sm, card.max_blocks_per_sm, card.registers_per_sm,
      kilobytes(card.shared_bytes_per_sm)));
}

std::string content(const fs::path& path) {
  const Expected<std::string> text = read_file(path, 1 << 20);
  return text ? *text : "";
}

/// nvcc as a shell finds it, else in the Toolkit's usual place.
std::string find_nvcc() {
  const std::string in_path = find_program("nvcc");
  if (!in_path.empty()) return in_path;
  const char* const toolkit = std::getenv("CUDA_PATH");
  return find_program(std::string(toolkit != nullptr ? toolkit : "/usr/local/cuda") + "/bin/nvcc");
}

}  // namespace

CounterAccess counter_access(std::string_view driver_params, std::string_view status,
                             std::string_view uid_map) {
  const std::optional<std::string> admin_only = entry(driver_params, "RmProfilingAdminOnly");
  if (admin_only == "0") return CounterAccess::every_user;
  if (admin_only != "1" || status.empty()) return CounterAccess::unknown;
  if (!has_sys_admin(status)) return CounterAccess::administrators_only;
  return is_first_user_namespace(uid_map) ? CounterAccess::this_administrator
                                          : CounterAccess::unknown;
}

CounterAccess counter_access() {
  return counter_access(content("/proc/driver/nvidia/params"), content("/proc/self/status"),
                        content("/proc/self/uid_map"));
}

std::vector<std::string> gpu_lines(const Expected<std::vector<GpuDevice>>& devices,
                                   CounterAccess counters) {
  if (!devices) return {"none: " + devices.error().message, "points for time are deferred"};
  std::vector<std::string> lines;
  for (const GpuDevice& device : *devices) add_device(device, lines);
  const GpuDevice& first = devices->front();
  lines.push_back(fmt::format("driver {}, runs CUDA up to {}; this program was built with CUDA {}",
                              first.driver.empty() ? "of unknown version" : first.driver,
                              first.cuda_driver, first.cuda_runtime));
  lines.push_back("performance counters: " + text_of(counters));
  return lines;
}

std::string nvcc_version_in(std::string_view text) {
  const std::size_t at = text.find(", V");
  if (at == std::string_view::npos) return "";
  const std::string_view rest = text.substr(at + 3);
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

std::string nvcc_line() {
  constexpr const char* kFor = "only `make run` needs it";
  const std::string nvcc = find_nvcc();
  if (nvcc.empty()) return fmt::format("not in PATH nor in CUDA_PATH; {}", kFor);
  const auto result = run_program({nvcc, "--version"}, "", ChildLimits{});
  const std::string version = result ? nvcc_version_in(result->output) : "";
  if (version.empty()) return fmt::format("{} does not say its version; {}", nvcc, kFor);
  return fmt::format("{}, {}", version, nvcc);
}

}  // namespace tessera
