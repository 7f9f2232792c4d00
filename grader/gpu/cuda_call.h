// CUDA's runtime in a worker: errors as exceptions, memory and modules with owners. Only sources of
// the CUDA implementation may include this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace tessera {

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& what);
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws CudaError with the text `doing` unless `code` is success.
void require(cudaError_t code, const char* doing);

/// Device memory, overwritten before it is freed so that its contents cannot be found later.
class DeviceMemoryBlock {
 public:
  explicit DeviceMemoryBlock(std::size_t bytes);
  ~DeviceMemoryBlock();
  DeviceMemoryBlock(DeviceMemoryBlock&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  DeviceMemoryBlock& operator=(DeviceMemoryBlock&&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A point in the default stream.
class Event {
 public:
  Event() { require(cudaEventCreate(&event_), "making an event"); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record() const { require(cudaEventRecord(event_), "recording an event"); }
  double milliseconds_since(const Event& start) const {
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, start.event_, event_), "reading an event");
    return static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

void copy_to_device(std::byte* to, std::span<const std::byte> from);
void copy_from_device(std::span<std::byte> to, const std::byte* from);

}  // namespace tessera
