// An array as the host and the GPU see it, in one of the four ways that CUDA offers.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "common/run/cuda_check.cuh"
#include "common/run/stopwatch.cuh"

namespace host {

enum class Memory {
  pageable,    // two arrays, copied; the host's is from malloc: the driver copies it piece by piece
               // into a staging area of its own, and from there to the GPU
  pinned,      // two arrays, copied; the host's cannot be swapped out, so the GPU fetches it itself
  managed,     // one array that both access; its pages move to the processor that accesses them
  prefetched,  // the same, but the program moves the pages beforehand
};

template <class T>
struct Buffer {
  Memory memory;
  std::size_t bytes;
  T* host;    // for code on the host
  T* device;  // for kernels; the same address as `host` if the memory is managed
};

template <class T>
Buffer<T> allocate(Memory memory, std::size_t elements) {
  Buffer<T> buffer{memory, elements * sizeof(T), nullptr, nullptr};
  switch (memory) {
    case Memory::pageable:
      buffer.host = static_cast<T*>(std::malloc(buffer.bytes));
      CUDA_CHECK(buffer.host != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
      // malloc only reserves addresses. The first access turns them into memory, which is slow, and
      // would otherwise be timed as part of the first copy that writes there.
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

/// Moves managed memory to the GPU `gpu`, or to the host if `gpu` is cudaCpuDeviceId.
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

/// Brings the host's data to the GPU. Returns the milliseconds that took, or nothing if the pages
/// move later, when the kernel accesses them.
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

/// Brings the GPU's data to the host. Returns the milliseconds that took.
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
      // Reading one element of each page is enough to bring the page here. `volatile`: the compiler
      // must not leave out reads whose values are not used.
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
