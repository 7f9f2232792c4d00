#include "grader/gpu/cuda_call.h"

#include <fmt/format.h>

#include "grader/gpu/backend.h"

namespace tessera {

CudaError::CudaError(cudaError_t code, const std::string& what)
    : std::runtime_error(what), code_(code) {
}

void require(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return;
  throw CudaError(
      code, fmt::format("{}: {} ({})", doing, cudaGetErrorString(code), cudaGetErrorName(code)));
}

DeviceMemoryBlock::DeviceMemoryBlock(std::size_t bytes) : size_(bytes) {
  void* data = nullptr;
  require(cudaMalloc(&data, bytes == 0 ? 1 : bytes), "taking memory on the GPU");
  data_ = static_cast<std::byte*>(data);
}

DeviceMemoryBlock::~DeviceMemoryBlock() {
  if (data_ == nullptr) return;
  // If a kernel has broken the context, both fail, and the memory is freed with the process.
  static_cast<void>(cudaMemset(data_, 0xff, size_));
  static_cast<void>(cudaFree(data_));
}

void copy_to_device(std::byte* to, std::span<const std::byte> from) {
  require(cudaMemcpy(to, from.data(), from.size(), cudaMemcpyHostToDevice), "copying to the GPU");
}

void copy_from_device(std::span<std::byte> to, const std::byte* from) {
  require(cudaMemcpy(to.data(), from, to.size(), cudaMemcpyDeviceToHost), "copying from the GPU");
}

bool start_gpu(const GpuDevice& device, EndReport& end) {
  try {
    require(
        cudaInitDevice(device.index, cudaDeviceScheduleBlockingSync, cudaInitDeviceFlagsAreValid),
        "starting the GPU");
    require(cudaSetDevice(device.index), "choosing the GPU");
    return true;
  } catch (const CudaError& error) {
    end.set(GpuStatus::infra, error.what(), Phrase::doctor_hint);
    return false;
  }
}

}  // namespace tessera
