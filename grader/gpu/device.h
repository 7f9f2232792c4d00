// The GPUs of this machine, as data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/device_profile.h"
#include "common/expected.h"

namespace tessera {

struct GpuDevice {
  int index = 0;          // CUDA's index, which depends on CUDA_VISIBLE_DEVICES
  std::string uuid;       // "GPU-8a3f..."
  DeviceProfile profile;  // name, compute capability, limits, L2, clock, from the driver
  std::uint64_t memory_bytes = 0;
  double memory_clock_mhz = 0;  // 0 if the driver does not report it
  int memory_bus_bits = 0;
  std::string driver;            // "580.159.04"; "" if unknown
  std::string cuda_driver;       // the newest CUDA that the driver supports: "13.0"
  std::string cuda_runtime;      // the CUDA that this program was built with
  std::filesystem::path worker;  // tessera-gpu, the program that drives the card
};

/// The GPUs, at least one, by rising index. The Error says why there is none: no driver, no device,
/// or a build without the CUDA Toolkit. Takes up to a second, so call it once. The program `worker`
/// (tessera-gpu) asks the driver: the calling process never creates a CUDA context.
Expected<std::vector<GpuDevice>> gpu_devices(const std::filesystem::path& worker);

}  // namespace tessera
