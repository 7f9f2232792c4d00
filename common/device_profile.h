// Properties of a GPU, as data: common/devices/NAME.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/launch.h"

namespace tessera {

struct DeviceProfile {
  std::string id;               // file name without .yaml: "nvidia-h200"
  std::string name;             // "NVIDIA H200"
  int compute_capability = 90;  // 10 * major + minor
  int multiprocessors = 132;
  int max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647u, 65535u, 65535u};
  int max_threads_per_sm = 2048;
  int max_blocks_per_sm = 32;
  int registers_per_sm = 65536;
  int max_registers_per_thread = 255;
  std::uint64_t shared_bytes_per_block = 49152;  // static, and without opt-in
  std::uint64_t shared_bytes_per_block_optin = 232448;
  std::uint64_t shared_bytes_per_sm = 233472;
  std::uint64_t reserved_shared_bytes_per_block = 1024;
  std::uint64_t constant_bytes = 65536;
  std::uint64_t l2_bytes = 0;
  double clock_mhz = 0.0;          // boost clock, MHz
  double memory_gb_per_s = 0.0;    // datasheet bandwidth, GB/s
  double fp32_lanes_per_sm = 128;  // fused multiply-adds per clock
};

/// The multiply-adds of 16-bit factors that the tensor cores of a multiprocessor can finish in a
/// clock, by generation; 0 for none. That GeForce cards are slower with sums in float is ignored.
double tensor_multiply_adds(const DeviceProfile& device);

/// The profile named `name` (file stem or display name, case-insensitive) in `directory`. Errors:
/// an unknown name (listing the known names), an unknown key or a bad value, with its line.
Expected<DeviceProfile> load_device_profile(const std::string& name,
                                            const std::filesystem::path& directory);

/// Ids of the profiles in `directory`, sorted.
std::vector<std::string> device_profile_names(const std::filesystem::path& directory);

/// Display names ("NVIDIA H200") of the profiles in `directory` that can be read, sorted by id.
std::vector<std::string> device_display_names(const std::filesystem::path& directory);

}  // namespace tessera
