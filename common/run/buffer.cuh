// One array, as the host sees it and as the GPU sees it, in the four ways that CUDA offers.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "common/run/cuda_check.cuh"
#include "common/run/stopwatch.cuh"

namespace host {

enum class Memory {
  pageable,    // two arrays, copied; the host's from malloc: the driver copies it piece by piece
               // into a staging area of its own, and from there to the GPU
  pinned,      // two arrays, copied; the host's cannot be swapped out, so the GPU fetches it itself
  managed,     // one array that both may touch; its pages move to whoever touches them
  prefetched,  // the same, but we say beforehand who will touch it
};

template <class T>
struct Buffer {
  Memory memory;
  std::size_t bytes;
  T* host;    // for code on the host
  T* device;  // for kernels; the same address where the memory is managed
};

template <class T>
Buffer<T> allocate(Memory memory, std::size_t elements) {
  Buffer<T> buffer{memory, elements * sizeof(T), nullptr, nullptr};
  switch (memory) {
    case Memory::pageable:
      buffer.host = static_cast<T*>(std::malloc(buffer.bytes));
      CUDA_CHECK(buffer.host != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
      // malloc only reserves addresses. The first touch makes them memory, which is slow, and would
      // else be timed as a part of the first copy that writes there.
      std::memset(buffer.host, 0, buffer.bytes);
      CUDA_CHECK(cudaMalloc(&buffer.device, buffer.bytes));
      break;
    case Memory::pinned:
      CUDA_CHECK(cudaMallocHost(&buffer.host, buffer.bytes));
      CUDA_CHECK(cudaMalloc(&buffer.device, buffer.bytes));
      break;
    case Memory::managed:
    case Memory::prefetched:
      CUDA_CHECK(cudaMallocManaged(&buffer.device, buffer.bytes));
      buffer.host = buffer.device;
      break;
  }
  return buffer;
}

template <class T>
void release(const Buffer<T>& buffer) {
  if (buffer.memory == Memory::pageable) std::free(buffer.host);
  if (buffer.memory == Memory::pinned) CUDA_CHECK(cudaFreeHost(buffer.host));
  CUDA_CHECK(cudaFree(buffer.device));
}

/// Moves managed memory to a GPU, or to the host where `gpu` is cudaCpuDeviceId.
inline void prefetch(void* data, std::size_t bytes, int gpu) {
#if CUDART_VERSION >= 13000
  const cudaMemLocation where{
      gpu == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
      gpu == cudaCpuDeviceId ? 0 : gpu};
  CUDA_CHECK(cudaMemPrefetchAsync(data, bytes, where, 0));
#else
  CUDA_CHECK(cudaMemPrefetchAsync(data, bytes, gpu));
#endif
}

/// Brings what the host wrote to the GPU; the milliseconds that took, or nothing where it happens
/// later, when the kernel touches the pages.
template <class T>
std::optional<float> to_device(const Buffer<T>& buffer) {
  if (buffer.memory == Memory::managed) return std::nullopt;
  Stopwatch stopwatch;
  stopwatch.start();
  if (buffer.memory == Memory::prefetched) {
    prefetch(buffer.device, buffer.bytes, 0);
  } else {
    CUDA_CHECK(cudaMemcpy(buffer.device, buffer.host, buffer.bytes, cudaMemcpyHostToDevice));
  }
  return stopwatch.stop();
}

/// Brings what the GPU wrote to the host; the milliseconds that took.
template <class T>
float to_host(const Buffer<T>& buffer) {
  Stopwatch stopwatch;
  stopwatch.start();
  switch (buffer.memory) {
    case Memory::pageable:
    case Memory::pinned:
      CUDA_CHECK(cudaMemcpy(buffer.host, buffer.device, buffer.bytes, cudaMemcpyDeviceToHost));
      break;
    case Memory::managed:
      // One element of each page is enough to bring the page here. `volatile`: the compiler must
      // not leave reads out whose values nobody uses.
      for (std::size_t at = 0; at < buffer.bytes / sizeof(T); at += 4096 / sizeof(T)) {
        static_cast<void>(*static_cast<const volatile T*>(buffer.host + at));
      }
      break;
    case Memory::prefetched:
      prefetch(buffer.host, buffer.bytes, cudaCpuDeviceId);
      break;
  }
  return stopwatch.stop();
}

}  // namespace host
