#include "grader/simulator/exec/heap.h"

#include <algorithm>
#include <utility>

#include "grader/simulator/exec/exec.h"

namespace tessera::sim {
namespace {

constexpr std::uint64_t kUnit = 16;
/// The bytes that the heap itself needs for each block.
constexpr std::uint64_t kHeader = 16;
constexpr std::uint64_t kLeastGap = 64 << 10;
/// How many freed blocks are remembered, for messages. If there are more, all of them are
/// forgotten.
constexpr std::size_t kMostFreed = 1 << 16;

std::uint64_t cost_of(std::uint64_t bytes) {
  return kHeader + round_up(bytes, kUnit);
}

/// Drops all that workers keep about the block: the next access to it looks it up with find().
void forget(std::span<Worker> workers, const Allocation& block) {
  for (Worker& worker : workers) {
    for (Site& site : worker.sites) {
      if (site.allocation != &block) continue;
      site.global_region = {};
      site.allocation = nullptr;
    }
    worker.history.traces.erase(&block);
  }
}

}  // namespace

bool is_heap_function(std::string_view name) {
  return name == "malloc" || name == "free";
}

std::uint64_t allocate_on_heap(Heap& heap, DeviceMemory& memory, std::uint64_t bytes) {
  const bool fits = bytes <= kHeapBytes && heap.used + cost_of(bytes) <= kHeapBytes;
  const std::uint64_t span = cost_of(bytes) + std::max(kLeastGap, cost_of(bytes));
  if (!fits || heap.next + span > kHeapWindowSize) {
    heap.is_refusing = true;
    return 0;
  }
  // CUDA promises a multiple of 16. The address is a multiple of nothing larger.
  const std::uint64_t address = kHeapWindow + heap.next + kUnit;
  BufferInfo info;
  info.name = "heap block";
  info.initialized = false;
  memory.place_while_running(std::move(info), address, bytes);
  heap.used += cost_of(bytes);
  heap.next = round_up(heap.next + span, 256);
  return address;
}

HeapFree free_on_heap(Worker& worker, std::uint64_t address) {
  DeviceMemory& memory = *worker.launch->memory;
  Allocation* block = memory.starting_at(address);
  if (block == nullptr || address - kHeapWindow >= kHeapWindowSize) return HeapFree::no_block;
  if (block->freed) return HeapFree::freed_before;
  worker.heap->used -= cost_of(block->size);
  forget(worker.of_its_thread, *block);
  memory.free(*block);
  if (++worker.heap->freed > kMostFreed) {
    memory.remove_freed();
    worker.heap->freed = 0;
  }
  return HeapFree::done;
}

}  // namespace tessera::sim
