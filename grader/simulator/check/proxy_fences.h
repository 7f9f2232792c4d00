// Fences between accesses to shared memory by the threads of a block and by its asynchronous
// products: fence.proxy.async (PTX ISA, "Memory Consistency Model", "Proxy-preserved base causality
// order").
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {

/// The fences of one block. An epoch is the part of its run between two barriers; see shadow.h.
class ProxyFences {
 public:
  void start_block(std::uint32_t threads);

  /// One execution of fence.proxy.async by lanes of a warp.
  struct Fence {
    std::uint32_t thread = 0;  // the first of the lanes
    std::uint32_t epoch = 0;
    std::uint32_t sync_count = 0;  // of the warp, from the fence on
    std::uint64_t time = 0;        // instructions that the warp had run
    std::uint64_t sequence = 0;    // MemoryOrder::sequence()
    /// By lane of the warp: the fence orders accesses that it made at a lower sync count.
    LaneCounts met{};
  };
  void fence(const Fence& fence, std::uint32_t lanes);

  /// A store: by which thread, in which epoch, at which sync count of its warp.
  struct Store {
    std::uint32_t thread = 0;
    std::uint32_t epoch = 0;
    std::uint32_t sync_count = 0;
  };
  /// Whether a fence of the warp itself, in epoch `now`, orders all stores of earlier epochs before
  /// its product.
  bool reach(std::uint32_t reader, std::uint32_t now) const {
    return !of_warp(reader, now).empty();
  }
  /// Whether a fence stands between a store and a product of warp `reader` in epoch `now`, which a
  /// barrier or the order of one warp's instructions orders after the store.
  bool between(const Store& store, std::uint32_t reader, std::uint32_t now) const;

  /// The last fences of the warp in that epoch, the oldest first.
  const std::deque<Fence>& of_warp(std::uint32_t warp, std::uint32_t epoch) const {
    static const std::deque<Fence> none;
    const std::deque<Fence>& all = by_warp_[warp];
    return all.empty() || all.front().epoch != epoch ? none : all;
  }

  /// Whether a fence is known to stand between what the thread has stored in that epoch up to that
  /// time and the next product of the warp. known() notes it.
  bool is_known(std::uint32_t warp, std::uint32_t thread, std::uint32_t epoch,
                std::uint64_t time) const {
    const Known& known = known_[warp * threads_ + thread];
    return known.epoch == epoch && time <= known.time;
  }
  void know(std::uint32_t warp, std::uint32_t thread, std::uint32_t epoch, std::uint64_t time);

 private:
  static constexpr std::size_t kKept = 64;  // fences of a warp

  /// Where a thread's last fence stands, and the last one in an earlier epoch.
  struct Place {
    std::uint32_t epoch = 0;
    std::uint32_t sync_count = 0;
  };
  struct Last {
    Place newest;
    Place earlier;
    void add(const Place& place);
    const Place& before(std::uint32_t epoch) const {
      return newest.epoch < epoch ? newest : earlier;
    }
  };
  struct Known {
    std::uint32_t epoch = 0;
    std::uint64_t time = 0;
  };
  std::uint32_t threads_ = 0;
  std::vector<Last> by_thread_;
  std::vector<std::deque<Fence>> by_warp_;
  std::vector<Known> known_;  // by warp that multiplies, and thread that stores
  Last any_;
};

}  // namespace tessera::sim
