#include "grader/gpu/lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace tessera {
namespace {

/// A card that no machine has, different for each test process.
GpuDevice card(int index) {
  GpuDevice device;
  device.index = index;
  device.uuid = fmt::format("GPU-test-{}-{}", getpid(), index);
  return device;
}

class Locks : public testing::Test {
 protected:
  ~Locks() override {
    for (const GpuDevice& device : cards_) std::filesystem::remove(gpu_lock_file(device));
  }
  std::vector<GpuDevice> cards_ = {card(0), card(1)};
};

TEST_F(Locks, TheFirstFreeCardIsChosen) {
  EXPECT_EQ(free_gpu(cards_).index, 0);
  const GpuLock lock(cards_[0]);
  EXPECT_EQ(free_gpu(cards_).index, 1);
}

TEST_F(Locks, IfAllCardsAreHeldTheFirstIsChosen) {
  const GpuLock first(cards_[0]);
  const GpuLock second(cards_[1]);
  EXPECT_EQ(free_gpu(cards_).index, 0);
}

TEST_F(Locks, ASecondHolderWaitsForTheFirst) {
  std::atomic<bool> has_it = false;
  std::thread second;
  {
    const GpuLock lock(cards_[0]);
    second = std::thread([&] {
      const GpuLock waited(cards_[0]);
      has_it = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(has_it);
  }
  second.join();
  EXPECT_TRUE(has_it);
}

}  // namespace
}  // namespace tessera
