#include "grader/simulator/timing/timing_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "grader/simulator/testing/heap_calls.h"
#include "grader/simulator/testing/product_times.h"
#include "grader/simulator/testing/ptx_program.h"
#include "grader/simulator/timing/sample.h"
#include "grader/simulator/timing/timing.h"

namespace tessera {
namespace {

using testing::ProductModel;
using testing::ProductTime;

TEST(BlocksToSample, AreDrawnFromTheInsideOfTheGrid) {
  for (const Dim3 grid : {Dim3{1, 1, 1}, Dim3{2, 1, 1}, Dim3{1, 3, 1}, Dim3{5, 4, 3}}) {
    for (std::uint64_t key = 0; key < 100; ++key) {
      std::vector<std::uint64_t> blocks = sim::blocks_to_sample(grid, key);
      ASSERT_FALSE(blocks.empty());
      const std::uint64_t first = blocks[0];
      if (grid.x > 1) {
        EXPECT_EQ(std::ranges::count(blocks, first + 1), 1);
      }
      if (grid.y > 1) {
        EXPECT_EQ(std::ranges::count(blocks, first + grid.x), 1);
      }
      std::ranges::sort(blocks);
      EXPECT_LT(blocks.back(), grid.count());
      EXPECT_EQ(std::ranges::adjacent_find(blocks), blocks.end());
    }
  }
  std::set<std::uint64_t> drawn;
  for (std::uint64_t key = 0; key < 100; ++key)
    drawn.insert(sim::blocks_to_sample({1000, 1, 1}, key)[0]);
  EXPECT_GT(drawn.size(), 80u);
  EXPECT_GE(*drawn.begin(), 1u);
  EXPECT_LT(*drawn.begin(), 100u);
  EXPECT_GT(*drawn.rbegin(), 900u);
  EXPECT_LE(*drawn.rbegin(), 997u);
}

/// A device with round numbers: 10 multiprocessors, 1 GHz.
DeviceProfile round_device() {
  DeviceProfile device;
  device.multiprocessors = 10;
  device.clock_mhz = 1000;
  device.memory_gb_per_s = 1000;
  device.l2_bytes = 1 << 20;
  return device;
}

LaunchCounters counters_of(InstructionClass kind, double instructions) {
  LaunchCounters counters;
  counters.instructions[static_cast<std::size_t>(kind)] = instructions;
  return counters;
}

constexpr LaunchShape kFull{{80, 1, 1}, {256, 1, 1}, 0};  // one round of 8 blocks each

TEST(TimingModel, FourWarpInstructionsACycle) {
  const auto counters = counters_of(InstructionClass::integer, 4e7);  // 1e6 cycles each
  const ModelledTime time = modelled_time(kFull, counters, 32, 0, round_device());
  EXPECT_DOUBLE_EQ(time.issue, 1.0);
  EXPECT_NEAR(time.total, 1.0 + time.launch, 1e-9);
  EXPECT_EQ(time.limited_by, "issue slots and arithmetic");
}

TEST(TimingModel, HalfTheLanesTakeTwiceAsLong) {
  DeviceProfile device = round_device();
  device.fp32_lanes_per_sm = 64;
  const auto counters = counters_of(InstructionClass::fp32, 4e7);
  EXPECT_DOUBLE_EQ(modelled_time(kFull, counters, 32, 0, device).issue, 2.0);
}

TEST(TimingModel, TensorCoresTakeTheirTime) {
  DeviceProfile device = round_device();
  device.compute_capability = 80;  // 1024 multiply-adds a cycle
  LaunchCounters counters = counters_of(InstructionClass::tensor, 1000);
  counters.tensor_work = 1024 * 1e7;
  EXPECT_DOUBLE_EQ(modelled_time(kFull, counters, 32, 0, device).issue, 1.0);
  device.compute_capability = 90;  // 0.6 of 2048 without wgmma
  EXPECT_DOUBLE_EQ(modelled_time(kFull, counters, 32, 0, device).issue, 1 / 1.2);
}

TEST(TimingModel, LinesAndWavefrontsShareOnePipe) {
  LaunchCounters counters;
  counters.global_lines = 1e7;
  counters.shared_wavefronts = 2e7;
  const ModelledTime time = modelled_time(kFull, counters, 32, 0, round_device());
  EXPECT_NEAR(time.total, 3.0 + time.launch, 1e-9);
  EXPECT_EQ(time.limited_by, "wavefronts of shared or constant memory");
}

TEST(TimingModel, OneMoreBlockThanFitsIsAnotherRound) {
  LaunchCounters counters;
  counters.wait = {1e6, 1e6};
  LaunchShape shape = kFull;
  EXPECT_EQ(modelled_time(shape, counters, 32, 0, round_device()).rounds, 1u);
  shape.grid.x = 81;
  const ModelledTime time = modelled_time(shape, counters, 32, 0, round_device());
  EXPECT_EQ(time.rounds, 2u);
  EXPECT_NEAR(time.total, 2.0 + time.launch, 1e-9);
}

TEST(TimingModel, MoreBlocksAtOnceHideTheWaitsOfEach) {
  LaunchCounters counters;
  counters.barriers = true;
  counters.global_lines = 1e7;  // 1 ms in all
  counters.wait = {1e5, 1e5};   // 0.1 ms per block
  const double many = modelled_time(kFull, counters, 32, 0, round_device()).total;
  const double few = modelled_time(kFull, counters, 255, 0, round_device()).total;
  EXPECT_NEAR(many, 1.0 + 0.1 / 8 + 0.0025, 1e-9);
  EXPECT_NEAR(few, 1.0 + 8 * 0.1 + 0.0025, 1e-9);  // one block at a time
}

TEST(TimingModel, WhatFitsInL2IsLoadedFromDramOnce) {
  LaunchCounters counters;
  counters.loaded_sectors = 8e5;
  counters.shared_along_x = 8e5;  // every block loads the same 1e4 sectors
  DeviceProfile device = round_device();
  const double once = modelled_time(kFull, counters, 32, 0, device).dram;
  EXPECT_NEAR(once, 1e4 * 32 / (0.9 * 1e9), 1e-9);
  device.l2_bytes = 1 << 10;  // as fast: there is still one round, whose blocks run together
  EXPECT_NEAR(modelled_time(kFull, counters, 32, 0, device).dram, once, 1e-9);
}

TEST(TimingModel, IfNoBlockFitsThereIsNoTime) {
  EXPECT_EQ(modelled_time(kFull, {}, 32, std::uint64_t{1} << 20, round_device()).total, 0);
}

// ---- passes of shared memory, as counted on an H200

std::array<std::uint64_t, sim::kLanes> addresses(std::uint64_t (*of)(std::uint64_t lane)) {
  std::array<std::uint64_t, sim::kLanes> result{};
  for (unsigned lane = 0; lane < sim::kLanes; ++lane) result[lane] = of(lane);
  return result;
}

TEST(SharedPasses, WordsOfOneBankTakeTurns) {
  const auto column = addresses([](std::uint64_t lane) { return lane % 16 * 64; });
  EXPECT_EQ(sim::shared_passes(column, sim::kAllLanes, 4), 8u);
}

TEST(SharedPasses, SixteenBytesPerLaneTakeFourPasses) {
  const auto row = addresses([](std::uint64_t lane) { return lane * 16; });
  EXPECT_EQ(sim::shared_passes(row, sim::kAllLanes, 16), 4u);
}

TEST(SharedPasses, BroadcastsOfSixteenBytesShareAPass) {
  const auto two_rows = addresses([](std::uint64_t lane) { return lane / 16 * 64; });
  EXPECT_EQ(sim::shared_passes(two_rows, sim::kAllLanes, 16), 2u);
}

// ---- accesses of a sampled block

TEST(SampledAccess, CountsEachLaneOfAGenericAddressInItsOwnMemory) {
  for (const char* first_half : {"%rd1, %rd2", "%rd2, %rd1"}) {
    SCOPED_TRACE(first_half);
    // Half of the lanes have words of one bank, the others words of different sectors.
    test::PtxProgram program(
        ".shared .align 16 .b8 tile[4096]; mov.u64 %rd2, tile; cvta.shared.u64 %rd2, %rd2; "
        "mad.wide.u32 %rd2, %index, 128, %rd2; mad.wide.u32 %rd1, %index, 32, %data; "
        "setp.lt.u32 %p0, %index, 16; selp.b64 %rd0, " +
        std::string(first_half) + ", %p0; st.u32 [%rd0], 1; ld.u32 %r0, [%rd0];");
    program.buffer("data", std::vector<std::uint32_t>(256));
    const std::optional<LaunchCounters> counters = program.sample();
    ASSERT_TRUE(counters);
    EXPECT_EQ(counters->shared_wavefronts, 2 * 16);
    EXPECT_EQ(counters->global_lines, 2 * 16 / 4);
    EXPECT_EQ(counters->loaded_sectors, 16);
    EXPECT_EQ(counters->stored_sectors, 16);
  }
}

TEST(SampledAccess, FragmentsAreLoadedInPieces) {
  test::PtxProgram program(
      ".shared .align 32 .b8 tile[512]; .reg .b32 %a<4>; .reg .b32 %c<8>; mov.u64 %rd1, tile;"
      "mad.wide.u32 %rd2, %index, 16, %rd1; st.shared.u64 [%rd2], 0; st.shared.u64 [%rd2+8], 0;"
      "bar.sync 0;"
      "wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%a0, %a1, %a2, %a3}, [%data], 16;"
      "wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%a0, %a1, %a2, %a3}, [%rd1], 16;"
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%a0, %a1}, [%rd2];");
  program.buffer("data", std::vector<std::uint32_t>(256));
  const std::optional<LaunchCounters> counters = program.sample();
  ASSERT_TRUE(counters);
  const auto memory = counters->instructions[static_cast<std::size_t>(InstructionClass::memory)];
  EXPECT_EQ(memory, 2 + 4 + 1 + 1);
  // Two stores of 8 bytes every 16; four matrices whose rows are 32 bytes apart; two with 16.
  EXPECT_EQ(counters->shared_wavefronts, 2 * 4 + 4 * 2 + 2);
  EXPECT_EQ(counters->loaded_sectors, 512 / 32);
  EXPECT_EQ(counters->tensor_work, 0);
}

TEST(SampledAccess, ProductsOfMatricesAreCounted) {
  const std::string sums = "{%f0, %f1, %f2, %f3}";
  test::PtxProgram program(
      ".reg .b32 %a<4>; .reg .b32 %b<2>; mov.b32 %a0, 0; mov.b32 %a1, 0;"
      "mov.b32 %a2, 0; mov.b32 %a3, 0; mov.b32 %b0, 0; mov.b32 %b1, 0; mov.f32 %f0, 0f00000000;"
      "mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;"
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " +
      sums + ", {%a0, %a1, %a2, %a3}, {%b0, %b1}, " + sums +
      "; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " + sums +
      ", {%a0, %a1, %a2, %a3}, {%b0, %b1}, " + sums + ";");
  program.buffer("data", std::vector<std::uint32_t>(32));
  const std::optional<LaunchCounters> counters = program.sample();
  ASSERT_TRUE(counters);
  EXPECT_EQ(counters->instructions[static_cast<std::size_t>(InstructionClass::tensor)], 2);
  EXPECT_EQ(counters->tensor_work, 2048 + 2 * 1024);
  EXPECT_GE(counters->wait.from_l2, sim::kTensorLatency);  // the second waits for the first
}

TEST(SampledAccess, ABlockOfTheHeapMayBeFreedAndForgotten) {
  const std::string store = "st.global.u32 [%rd0], 1;";
  test::PtxProgram program(test::allocated("64") + store + test::freed() +
                               "mov.u32 %r1, 0; MANY:" + test::allocated("16") + test::freed() +
                               "add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 65540; @%p0 bra MANY;" +
                               test::allocated("8192") + store + "st.global.u32 [%rd0+8160], 1;",
                           test::kHeapScope);
  program.shape.block = {1, 1, 1};
  EXPECT_FALSE(program.sample());  // its time is not known; AddressSanitizer sees a write past bits
}

TEST(SampledAccess, LoadsOfConstantMemoryTakeTwoPassesForEachAddress) {
  const std::pair<const char*, int> cases[] = {
      {"mov.u64 %rd1, table; mad.wide.u32 %rd1, %index, 4, %rd1; ld.const.u32 %r0, [%rd1];", 64},
      {"mov.u64 %rd1, table; ld.const.u32 %r0, [%rd1+8];", 2},
      {"ld.const.u32 %r0, [table+8];", 0}};  // ptxas makes it an operand
  for (const auto& [load, passes] : cases) {
    test::PtxProgram program(load, ".const .align 4 .b8 table[128];\n");
    const std::optional<LaunchCounters> counters = program.sample();
    ASSERT_TRUE(counters);
    EXPECT_EQ(counters->shared_wavefronts, passes) << load;
  }
}

TEST(SampledBlocks, HaveNoCountersIfTheirTimeIsNotKnownOrTheyMakeAMistake) {
  const auto is_sampled = [](const std::string& body) {
    test::PtxProgram program(
        body,
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
        ".global .align 1 .b8 text[2] = {65, 0};\n");
    program.buffer("data", std::vector<std::uint32_t>(32));
    return program.sample().has_value();
  };
  EXPECT_TRUE(is_sampled("ld.global.u32 %r0, [%data_at];"));
  EXPECT_FALSE(is_sampled("nanosleep.u32 1000;"));
  EXPECT_FALSE(is_sampled("membar.gl;"));
  EXPECT_FALSE(is_sampled("fence.acq_rel.gpu;"));
  EXPECT_FALSE(is_sampled("ld.global.u32 %r0, [%data_at+128];"));
  EXPECT_FALSE(is_sampled(
      "{ .param .b64 f; .param .b64 v; .param .b32 r; mov.u64 %rd0, text; cvta.global.u64 %rd0, "
      "%rd0; st.param.b64 [f], %rd0; mov.u64 %rd1, 0; st.param.b64 [v], %rd1; call.uni (r), "
      "vprintf, (f, v); }"));
}

TEST(SampledBlocks, HaveNoCountersIfTheirThreadsRace) {
  const auto is_sampled = [](const std::string& address) {
    test::PtxProgram program(
        "mov.u32 %r0, %tid.x; mad.lo.u32 %r1, %r0, 4, tile; st.shared.u32 [" + address + "], %r0;",
        ".shared .align 4 .u32 tile[64];\n");
    program.shape = {.grid = {100, 100, 1}, .block = {64, 1, 1}};
    return program.sample().has_value();
  };
  EXPECT_TRUE(is_sampled("%r1"));
  EXPECT_FALSE(is_sampled("tile"));
}

TEST(SampledBlocks, HaveNoCountersIfTheyReadWhatOtherBlocksWrite) {
  const auto is_sampled = [](const std::string& body) {
    test::PtxProgram program(body, ".global .align 4 .u32 count;\n");
    const std::vector<std::uint32_t> results(64);
    BufferInfo out;
    out.name = "out";
    out.initialized = false;
    program.add_buffer(out, std::as_bytes(std::span(results)));
    program.shape = {.grid = {100, 1, 1}, .block = {32, 1, 1}};
    return program.sample().has_value();
  };
  const std::string own =
      "mov.u32 %r1, %ctaid.x; and.b32 %r1, %r1, 1;"
      "mad.wide.u32 %rd1, %r1, 128, %out; mad.wide.u32 %rd1, %laneid, 4, %rd1;";
  EXPECT_TRUE(is_sampled(own + "st.global.u32 [%rd1], 1;"));
  EXPECT_TRUE(is_sampled(own + "st.global.u32 [%rd1], 1; ld.global.u32 %r0, [%rd1];"));
  EXPECT_FALSE(is_sampled(own + "ld.global.u32 %r0, [%rd1]; st.global.u32 [%rd1], 1;"));
  EXPECT_FALSE(is_sampled("ld.global.u32 %r0, [count];"));
  EXPECT_TRUE(is_sampled("st.global.u32 [count], 1;"));
  EXPECT_FALSE(is_sampled("atom.global.add.u32 %r0, [count], 1;"));
  EXPECT_FALSE(
      is_sampled("mov.u32 %r0, %ctaid.x; setp.eq.u32 %p0, %r0, 0; "
                 "@%p0 st.global.u32 [count], 1; @!%p0 ld.global.u32 %r0, [count];"));
}

TEST(SampledBlocks, AreOfAllPartsOfTheGrid) {
  for (const Dim3 grid : {Dim3{64, 1, 2}, Dim3{2, 2, 32}, Dim3{8, 1, 1}, Dim3{3, 1, 1}}) {
    std::set<std::uint64_t> parts;
    for (const std::uint64_t block : sim::blocks_to_sample(grid, 7))
      parts.insert(block * 4 / grid.count());
    EXPECT_EQ(parts.size(), std::min<std::uint64_t>(4, grid.count())) << grid.count();
  }
}

TEST(SampledBlocks, OfTheGridsEdgeAreWaitedForAndStandForNoOthers) {
  const auto device = load_device_profile("nvidia-h200", TESSERA_SOURCE_DIR "/common/devices");
  ASSERT_TRUE(device);
  const auto time = [&](const std::string& busy_block) {
    test::PtxProgram program("mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r1, " + busy_block +
                             "; @%p0 bra END; mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; "
                             "setp.lt.u32 %p1, %r0, 100000; @%p1 bra LOOP; END:");
    program.shape = {.grid = {5000, 1, 1}, .block = {32, 1, 1}};
    const std::optional<LaunchCounters> counters = program.sample();
    return modelled_time(program.shape, counters.value(), 32, 0, *device);
  };
  const ModelledTime none = time("5000"), first = time("0"), last = time("4999");
  EXPECT_EQ(first.issue, none.issue);
  EXPECT_EQ(last.issue, none.issue);
  EXPECT_GT(first.total, 20 * none.total);
  EXPECT_EQ(first.total, last.total);
  EXPECT_EQ(first.limited_by,
            "the first or the last block, which takes longer than all others together");
}

// ---- measured times

/// How much longer a stencil of 2^22 elements took on an H200 with 33 of the instruction a thread.
struct InstructionTime {
  const char* instruction;
  double ms;
};

TEST(InstructionTimes, AreWithinAFactorOfOneAndAHalf) {
  const auto device = load_device_profile("nvidia-h200", TESSERA_SOURCE_DIR "/common/devices");
  ASSERT_TRUE(device);
  const InstructionTime times[] = {
      {"ld.const.u32 %r0, [%rd1];", 1.043},
      {"ld.const.u32 %r0, [%rd2];", 0.031},  // all lanes read one word
      {"rem.u32 %r0, %r1, %r2;", 0.106},     // 0.038 if all divide by one number; signed: 0.134
      {"rem.u64 %rd0, %rd1, %rd2;", 0.558},
      {"div.rn.f32 %f0, %f1, %f2;", 0.056},  // 0.227 if all dividends are 0
      {"sqrt.rn.f32 %f0, %f1;", 0.050},
      {"rcp.rn.f32 %f0, %f1;", 0.038},
      {"div.rn.f64 %fd0, %fd1, %fd2;", 0.052}};
  for (const auto& [instruction, ms] : times) {
    std::string body =
        "mov.u64 %rd2, table; mad.wide.u32 %rd1, %laneid, 4, %rd2; mov.u32 %r1, 9; mov.u32 %r2, 7; "
        "mov.f32 %f1, 0f40400000; mov.f32 %f2, %f1; cvt.f64.f32 %fd1, %f1; mov.f64 %fd2, %fd1; ";
    for (int i = 0; i < 33; ++i) body += instruction;
    test::PtxProgram program(body, ".const .align 4 .b8 table[128];\n");
    program.shape = {.grid = {1 << 14, 1, 1}, .block = {256, 1, 1}};
    const std::optional<LaunchCounters> counters = program.sample();
    ASSERT_TRUE(counters);
    const ModelledTime time = modelled_time(program.shape, *counters, 32, 0, *device);
    EXPECT_GT((time.total - time.launch) / ms, 1 / 1.5) << instruction;
    EXPECT_LT((time.total - time.launch) / ms, 1.5) << instruction;
  }
}

class MeasuredTimes : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { model = new ProductModel("nvidia-h200"); }
  static void TearDownTestSuite() { delete model; }

  static inline const ProductModel* model = nullptr;
};

TEST_F(MeasuredTimes, OfTheCalibrationAreRankedAndWithinAFactorOfTwo) {
  std::vector<double> measured, modelled;
  for (const ProductTime& product : testing::calibration_times()) {
    measured.push_back(product.ms);
    modelled.push_back(model->time(product).total);
    EXPECT_GT(modelled.back() / product.ms, 0.5) << product.kernel;
    EXPECT_LT(modelled.back() / product.ms, 2.0) << product.kernel;
  }
  EXPECT_GE(testing::rank_correlation(measured, modelled), 0.9);
}

TEST_F(MeasuredTimes, OfOtherKernelsAndSizesAreWithinAFactorOfTwo) {
  for (const ProductTime& product : testing::validation_times()) {
    if (product.n > 512) continue;  // for the others see the table in README.md
    const double ratio = model->time(product).total / product.ms;
    EXPECT_GT(ratio, 0.5) << product.kernel << " " << product.n;
    EXPECT_LT(ratio, 2.0) << product.kernel << " " << product.n;
  }
}

TEST_F(MeasuredTimes, AreModelledTheSameEveryTime) {
  const ProductTime product{"cr_16", 512, 0};
  EXPECT_EQ(model->time(product).total, model->time(product).total);
}

}  // namespace
}  // namespace tessera
