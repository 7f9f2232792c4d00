// Threads that execute fences, set flags and read them, for tests of MemoryOrder.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "grader/simulator/check/order.h"
#include "grader/simulator/check/shadow.h"

namespace tessera::sim {

inline constexpr std::uint64_t kFlag = kGlobalFlags + 256;
inline constexpr std::uint64_t kSecondFlag = kGlobalFlags + 260;
inline constexpr std::uint64_t kSharedFlag = 64;
inline constexpr std::uint32_t kThreads = 96;

/// What one thread does; its time passes with each step.
class Actor {
 public:
  Actor(MemoryOrder& order, std::uint32_t block, std::uint32_t thread, std::uint32_t epoch)
      : order_(order), block_(block), thread_(thread), epoch_(epoch) {}

  Moment access() { return {block_, Who::make(thread_, syncs_), epoch_, ++time_}; }
  void fence() { order_.fence(access(), true); }
  void fence_block() { order_.fence(access(), false); }
  void release(std::uint64_t flag) { order_.release(flag, access()); }
  void acquire(std::uint64_t flag) { order_.acquire(flag, access()); }
  /// Its warp's __syncwarp(), and its block's barrier, for which the test calls
  /// MemoryOrder::barrier() once.
  void sync_warp() { ++syncs_; }
  void pass_barrier() {
    ++epoch_;
    ++syncs_;
  }

 private:
  MemoryOrder& order_;
  std::uint32_t block_;
  std::uint32_t thread_;
  std::uint32_t epoch_;
  std::uint32_t syncs_ = 0;
  std::uint64_t time_ = 0;
};

class MemoryOrderTest : public testing::Test {
 protected:
  /// Starts the next block; epochs rise through all blocks.
  void start_block() {
    order.start_block(kThreads);
    ++block;
    epoch += 10;
  }
  Actor actor(std::uint32_t thread) { return Actor(order, block - 1, thread, epoch); }

  /// Starts a block whose thread 0 writes, executes a fence and sets kFlag. Returns the moment of
  /// the write.
  Moment write_and_release() {
    start_block();
    Actor producer = actor(0);
    const Moment write = producer.access();
    producer.fence();
    producer.release(kFlag);
    return write;
  }

  /// Starts a block whose thread 0 reads `flag`. Returns whether `before` is ordered before its
  /// next access.
  bool next_block_sees(const Moment& before, std::uint64_t flag = kFlag) {
    start_block();
    Actor consumer = actor(0);
    consumer.acquire(flag);
    return order.ordered(before, consumer.access());
  }

  MemoryOrder order;
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;
};

}  // namespace tessera::sim
