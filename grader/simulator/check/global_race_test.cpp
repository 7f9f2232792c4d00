// Races in global memory: between threads of a block, and between the blocks of a launch, which
// always count as concurrent.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Values = std::vector<std::uint32_t>;

/// A kernel around `body`: %t holds the thread's number, %b the block's, %data_at the address of
/// the thread's word of the buffer `data` (256 words of 1000); `out` has the same size.
PtxProgram global_program(const std::string& body, std::uint32_t blocks, std::uint32_t threads) {
  PtxProgram program(".reg .b32 %t, %b; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x;\n" + body);
  program.shape.grid = {blocks, 1, 1};
  program.shape.block = {threads, 1, 1};
  program.buffer("data", Values(256, 1000));
  program.buffer("out", Values(256, 0));
  return program;
}

RunResult in_one_block(const std::string& body, std::uint32_t threads = 64) {
  return global_program(body, 1, threads).run();
}

RunResult in_two_blocks(const std::string& body) {
  return global_program(body, 2, 32).run();
}

const std::string kOther = "xor.b32 %r1, %index, 32; mad.wide.u32 %rd1, %r1, 4, %data;";
const std::string kLoadOther = "ld.global.u32 %r0, [%rd1];";
const std::string kStoreWord = "st.global.u32 [%data_at], %t;";

TEST(GlobalRace, WritesOfTwoThreadsOfABlock) {
  const Finding finding =
      only_finding(in_one_block(at(20, thread_only(3, "st.global.u32 [%data+20], %t;")) +
                                at(24, thread_only(40, "st.global.u32 [%data+20], %t;"))));
  expect_race(finding, 20, 24);
  EXPECT_EQ(finding.line, 24);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(example(finding, "variable"), "data");
  EXPECT_EQ(example(finding, "element"), "data[5]");
  EXPECT_EQ(example(finding, "thread"), "(40, 0, 0)");
  EXPECT_EQ(example(finding, "other thread"), "(3, 0, 0)");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("line 20 stores data[5]"), HasSubstr("(3, 0, 0)"),
                                     HasSubstr("no barrier between")));
  EXPECT_THAT(finding.hint, HasSubstr("__syncthreads() is missing between line 20 and line 24"));
}

TEST(GlobalRace, StoresThatGoTooFarMakeNoRace) {
  // A row of 24 is taken for a row of 32: what lies beyond its columns belongs to the next row.
  PtxProgram program(
      ".reg .b32 %x; and.b32 %x, %index, 31; shr.u32 %r1, %index, 5; mad.lo.u32 %r1, %r1, 24, %x;"
      "mad.wide.u32 %rd1, %r1, 4, %C;" +
      at(20, "st.global.u32 [%rd1], %index;"));
  program.shape.block = {64, 1, 1};
  program.buffer("C", Values(48, 0));
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(to_string(finding.kind), "out-of-bounds");
  EXPECT_EQ(finding.count, 8u);
}

TEST(GlobalRace, ReadsThatGoTooFarHideNoRace) {
  const RunResult result = in_one_block(at(20, "ld.global.u32 %r0, [%data+4096];") +
                                        at(20, "st.global.u32 [%data+20], %t;"));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  EXPECT_EQ(to_string(result.findings[0].kind), "out-of-bounds");
  expect_race(result.findings[1], 20, 20);
}

TEST(GlobalRace, AllThreadsInOneElementLackTheirIndex) {
  const Finding finding = only_finding(in_one_block(at(20, "st.global.u32 [%data+20], %t;")));
  expect_race(finding, 20, 20);
  EXPECT_THAT(finding.hint, HasSubstr("is threadIdx missing in the index?"));
}

TEST(GlobalRace, AReadAndAWriteInsideABlock) {
  expect_race(only_finding(in_one_block(kOther + at(20, kStoreWord) + at(24, kLoadOther))), 20, 24);
  expect_race(only_finding(in_one_block(kOther + at(20, kLoadOther) + at(24, kStoreWord))), 20, 24);
}

TEST(GlobalRace, ABarrierOrdersItsBlock) {
  expect_clean(in_one_block(kOther + at(20, kStoreWord) + "bar.sync 0;" + at(24, kLoadOther)));
  expect_clean(in_one_block(kOther + at(20, kLoadOther) + "bar.sync 0;" + at(24, kStoreWord)));
}

TEST(GlobalRace, ABarrierDoesNotOrderWhatAThreadThatHasEndedStored) {
  // Warp 1 stores a word; warp 0 reads it after two barriers, which warp 1 reaches or not.
  const auto races = [](const std::string& at_the_end) {
    const RunResult result = in_one_block(
        "setp.ge.u32 %p1, %t, 32; " + at(20, "@%p1 " + kStoreWord) + "@%p1 " + at_the_end + kOther +
        at(24, kLoadOther) + "st.global.u32 [%out_at], %r0; END:");
    return std::ranges::count(result.findings, FindingKind::race, &Finding::kind);
  };
  EXPECT_EQ(races("bra END; bar.sync 0; bar.sync 0;"), 1);
  EXPECT_EQ(races("bra WAIT; WAIT: bar.sync 0; bar.sync 0; @%p1 bra END;"), 0);
}

TEST(GlobalRace, SyncwarpOrdersInsideAWarp) {
  const std::string near = "xor.b32 %r1, %index, 1; mad.wide.u32 %rd1, %r1, 4, %data;";
  const Finding finding =
      only_finding(in_one_block(near + at(20, kStoreWord) + at(24, kLoadOther), 32));
  expect_race(finding, 20, 24);
  EXPECT_THAT(finding.message, HasSubstr("no __syncwarp() between"));
  expect_clean(
      in_one_block(near + at(20, kStoreWord) + "bar.warp.sync -1;" + at(24, kLoadOther), 32));
}

TEST(GlobalRace, BetweenBlocksBothAreNamed) {
  const Finding finding =
      only_finding(in_two_blocks(at(20, thread_only(5, "st.global.u32 [%data+28], %b;"))));
  expect_race(finding, 20, 20);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(example(finding, "element"), "data[7]");
  EXPECT_EQ(example(finding, "thread"), "(5, 0, 0)");
  EXPECT_EQ(example(finding, "other thread"), "(5, 0, 0)");
  EXPECT_EQ(example(finding, "block"), "(1, 0, 0)");
  EXPECT_EQ(example(finding, "other block"), "(0, 0, 0)");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("data[7]"), HasSubstr("of block (0, 0, 0)")));
  EXPECT_THAT(finding.hint, AllOf(HasSubstr("is blockIdx missing in the index?"),
                                  HasSubstr("atomic"), HasSubstr("two launches")));
}

TEST(GlobalRace, BlocksAreNamedInThreeDimensions) {
  PtxProgram program = global_program(
      "mov.u32 %r2, %ctaid.y;" + at(20, thread_only(0, "st.global.u32 [%data], %r2;")), 1, 32);
  program.shape.grid = {1, 3, 1};
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.count, 2u);
  EXPECT_EQ(example(finding, "block"), "(0, 1, 0)");
  EXPECT_EQ(example(finding, "other block"), "(0, 0, 0)");
}

TEST(GlobalRace, ABarrierOrdersNothingBetweenBlocks) {
  // Each block reads what the other block writes.
  const Finding finding =
      only_finding(in_two_blocks(kOther + at(20, kStoreWord) + "bar.sync 0;" + at(24, kLoadOther)));
  expect_race(finding, 20, 24);
  EXPECT_EQ(finding.count, 64u);
  EXPECT_THAT(finding.message, HasSubstr("blocks run in any order"));
}

TEST(GlobalRace, AReadByAnEarlierBlockCounts) {
  // Block 0 reads what block 1 writes later: only the order of this run makes it look right.
  expect_race(only_finding(in_two_blocks("setp.eq.u32 %p0, %b, 0; setp.eq.u32 %p1, %b, 1;" +
                                         at(20, "@%p0 ld.global.u32 %r0, [%data_at+128];") +
                                         at(24, "@%p1 st.global.u32 [%data_at], 1;"))),
              20, 24);
}

TEST(GlobalRace, AReaderIsNotForgottenForLaterOnes) {
  // Blocks 0 and 1 read, block 1 writes: the read of block 0 is a race, that of block 1 is none.
  const std::string body = at(20, thread_only(0, "ld.global.u32 %r0, [%data];")) +
                           "setp.eq.u32 %p0, %b, 1; setp.eq.and.u32 %p0, %t, 0, %p0;" +
                           at(24, "@%p0 st.global.u32 [%data], 1;");
  const Finding finding = only_finding(in_two_blocks(body));
  expect_race(finding, 20, 24);
  EXPECT_EQ(example(finding, "other block"), "(0, 0, 0)");
}

TEST(GlobalRace, EachThreadMayUpdateItsOwnElement) {
  PtxProgram program = global_program(
      "ld.global.u32 %r0, [%data_at]; add.u32 %r0, %r0, %index; st.global.u32 [%data_at], %r0; "
      "ld.global.u32 %r0, [%data_at]; st.global.u32 [%out_at], %r0;",
      4, 64);
  expect_clean(program.run());
  const Values values = program.contents<std::uint32_t>("out");
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(values[i], 1000 + i);
}

TEST(GlobalRace, ManyMayReadWhatNoThreadWrites) {
  expect_clean(
      global_program("ld.global.u32 %r0, [%data]; ld.global.u32 %r1, [%data+4]; add.u32 %r0, "
                     "%r0, %r1; st.global.u32 [%out_at], %r0;",
                     4, 64)
          .run());
}

TEST(GlobalRace, DistinctBytesOfAWordDoNotRace) {
  // Each word of `data` is shared by 4 threads of one block, or by 2 blocks.
  for (const std::uint32_t threads : {2u, 64u}) {
    PtxProgram bytes = global_program(
        "cvt.u64.u32 %rd0, %index; add.u64 %rd0, %data, %rd0; "
        "st.global.u8 [%rd0], 7; ld.global.u8 %r0, [%rd0];",
        4, threads);
    expect_clean(bytes.run());
  }
  PtxProgram halves = global_program(
      "mad.wide.u32 %rd0, %index, 2, %data; mov.u16 %h0, 7; st.global.u16 [%rd0], %h0; "
      "ld.global.u16 %r0, [%rd0];",
      5, 1);
  expect_clean(halves.run());
  EXPECT_EQ(halves.contents<std::uint16_t>("data").at(4), 7u);
}

TEST(GlobalRace, OneCommonByteOfAWordRaces) {
  const std::string byte = "cvt.u64.u32 %rd0, %b; add.u64 %rd0, %data, %rd0;";
  expect_race(only_finding(in_two_blocks(byte + at(20, thread_only(0, "st.global.u8 [%rd0], 7;")) +
                                         at(24, thread_only(1, "ld.global.u8 %r0, [%data];")))),
              20, 24);
  // A block stores a word over a byte of another block.
  expect_race(only_finding(in_two_blocks(
                  "setp.eq.u32 %p0, %b, 0;" +
                  at(20, "@!%p0 bra BYTE;" + thread_only(0, "st.global.u32 [%data], %b;") +
                             "bra END; BYTE:") +
                  at(24, thread_only(0, "st.global.u8 [%data+3], 7;") + "END:"))),
              20, 24);
}

TEST(GlobalRace, WritesOfTheSameValueAreInformation) {
  for (const std::uint32_t blocks : {1u, 4u}) {
    const RunResult result = global_program(at(20, "st.global.u32 [%data], 1;"), blocks, 64).run();
    ASSERT_FALSE(result.findings.empty());
    for (const Finding& finding : result.findings) {
      EXPECT_EQ(to_string(finding.kind), "race");
      EXPECT_EQ(finding.severity, Severity::info) << finding.message;
      EXPECT_EQ(finding.line, 20);
    }
  }
}

TEST(GlobalRace, AStoreOfTheSameValueHidesNoStore) {
  const RunResult result =
      in_two_blocks(at(20, thread_only(0, "st.global.u32 [%data], 7;")) +
                    "bar.sync 0; setp.eq.u32 %p0, %b, 0; @%p0 bra END;" +
                    at(24, thread_only(1, "ld.global.u32 %r0, [%data];")) + "END:");
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_race(result.findings[0], 20, 24);
  EXPECT_EQ(example(result.findings[0], "other block"), "(0, 0, 0)");
}

TEST(GlobalRace, AStoreOfTheSameValueHidesNoRead) {
  // Block 0 reads and stores 7. Block 1 stores 7 as well, and may do so before the read.
  for (const char* fence : {"", "fence.acq_rel.gpu;"}) {
    SCOPED_TRACE(fence);
    const RunResult result =
        in_two_blocks(std::string(fence) + "setp.ne.u32 %p0, %b, 0; @%p0 bra STORE;" +
                      at(20, thread_only(0, "ld.global.u32 %r0, [%data];")) +
                      "STORE:" + at(24, thread_only(0, "st.global.u32 [%data], 7;")));
    ASSERT_EQ(result.findings.size(), 2u) << describe(result);
    expect_race(result.findings[0], 20, 24);
  }
}

const std::string kLoadOwnCached = at(20, "ld.global.nc.u32 %r0, [%data_at];");

TEST(ReadOnlyCache, SeesNoStoresOfItsLaunch) {
  // A thread's own store, before or after it; a barrier does not help.
  const std::string load_other = at(20, kOther + "ld.global.nc.u32 %r0, [%rd1];");
  const std::string store = at(24, kStoreWord);
  for (const std::string& body :
       {kLoadOwnCached + store, store + kLoadOwnCached, load_other + "bar.sync 0;" + store,
        store + "bar.sync 0;" + load_other}) {
    const Finding finding = only_finding(in_one_block(body));
    expect_race(finding, 20, 24);
    EXPECT_THAT(finding.message, HasSubstr("through the read-only cache"));
    EXPECT_THAT(finding.hint, AllOf(HasSubstr("__ldg()"), HasSubstr("__restrict__")));
    EXPECT_EQ(finding.count, 64u);
  }
  EXPECT_THAT(only_finding(in_one_block(kLoadOwnCached + at(24, kStoreWord))).message,
              HasSubstr("line 20 reads data[0] (thread (0, 0, 0) of block (0, 0, 0)), line 24 "
                        "stores it (thread (0, 0, 0) of block (0, 0, 0))"));
}

TEST(ReadOnlyCache, MayHoldWhatOthersReadAndNoThreadWrites) {
  const std::string store_out = "st.global.u32 [%out_at], %r0;";
  expect_clean(in_one_block(kLoadOwnCached + at(24, store_out)));
  expect_clean(in_two_blocks(kLoadOwnCached + at(24, store_out)));
  // Threads write another element of the array.
  expect_clean(in_one_block(kLoadOwnCached + at(24, "st.global.u32 [%data_at+512], %t;")));
}

TEST(GlobalAtomics, MeetWithoutARace) {
  PtxProgram program = global_program(
      "atom.global.add.u32 %r0, [%data], 1; red.global.add.u32 [%data], 1; atom.global.max.u32 "
      "%r0, [%data+4], %index;",
      4, 64);
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("data").front(), 1000 + 2 * 256u);
}

TEST(GlobalAtomics, RaceWithPlainAccesses) {
  const std::string add = at(20, thread_only(0, "red.global.add.u32 [%data], 1;"));
  for (const char* plain : {"ld.global.u32 %r0, [%data];", "st.global.u32 [%data], %index;"}) {
    SCOPED_TRACE(plain);
    const std::string access = at(24, thread_only(40, plain));
    expect_race(only_finding(in_one_block(add + access)), 20, 24);
    expect_race(only_finding(in_one_block(access + add)), 20, 24);
    expect_clean(in_one_block(add + "bar.sync 0;" + access));
    // A barrier does not order the atomics of one block with the plain access of another.
    const RunResult result = in_two_blocks(add + "bar.sync 0;" + at(24, thread_only(4, plain)));
    ASSERT_FALSE(result.findings.empty());
    const Finding& finding = result.findings.front();
    EXPECT_EQ(to_string(finding.kind), "race");
    EXPECT_NE(example(finding, "block"), example(finding, "other block"));
    EXPECT_NE(example(finding, "other block"), "");
  }
}

TEST(GlobalRace, OneCauseIsReportedOnce) {
  // Sixteen blocks make the same mistake in 32 elements each.
  const Finding finding = only_finding(
      global_program(at(20, "mad.wide.u32 %rd0, %t, 4, %data; st.global.u32 [%rd0], %b;"), 16, 32)
          .run());
  expect_race(finding, 20, 20);
  EXPECT_EQ(finding.count, 15u * 32);
}

TEST(GlobalRace, FindingsDoNotDependOnHostThreads) {
  const auto outcome = [](int threads) {
    PtxProgram program =
        global_program(kOther + at(20, kStoreWord) + at(22, kLoadOther) +
                           at(30, "mad.wide.u32 %rd0, %t, 4, %out; st.global.u32 [%rd0], %index;") +
                           at(40, "ld.global.u32 %r3, [%out+4]; st.global.u32 [%out_at], %r3;"),
                       4, 64);
    program.host_threads = threads;
    const RunResult result = program.run();
    return std::make_tuple(describe(result), result.metrics, program.contents<std::uint32_t>("out"),
                           program.contents<std::uint32_t>("data"));
  };
  const auto alone = outcome(1);
  EXPECT_THAT(std::get<0>(alone), HasSubstr("race"));
  for (int run = 0; run < 3; ++run) EXPECT_EQ(outcome(4), alone);
}

TEST(GlobalRace, ALaunchThatIsRepeatedIsCountedOnce) {
  // The buffer is read and written, so the blocks run again in order.
  const std::string body =
      "ld.global.u32 %r0, [%data_at]; add.u32 %r0, %r0, 1; st.global.u32 [%data_at], %r0;";
  for (const int threads : {1, 4}) {
    PtxProgram program = global_program(body, 4, 64);
    program.host_threads = threads;
    RunResult result = program.run();
    expect_clean(result);
    EXPECT_EQ(result.metrics[Metric::global_load_requests], 8);
    EXPECT_EQ(result.metrics[Metric::global_load_sectors], 32);
    EXPECT_EQ(result.metrics[Metric::global_store_requests], 8);
    EXPECT_EQ(program.contents<std::uint32_t>("data"), Values(256, 1001));
  }
}

TEST(TracedMemory, IsTheMemoryThatTheLastLaunchWrote) {
  DeviceMemory memory;
  const std::uint64_t read = memory.allocate({.name = "read"}, 64);
  const std::uint64_t written = memory.allocate({.name = "written"}, 64);
  const std::uint64_t constant = memory.allocate({.name = "constant", .read_only = true}, 64);
  const std::uint64_t input = memory.allocate({.name = "input", .input = true}, 64);
  const auto traced = [&](std::uint64_t address) { return memory.find(address)->traced; };
  memory.start_launch(DeviceMemory::Traced::none);
  EXPECT_FALSE(traced(read) || traced(written) || traced(constant));
  memory.find(read)->read = true;
  memory.find(written)->written = true;
  memory.start_launch(DeviceMemory::Traced::written);
  EXPECT_FALSE(traced(read));
  EXPECT_TRUE(traced(written));
  memory.start_launch(DeviceMemory::Traced::all);
  EXPECT_TRUE(traced(read) && traced(written));
  EXPECT_FALSE(traced(constant) || traced(input));
}

}  // namespace
}  // namespace tessera::test
