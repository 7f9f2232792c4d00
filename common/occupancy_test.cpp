#include "common/occupancy.h"

#include <gtest/gtest.h>

#include <climits>
#include <random>

#ifdef TESSERA_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

namespace tessera {
namespace {

DeviceProfile h200() {
  return *load_device_profile("nvidia-h200", TESSERA_SOURCE_DIR "/common/devices");
}

TEST(Occupancy, IsFullIfNothingLimitsIt) {
  const Occupancy full = occupancy(h200(), 256, 32, 2048);
  EXPECT_EQ(full.blocks_per_sm, 8);
  EXPECT_EQ(full.percent, 100);
  EXPECT_EQ(full.limited_by, "threads");
}

TEST(Occupancy, OfSmallBlocksIsLimitedByTheNumberOfBlocks) {
  const Occupancy small = occupancy(h200(), 16, 32, 0);
  EXPECT_EQ(small.blocks_per_sm, 32);
  EXPECT_EQ(small.percent, 50);
  EXPECT_EQ(small.limited_by, "blocks");
}

TEST(Occupancy, IsLimitedByRegisters) {
  const Occupancy registers = occupancy(h200(), 256, 128, 0);
  EXPECT_EQ(registers.blocks_per_sm, 2);
  EXPECT_EQ(registers.percent, 25);
  EXPECT_EQ(registers.limited_by, "registers");
  EXPECT_EQ(occupancy(h200(), 256, 0, 0).percent, 100) << "unknown: no limit";
}

TEST(Occupancy, IsLimitedBySharedMemory) {
  const Occupancy shared = occupancy(h200(), 128, 32, 48 << 10);
  EXPECT_EQ(shared.blocks_per_sm, 4) << "each takes 48 KiB and the 1 KiB that is reserved";
  EXPECT_EQ(shared.percent, 25);
  EXPECT_EQ(shared.limited_by, "shared memory");
}

TEST(Occupancy, OfABlockThatDoesNotFitIsZero) {
  EXPECT_EQ(occupancy(h200(), 1024, 255, 0).blocks_per_sm, 0);
}

TEST(Occupancy, TheLargestBlockFitsAndNoLargerOne) {
  EXPECT_EQ(most_threads_of_block(h200(), 0), 1024u);
  EXPECT_EQ(most_threads_of_block(h200(), 64), 1024u);
  EXPECT_EQ(most_threads_of_block(h200(), 168), 384u);
  for (int registers = 65; registers <= 255; ++registers) {
    const auto most = static_cast<std::uint32_t>(most_threads_of_block(h200(), registers));
    EXPECT_EQ(occupancy(h200(), most, registers, 0).blocks_per_sm, 1) << registers;
    EXPECT_EQ(occupancy(h200(), most + 1, registers, 0).blocks_per_sm, 0) << registers;
  }
}

#ifdef TESSERA_CUDA_OCCUPANCY
int toolkit_blocks(const DeviceProfile& device, int threads, int registers, std::size_t shared) {
  cudaOccDeviceProp properties;
  properties.computeMajor = device.compute_capability / 10;
  properties.computeMinor = device.compute_capability % 10;
  properties.maxThreadsPerBlock = device.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = device.max_threads_per_sm;
  properties.regsPerBlock = properties.regsPerMultiprocessor = device.registers_per_sm;
  properties.warpSize = 32;
  properties.sharedMemPerBlock = device.shared_bytes_per_block;
  properties.sharedMemPerMultiprocessor = device.shared_bytes_per_sm;
  properties.numSms = device.multiprocessors;
  properties.sharedMemPerBlockOptin = device.shared_bytes_per_block_optin;
  properties.reservedSharedMemPerBlock = device.reserved_shared_bytes_per_block;
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = registers;
  attributes.maxDynamicSharedSizeBytes = device.shared_bytes_per_block_optin;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceState state;
  cudaOccResult result{};
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                    threads, shared),
            CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

TEST(Occupancy, EqualsTheToolkitsCalculator) {
  constexpr std::uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (const std::string& name : device_profile_names(TESSERA_SOURCE_DIR "/common/devices")) {
    const auto device = load_device_profile(name, TESSERA_SOURCE_DIR "/common/devices");
    ASSERT_TRUE(device);
    for (int i = 0; i < 500; ++i) {
      const int threads = pick(1, 1024);
      const int registers = pick(1, 255);
      const auto shared = static_cast<std::uint64_t>(
          pick(0, static_cast<int>(device->shared_bytes_per_block_optin)));
      const Occupancy ours =
          occupancy(*device, static_cast<std::uint32_t>(threads), registers, shared);
      ASSERT_EQ(ours.blocks_per_sm, toolkit_blocks(*device, threads, registers, shared))
          << name << ": " << threads << " threads, " << registers << " registers, " << shared
          << " bytes; seed " << kSeed;
    }
  }
}
#endif

}  // namespace
}  // namespace tessera
