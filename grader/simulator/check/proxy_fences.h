// Fences between accesses of shared memory by the threads of a block and by its asynchronous
// products: fence.proxy.async (PTX ISA, "Memory Consistency Model", "Proxy-preserved base causality
// order").
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::sim {

/// The fences of one block. An epoch is the part of its run between two barriers; see shadow.h.
class ProxyFences {
 public:
  void start_block(std::uint32_t threads);
  struct Fence {
    std::uint32_t epoch = 0;
    std::uint32_t sync_count = 0;  // it orders its thread's accesses below this one
    std::uint64_t time = 0;        // instructions that the warp had run
  };
  void fence(std::uint32_t thread, const Fence& fence);
  /// A store: by which thread, in which epoch, at which sync count of its warp.
  struct Store {
    std::uint32_t thread = 0;
    std::uint32_t epoch = 0;
    std::uint32_t sync_count = 0;
  };
  /// Whether a fence stands between a store and a product of thread `reader` in epoch `now`, which
  /// a barrier or the order of one warp's instructions orders after the store.
  bool between(const Store& store, std::uint32_t reader, std::uint32_t now) const;
  /// Whether a lane of the warp has executed a fence in this epoch, after that time.
  bool of_warp_since(std::uint32_t warp, std::uint32_t epoch, std::uint64_t time) const {
    const Fence& last = by_warp_[warp];
    return last.epoch == epoch && last.time > time;
  }

 private:
  /// The last fence, and the last one in an earlier epoch.
  struct Last {
    Fence newest;
    Fence earlier;
    void add(const Fence& fence);
    const Fence& before(std::uint32_t epoch) const {
      return newest.epoch < epoch ? newest : earlier;
    }
  };
  std::vector<Last> by_thread_;
  std::vector<Fence> by_warp_;  // the last one
  Last any_;
};

}  // namespace tessera::sim
