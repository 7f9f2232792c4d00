// Order without barriers: fences, flags and locks (CUDA programming guide, "Memory Fence
// Functions"; PTX ISA, 8.9 "Ordering").
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

using Values = std::vector<std::uint32_t>;

/// Blocks of a warp or more, with %t and %b, and zeroed words in `data`, `flag` and `out`.
PtxProgram flag_program(const std::string& body, std::uint32_t blocks, std::uint32_t threads) {
  PtxProgram program(".reg .b32 %t, %b; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x;\n" + body);
  program.shape.grid = {blocks, 1, 1};
  program.shape.block = {threads, 1, 1};
  program.buffer("data", Values(64, 0));
  program.buffer("flag", Values(4, 0));
  program.buffer("out", Values(256, 0));
  return program;
}

const std::string kWriteData = at(20, "st.global.u32 [%data], 42;");
const std::string kReadData = at(30, "ld.global.u32 %r3, [%data]; st.global.u32 [%out], %r3;");
const std::string kSetFlag = at(22, "st.volatile.global.u32 [%flag], 1;");
const std::string kSetFlagAtomically = at(22, "atom.global.exch.b32 %r0, [%flag], 1;");
const std::string kFence = at(21, "membar.gl;");
const std::string kWaitVolatile =
    at(28, "WAIT: ld.volatile.global.u32 %r1, [%flag]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;");
const std::string kWaitAtomic =
    at(28, "WAIT: atom.global.or.b32 %r1, [%flag], 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;");

/// Thread 0 of block 0 runs `producer`, thread 0 of block 1 runs `consumer`.
RunResult between_blocks(const std::string& producer, const std::string& consumer) {
  return flag_program(
             "setp.ne.u32 %p0, %t, 0; @%p0 bra END; setp.eq.u32 %p0, %b, 1; @%p0 bra "
             "CONSUMER;\n" +
                 producer + "bra END;\nCONSUMER:" + consumer + "END:",
             2, 32)
      .run();
}

/// Thread 0 of warp 0 runs `producer`, thread 0 of warp 1 of the same block runs `consumer`.
RunResult between_warps(const std::string& producer, const std::string& consumer) {
  return flag_program(
             "setp.eq.u32 %p0, %t, 32; @%p0 bra CONSUMER; setp.ne.u32 %p0, %t, 0; @%p0 "
             "bra END;\n" +
                 producer + "bra END;\nCONSUMER:" + consumer + "END:",
             1, 64)
      .run();
}

TEST(FlagRace, AFenceAndAFlagOrderTwoBlocks) {
  for (const std::string& set : {kSetFlag, kSetFlagAtomically}) {
    for (const std::string& wait : {kWaitVolatile, kWaitAtomic}) {
      expect_clean(between_blocks(kWriteData + kFence + set, wait + "membar.gl;" + kReadData));
      // The guide's own sample has no fence in the reading thread.
      expect_clean(between_blocks(kWriteData + kFence + set, wait + kReadData));
    }
  }
}

TEST(FlagRace, EveryFenceOfTheDeviceWillDo) {
  for (const char* fence : {"membar.gl;", "membar.sys;", "fence.acq_rel.gpu;", "fence.sc.gpu;",
                            "fence.acq_rel.sys;", "fence.sc.sys;"}) {
    SCOPED_TRACE(fence);
    expect_clean(between_blocks(kWriteData + at(21, fence) + kSetFlag, kWaitVolatile + kReadData));
  }
}

TEST(FlagRace, ReleaseAndAcquireNeedNoFence) {
  const std::string wait = at(
      28, "WAIT: ld.acquire.gpu.global.u32 %r1, [%flag]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;");
  expect_clean(between_blocks(kWriteData + at(22, "st.release.gpu.global.u32 [%flag], 1;"),
                              wait + kReadData));
  expect_clean(between_blocks(
      kWriteData + at(22, "atom.release.gpu.global.exch.b32 %r0, [%flag], 1;"), wait + kReadData));
}

TEST(FlagRace, RelaxedAccessesReleaseNothing) {
  const std::string wait = at(
      28, "WAIT: ld.acquire.gpu.global.u32 %r1, [%flag]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;");
  expect_race(only_finding(between_blocks(
                  kWriteData + at(22, "st.relaxed.gpu.global.u32 [%flag], 1;"), wait + kReadData)),
              20, 30);
}

TEST(FlagRace, AReleaseToTheBlockIsNotEnoughBetweenBlocks) {
  const std::string wait = at(
      28, "WAIT: ld.acquire.gpu.global.u32 %r1, [%flag]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;");
  const std::string release = at(22, "atom.release.cta.global.exch.b32 %r0, [%flag], 1;");
  EXPECT_FALSE(between_blocks(kWriteData + release, wait + kReadData).findings.empty());
  expect_clean(between_warps(kWriteData + release, wait + kReadData));
}

TEST(FlagRace, WithoutAFenceTheDataMayComeLate) {
  for (const std::string& set : {kSetFlag, kSetFlagAtomically}) {
    const Finding finding =
        only_finding(between_blocks(kWriteData + set, kWaitVolatile + "membar.gl;" + kReadData));
    expect_race(finding, 20, 30);
    EXPECT_EQ(example(finding, "element"), "data[0]");
    EXPECT_EQ(example(finding, "block"), "(1, 0, 0)");
    EXPECT_EQ(example(finding, "other block"), "(0, 0, 0)");
  }
}

TEST(FlagRace, AFenceBeforeTheWriteIsOnTheWrongSide) {
  expect_race(only_finding(between_blocks("membar.gl;" + kWriteData + kSetFlag,
                                          kWaitVolatile + "membar.gl;" + kReadData)),
              20, 30);
}

TEST(FlagRace, AFlagBeforeTheWriteAnnouncesNothing) {
  expect_race(only_finding(between_blocks(kFence + kSetFlag + kWriteData,
                                          kWaitVolatile + "membar.gl;" + kReadData)),
              20, 30);
}

TEST(FlagRace, AFenceOfTheBlockIsNotEnoughBetweenBlocks) {
  const std::string fence = at(21, "membar.cta;");
  expect_race(
      only_finding(between_blocks(kWriteData + fence + kSetFlag, kWaitVolatile + kReadData)), 20,
      30);
  expect_clean(between_warps(kWriteData + fence + kSetFlag, kWaitVolatile + kReadData));
}

TEST(FlagRace, WarpsOfABlockNeedAFenceToo) {
  expect_race(only_finding(between_warps(kWriteData + kSetFlag, kWaitVolatile + kReadData)), 20,
              30);
}

TEST(FlagRace, DataThatIsReadBeforeTheFlagIsNotCovered) {
  expect_race(
      only_finding(between_blocks(kWriteData + kFence + kSetFlag, kReadData + kWaitVolatile)), 20,
      30);
}

TEST(FlagRace, APlainFlagRacesItself) {
  const RunResult result = between_blocks(kWriteData + kFence + at(22, "st.global.u32 [%flag], 1;"),
                                          at(28, "ld.global.u32 %r1, [%flag];") + kReadData);
  bool flag = false;
  for (const Finding& finding : result.findings) flag |= example(finding, "variable") == "flag";
  EXPECT_TRUE(flag) << describe(result);
}

TEST(FlagRace, AFlagWhoseValueIsNotUsedOrdersNothing) {
  const std::string touch = at(28, "atom.global.or.b32 %r9, [%flag], 0;");
  expect_race(only_finding(between_blocks(kWriteData + kFence + kSetFlag, touch + kReadData)), 20,
              30);
  const std::string look = touch + "setp.eq.u32 %p1, %r9, 0; @%p1 bra END;";
  expect_clean(between_blocks(kWriteData + kFence + kSetFlag, look + kReadData));
}

TEST(FlagRace, AnotherFlagOrdersNothing) {
  expect_race(only_finding(between_blocks(
                  kWriteData + kFence + kSetFlag,
                  at(28, "ld.volatile.global.u32 %r1, [%flag+4]; membar.gl;") + kReadData)),
              20, 30);
}

/// All threads of block 0 write, then its thread 0 sets the flag. Thread 0 of block 1 waits for it,
/// then all threads of block 1 read.
RunResult whole_blocks(const std::string& before_flag, const std::string& after_wait) {
  return flag_program(
             "mad.wide.u32 %rd0, %t, 4, %data; setp.eq.u32 %p2, %t, 0; setp.eq.u32 %p0, "
             "%b, 1; @%p0 bra CONSUMER;" +
                 at(20, "st.global.u32 [%rd0], %t;") + before_flag + "@!%p2 bra END;" + kFence +
                 kSetFlag + "bra END;\nCONSUMER: @!%p2 bra ALL;" + kWaitVolatile +
                 "membar.gl; ALL:\n" + after_wait +
                 at(30, "ld.global.u32 %r3, [%rd0]; st.global.u32 [%out_at], %r3;") + "END:",
             2, 64)
      .run();
}

TEST(FlagRace, BarriersOnBothSidesExtendAFlagToTheBlock) {
  expect_clean(whole_blocks("bar.sync 0;", "bar.sync 0;"));
}

TEST(FlagRace, WithoutABarrierAFlagOrdersItsThreadAlone) {
  expect_race(only_finding(whole_blocks("", "bar.sync 0;")), 20, 30);
  expect_race(only_finding(whole_blocks("bar.sync 0;", "")), 20, 30);
}

/// Block 0 writes and sets flag 0; block 1 waits for it and sets flag 1; block 2 waits for that.
RunResult relay(const std::string& fence_of_block_1) {
  return flag_program(
             "setp.ne.u32 %p0, %t, 0; @%p0 bra END; setp.eq.u32 %p0, %b, 1; @%p0 bra RELAY; "
             "setp.eq.u32 %p0, %b, 2; @%p0 bra CONSUMER;\n" +
                 kWriteData + kFence + kSetFlag + "bra END;\nRELAY:" + kWaitVolatile +
                 fence_of_block_1 + at(29, "st.volatile.global.u32 [%flag+4], 1; bra END;") +
                 "CONSUMER: ld.volatile.global.u32 %r1, [%flag+4]; setp.eq.u32 %p1, %r1, 0; @%p1 "
                 "bra CONSUMER; membar.gl;" +
                 kReadData + "END:",
             3, 32)
      .run();
}

TEST(FlagRace, FlagsChain) {
  expect_clean(relay("membar.gl;"));
  expect_race(only_finding(relay("")), 20, 30);
}

TEST(FlagRace, ATokenMayGoAroundManyTimes) {
  // Three warps pass on one word: warp 0 writes it, warp 1 passes it on, warp 2 reads it and
  // returns it.
  const std::string body =
      "and.b32 %r5, %t, 31; setp.ne.u32 %p0, %r5, 0; @%p0 bra END; shr.u32 %r5, %t, 5; mov.u32 "
      "%r6, 1; setp.eq.u32 %p2, %r5, 0; setp.eq.u32 %p3, %r5, 2; add.u32 %r7, %r5, 2; rem.u32 %r7, "
      "%r7, 3; mad.wide.u32 %rd1, %r7, 4, %flag; mad.wide.u32 %rd2, %r5, 4, %flag;\n"
      "ROUND: selp.u32 %r8, 1, 0, %p2; sub.u32 %r8, %r6, %r8;" +
      at(10,
         "WAIT: ld.volatile.global.u32 %r1, [%rd1]; setp.lt.u32 %p1, %r1, %r8; @%p1 bra "
         "WAIT; membar.cta;") +
      at(20, "@%p2 st.global.u32 [%data], %r6;") +
      at(30, "@%p3 ld.global.u32 %r3, [%data]; @%p3 st.global.u32 [%out], %r3;") +
      at(40,
         "membar.cta; st.volatile.global.u32 [%rd2], %r6; add.u32 %r6, %r6, 1; setp.le.u32 "
         "%p1, %r6, 4; @%p1 bra ROUND; END:");
  PtxProgram program = flag_program(body, 1, 96);
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 4u);
}

TEST(FlagRace, ATicketOfAnAtomicIsAFlag) {
  // Each block writes its part; the block that draws the last ticket adds the parts.
  const auto last_block = [](const std::string& fence) {
    return flag_program("setp.ne.u32 %p0, %t, 0; @%p0 bra END; mad.wide.u32 %rd0, %b, 4, %data;" +
                            at(20, "st.global.u32 [%rd0], %b;") + fence +
                            at(22,
                               "atom.global.inc.u32 %r0, [%flag], 3; setp.ne.u32 %p1, %r0, 3; "
                               "@%p1 bra END;") +
                            at(30, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%data];") + "END:",
                        4, 32)
        .run();
  };
  expect_clean(last_block("membar.gl;"));
  expect_race(only_finding(last_block("")), 20, 30);
}

/// Blocks 0, 1 and 2 read data[0], in this order; each but block `silent` then sets its own flag.
/// Block 3 waits for these flags, then stores data[0].
RunResult three_readers(int silent) {
  std::string body = "setp.ne.u32 %p0, %t, 0; @%p0 bra END;\n", waits;
  for (int block = 0; block < 3; ++block) {
    body += fmt::format("setp.eq.u32 %p0, %b, {0}; @%p0 bra READER{0};\n", block);
    if (block == silent) continue;
    waits += fmt::format(
        "WAIT{0}: ld.volatile.global.u32 %r1, [%flag+{1}]; setp.eq.u32 %p1, %r1, 0; @%p1 bra "
        "WAIT{0};\n",
        block, 4 * block);
  }
  body += waits + "membar.gl;" + at(30, "st.global.u32 [%data], 42; bra END;");
  for (int block = 0; block < 3; ++block) {
    body += fmt::format("READER{}:", block) + at(20 + block, "ld.global.u32 %r3, [%data];");
    if (block != silent)
      body += kFence + fmt::format("st.volatile.global.u32 [%flag+{}], 1;", 4 * block);
    body += "bra END;\n";
  }
  return flag_program(body + "END:", 4, 32).run();
}

TEST(FlagRace, AReaderIsNotForgottenBehindThoseThatSetFlags) {
  constexpr int kNoBlock = -1;
  expect_clean(three_readers(kNoBlock));
  for (const int silent : {0, 2}) {
    SCOPED_TRACE(silent);
    const Finding finding = only_finding(three_readers(silent));
    expect_race(finding, 20 + silent, 30);
    EXPECT_EQ(example(finding, "other block"), fmt::format("({}, 0, 0)", silent));
  }
}

TEST(FlagRace, ASharedFlagOrdersTheWarpsOfABlock) {
  const auto mailbox = [](const std::string& fence) {
    return flag_program(
               ".shared .align 4 .u32 ready; .shared .align 4 .u32 box; setp.eq.u32 %p2, %t, 0; "
               "@%p2 st.shared.u32 [ready], 0; bar.sync 0; setp.eq.u32 %p0, %t, 32; @%p0 bra "
               "CONSUMER; @!%p2 bra END;" +
                   at(20, "st.shared.u32 [box], 42;") + fence +
                   at(22, "st.volatile.shared.u32 [ready], 1; bra END;") +
                   "CONSUMER: ld.volatile.shared.u32 %r1, [ready]; setp.eq.u32 %p1, %r1, 0; @%p1 "
                   "bra CONSUMER; membar.cta;" +
                   at(30, "ld.shared.u32 %r3, [box];") + "END:",
               3, 64)
        .run();
  };
  expect_clean(mailbox("membar.cta;"));
  expect_race(only_finding(mailbox("")), 20, 30);
}

/// One thread of each block (or warp) adds 1 to data[0] under a lock.
PtxProgram locked(const std::string& after_lock, const std::string& before_unlock,
                  std::uint32_t blocks, std::uint32_t threads, const std::string& after = "") {
  return flag_program(
      "and.b32 %r5, %t, 31; setp.ne.u32 %p0, %r5, 0; @%p0 bra END; LOCK: atom.global.cas.b32 %r0, "
      "[%flag], 0, 1; setp.ne.u32 %p1, %r0, 0; @%p1 bra LOCK;" +
          after_lock + at(20, "ld.global.u32 %r1, [%data]; add.u32 %r1, %r1, 1;") +
          at(24, "st.global.u32 [%data], %r1;") + before_unlock +
          at(26, "atom.global.exch.b32 %r0, [%flag], 0;") + after + "END:",
      blocks, threads);
}

TEST(LockRace, FencesInsideALockMakeItWhole) {
  PtxProgram blocks = locked("membar.gl;", "membar.gl;", 4, 32);
  expect_clean(blocks.run());
  EXPECT_EQ(blocks.contents<std::uint32_t>("data").front(), 4u);
  PtxProgram warps = locked("membar.cta;", "membar.cta;", 1, 128);
  expect_clean(warps.run());
  EXPECT_EQ(warps.contents<std::uint32_t>("data").front(), 4u);
}

TEST(LockRace, AnUnlockWithoutAFenceReleasesNothing) {
  const RunResult result = locked("membar.gl;", "", 2, 32).run();
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(to_string(result.findings.front().kind), "race");
  EXPECT_EQ(example(result.findings.front(), "variable"), "data");
}

TEST(LockRace, WhatIsDoneOutsideTheLockIsNotCovered) {
  const RunResult result =
      locked("membar.gl;", "membar.gl;", 2, 32, at(40, "ld.global.u32 %r7, [%data];")).run();
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(to_string(result.findings.front().kind), "race");
}

TEST(FlagRace, FindingsDoNotDependOnHostThreads) {
  const auto findings = [](int threads) {
    PtxProgram program = locked("membar.gl;", "", 4, 64);
    program.host_threads = threads;
    return describe(program.run());
  };
  EXPECT_THAT(findings(1), HasSubstr("race"));
  EXPECT_EQ(findings(4), findings(1));
}

}  // namespace
}  // namespace tessera::test
