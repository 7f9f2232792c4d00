#include "grader/gpu/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gpu/driver_version.h"
#include "grader/gpu/testing/gpu_fixture.h"

namespace tessera {
namespace {

using ::testing::StartsWith;

TEST(DriverVersion, IsTheNumberInTheFirstLine) {
  EXPECT_EQ(driver_version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul "
                              "27 07:10:51 UTC 2025\nGCC version:  gcc version 12.2.0\n"),
            "580.65.06");
  EXPECT_EQ(driver_version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
                              "580.159.04  Release Build\n"),
            "580.159.04");
  EXPECT_EQ(driver_version_in(""), "");
}

TEST(DriverVersion, IsInTheNameOfTheLoadedLibrary) {
  EXPECT_EQ(driver_version_in_maps(
                "7f01-7f02 r-xp 00000000 08:01 42 /usr/lib/x86_64-linux-gnu/libc.so.6\n"
                "7f03-7f04 r-xp 00000000 08:01 43 /usr/lib/wsl/libcuda.so.1.1\n"
                "7f05-7f06 r-xp 00000000 08:01 44 /usr/lib/libcuda.so.580.159.04\n"),
            "580.159.04");
  EXPECT_EQ(driver_version_in_maps("7f03-7f04 r-xp 00000000 08:01 43 /usr/lib/libcuda.so.1.1\n"),
            "");
  EXPECT_EQ(driver_version_in_maps(""), "");
}

TEST(AskingForDevices, AMachineWithoutAGpuSaysWhy) {
  const auto devices = gpu_devices(gpu_worker_program());
  if (devices) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_FALSE(devices.error().message.empty());
}

TEST(AskingForDevices, GivesTheSameTwice) {
  const auto first = gpu_devices(gpu_worker_program());
  const auto second = gpu_devices(gpu_worker_program());
  EXPECT_EQ(static_cast<bool>(first), static_cast<bool>(second));
}

using GpuDevices = GpuTest;

TEST_F(GpuDevices, EveryFigureIsThere) {
  EXPECT_FALSE(device.profile.name.empty());
  EXPECT_THAT(device.uuid, StartsWith("GPU-"));
  EXPECT_EQ(device.uuid.size(), 40u);
  EXPECT_GE(device.profile.compute_capability, 50);
  EXPECT_GT(device.profile.multiprocessors, 0);
  EXPECT_EQ(device.profile.max_threads_per_block, 1024);
  EXPECT_EQ(device.profile.max_block.z, 64u);
  EXPECT_GE(device.profile.shared_bytes_per_block_optin, device.profile.shared_bytes_per_block);
  EXPECT_GT(device.profile.l2_bytes, 0u);
  EXPECT_GT(device.memory_bytes, std::uint64_t{1} << 30);
  EXPECT_GT(device.profile.clock_mhz, 300);
  EXPECT_FALSE(device.cuda_driver.empty());
  EXPECT_FALSE(device.cuda_runtime.empty());
}

}  // namespace
}  // namespace tessera
