// Lists the driver's cards.
#include <fmt/format.h>

#include <algorithm>

#include "common/text.h"
#include "grader/gpu/backend.h"
#include "grader/gpu/cuda_call.h"
#include "grader/gpu/driver_version.h"

namespace tessera {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) == cudaSuccess) return value;
  static_cast<void>(cudaGetLastError());
  return 0;
}

DeviceReport report_of(int device) {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, device), "asking for a card's properties");
  DeviceReport report{};
  report.name.set(properties.name);
  report.uuid.set(uuid_text(properties.uuid));
  report.compute_capability = 10 * properties.major + properties.minor;
  report.multiprocessors = properties.multiProcessorCount;
  report.max_threads_per_block = properties.maxThreadsPerBlock;
  for (int axis = 0; axis < 3; ++axis) {
    report.max_block[axis] = static_cast<std::uint32_t>(properties.maxThreadsDim[axis]);
    report.max_grid[axis] = static_cast<std::uint32_t>(properties.maxGridSize[axis]);
  }
  report.max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
  report.max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  report.registers_per_sm = properties.regsPerMultiprocessor;
  report.shared_bytes_per_block = properties.sharedMemPerBlock;
  report.shared_bytes_per_block_optin = properties.sharedMemPerBlockOptin;
  report.shared_bytes_per_sm = properties.sharedMemPerMultiprocessor;
  report.reserved_shared_bytes_per_block = properties.reservedSharedMemPerBlock;
  report.constant_bytes = properties.totalConstMem;
  report.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  report.memory_bytes = properties.totalGlobalMem;
  report.clock_khz = attribute(cudaDevAttrClockRate, device);
  report.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, device);
  report.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  return report;
}

std::string reason_for(cudaError_t code) {
  switch (code) {
    case cudaErrorNoDevice:
      return "the NVIDIA driver sees no GPU";
    case cudaErrorInsufficientDriver:
      return "there is no NVIDIA driver, or one too old for the CUDA Toolkit of this build";
    default:
      return fmt::format("the NVIDIA driver does not start: {}", cudaGetErrorString(code));
  }
}

}  // namespace

int report_devices(DevicesReport& report) {
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
    report.reason.set(reason_for(code));
    return 0;
  }
  try {
    require(cudaDriverGetVersion(&report.cuda_driver), "asking for the driver's version");
    const auto maps = read_file("/proc/self/maps");
    report.driver.set(maps ? driver_version_in_maps(*maps) : "");
    require(cudaRuntimeGetVersion(&report.cuda_runtime), "asking for the runtime's version");
    for (int device = 0; device < std::min(count, kMostDevices); ++device) {
      report.devices[device] = report_of(device);
    }
    report.count = std::min(count, kMostDevices);
  } catch (const CudaError& error) {
    report.reason.set(error.what());
  }
  return 0;
}

}  // namespace tessera
