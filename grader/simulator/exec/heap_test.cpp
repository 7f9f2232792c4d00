// malloc, free, new and delete in a kernel (CUDA programming guide, "Dynamic Global Memory
// Allocation and Operations").
#include "grader/simulator/exec/heap.h"

#include <gmock/gmock.h>

#include "grader/simulator/testing/heap_calls.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Values = std::vector<std::uint32_t>;

/// One thread's run of the body.
RunResult run_one(const std::string& body) {
  PtxProgram program(body, kHeapScope);
  program.shape.block = {1, 1, 1};
  return program.run();
}

TEST(Heap, EachThreadHasItsOwnBlock) {
  const std::string body =
      allocated("8") + "st.u32 [%rd0+4], %index; ld.u32 %x, [%rd0+4];\n" + freed();
  const Values values = lanes(body, kHeapScope);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(values[lane], lane);
}

TEST(Heap, BlocksAreAlignedTo16Bytes) {
  const std::string body =
      allocated("1") + allocated("24", "%rd1") +
      "or.b64 %rd2, %rd0, %rd1; and.b64 %rd2, %rd2, 15; cvt.u32.u64 %x, %rd2;\n" + freed() +
      freed("%rd1");
  EXPECT_EQ(lanes(body, kHeapScope)[0], 0u);
}

TEST(Heap, ABlockOutlivesItsThreadsBlock) {
  // The second block reads what the first has left; a leak is no error.
  PtxProgram program("setp.eq.u32 %p0, %index, 1; @%p0 bra READ;\n" + allocated("4") +
                         "st.u32 [%rd0], 77; st.global.u64 [keep], %rd0; bra END;\n"
                         "READ: ld.global.u64 %rd0, [keep]; ld.u32 %r0, [%rd0];\n"
                         "st.global.u32 [%out], %r0; END:",
                     std::string(kHeapScope) + ".global .align 8 .u64 keep;");
  program.buffer("out", Values{0});
  program.shape = {.grid = {2, 1, 1}, .block = {1, 1, 1}, .shared_bytes = 0};
  program.host_threads = 4;
  (void)program.run();
  EXPECT_THAT(program.contents<std::uint32_t>("out"), ElementsAre(77u));
}

TEST(Heap, GivesNullWhereItIsUsedUp) {
  // 8 MiB in all: one block of 6 MiB, and no second one until it is freed.
  const std::string six = "6291456";
  const std::string body = allocated(six) + allocated(six, "%rd1") + freed() +
                           allocated(six, "%rd2") +
                           "setp.ne.u64 %p0, %rd0, 0; setp.eq.and.u64 %p0, %rd1, 0, %p0;\n"
                           "setp.ne.and.u64 %p0, %rd2, 0, %p0; selp.u32 %x, 1, 0, %p0;\n";
  EXPECT_EQ(lanes(body, kHeapScope, {1, 1, 1})[0], 1u);
}

TEST(Heap, AnAccessThroughANullBlockSaysWhoseItIs) {
  const Finding finding = only_finding(run_one(allocated("9000000") + "st.u32 [%rd0], 1;\n"));
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("null pointer"));
  EXPECT_THAT(finding.hint, HasSubstr("8 MiB"));
}

TEST(Heap, AnAccessPastABlockIsNamed) {
  const Finding finding = only_finding(run_one(allocated("40") + "st.u32 [%rd0+40], 1;\n"));
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.message.str(), "writes 4 bytes past the end of a heap block (40 bytes)");
  EXPECT_THAT(only_finding(run_one(allocated("40") + "st.u32 [%rd0+-4], 1;\n")).message,
              HasSubstr("4 bytes before the start of a heap block"));
}

TEST(Heap, AnAccessAfterFreeIsNamed) {
  // Also at an instruction that has reached the block before.
  const std::string body = allocated("4") +
                           "mov.u32 %r0, 0;\nAGAIN: st.u32 [%rd0], 1;\n"
                           "setp.eq.u32 %p0, %r0, 1; @%p0 bra END; mov.u32 %r0, 1;\n" +
                           freed() + "bra AGAIN;\nEND:";
  const Finding finding = only_finding(run_one(body));
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.message.str(), "writes 4 bytes of a heap block that has been freed");
}

TEST(Heap, FreeingTwiceOrElsewhereIsNamed) {
  EXPECT_THAT(only_finding(run_one(allocated("4") + freed() + freed())).message,
              HasSubstr("freed before"));
  EXPECT_THAT(
      only_finding(run_one(allocated("40") + "add.u64 %rd0, %rd0, 16;\n" + freed())).message,
      HasSubstr("no heap block begins"));
  expect_clean(run_one("mov.u64 %rd0, 0;\n" + freed()));
}

TEST(Heap, ReadingWhatNoThreadWroteIsNamed) {
  const Finding finding = only_finding(run_one(allocated("4") + "ld.u32 %r0, [%rd0];\n"));
  EXPECT_EQ(finding.kind, FindingKind::uninitialized_read);
}

TEST(Heap, ResultsDoNotDependOnHostThreads) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const int threads : {1, 4}) {
    PtxProgram program(allocated("16") + "st.global.u64 [%out_at], %rd0;\n", kHeapScope);
    program.buffer("out", std::vector<std::uint64_t>(256, 0));
    program.shape = {.grid = {8, 1, 1}, .block = {32, 1, 1}, .shared_bytes = 0};
    program.host_threads = threads;
    expect_clean(program.run());
    all.push_back(program.contents<std::uint64_t>("out"));
  }
  EXPECT_EQ(all[0], all[1]);
}

/// One thread that makes and frees blocks of so many bytes, `times` in turn.
PtxProgram in_turn(const std::string& bytes, const std::string& times) {
  PtxProgram program("mov.u32 %r0, 0;\nAGAIN:\n" + allocated(bytes) + "st.u32 [%rd0], 1;\n" +
                         freed() + "add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, " + times +
                         "; @%p0 bra AGAIN;\n",
                     kHeapScope);
  program.shape.block = {1, 1, 1};
  return program;
}

TEST(Heap, FreedBlocksAreForgottenInTime) {
  PtxProgram program = in_turn("256", "70000");
  program.step_limit = 0;
  expect_clean(program.run());
}

TEST(Heap, WhatBlocksCostCountsTowardsTheStepLimit) {
  PtxProgram program = in_turn("4194304", "100000");
  program.launch_step_limit = 1'000'000;
  EXPECT_EQ(only_finding(program.run()).kind, FindingKind::step_limit);
}

}  // namespace
}  // namespace tessera::test
