// Which GPU runs the kernel, and what it refuses to run.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <tessera/lab.cuh>

#include "common/run/buffer.cuh"
#include "common/run/cuda_check.cuh"

namespace host {

/// GPU 0 (CUDA_VISIBLE_DEVICES selects another). Ends the program if there is none.
inline cudaDeviceProp choose_gpu() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    const char* reason = error == cudaErrorInsufficientDriver
                             ? "there is no NVIDIA driver, or it is too old for this CUDA Toolkit"
                         : error == cudaErrorNoDevice ? "the NVIDIA driver sees none"
                                                      : cudaGetErrorString(error);
    std::fprintf(stderr, "No GPU to run on: %s (%s).\nWithout a GPU: make grade LAB=%s\n", reason,
                 cudaGetErrorName(error), LAB);
    std::exit(3);
  }
  CUDA_CHECK(cudaSetDevice(0));  // starts the driver, before anything is timed
  cudaDeviceProp gpu;
  CUDA_CHECK(cudaGetDeviceProperties(&gpu, 0));
  std::printf("%s, compute capability %d.%d, %d multiprocessors\n", gpu.name, gpu.major, gpu.minor,
              gpu.multiProcessorCount);
  return gpu;
}

/// Why this GPU cannot run the launch, or "". CUDA itself says only "invalid argument".
inline std::string refusal(const Launch& shape, const cudaDeviceProp& gpu) {
  const auto outside = [](dim3 size, const int(&most)[3]) {
    const unsigned int sizes[] = {size.x, size.y, size.z};
    for (int axis = 0; axis < 3; ++axis) {
      if (sizes[axis] < 1 || sizes[axis] > static_cast<unsigned int>(most[axis])) return true;
    }
    return false;
  };
  const auto limits = [](const int(&most)[3]) {
    return std::to_string(most[0]) + " x " + std::to_string(most[1]) + " x " +
           std::to_string(most[2]);
  };
  const unsigned long long threads = 1ull * shape.block.x * shape.block.y * shape.block.z;
  if (threads > static_cast<unsigned long long>(gpu.maxThreadsPerBlock)) {
    return "a block of " + std::to_string(threads) + " threads; this GPU runs at most " +
           std::to_string(gpu.maxThreadsPerBlock) + " in a block";
  }
  if (outside(shape.block, gpu.maxThreadsDim)) {
    return "the block must be 1 x 1 x 1 to " + limits(gpu.maxThreadsDim) + " threads";
  }
  if (outside(shape.grid, gpu.maxGridSize)) {
    return "the grid must be 1 x 1 x 1 to " + limits(gpu.maxGridSize) + " blocks";
  }
  if (shape.shared_bytes > gpu.sharedMemPerBlockOptin) {
    return std::to_string(shape.shared_bytes) +
           " bytes of dynamic shared memory; on this GPU a block gets at most " +
           std::to_string(gpu.sharedMemPerBlockOptin);
  }
  return "";
}

/// Prints <<<grid, block, bytes>>>; ends the program if the GPU would refuse the launch. A block
/// gets more than 48 KiB of dynamic shared memory only if the host has asked for it.
template <class Kernel>
void prepare_launch(Kernel* kernel, const Launch& shape, const cudaDeviceProp& gpu) {
  std::printf("launch<<<(%u, %u, %u), (%u, %u, %u), %u>>>\n", shape.grid.x, shape.grid.y,
              shape.grid.z, shape.block.x, shape.block.y, shape.block.z, shape.shared_bytes);
  const std::string reason = refusal(shape, gpu);
  if (!reason.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr,
                 "This cannot be launched: %s.\nChange `launch` in kernel.cu, or the size.\n",
                 reason.c_str());
    std::exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shape.shared_bytes)));
}

/// Ends the program if the arrays are too large: for an int that counts elements, as the kernels
/// use, or for the GPU's free memory. (Managed memory may exceed that; its pages then move back and
/// forth while the kernel runs.)
inline void check_memory(std::initializer_list<std::size_t> arrays, std::size_t element_bytes) {
  std::size_t elements = 0, largest = 0;
  for (const std::size_t size : arrays) {
    elements += size;
    largest = std::max(largest, size);
  }
  const double bytes = double(elements) * double(element_bytes);
  std::size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (largest <= INT_MAX && bytes <= 0.9 * double(free)) return;
  std::fflush(stdout);
  if (largest > INT_MAX) {
    std::fprintf(stderr, "%zu elements are more than an int can count.\n", largest);
  } else {
    std::fprintf(stderr, "This takes %.1f GB; of the GPU's %.1f GB, %.1f are free.\n", bytes / 1e9,
                 double(total) / 1e9, double(free) / 1e9);
  }
  std::fprintf(stderr, "Choose a smaller size.\n");
  std::exit(2);
}

/// Whether this GPU can use this kind of memory; prints the reason if it cannot.
inline bool can_use(Memory memory, const cudaDeviceProp& gpu) {
  if (memory != Memory::prefetched || gpu.concurrentManagedAccess != 0) return true;
  std::printf("\nNo prefetching here: this system moves managed memory as a whole.\n");
  return false;
}

}  // namespace host
