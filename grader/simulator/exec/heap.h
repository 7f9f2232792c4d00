// The device's heap, which serves malloc() and new in kernels. Blocks are allocations of their own
// among the launch's memory, each in its own guarded range; no address is given twice in a launch.
// A kernel that can reach the heap has its blocks run in order, so that addresses do not depend on
// host threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/simulator/check/memory.h"

namespace tessera::sim {

struct Worker;

/// Bytes of all blocks together: CUDA's default (cudaLimitMallocHeapSize).
inline constexpr std::uint64_t kHeapBytes = std::uint64_t{8} << 20;

/// Whether a function of the device's runtime allocates or frees memory on the heap.
bool is_heap_function(std::string_view name);

/// The heap of one launch.
struct Heap {
  std::uint64_t next = 0;    // address of the next block, from the window's start
  std::uint64_t used = 0;    // bytes of blocks that are not freed, with the cost of each entry
  std::size_t freed = 0;     // blocks that are remembered as freed
  bool is_refusing = false;  // a block was refused: a null pointer may come from malloc()
};

/// The address of a new block, a multiple of 16; 0 if the heap has no room for it.
std::uint64_t allocate_on_heap(Heap& heap, DeviceMemory& memory, std::uint64_t bytes);

enum class HeapFree { done, no_block, freed_before };

/// Gives the block that starts at `address` back. All workers of the worker's host thread forget
/// it.
HeapFree free_on_heap(Worker& worker, std::uint64_t address);

}  // namespace tessera::sim
