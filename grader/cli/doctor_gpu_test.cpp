#include "grader/cli/doctor_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/cli/test_program.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kParams =
    "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nPreserveVideoMemoryAllocations: 0\n";
constexpr const char* kRootStatus = "Name:\ttessera\nCapEff:\t000001ffffffffff\n";
constexpr const char* kStudent = "Name:\ttessera\nCapEff:\t0000000000000000\n";
constexpr const char* kWholeSystem = "         0          0 4294967295\n";
constexpr const char* kContainer = "         0     100000      65536\n";

TEST(CounterAccess, IsTheDriversSettingAndTheUsersRights) {
  EXPECT_EQ(counter_access(kParams, kRootStatus, kWholeSystem), CounterAccess::this_administrator);
  EXPECT_EQ(counter_access(kParams, kStudent, kWholeSystem), CounterAccess::administrators_only);
  EXPECT_EQ(counter_access("RmProfilingAdminOnly: 0\n", kStudent, kWholeSystem),
            CounterAccess::every_user);
}

TEST(CounterAccess, OfAContainersRootIsUnknown) {
  EXPECT_EQ(counter_access(kParams, kRootStatus, kContainer), CounterAccess::unknown);
  EXPECT_EQ(counter_access(kParams, kStudent, kContainer), CounterAccess::administrators_only);
}

TEST(CounterAccess, IsUnknownIfTheSystemDoesNotSay) {
  EXPECT_EQ(counter_access("", kRootStatus, kWholeSystem), CounterAccess::unknown);
  EXPECT_EQ(counter_access("RmProfilingAdminOnlyX: 0\n", kRootStatus, kWholeSystem),
            CounterAccess::unknown);
  EXPECT_EQ(counter_access(kParams, "", ""), CounterAccess::unknown);
}

GpuDevice h200() {
  GpuDevice device;
  device.uuid = "GPU-8a3f0000-0000-0000-0000-000000000001";
  device.profile.name = "NVIDIA H200";
  device.profile.l2_bytes = 62914560;
  device.profile.clock_mhz = 1980;
  device.profile.memory_gb_per_s = 4917.0;
  device.memory_bytes = 150'110'011'392;
  device.memory_bus_bits = 6144;
  device.driver = "580.159.04";
  device.cuda_driver = "13.0";
  device.cuda_runtime = "13.0";
  return device;
}

TEST(GpuLines, ShowEachCardThenTheDriver) {
  GpuDevice second = h200();
  second.index = 1;
  second.profile.name = "Tesla T4";
  second.profile.compute_capability = 75;
  second.profile.clock_mhz = 0;
  second.profile.memory_gb_per_s = 0;
  second.profile.shared_bytes_per_sm = 65000;
  second.memory_bus_bits = 0;
  EXPECT_THAT(
      gpu_lines(std::vector{h200(), second}, CounterAccess::every_user),
      ElementsAre(
          "0: NVIDIA H200, compute capability 9.0, 132 multiprocessors, "
          "GPU-8a3f0000-0000-0000-0000-000000000001",
          "   139.8 GiB of memory, 6144 bits wide, 4917 GB/s, 60 MiB of L2, clock up to 1980 MHz",
          "   a block: at most 1024 threads (1024 x 1024 x 64), 48 KiB of shared memory, 227 KiB "
          "by opt-in",
          "   a multiprocessor: at most 2048 threads, 32 blocks, 65536 registers, 228 KiB of "
          "shared memory",
          "1: Tesla T4, compute capability 7.5, 132 multiprocessors, "
          "GPU-8a3f0000-0000-0000-0000-000000000001",
          "   139.8 GiB of memory, 60 MiB of L2",
          "   a block: at most 1024 threads (1024 x 1024 x 64), 48 KiB of shared memory, 227 KiB "
          "by opt-in",
          "   a multiprocessor: at most 2048 threads, 32 blocks, 65536 registers, 63.5 KiB of "
          "shared memory",
          "driver 580.159.04, runs CUDA up to 13.0; this program was built with CUDA 13.0",
          "performance counters: may be read by every user"));
}

TEST(GpuLines, OfADriverWithoutAVersionSaySo) {
  GpuDevice device = h200();
  device.driver.clear();
  const auto lines = gpu_lines(std::vector{device}, CounterAccess::unknown);
  EXPECT_THAT(lines.at(4), HasSubstr("driver of unknown version, runs CUDA up to 13.0"));
  EXPECT_EQ(lines.at(5),
            "performance counters: unknown whether this user may read them; `ncu` says "
            "ERR_NVGPUCTRPERM if not");
}

TEST(GpuLines, SayHowToGetCounters) {
  EXPECT_THAT(gpu_lines(std::vector{h200()}, CounterAccess::administrators_only).back(),
              HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(gpu_lines(std::vector{h200()}, CounterAccess::this_administrator).back(),
              HasSubstr("such as this user"));
}

TEST(GpuLines, WithoutAGpuGiveTheReason) {
  EXPECT_THAT(gpu_lines(Error{.message = "the NVIDIA driver sees no GPU"}, CounterAccess::unknown),
              ElementsAre("none: the NVIDIA driver sees no GPU", "points for time are deferred"));
}

TEST(NvccVersion, IsTheNumberBehindTheV) {
  EXPECT_EQ(nvcc_version_in("Cuda compilation tools, release 13.0, V13.0.88\nBuild cuda_13.0\n"),
            "13.0.88");
  EXPECT_EQ(nvcc_version_in("no such program"), "");
}

TEST(Doctor, HasALineForEachPart) {
  const TestFolder folder;
  const ProgramResult result = run_program(folder, {"doctor"});
  for (const char* part : {"\nsimulator ", "\ndevices ", "\ngpu ", "\nnvcc ", "\nisolation ",
                           "\nexecutes in ", "\ncompiles in "}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
}

}  // namespace
}  // namespace tessera
