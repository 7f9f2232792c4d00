// Counters: sectors of global memory, wavefronts and conflicts of shared memory; nothing depends on
// the number of host threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "grader/simulator/check/shared_flow.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

/// Returns the metrics of one launch of `body` with a buffer `data` of 64 KiB.
Metrics metrics_of(const std::string& body, Dim3 block = {32, 1, 1}, Dim3 grid = {},
                   const std::string& scope = "", bool load_use = false) {
  PtxProgram program(body, scope);
  program.load_use = load_use;
  program.shape.block = block;
  program.shape.grid = grid;
  program.buffer("data", std::vector<std::uint32_t>(16384, 0));
  RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  return result.metrics;
}

struct GlobalCase {
  const char* what;
  std::string address;  // sets %rd0 for each lane
  const char* load;
  const char* store;
  double sectors;
};

std::string element(int bytes, const std::string& index = "%index") {
  return fmt::format("mad.wide.u32 %rd0, {}, {}, %data;", index, bytes);
}

TEST(GlobalSectors, FollowTheAccessPattern) {
  const char* const load4 = "ld.global.f32 %f0, [%rd0];";
  const char* const store4 = "st.global.f32 [%rd0], 0f00000000;";
  const char* const load8 = "ld.global.v2.f32 {%f0, %f1}, [%rd0];";
  const char* const store8 = "st.global.v2.f32 [%rd0], {%f0, %f1};";
  const char* const load16 = "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];";
  const char* const store16 = "st.global.v4.f32 [%rd0], {%f0, %f1, %f2, %f3};";
  const std::vector<GlobalCase> cases = {
      {"consecutive words", element(4), load4, store4, 4},
      {"words backwards", "sub.u32 %r0, 31, %index; " + element(4, "%r0"), load4, store4, 4},
      {"every second word", element(8), load4, store4, 8},
      {"every eighth word", element(32), load4, store4, 32},
      {"a column of 1 KiB rows", element(1024), load4, store4, 32},
      {"one word off", element(4) + " add.u64 %rd0, %rd0, 4;", load4, store4, 5},
      {"one sector off", element(4) + " add.u64 %rd0, %rd0, 32;", load4, store4, 4},
      {"a broadcast", "mov.u64 %rd0, %data;", load4, nullptr, 1},
      {"two rows of sixteen",
       "and.b32 %r0, %index, 15; shr.u32 %r1, %index, 4; mad.lo.u32 %r0, %r1, 256, %r0; " +
           element(4, "%r0"),
       load4, store4, 4},
      {"bytes", element(1), "ld.global.u8 %r0, [%rd0];", "st.global.u8 [%rd0], 1;", 1},
      {"half words", element(2), "ld.global.u16 %r0, [%rd0];", "st.global.u16 [%rd0], %r0;", 2},
      {"consecutive 8 bytes", element(8), load8, store8, 8},
      {"consecutive doubles", element(8), "ld.global.f64 %fd0, [%rd0];",
       "st.global.f64 [%rd0], %fd0;", 8},
      {"8 bytes, every second", element(16), load8, store8, 16},
      {"8 bytes, one element off", element(8) + " add.u64 %rd0, %rd0, 8;", load8, store8, 9},
      {"consecutive 16 bytes", element(16), load16, store16, 16},
      {"16 bytes, every second", element(32), load16, store16, 32},
      {"16 bytes broadcast", "mov.u64 %rd0, %data;", load16, nullptr, 1},
      {"16 bytes, half a sector off", element(16) + " add.u64 %rd0, %rd0, 16;", load16, store16,
       17},
      {"half the lanes",
       element(4) + " and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 0; @!%p0 bra END;", load4,
       store4, 4},
      {"the first nine lanes", element(4) + " setp.lt.u32 %p0, %index, 9; @!%p0 bra END;", load4,
       store4, 2},
      {"one lane", element(4) + " setp.eq.u32 %p0, %index, 30; @!%p0 bra END;", load4, store4, 1},
  };
  for (const GlobalCase& test : cases) {
    SCOPED_TRACE(test.what);
    Metrics loads = metrics_of(test.address + " mov.f32 %f0, 0f00000000; " + test.load + " END:");
    EXPECT_EQ(loads[Metric::global_load_requests], 1);
    EXPECT_EQ(loads[Metric::global_load_sectors], test.sectors);
    EXPECT_EQ(loads[Metric::global_load_sectors_per_request], test.sectors);
    EXPECT_EQ(loads[Metric::global_store_requests], 0);
    EXPECT_FALSE(loads.contains(Metric::global_store_sectors_per_request));
    if (test.store == nullptr) continue;
    Metrics stores = metrics_of(test.address + " mov.u32 %r0, 0; mov.f32 %f0, 0f00000000; " +
                                test.store + " END:");
    EXPECT_EQ(stores[Metric::global_store_requests], 1);
    EXPECT_EQ(stores[Metric::global_store_sectors], test.sectors);
    EXPECT_EQ(stores[Metric::global_load_requests], 0);
  }
}

TEST(CacheLines, AreTheAlignedPiecesOf128BytesOfEachRequest) {
  const std::string load = "ld.global.f32 %f0, [%rd0];";
  const std::string wide = "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];";
  const auto lines = [](const std::string& body) {
    return metrics_of(body)[Metric::global_load_cache_lines];
  };
  EXPECT_EQ(lines(element(4) + load), 1);
  EXPECT_EQ(lines(element(4) + load + load), 2);
  EXPECT_EQ(lines(element(4) + " add.u64 %rd0, %rd0, 32;" + load), 2);
  EXPECT_EQ(lines(element(8) + load), 2);
  EXPECT_EQ(lines(element(16) + wide), 4);
  EXPECT_EQ(lines(element(1024) + load), 32);
  // Four rows of eight, whose sectors are full.
  const std::string rows =
      "and.b32 %r0, %index, 7; shr.u32 %r1, %index, 3;"
      "mad.lo.u32 %r0, %r1, 256, %r0; ";
  EXPECT_EQ(lines(rows + element(4, "%r0") + load), 4);
  Metrics stored =
      metrics_of(element(8) + "st.global.u32 [%rd0], 1; red.global.add.u32 [%rd0], 1;");
  EXPECT_EQ(stored[Metric::global_store_cache_lines], 2);
  EXPECT_EQ(stored[Metric::global_atomic_cache_lines], 2);
  EXPECT_EQ(stored[Metric::global_load_cache_lines], 0);
}

TEST(GlobalSectors, GuardsAndGenericAddressesCountTheSame) {
  Metrics guarded = metrics_of("setp.lt.u32 %p0, %index, 9; @%p0 ld.global.u32 %r0, [%data_at];");
  EXPECT_EQ(guarded[Metric::global_load_requests], 1);
  EXPECT_EQ(guarded[Metric::global_load_sectors], 2);
  Metrics off = metrics_of("setp.gt.u32 %p0, %index, 99; @%p0 ld.global.u32 %r0, [%data_at];");
  EXPECT_EQ(off[Metric::global_load_requests], 0);
  EXPECT_EQ(off[Metric::global_load_sectors], 0);
  EXPECT_FALSE(off.contains(Metric::global_load_sectors_per_request));
  Metrics generic = metrics_of("ld.u32 %r0, [%data_at]; st.u32 [%data_at], %r0;");
  EXPECT_EQ(generic[Metric::global_load_requests], 1);
  EXPECT_EQ(generic[Metric::global_load_sectors], 4);
  EXPECT_EQ(generic[Metric::global_store_sectors], 4);
}

TEST(GenericAccesses, CountEachLaneInItsOwnMemory) {
  for (const char* first_half : {"%rd1, %rd2", "%rd2, %rd1"}) {
    SCOPED_TRACE(first_half);
    Metrics metrics = metrics_of(
        ".shared .align 16 .b8 tile[4096]; mov.u64 %rd2, tile; cvta.shared.u64 %rd2, %rd2; "
        "mad.wide.u32 %rd2, %index, 128, %rd2; mad.wide.u32 %rd1, %index, 32, %data; "
        "setp.lt.u32 %p0, %index, 16; selp.b64 %rd0, " +
        std::string(first_half) +
        ", %p0; st.u32 [%rd0], 1; ld.u32 %r0, [%rd0]; red.add.u32 [%rd0], 1;");
    EXPECT_EQ(metrics[Metric::global_load_requests], 1);
    EXPECT_EQ(metrics[Metric::global_load_sectors], 16);
    EXPECT_EQ(metrics[Metric::global_load_bytes], 2 * 16 * 4);  // atomics load too
    EXPECT_EQ(metrics[Metric::global_store_sectors], 16);
    EXPECT_EQ(metrics[Metric::global_atomic_sectors], 16);
    EXPECT_EQ(metrics[Metric::shared_load_requests], 1);
    EXPECT_EQ(metrics[Metric::shared_load_wavefronts], 16);
    EXPECT_EQ(metrics[Metric::shared_store_wavefronts], 16);
    EXPECT_EQ(metrics[Metric::shared_atomic_wavefronts], 16);
  }
}

TEST(GlobalSectors, AddUpOverWarpsAndBlocks) {
  Metrics metrics = metrics_of("ld.global.u32 %r0, [%data_at]; ld.global.u32 %r0, [%data];",
                               {72, 1, 1}, {5, 1, 1});
  EXPECT_EQ(metrics[Metric::global_load_requests], 2 * 3 * 5);
  // 72 lanes: 4 + 4 + 1 sectors, and one broadcast per warp.
  EXPECT_EQ(metrics[Metric::global_load_sectors], 5 * (4 + 4 + 1 + 3));
}

TEST(GlobalSectors, DivergentHalvesAreTwoRequests) {
  Metrics metrics = metrics_of(
      "and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 0; @%p0 bra EVEN; ld.global.u32 %r0, "
      "[%data_at]; bra END; EVEN: ld.global.u32 %r0, [%data_at]; END:");
  EXPECT_EQ(metrics[Metric::global_load_requests], 2);
  EXPECT_EQ(metrics[Metric::global_load_sectors], 8);
}

TEST(GlobalSectors, ExcessIsWhatTheAccessDoesNotNeed) {
  struct ExcessCase {
    const char* what;
    std::string address;
    const char* load;
    double sectors;
    double excess;
  };
  const char* const load4 = "ld.global.f32 %f0, [%rd0];";
  const char* const load16 = "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];";
  const std::vector<ExcessCase> cases = {
      {"consecutive words", element(4), load4, 4, 0},
      {"consecutive 16 bytes", element(16), load16, 16, 0},
      // Data that does not begin at a sector takes one more, however it is loaded.
      {"one word off", element(4) + " add.u64 %rd0, %rd0, 4;", load4, 5, 0},
      {"16 bytes, half a sector off", element(16) + " add.u64 %rd0, %rd0, 16;", load16, 17, 0},
      {"a broadcast", "mov.u64 %rd0, %data;", load4, 1, 0},
      {"every second word", element(8), load4, 8, 4},
      {"every second word, one off", element(8) + " add.u64 %rd0, %rd0, 4;", load4, 8, 3},
      {"a column of 1 KiB rows", element(1024), load4, 32, 28},
      {"one lane", element(4) + " setp.eq.u32 %p0, %index, 30; @!%p0 bra END;", load4, 1, 0},
  };
  for (const ExcessCase& test : cases) {
    SCOPED_TRACE(test.what);
    Metrics metrics = metrics_of(test.address + test.load + " END:");
    EXPECT_EQ(metrics[Metric::global_load_sectors], test.sectors);
    EXPECT_EQ(metrics[Metric::global_load_excess_sectors], test.excess);
    EXPECT_EQ(metrics[Metric::global_store_excess_sectors], 0);
  }
}

TEST(Atomics, AreCountedByThemselves) {
  Metrics global =
      metrics_of(element(1024) +
                 " atom.global.add.f32 %f0, [%rd0], 0f00000000; red.global.add.u32 [%data], 1;");
  EXPECT_EQ(global[Metric::global_atomic_requests], 2);
  EXPECT_EQ(global[Metric::global_atomic_sectors], 32 + 1);
  EXPECT_EQ(global[Metric::global_atomic_excess_sectors], 28);
  EXPECT_EQ(global[Metric::global_load_requests], 0);
  EXPECT_EQ(global[Metric::global_store_requests], 0);
  Metrics shared = metrics_of(
      ".shared .align 16 .b8 tile[8192]; mov.u32 %r1, tile; mad.lo.u32 %r0, %index, 8, %r1; "
      "st.shared.u32 [%r0], 0; atom.shared.exch.b32 %r2, [%r0], 1;");
  EXPECT_EQ(shared[Metric::shared_atomic_requests], 1);
  EXPECT_EQ(shared[Metric::shared_atomic_wavefronts], 2);
  EXPECT_EQ(shared[Metric::shared_atomic_bank_conflicts], 1);
  EXPECT_EQ(shared[Metric::shared_store_requests], 1);
  EXPECT_EQ(shared[Metric::shared_load_requests], 0);
}

TEST(Atomics, GuardsAndGenericAddressesCountTheSame) {
  Metrics metrics = metrics_of(
      ".shared .align 16 .b8 tile[128]; mov.u64 %rd1, tile; cvta.shared.u64 %rd1, %rd1; "
      "atom.add.u32 %r0, [%rd1], 1; red.add.u32 [%data_at], 1; "
      "setp.gt.u32 %p0, %index, 99; @%p0 red.global.add.u32 [%data_at], 1;");
  EXPECT_EQ(metrics[Metric::shared_atomic_requests], 1);
  EXPECT_EQ(metrics[Metric::global_atomic_requests], 1);
  EXPECT_EQ(metrics[Metric::global_atomic_sectors], 4);
}

TEST(Builtins, APrintedTextCountsAsLoadsAndAHeapCallAsAtomic) {
  const std::string scope = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 text, .param .b64 values);
.extern .func (.param .b64 block) malloc(.param .b64 bytes);
)";
  PtxProgram program(R"(
      .shared .align 16 .b8 text[4]; st.shared.u32 [text], 0; bar.sync 0;
      mov.u64 %rd0, text; cvta.shared.u64 %rd0, %rd0; mov.u64 %rd1, 0;
      { .param .b64 t; st.param.b64 [t], %rd0; .param .b64 v; st.param.b64 [v], %rd1;
        .param .b32 r; call.uni (r), vprintf, (t, v); }
      mov.u64 %rd2, 16;
      { .param .b64 n; st.param.b64 [n], %rd2; .param .b64 b; call.uni (b), malloc, (n); })",
                     scope);
  const RunResult run = program.run();
  EXPECT_EQ(run.metrics.at(Metric::shared_load_requests), 1);
  EXPECT_EQ(run.metrics.at(Metric::global_atomic_requests), 1);
}

TEST(SharedMemory, OfAClusterOfOneBlockIsTheBlocks) {
  Metrics metrics = metrics_of(
      ".shared .align 16 .b8 tile[128]; mov.u32 %r1, tile; mad.lo.u32 %r0, %index, 4, %r1; "
      "st.shared::cluster.u32 [%r0], %index; ld.shared::cluster.u32 %r2, [%r0];");
  EXPECT_EQ(metrics[Metric::shared_store_requests], 1);
  EXPECT_EQ(metrics[Metric::shared_load_requests], 1);
  EXPECT_EQ(metrics[Metric::shared_load_wavefronts], 1);
}

/// Lanes from `first` on load consecutive words in each iteration of a loop, which moves by `step`
/// bytes. Lane 0 begins 64 bytes from the start of the buffer of 256 bytes.
RunResult run_moving(int first, int passes, int step) {
  PtxProgram program(
      fmt::format("mul.wide.u32 %rd0, %index, 4; add.s64 %rd0, %rd0, %data; add.s64 %rd0, %rd0, "
                  "64; mov.u32 %r1, 0; setp.ge.u32 %p0, %index, {}; LOOP: @%p0 ld.global.u32 %r2, "
                  "[%rd0]; add.s64 %rd0, %rd0, {}; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {}; "
                  "@%p1 bra LOOP;",
                  first, step, passes));
  program.buffer("data", std::vector<std::uint32_t>(64, 1));
  return program.run();
}

TEST(AccessesThatMove, CountTheSectorsOfEachPlace) {
  const auto sectors = [](int first, int step) {
    const RunResult result = run_moving(first, 8, step);
    expect_clean(result);
    return result.metrics.at(Metric::global_load_sectors);
  };
  EXPECT_EQ(sectors(0, 4), 4 + 7 * 5);
  EXPECT_EQ(sectors(0, 0), 8 * 4);
  EXPECT_EQ(sectors(0, 8), 2 * (4 + 3 * 5));
  EXPECT_EQ(sectors(0, -8), 2 * (4 + 3 * 5));
  // 48 bytes, the first 16 bytes after the start of a sector: three sectors from offsets 20, 24 and
  // 28.
  EXPECT_EQ(sectors(20, 4), 5 * 2 + 3 * 3);
}

TEST(AccessesThatMove, AreCheckedInEachPlace) {
  const auto findings = [](int passes, int step, FindingKind kind) {
    const Finding finding = only_finding(run_moving(0, passes, step));
    EXPECT_EQ(finding.kind, kind);
    return finding.count;
  };
  expect_clean(run_moving(0, 17, -4));
  EXPECT_EQ(findings(19, -4, FindingKind::out_of_bounds), 1u + 2);
  expect_clean(run_moving(0, 17, 4));
  EXPECT_EQ(findings(19, 4, FindingKind::out_of_bounds), 1u + 2);
  EXPECT_EQ(findings(2, 2, FindingKind::misaligned), 32u);
}

/// Adds the buffers `data`, an input with this layout, and `result`.
void add_data_and_result(PtxProgram& program, const std::vector<std::uint32_t>& data,
                         std::size_t results, BufferInfo layout = {}) {
  layout.name = "data";
  layout.input = true;
  program.add_buffer(layout, std::as_bytes(std::span(data)));
  BufferInfo info;
  info.name = "result";
  info.initialized = false;
  const std::vector<std::uint32_t> result(results);
  program.add_buffer(info, std::as_bytes(std::span(result)));
}

/// Runs 32 threads and returns results_through_shared. Each thread has its element of `data` in %r3
/// and in its word of shared memory, and stores %r9.
double percent_through_shared(const std::string& body, std::uint32_t readers = 1) {
  PtxProgram program(
      ".shared .align 16 .b8 tile[128]; mov.u32 %r1, tile; mad.lo.u32 %r0, %index, 4, %r1; "
      "ld.global.u32 %r3, [%data_at]; st.shared.u32 [%r0], %r3; bar.sync 0; xor.b32 %r2, %r0, 4; " +
      body + " st.global.u32 [%result_at], %r9;");
  std::vector<std::uint32_t> data(32);
  for (std::uint32_t i = 0; i < 32; ++i) data[i] = 1000003 * (i + 1);
  add_data_and_result(program, data, 32);
  program.shared_readers = readers;
  RunResult run = program.run();
  EXPECT_EQ(run.findings.size(), 0u);
  for (const std::uint32_t word : program.contents<std::uint32_t>("result")) EXPECT_NE(word, 0u);
  EXPECT_EQ(program.contents<std::uint32_t>("data"), data);
  return run.metrics.at(Metric::results_through_shared);
}

TEST(ResultsThroughShared, AlteredInputsHoldNoInfinity) {
  // Equal elements are altered; after each lies padding, a NaN.
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[128]; mov.u32 %r1, tile; mad.lo.u32 %r0, %index, 4, %r1;
    mul.wide.u32 %rd0, %index, 4; add.s64 %rd0, %data_at, %rd0; ld.global.f32 %f0, [%rd0];
    abs.f32 %f1, %f0; setp.gtu.f32 %p0, %f1, 0f49742400; @%p0 trap;
    st.shared.f32 [%r0], %f0; bar.sync 0; xor.b32 %r2, %r0, 4; ld.shared.u32 %r9, [%r2];
    st.global.u32 [%result_at], %r9;)");
  std::vector<std::uint32_t> data;
  for (int i = 0; i < 32; ++i) data.insert(data.end(), {0x3f800000, 0x7fc00000});
  BufferInfo rows;
  rows.width = 1;
  rows.pitch = 2;
  add_data_and_result(program, data, 32, rows);
  program.shared_readers = 1;
  EXPECT_EQ(program.run().metrics.at(Metric::results_through_shared), 100);
}

TEST(ResultsThroughShared, OfBlocksThatMeetDoNotDependOnHostThreads) {
  // Each block stores its differences into `data` and takes the left neighbour of its first element
  // from there: another block may have stored it.
  const auto percent = [](int host_threads) {
    PtxProgram program(R"(
      .shared .align 16 .b8 tile[256]; .reg .b32 %t; mov.u32 %t, %tid.x; mov.u32 %r1, tile;
      mad.lo.u32 %r0, %t, 4, %r1; ld.global.u32 %r3, [%data_at]; st.shared.u32 [%r0], %r3;
      bar.sync 0; setp.ne.u32 %p0, %t, 0; setp.ne.u32 %p1, %index, 0; mov.u32 %r4, 0;
      @%p0 ld.shared.u32 %r4, [%r0+-4]; @%p0 bra STORE; @%p1 ld.global.u32 %r4, [%data_at+-4];
    STORE:
      sub.u32 %r9, %r3, %r4; st.global.u32 [%data_at], %r9; st.global.u32 [%result_at], %r9;)");
    program.shape = {.grid = {4, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 0};
    std::vector<std::uint32_t> data(4 * 64);
    for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = 1000003 * (i + 1);
    add_data_and_result(program, data, data.size());
    program.shared_readers = 1;
    program.host_threads = host_threads;
    const RunResult run = program.run();
    EXPECT_FALSE(run.findings.empty());
    return run.metrics.at(Metric::results_through_shared);
  };
  const double alone = percent(1);
  for (int run = 0; run < 200; ++run) ASSERT_EQ(percent(8), alone) << "run " << run;
}

TEST(ResultsThroughShared, ABlockCannotSeeByAMarkThatItIsFollowed) {
  // The first block leaves a mark. A block that finds no mark takes its neighbour's element from
  // shared memory, as every block should.
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[256]; .reg .b32 %t; mov.u32 %t, %tid.x; mov.u32 %r1, tile;
    mad.lo.u32 %r0, %t, 4, %r1; ld.global.u32 %r3, [%data_at]; st.shared.u32 [%r0], %r3;
    mul.wide.u32 %rd0, %index, 4; sub.s64 %rd0, %mark_at, %rd0; mov.u32 %r2, %ctaid.x;
    setp.eq.u32 %p0, %r2, 0; mov.u32 %r5, 0; @!%p0 ld.global.u32 %r5, [%rd0];
    bar.sync 0; setp.eq.u32 %p1, %r5, 0; xor.b32 %r2, %r0, 4; @%p1 ld.shared.u32 %r9, [%r2];
    xor.b32 %r6, %index, 1; sub.s32 %r6, %r6, %index; mul.wide.s32 %rd1, %r6, 4;
    add.s64 %rd1, %data_at, %rd1; @!%p1 ld.global.u32 %r9, [%rd1];
    mov.u32 %r7, 1; @%p0 st.global.u32 [%rd0], %r7; st.global.u32 [%result_at], %r9;)");
  program.shape = {.grid = {4, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 0};
  std::vector<std::uint32_t> data(4 * 64), mark(4 * 64);
  for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = 1000003 * (i + 1);
  add_data_and_result(program, data, data.size());
  BufferInfo info;
  info.name = "mark";
  program.add_buffer(info, std::as_bytes(std::span(mark)));
  program.shared_readers = 1;
  const RunResult run = program.run();
  EXPECT_EQ(run.metrics.at(Metric::results_through_shared), 0);
}

TEST(ResultsThroughShared, OneTileMayHoldSeveralElementsBetweenMbarriers) {
  // Warp 1 puts two elements after each other into each word of the tile, and warp 0 adds them.
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[128]; .shared .align 8 .b8 full[8]; .shared .align 8 .b8 empty[8];
    .reg .b32 %t, %at, %full, %empty; .reg .b64 %from;
    mov.u32 %t, %tid.x; mov.u32 %full, full; mov.u32 %empty, empty; setp.ne.u32 %p0, %t, 0;
    @%p0 bra READY; mbarrier.init.shared.b64 [%full], 32; mbarrier.init.shared.b64 [%empty], 32;
    READY: bar.sync 0;
    and.b32 %r0, %t, 31; mov.u32 %r1, tile; mad.lo.u32 %at, %r0, 4, %r1; mov.u32 %r9, 0;
    mov.u64 %from, 0; mov.u32 %r2, 0; setp.lt.u32 %p1, %t, 32;
    PHASE: xor.b32 %r3, %r2, 1; @%p1 bra ADD;
    FREE: mbarrier.test_wait.parity.shared.b64 %p2, [%empty], %r3; @!%p2 bra FREE;
    add.s64 %rd0, %data_at, %from; ld.global.u32 %r4, [%rd0+-128]; st.shared.u32 [%at], %r4;
    add.s64 %from, %from, 128; mbarrier.arrive.shared.b64 _, [%full]; bra NEXT;
    ADD: mbarrier.test_wait.parity.shared.b64 %p2, [%full], %r2; @!%p2 bra ADD;
    xor.b32 %r5, %at, 4; ld.shared.u32 %r4, [%r5]; add.u32 %r9, %r9, %r4;
    mbarrier.arrive.shared.b64 _, [%empty];
    NEXT: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 2; @%p2 bra PHASE;
    @!%p1 exit; st.global.u32 [%result_at], %r9;)");
  program.shape.block = {64, 1, 1};
  std::vector<std::uint32_t> data(64);
  for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = 1000003 * (i + 1);
  add_data_and_result(program, data, 32);
  program.shared_readers = 1;
  const RunResult run = program.run();
  expect_clean(run);
  EXPECT_EQ(program.contents<std::uint32_t>("result")[5], data[4] + data[36]);
  EXPECT_EQ(run.metrics.at(Metric::results_through_shared), 100);
}

TEST(ResultsThroughShared, AreThoseWhoseElementsAllComeFromSharedMemory) {
  EXPECT_EQ(percent_through_shared("ld.shared.u32 %r9, [%r2];"), 100);
  // A pair of elements that two other threads stored.
  const std::string pair = "xor.b32 %r6, %r0, 8; and.b32 %r6, %r6, -8; ";
  EXPECT_EQ(percent_through_shared(pair + "ld.shared.v2.u32 {%r7, %r8}, [%r6]; "
                                          "sub.u32 %r9, %r7, %r8;"),
            100);
  EXPECT_EQ(percent_through_shared(pair + "ld.shared.u64 %rd9, [%r6]; "
                                          "mov.b64 {%r7, %r8}, %rd9; sub.u32 %r9, %r7, %r8;"),
            100);
  EXPECT_EQ(percent_through_shared("mov.u32 %r9, %r3;"), 0);
  EXPECT_EQ(percent_through_shared("ld.shared.u32 %r4, [%r2]; and.b32 %r4, %r4, 0; "
                                   "add.u32 %r9, %r3, %r4;"),
            0);
  // Results that threads exchange in shared memory are no elements of the input.
  EXPECT_EQ(percent_through_shared("add.u32 %r4, %r3, 7; bar.sync 0; st.shared.u32 [%r0], %r4; "
                                   "bar.sync 0; ld.shared.u32 %r9, [%r2];"),
            0);
  // One element of a pair comes from a register, and its thread has not stored it: the result is
  // the original one only if that element is in the half that is not altered.
  const double half = percent_through_shared(
      "mul.wide.u32 %rd0, %index, 4; sub.s64 %rd0, %data_at, %rd0; xor.b32 %r5, %index, 2; "
      "mul.wide.u32 %rd1, %r5, 4; add.s64 %rd0, %rd0, %rd1; ld.global.u32 %r5, [%rd0]; "
      "ld.shared.u32 %r4, [%r2]; sub.u32 %r9, %r5, %r4;");
  EXPECT_GT(half, 10);
  EXPECT_LT(half, 60);
}

TEST(ResultsThroughShared, DoNotCountIfElementsEncodeBits) {
  // Each thread loads its neighbour's element from global memory and passes it on bit by bit, as
  // the first element of `data` for 0 and the second for 1.
  EXPECT_LT(percent_through_shared(R"(
      .shared .align 16 .b8 room[128]; mov.u32 %r5, room; sub.u32 %r6, %r0, %r1;
      add.u32 %r5, %r5, %r6; xor.b32 %r6, %index, 1; mul.wide.u32 %rd0, %r6, 4;
      mul.wide.u32 %rd1, %index, 4; sub.s64 %rd0, %rd0, %rd1; add.s64 %rd0, %data_at, %rd0;
      ld.global.u32 %r3, [%rd0]; ld.shared.u32 %r7, [%r1]; ld.shared.u32 %r8, [%r1+4];
      mov.u32 %r9, 0; mov.u32 %r10, 0;
    LOOP:
      shr.u32 %r4, %r3, %r10; and.b32 %r4, %r4, 1; setp.ne.u32 %p0, %r4, 0;
      selp.b32 %r4, %r8, %r7, %p0; bar.sync 0; st.shared.u32 [%r5], %r4; bar.sync 0;
      xor.b32 %r6, %r5, 4; ld.shared.u32 %r4, [%r6]; setp.eq.u32 %p0, %r4, %r8;
      selp.b32 %r4, 1, 0, %p0; shl.b32 %r4, %r4, %r10; or.b32 %r9, %r9, %r4;
      add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 32; @%p1 bra LOOP;)"),
            10);  // only in the pair that owns the first and the second element
}

TEST(ResultsThroughShared, CountIfOtherInputsTakeOtherBranches) {
  // For each of a few elements that is even, the whole warp loads its neighbours' elements once
  // more.
  std::string body;
  for (int i = 0; i < 8; ++i) {
    body += fmt::format(
        "ld.shared.u32 %r4, [%r1+{0}]; and.b32 %r5, %r4, 1; setp.ne.u32 %p0, %r5, 0; "
        "@%p0 bra ODD{1}; ld.shared.u32 %r5, [%r2]; ODD{1}: ",
        4 * i, i);
  }
  EXPECT_EQ(percent_through_shared(body + "ld.shared.u32 %r9, [%r2];"), 100);
}

TEST(ResultsThroughShared, CountOnlyWordsThatEnoughThreadsRead) {
  // First each element goes to the neighbouring thread only, then both elements of a pair go to
  // both threads.
  const std::string handed = "ld.shared.u32 %r9, [%r2];";
  EXPECT_EQ(percent_through_shared(handed, 1), 100);
  EXPECT_EQ(percent_through_shared(handed, 2), 0);
  const std::string shared =
      "ld.shared.u32 %r7, [%r0]; ld.shared.u32 %r8, [%r2]; sub.u32 %r9, %r7, %r8;";
  EXPECT_GT(percent_through_shared(shared, 2), 50);
  EXPECT_EQ(percent_through_shared(shared, 2), percent_through_shared(shared, 1));
}

TEST(ResultsThroughShared, CountWhatAThreadStoredItselfIfOthersReadItToo) {
  const auto others = [](int first, int count) {
    std::string body;
    for (int i = 0; i < count; ++i) {
      body += fmt::format("xor.b32 %r5, %r0, {}; ld.shared.u32 %r4, [%r5]; add.u32 %r9, %r9, %r4; ",
                          4 * (first + i));
    }
    return body;
  };
  const std::string own = "ld.shared.u32 %r9, [%r0]; ";
  const std::string in_a_register = "mov.u32 %r9, %r3; ";
  for (const std::string& mine : {own, in_a_register}) {
    EXPECT_EQ(percent_through_shared(mine + others(1, 16)), 100) << mine;
  }
  // What a thread stored itself does not come from others, whether they read it or not.
  for (const std::string& mine : {own, in_a_register}) {
    EXPECT_EQ(percent_through_shared(mine), 0) << mine;
    EXPECT_EQ(percent_through_shared(mine + "ld.shared.u32 %r4, [%r2];"), 0) << mine;
  }
  // Words of a second array that only their own thread reads, beside elements that others stored
  // for all.
  const std::string alone =
      ".shared .align 4 .b8 mine[128]; mov.u32 %r6, mine; mad.lo.u32 %r6, %index, 4, %r6; "
      "xor.b32 %r7, %index, 17; sub.u32 %r7, %r7, %index; mul.wide.s32 %rd0, %r7, 4; "
      "add.s64 %rd0, %data_at, %rd0; ld.global.u32 %r7, [%rd0]; "
      "st.shared.u32 [%r6], %r7; mov.u32 %r9, 0; ";
  const std::string load = "ld.shared.u32 %r9, [%r6]; ";
  EXPECT_LT(percent_through_shared(alone + load + others(1, 16)), 70);
  // Only one thread reads such a word, as at the ends of a tile.
  EXPECT_EQ(
      percent_through_shared(alone + "setp.eq.u32 %p1, %index, 0; @%p1 " + load + others(1, 16)),
      100);
}

TEST(ResultsThroughShared, TheBlockWithTheLeastDecides) {
  using sim::least_percent_shared;
  EXPECT_EQ(least_percent_shared({}), 0);
  EXPECT_EQ(least_percent_shared({{.written = 100, .all = 0, .shared = 0},
                                  {.written = 100, .all = 100, .shared = 90}}),
            90);
  EXPECT_EQ(least_percent_shared({{100, 100, 100}, {80, 80, 0}, {100, 100, 100}}), 0);
  EXPECT_EQ(least_percent_shared({{100, 100, 100}, {30, 30, 0}}), 0) << "it writes less";
  // Almost nothing that the block wrote depended on the altered inputs.
  EXPECT_EQ(least_percent_shared({{100, 100, 100}, {100, 1, 0}}), 100);
}

/// Returns the blocks that may be followed if `sizes` are their numbers of results.
std::set<std::uint64_t> followed_of(const std::vector<std::uint32_t>& sizes) {
  constexpr std::uint64_t kThreads = 32;
  DeviceMemory memory;
  BufferInfo info;
  info.initialized = false;
  memory.allocate(info, 4 * std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  memory.start_launch(DeviceMemory::Traced::none);
  std::uint32_t* writer = memory.allocations().front()->writers.get();
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    const auto thread = static_cast<std::uint32_t>(block * kThreads + 1);
    writer = std::fill_n(writer, sizes[block], thread);
  }
  std::set<std::uint64_t> found;
  for (std::uint64_t key = 0; key < 100; ++key) {
    for (const std::uint64_t block : sim::blocks_of_results(memory, kThreads, key, 2))
      found.insert(block);
  }
  return found;
}

TEST(ResultsThroughShared, BlocksAtTheEdgeOfTheGridAreLeftOut) {
  using Blocks = std::set<std::uint64_t>;
  EXPECT_EQ(followed_of({256, 256, 256, 120}), (Blocks{0, 1, 2, 3})) << "an eighth of the results";
  EXPECT_EQ(followed_of({256, 256, 256, 10}), (Blocks{0, 1, 2}));
  EXPECT_EQ(followed_of({256, 256, 60, 60, 60, 60}), (Blocks{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(followed_of({256}), Blocks{0});
  EXPECT_EQ(followed_of({}), Blocks{});
}

TEST(ResultsThroughShared, AFewThatAreEqualByChanceDoNotCount) {
  const std::vector<std::uint32_t> before(8, 0), first = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::uint32_t> altered(8, 9);
  sim::FollowedRuns runs{first, altered, first, altered};
  runs.own_alone[0] = first[0];
  EXPECT_EQ(sim::count_results(before, runs).all, 7);
  EXPECT_EQ(sim::count_results(before, runs).shared, 7);
  runs.own_alone[1] = first[1];
  EXPECT_EQ(sim::count_results(before, runs).all, 8);
  EXPECT_EQ(sim::count_results(before, runs).shared, 6);
}

TEST(MixedElements, AreThoseOfTheInputButWithAnotherSum) {
  DeviceMemory memory;
  const auto contents = [&](std::uint64_t address) {
    std::vector<std::uint32_t> words(memory.bytes(address).size() / 4);
    std::memcpy(words.data(), memory.bytes(address).data(), 4 * words.size());
    return words;
  };
  const auto placed = [&](const char* name, bool input, std::uint32_t size) {
    BufferInfo info;
    info.name = name;
    info.input = input;
    const std::uint64_t address = memory.allocate(info, 4 * size);
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t word = i * i;
      std::memcpy(memory.bytes(address).data() + 4 * i, &word, 4);
    }
    return address;
  };
  const std::uint64_t large = placed("A", true, 1000), small = placed("weights", true, 33),
                      result = placed("C", false, 33);
  const std::vector<std::uint32_t> squares = contents(result);
  sim::mix_elements(memory, 7);
  EXPECT_EQ(contents(result), squares);
  for (const std::uint64_t input : {large, small}) {
    const std::vector<std::uint32_t> mixed = contents(input);
    std::vector<std::uint32_t> before;
    for (std::uint32_t i = 0; i < mixed.size(); ++i) before.push_back(i * i);
    for (const std::uint32_t word : mixed) EXPECT_EQ(std::ranges::count(before, word), 1);
    EXPECT_NE(std::accumulate(mixed.begin(), mixed.end(), 0u),
              std::accumulate(before.begin(), before.end(), 0u));
  }
}

TEST(ActiveThreads, AreTheMeanOfAllInstructionsOfAllWarps) {
  std::string branch = "setp.ge.u32 %p0, %index, 8; @%p0 bra END;";
  for (int i = 0; i < 100; ++i) branch += "add.u32 %r0, %r0, 1;";
  branch += "END: mov.u32 %r1, 0;";
  const auto active = [](const std::string& code, std::uint32_t threads) {
    return metrics_of("mov.u32 %r0, 0;" + code, {threads, 1, 1})[Metric::active_threads_per_warp];
  };
  EXPECT_EQ(active("", 32), 32);
  EXPECT_EQ(active("", 8), 8);
  EXPECT_EQ(active("", 40), 20) << "a full warp, and one of 8 threads";
  EXPECT_EQ(active(branch, 8), 8);
  const double instructions = metrics_of("mov.u32 %r0, 0;" + branch)[Metric::instructions];
  EXPECT_DOUBLE_EQ(active(branch, 32), 32 - 24 * 100 / instructions);
}

TEST(FloatingPoint, CountsInstructionsThatAddOrMultiply) {
  const auto counted = [](const std::string& code, std::uint32_t threads = 32) {
    return metrics_of(
        "mov.f32 %f1, 0f40400000; mov.b64 %fd1, 3; mov.b16 %h1, 0; mov.u32 %r1, 7;" + code,
        {threads, 1, 1})[Metric::floating_point_instructions];
  };
  for (const char* code :
       {"add.f32 %f0, %f1, %f1;", "sub.ftz.f32 %f0, %f1, %f1;", "mul.rn.f32 %f0, %f1, %f1;",
        "fma.rn.f32 %f0, %f1, %f1, %f1;", "add.rz.f32 %f0, %f1, %f1;",
        "fma.rn.f64 %fd0, %fd1, %fd1, %fd1;", "mul.rp.f64 %fd0, %fd1, %fd1;",
        "add.f16 %h0, %h1, %h1;", "fma.rn.bf16x2 %r0, %r1, %r1, %r1;"}) {
    EXPECT_EQ(counted(code), 1) << code;
    EXPECT_EQ(counted(code, 3), 1) << code;
    EXPECT_EQ(counted(code, 40), 2) << code;
  }
  for (const char* code :
       {"max.f32 %f0, %f1, %f1;", "neg.f32 %f0, %f1;", "div.rn.f32 %f0, %f1, %f1;",
        "setp.lt.f32 %p0, %f1, %f1;", "cvt.rz.s32.f32 %r0, %f1;", "mad.lo.u32 %r0, %r1, %r1, %r1;",
        "setp.eq.u32 %p0, %r1, 8; @%p0 add.f32 %f0, %f1, %f1;"})
    EXPECT_EQ(counted(code), 0) << code;
  EXPECT_EQ(counted("setp.eq.u32 %p0, %index, 5; @%p0 add.f32 %f0, %f1, %f1;"), 1);
}

TEST(FloatingPoint, ImbalanceIsTheBusiestWarpOverTheMean) {
  const auto imbalance = [](const std::string& warps_below) {
    return metrics_of("mov.f32 %f0, 0f00000000; mov.u32 %r1, %tid.x; setp.ge.u32 %p0, %r1, " +
                          warps_below + "; @%p0 bra END; add.f32 %f0, %f0, %f0; END:",
                      {256, 1, 1}, {3, 1, 1})[Metric::floating_point_imbalance];
  };
  EXPECT_EQ(imbalance("256"), 1);
  EXPECT_EQ(imbalance("64"), 4);
  EXPECT_EQ(imbalance("1"), 8);
  EXPECT_EQ(imbalance("0"), 0);
}

TEST(Shuffles, AreExchangesAndSumsOfLanesButNoVotes) {
  const auto shuffles = [](const std::string& code) {
    return metrics_of("mov.u32 %r1, 7; setp.eq.u32 %p0, %r1, 7;" + code,
                      {64, 1, 1})[Metric::shuffles];
  };
  EXPECT_EQ(shuffles("shfl.sync.down.b32 %r0, %r1, 1, 31, -1;"), 2);
  EXPECT_EQ(shuffles("mov.u32 %r2, %laneid; and.b32 %r2, %r2, 30; shl.b32 %r2, 3, %r2;"
                     "shfl.sync.bfly.b32 %r0, %r1, 1, 31, %r2;"),
            2)
      << "sixteen pairs of lanes, each with a mask of its own";
  EXPECT_EQ(shuffles("mov.u32 %r2, %laneid; shfl.sync.idx.b32 %r0, %r1, %r2, 31, -1;"), 0)
      << "each lane takes its own value";
  EXPECT_EQ(shuffles("shfl.sync.down.b32 %r0, %r1, 0, 31, -1;"), 0);
  EXPECT_EQ(shuffles("redux.sync.add.u32 %r0, %r1, -1;"), 2);
  EXPECT_EQ(shuffles("vote.sync.ballot.b32 %r0, %p0, -1;"), 0);
}

/// The counter of `code`, whose loads read words of "data" from %rd1 on.
double load_use_distance(const std::string& code, const std::string& scope = "") {
  const std::string body = "mov.u64 %rd1, %data; mov.f32 %f0, 0f00000000;" + code;
  return metrics_of(body, {32, 1, 1}, {}, scope, true).at(Metric::load_use_distance);
}

TEST(LoadUseDistance, IsTheArithmeticOfAWarpBetweenALoadAndTheFirstNeedOfItsValue) {
  const std::string three = "add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f0;";
  EXPECT_EQ(load_use_distance("ld.global.f32 %f1, [%rd1]; add.f32 %f0, %f0, %f1;"), 0);
  EXPECT_EQ(load_use_distance("ld.global.f32 %f1, [%rd1];" + three + "add.f32 %f0, %f0, %f1;"), 3);
  EXPECT_EQ(load_use_distance("ld.global.f32 %f1, [%rd1];" + three + "st.global.f32 [%rd1], %f1;"),
            3);
  EXPECT_EQ(load_use_distance("ld.global.f32 %f1, [%rd1];" + three + "add.f32 %f0, %f0, %f1;" +
                              three + "add.f32 %f0, %f0, %f1;"),
            3)
      << "only the first need counts";
  EXPECT_EQ(load_use_distance("ld.global.v2.f32 {%f1, %f2}, [%rd1];" + three +
                              "add.f32 %f0, %f0, %f2;" + three + "add.f32 %f0, %f0, %f1;"),
            3)
      << "one load, whatever part of it is needed first";
  EXPECT_EQ(load_use_distance("ld.global.f32 %f1, [%rd1]; mov.f32 %f2, %f1;" + three +
                              "mov.f32 %f3, %f2; add.f32 %f0, %f0, %f3;"),
            3)
      << "a copy is no need";
  EXPECT_EQ(load_use_distance("ld.global.f32 %f1, [%rd1]; add.u32 %r0, %index, 1;" + three +
                              "xor.b32 %r0, %r0, 5; add.f32 %f0, %f0, %f1;"),
            3)
      << "no other instruction counts";
  EXPECT_EQ(load_use_distance("ld.f32 %f1, [%rd1];" + three + "add.f32 %f0, %f0, %f1;"), 3)
      << "a generic address";
  EXPECT_EQ(load_use_distance("setp.ne.f32 %p1, %f0, %f0; ld.global.f32 %f1, [%rd1];" + three +
                              "@%p1 add.f32 %f0, %f0, %f1; @!%p1 add.f32 %f0, %f0, %f1;"),
            3)
      << "an instruction that no lane executes needs nothing";
  EXPECT_EQ(load_use_distance("{ .reg .f32 value<2>; ld.global.f32 value1, [%rd1];" + three +
                              "add.f32 %f0, %f0, value1; }"),
            3)
      << "a register of a range with any name";
}

TEST(LoadUseDistance, ACallWaitsForWhatIsOnItsWay) {
  const std::string call =
      "ld.global.v2.f32 {%f1, %f2}, [%rd1]; add.f32 %f0, %f0, %f0; call pause;"
      "add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f1;";
  EXPECT_EQ(load_use_distance(call, ".func pause() { bar.warp.sync -1; ret; }"), 1);
}

TEST(LoadUseDistance, IsWhatMoreThanHalfOfTheBytesHave) {
  const std::string late = "ld.global.f32 %f1, [%rd1]; add.f32 %f0, %f0, %f1; bar.sync 0; ";
  const std::string early =
      "ld.global.v2.f32 {%f1, %f2}, [%rd1]; add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f1;";
  EXPECT_EQ(load_use_distance(late + early), 1) << "4 bytes of 12 are late";
  EXPECT_EQ(load_use_distance(late + late + early), 0) << "8 of 16";
  const std::string lane_0 = "setp.eq.u32 %p1, %index, 0; @%p1 " + late;
  EXPECT_EQ(load_use_distance(lane_0 + early), 1) << "4 of 260";
}

TEST(LoadUseDistance, CountsFromWherePtxasMovesTheLoad) {
  const std::string add = "add.f32 %f0, %f0, %f0; ";
  const std::string use = "ld.global.f32 %f1, [%rd1]; add.f32 %f0, %f0, %f1;";
  EXPECT_EQ(load_use_distance(add + add + use), 2);
  EXPECT_EQ(load_use_distance(add + "add.s64 %rd1, %rd1, 0; " + add + use), 1);
  EXPECT_EQ(load_use_distance(add + "st.shared.f32 [tile], %f0; " + add + use,
                              ".shared .align 4 .b8 tile[4];"),
            2);
  for (const char* hold : {"bar.sync 0; ", "st.global.f32 [%rd1], %f0; ",
                           "bra NEXT; NEXT: ", "atom.global.add.f32 %f2, [%rd1], 0f00000000; "})
    EXPECT_EQ(load_use_distance(add + hold + add + use), 1) << hold;
}

TEST(LoadUseDistance, IsNoMoreThan4095) {
  const std::string code =
      "ld.global.f32 %f1, [%rd1]; mov.u32 %r1, 0; LOOP: add.u32 %r1, %r1, 1; mul.f32 %f2, %f0, "
      "%f0; "
      "setp.lt.u32 %p1, %r1, 5000; @%p1 bra LOOP; add.f32 %f0, %f0, %f1;";
  EXPECT_EQ(load_use_distance(code), 4095);
}

TEST(LoadUseDistance, IsZeroIfNoValueOfGlobalMemoryIsNeeded) {
  EXPECT_EQ(load_use_distance("add.f32 %f0, %f0, %f0;"), 0);
  EXPECT_EQ(
      load_use_distance("ld.global.f32 %f1, [%rd1]; mov.f32 %f1, %f0; add.f32 %f0, %f1, %f1;"), 0);
}

TEST(LoadUseDistance, LeavesTheResultsOfTheLaunch) {
  PtxProgram program(
      "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd1, %data;"
      "mov.u32 %r3, %tid.x; setp.eq.u32 %p1, %r3, 0; @%p1 ld.global.u32 %r2, [%rd1];"
      "add.u32 %r2, %r2, 1; @%p1 st.global.u32 [%rd1], %r2;");
  program.shape.grid = {64, 1, 1};
  program.load_use = true;
  program.buffer("data", std::vector<std::uint32_t>(64, 7));
  const RunResult result = program.run();
  EXPECT_EQ(result.metrics.at(Metric::load_use_distance), 0) << describe(result);
  EXPECT_EQ(program.contents<std::uint32_t>("data"), std::vector<std::uint32_t>(64, 8));
}

TEST(LongestWarp, HasTheMostInstructions) {
  const auto longest = [](const std::string& passes) {
    return metrics_of(
        "setp.ge.u32 %p0, %index, 32; @%p0 bra END; mov.u32 %r0, 0; LOOP: "
        "add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, " +
            passes + "; @%p1 bra LOOP; END:",
        {256, 1, 1}, {3, 1, 1})[Metric::longest_warp_instructions];
  };
  EXPECT_EQ(longest("1001") - longest("1"), 3000);
}

TEST(LongestWarp, HasTheMostBytes) {
  const std::string loads = element(4) +
                            "setp.ge.u32 %p0, %index, 32; @!%p0 ld.global.f32 %f0, [%rd0];"
                            "@%p0 mov.f32 %f0, 0f00000000;";
  EXPECT_EQ(metrics_of(loads, {256, 1, 1}, {3, 1, 1})[Metric::longest_warp_load_bytes], 128);
}

TEST(LocalRequests, AreLoadsAndStoresOfLocalMemory) {
  const auto requests = [](const std::string& body) {
    return metrics_of(".local .align 4 .b8 own[16]; .reg .b64 %own; mov.u64 %own, own;" + body,
                      {256, 1, 1}, {3, 1, 1})[Metric::local_requests];
  };
  EXPECT_EQ(requests(""), 0);
  // 24 warps, in half of which no lane stores; a generic address counts as well.
  EXPECT_EQ(requests("st.local.u32 [own], 1; ld.local.u32 %r0, [own];"), 48);
  EXPECT_EQ(requests("setp.ge.u32 %p0, %index, 384; @!%p0 st.local.u32 [own+4], 1;"), 12);
  EXPECT_EQ(requests("cvta.local.u64 %own, %own; st.u32 [%own+8], 1;"), 24);
}

TEST(Branches, AreThoseWithAConditionOrAnIndex) {
  const auto branches = [](const std::string& body) {
    return metrics_of(body, {256, 1, 1}, {3, 1, 1})[Metric::branches];
  };
  EXPECT_EQ(branches("bra NEXT; NEXT: @%p0 mov.u32 %r0, 1;"), 0);
  // 24 warps: taken by no lane, by all, and by half of them in each warp.
  for (const std::string condition :
       {"ge.u32 %p0, %index, 999999", "lt.u32 %p0, %index, 999999", "lt.u32 %p0, %r2, 16"})
    EXPECT_EQ(branches("mov.u32 %r2, %laneid; setp." + condition +
                       "; @%p0 bra OTHER; mov.u32 %r0, 1; OTHER:"),
              24);
  EXPECT_EQ(branches("mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 5;"
                     "@%p0 bra LOOP;"),
            120);
  EXPECT_EQ(branches("ways: .branchtargets FIRST, SECOND; mov.u32 %r0, 1; brx.idx %r0, ways;"
                     "FIRST: mov.u32 %r0, 2; SECOND:"),
            24);
}

TEST(LoadedBytes, AreThoseThatLanesRequest) {
  const std::string load = "ld.global.f32 %f0, [%rd0];";
  EXPECT_EQ(metrics_of(element(4) + load + load)[Metric::global_load_bytes], 256);
  EXPECT_EQ(metrics_of(element(0) + load)[Metric::global_load_bytes], 128);
}

/// Runs `body` in two blocks of 32 threads and returns global_load_repeated_bytes. Each thread's
/// element of the input is at %data_at; `shared_readers` turns the counter on.
double repeated_bytes(const std::string& body, std::uint32_t weights = 0) {
  PtxProgram program(body + " st.global.u32 [%result_at], %r3;");
  program.shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .shared_bytes = 0};
  add_data_and_result(program, std::vector<std::uint32_t>(64 + 8), 64);
  if (weights > 0) {
    BufferInfo info;
    info.name = "weights";
    info.input = true;
    const std::vector<std::uint32_t> table(weights);
    program.add_buffer(info, std::as_bytes(std::span(table)));
  }
  program.shared_readers = 1;
  return program.run().metrics.at(Metric::global_load_repeated_bytes);
}

TEST(RepeatedLoads, AreLoadsOfElementsThatTheBlockHasLoaded) {
  const std::string load = "ld.global.u32 %r3, [%data_at];";
  EXPECT_EQ(repeated_bytes(load), 0);
  EXPECT_EQ(repeated_bytes(load + load), 256);
  EXPECT_EQ(repeated_bytes(load + "ld.global.u32 %r4, [%data_at+4];"), 2 * 31 * 4);
  EXPECT_EQ(repeated_bytes(load + "ld.global.u8 %r4, [%data_at+1];"), 64);
  // 32 lanes load one element: 31 of the loads are repeated.
  EXPECT_EQ(repeated_bytes("mul.wide.u32 %rd1, %index, 4; sub.s64 %rd1, %data_at, %rd1;"
                           "ld.global.u32 %r3, [%rd1];"),
            2 * 31 * 4);
}

TEST(RepeatedLoads, CountInEachLaneWhateverTheOthersLoad) {
  const auto first_lane_loads = [](const std::string& from) {
    return "and.b32 %r4, %index, 31; setp.eq.u32 %p0, %r4, 0; selp.b64 %rd1, " + from +
           ", %weights_at, %p0; ld.global.u32 %r4, [%rd1];";
  };
  const std::string load = "ld.global.u32 %r3, [%weights_at];";
  EXPECT_EQ(repeated_bytes(load + first_lane_loads("%result_at"), 64), 2 * 31 * 4);
  EXPECT_EQ(repeated_bytes(load + first_lane_loads("%data_at"), 64), 2 * 31 * 4);
  EXPECT_EQ(
      repeated_bytes(load + first_lane_loads("%data_at") + "ld.global.u32 %r4, [%data_at];", 64),
      2 * 32 * 4);
}

TEST(RepeatedLoads, OfASmallTableDoNotCount) {
  const std::string load =
      "ld.global.u32 %r3, [%data_at]; mul.wide.u32 %rd1, %index, 4;"
      "sub.s64 %rd1, %weights_at, %rd1; ld.global.u32 %r4, [%rd1];";
  EXPECT_EQ(repeated_bytes(load, 8), 0);
  EXPECT_EQ(repeated_bytes(load, 64), 2 * 31 * 4);
}

TEST(WorstLoad, IsOneRequest) {
  const std::string load = "ld.global.f32 %f0, [%rd0];";
  auto metrics = metrics_of(element(4) + load + load + load + element(32) + load);
  EXPECT_EQ(metrics[Metric::global_load_excess_sectors], 28);
  EXPECT_EQ(metrics[Metric::worst_load_excess_sectors], 28);
  EXPECT_EQ(metrics_of(element(4) + load)[Metric::worst_load_excess_sectors], 0);
  // The same instruction loads along a column once and along a row nine times.
  metrics =
      metrics_of(element(32) +
                 "mov.u32 %r0, 0; LOOP: ld.global.f32 %f0, [%rd0]; mul.wide.u32 %rd1, %index, 28; "
                 "setp.eq.u32 %p0, %r0, 0; @%p0 sub.s64 %rd0, %rd0, %rd1; add.u32 %r0, %r0, 1; "
                 "setp.lt.u32 %p1, %r0, 10; @%p1 bra LOOP;");
  EXPECT_EQ(metrics[Metric::global_load_excess_sectors], 28);
  EXPECT_EQ(metrics[Metric::worst_load_excess_sectors], 28);
}

struct SharedCase {
  const char* what;
  std::string address;  // sets %r0 for each lane
  int bytes;            // per lane
  double wavefronts;
  double conflicts;
};

TEST(SharedWavefronts, FollowTheBanks) {
  const auto stride = [](int bytes) {
    return fmt::format("mad.lo.u32 %r0, %index, {}, %r1;", bytes);
  };
  const std::vector<SharedCase> cases = {
      {"stride 1", stride(4), 4, 1, 0},
      {"stride 2", stride(8), 4, 2, 1},
      {"stride 3", stride(12), 4, 1, 0},
      {"stride 4", stride(16), 4, 4, 3},
      {"stride 16", stride(64), 4, 16, 15},
      {"stride 32", stride(128), 4, 32, 31},
      {"stride 33", stride(132), 4, 1, 0},
      {"broadcast", "mov.u32 %r0, %r1;", 4, 1, 0},
      {"two words of one bank", "and.b32 %r0, %index, 1; mad.lo.u32 %r0, %r0, 128, %r1;", 4, 2, 1},
      {"pairs of lanes on a word", "shr.u32 %r0, %index, 1; mad.lo.u32 %r0, %r0, 4, %r1;", 4, 1, 0},
      {"bytes of shared words", stride(1), 1, 1, 0},
      {"half words", stride(2), 2, 1, 0},
      {"8 bytes, stride 1", stride(8), 8, 2, 0},
      {"8 bytes, stride 2", stride(16), 8, 4, 2},
      {"8 bytes, rows of 128 bytes", stride(128), 8, 32, 30},
      {"8 bytes, padded rows", stride(136), 8, 2, 0},
      {"16 bytes, stride 1", stride(16), 16, 4, 0},
      {"16 bytes, stride 2", stride(32), 16, 8, 4},
      {"16 bytes, rows of 128 bytes", stride(128), 16, 32, 28},
      {"16 bytes, padded rows", stride(144), 16, 4, 0},
      {"half the lanes, stride 32", "setp.ge.u32 %p0, %index, 16; @%p0 bra END; " + stride(128), 4,
       16, 15},
      {"every second lane, stride 1",
       "and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 1; @%p0 bra END; " + stride(4), 4, 1, 0},
  };
  const auto access = [](int bytes, bool store) {
    const std::string kind = store ? "st.shared." : "ld.shared.";
    const std::string form = bytes == 16  ? "v4.u32"
                             : bytes == 8 ? "v2.u32"
                                          : fmt::format("u{}", 8 * bytes);
    const std::string value = bytes == 16  ? "{%r4, %r5, %r6, %r7}"
                              : bytes == 8 ? "{%r4, %r5}"
                                           : "%r4";
    return store ? fmt::format("{}{} [%r0], {};", kind, form, value)
                 : fmt::format("{}{} {}, [%r0];", kind, form, value);
  };
  for (const SharedCase& test : cases) {
    SCOPED_TRACE(test.what);
    const std::string setup =
        ".shared .align 16 .b8 tile[8192]; mov.u32 %r1, tile; mov.u32 %r4, 0; mov.u32 %r5, 0; "
        "mov.u32 %r6, 0; mov.u32 %r7, 0; " +
        test.address;
    Metrics loads = metrics_of(setup + access(test.bytes, false) + " END:");
    EXPECT_EQ(loads[Metric::shared_load_requests], 1);
    EXPECT_EQ(loads[Metric::shared_load_wavefronts], test.wavefronts);
    EXPECT_EQ(loads[Metric::shared_load_bank_conflicts], test.conflicts);
    EXPECT_EQ(loads[Metric::shared_store_requests], 0);
    Metrics stores = metrics_of(setup + access(test.bytes, true) + " END:");
    EXPECT_EQ(stores[Metric::shared_store_requests], 1);
    EXPECT_EQ(stores[Metric::shared_store_wavefronts], test.wavefronts);
    EXPECT_EQ(stores[Metric::shared_store_bank_conflicts], test.conflicts);
    EXPECT_EQ(stores[Metric::shared_load_requests], 0);
  }
}

TEST(Counters, MeasuredTileKernelHasTheCardsNumbers) {
  // Measured with Nsight Compute: 16 x 16 blocks, each thread (x, y) reads B[k][x] and A[y][k] of
  // shared tiles.
  const std::string body = R"(
    .shared .align 4 .b8 tile_a[1024]; .shared .align 4 .b8 tile_b[1024];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, tile_a; mov.u32 %r4, tile_b;
    mad.lo.u32 %r5, %r2, 16, %r1; mad.lo.u32 %r6, %r5, 4, %r3; mad.lo.u32 %r7, %r5, 4, %r4;
    st.shared.f32 [%r6], 0f3F800000; st.shared.f32 [%r7], 0f3F800000;
    bar.sync 0;
    mad.lo.u32 %r8, %r2, 64, %r3; mad.lo.u32 %r9, %r1, 4, %r4; ld.shared.f32 %f0, [%r8];
    ld.shared.f32 %f1, [%r9];
    mad.lo.u32 %r10, %r1, 64, %r3; ld.shared.f32 %f2, [%r10];)";
  Metrics metrics = metrics_of(body, {16, 16, 1}, {3, 1, 1});
  EXPECT_EQ(metrics[Metric::shared_store_requests], 3 * 8 * 2);
  EXPECT_EQ(metrics[Metric::shared_store_bank_conflicts], 0);
  EXPECT_EQ(metrics[Metric::shared_load_requests], 3 * 8 * 3);
  // A[x][k]: 16 rows of 64 bytes, so eight words in each of two banks.
  EXPECT_EQ(metrics[Metric::shared_load_wavefronts], 3 * 8 * (1 + 1 + 8));
  EXPECT_EQ(metrics[Metric::shared_load_bank_conflicts], 3 * 8 * 7);
  EXPECT_EQ(metrics[Metric::static_shared_bytes], 2048);
}

TEST(Counters, InstructionsAreWarpInstructions) {
  const auto instructions = [](const std::string& body) {
    return metrics_of(body, {96, 1, 1}, {2, 1, 1}).at(Metric::instructions);
  };
  const double none = instructions("");
  EXPECT_EQ(instructions("add.u32 %r0, %index, 1; add.u32 %r0, %r0, 1;") - none, 2 * 6);
  // One instruction, then ten iterations of three.
  EXPECT_EQ(instructions(
                "mov.u32 %r0, 0; L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 10; @%p0 bra L;") -
                none,
            31 * 6);
}

TEST(Counters, SharedBytesAreThoseOfTheDeclarationAndTheLaunch) {
  PtxProgram program("st.shared.u32 [fixed], 1; ld.shared.u32 %r0, [fixed]; mov.u32 %r1, pool;",
                     ".extern .shared .align 16 .b8 pool[];\n.shared .align 4 .b8 fixed[100];\n");
  program.shape.shared_bytes = 4096;
  program.shape.block = {1, 1, 1};
  Metrics metrics = program.run().metrics;
  EXPECT_EQ(metrics[Metric::dynamic_shared_bytes], 4096);
  // As ptxas says: the dynamic part begins at a multiple of its alignment.
  EXPECT_EQ(metrics[Metric::static_shared_bytes], 112);
}

/// A kernel with a bit of everything: divergence, shared memory, atomics, a mistake in some blocks,
/// and a race whose finding must be the same in every run.
PtxProgram mixed_program() {
  PtxProgram program(R"(
    .loc 1 10 1
    .shared .align 4 .b8 tile[512]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3], %index; bar.sync 0;
    xor.b32 %r4, %r1, 127; mad.lo.u32 %r5, %r4, 4, %r2; ld.shared.u32 %r6, [%r5];
    and.b32 %r7, %index, 3; setp.eq.u32 %p0, %r7, 0; @%p0 bra RARE;
    cvt.rn.f32.u32 %f0, %r6; sqrt.approx.f32 %f0, %f0; ex2.approx.f32 %f1, %f0;
    sin.approx.f32 %f2, %f0; add.f32 %f0, %f1, %f2; st.global.f32 [%out_at], %f0;
    bra JOIN;
  RARE:
    atom.global.add.u32 %r8, [%counter], 1;
  JOIN:
    red.global.add.f32 [%counter+4], 0f3DCCCCCD; atom.global.max.u32 %r9, [%counter+8], %r6;
    .loc 1 20 1
    setp.gt.u32 %p1, %index, 4000; @%p1 ld.global.u32 %r10, [%out_at+512];
    .loc 1 21 1
    st.global.u32 [%counter+12], %index;
    .loc 1 22 1
    ld.global.u32 %r11, [%counter+16]; add.u32 %r11, %r11, 1; st.global.u32 [%counter+16], %r11;)");
  program.shape = {.grid = {32, 1, 1}, .block = {128, 1, 1}, .shared_bytes = 0};
  program.buffer("out", std::vector<std::uint32_t>(4096, 0));
  program.buffer("counter", std::vector<std::uint32_t>(5, 0));
  return program;
}

struct Outcome {
  std::string findings;
  Metrics metrics;
  std::vector<std::uint32_t> out;
  std::vector<std::uint32_t> counter;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(int host_threads) {
  PtxProgram program = mixed_program();
  program.host_threads = host_threads;
  const RunResult result = program.run();
  return {describe(result), result.metrics, program.contents<std::uint32_t>("out"),
          program.contents<std::uint32_t>("counter")};
}

TEST(HostThreads, ChangeNothing) {
  const Outcome alone = outcome(1);
  EXPECT_NE(alone.findings, "status 0");
  for (const int threads : {2, 7}) {
    const Outcome together = outcome(threads);
    EXPECT_EQ(together.findings, alone.findings) << threads;
    EXPECT_EQ(together.metrics, alone.metrics) << threads;
    EXPECT_EQ(together.out, alone.out) << threads;
    EXPECT_EQ(together.counter, alone.counter) << threads;
  }
}

TEST(HostThreads, TwoRunsAreIdentical) {
  for (const int threads : {1, 3}) {
    const Outcome first = outcome(threads);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(outcome(threads), first) << threads;
  }
}

TEST(HostThreads, DoNotChangeTheFindingsOfAStoppedRun) {
  const auto findings = [](int threads) {
    PtxProgram program(
        "mov.u32 %r0, %ctaid.x; and.b32 %r0, %r0, 7; setp.eq.u32 %p0, %r0, 5; @%p0 trap; "
        "setp.eq.u32 %p1, %r0, 6; L: @%p1 bra L;\n"
        "ld.global.u32 %r1, [%data_at+4]; st.global.u32 [%data_at], %r0;");
    program.shape = {.grid = {24, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 0};
    program.step_limit = 50'000;
    program.host_threads = threads;
    program.buffer("data", std::vector<std::uint32_t>(24 * 64, 0));
    const RunResult result = program.run();
    EXPECT_EQ(result.status, RunStatus::stopped);
    return describe(result);
  };
  const std::string alone = findings(1);
  EXPECT_EQ(findings(2), alone);
  EXPECT_EQ(findings(7), alone);
}

}  // namespace
}  // namespace tessera::test
