// Which lanes of a warp are ordered where parts of it meet (PTX ISA, 9.7.13.5: bar.warp.sync).
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

/// One warp a block with its thread's number in %t and its own word of `tile` in %at; all words are
/// written.
PtxProgram warp_program(const std::string& body) {
  PtxProgram program(
      ".shared .align 16 .b8 tile[128]; .reg .b32 %t, %at; mov.u32 %t, %tid.x; mov.u32 %r0, tile; "
      "mad.lo.u32 %at, %t, 4, %r0; st.shared.u32 [%at], 0; bar.sync 0;\n" +
      body);
  return program;
}

RunResult run_warp(const std::string& body) {
  return warp_program(body).run();
}

/// The lanes `first` to `last` meet `times` times; the others go on.
std::string meet(unsigned first, unsigned last, int times = 1) {
  static int label = 0;
  const std::uint32_t mask = (~0u >> (31 - last)) & (~0u << first);
  ++label;
  return fmt::format(
      "setp.lt.u32 %p1, %t, {1}; @%p1 bra PAST{0}; setp.gt.u32 %p1, %t, {2}; @%p1 bra PAST{0}; "
      "mov.u32 %r8, 0; AGAIN{0}: bar.warp.sync {3}; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, {4};"
      " @%p1 bra AGAIN{0}; PAST{0}:\n",
      label, first, last, mask, times);
}

std::string store_at(int line, int lane) {
  return at(line, thread_only(lane, "st.shared.u32 [tile+80], %t;"));
}
std::string load_at(int line, int lane) {
  return at(line, thread_only(lane, "ld.shared.u32 %r1, [tile+80];"));
}

TEST(PartsOfAWarp, HideNoRaceHoweverOftenTheyMeet) {
  for (const int times : {1, 63, 64, 65, 66, 200, 5000}) {
    SCOPED_TRACE(times);
    expect_race(only_finding(run_warp(store_at(20, 20) + meet(0, 15, times) + load_at(24, 3))), 20,
                24);
    expect_race(only_finding(run_warp(load_at(20, 20) + meet(0, 15, times) + store_at(24, 3))), 20,
                24);
    expect_race(only_finding(run_warp(store_at(20, 3) + meet(0, 15, times) + load_at(24, 20))), 20,
                24);
  }
}

TEST(PartsOfAWarp, HideNoRaceOfTwoPartsThatMeetOften) {
  expect_race(only_finding(run_warp(store_at(20, 20) + meet(0, 15, 70) + meet(16, 31, 70) +
                                    meet(0, 15, 70) + load_at(24, 3))),
              20, 24);
}

TEST(PartsOfAWarp, OrderTheirOwnLanesHoweverOftenTheyMeet) {
  for (const int times : {1, 64, 65, 200, 5000, 131'071, 131'072}) {
    SCOPED_TRACE(times);
    expect_clean(run_warp(store_at(20, 9) + meet(0, 15, times) + load_at(24, 3)));
    // Others meet after.
    expect_clean(run_warp(store_at(20, 9) + meet(0, 15) + meet(16, 31, times) + load_at(24, 3)));
  }
}

/// More often than the bits of a Who can count.
constexpr int kVeryOften[] = {65'536, 131'071, 131'072, 131'073, 262'144};

RunResult run_long(const std::string& body) {
  PtxProgram program = warp_program(body);
  program.buffer("data", std::vector<std::uint32_t>(32, 1));
  program.step_limit = 10'000'000;
  return program.run();
}

TEST(PartsOfAWarp, TheWholeWarpOrdersHoweverOftenItMeets) {
  for (const int times : kVeryOften) {
    SCOPED_TRACE(times);
    const std::string often = meet(0, 31, times);
    expect_clean(run_long(store_at(20, 9) + often + load_at(24, 3)));
    expect_clean(run_long(load_at(20, 9) + often + store_at(24, 3)));
    expect_clean(run_long(at(20, thread_only(9, "st.global.u32 [%data+4], %t;")) + often +
                          at(24, thread_only(3, "ld.global.u32 %r1, [%data+4];"))));
  }
}

TEST(PartsOfAWarp, HideNoRaceOfLanesThatWaitVeryLong) {
  for (const int times : kVeryOften) {
    SCOPED_TRACE(times);
    const std::string waits = meet(0, 31);
    expect_race(
        only_finding(run_long(store_at(20, 20) + meet(0, 15, times) + load_at(24, 3) + waits)), 20,
        24);
    expect_clean(run_long(store_at(20, 9) + meet(0, 15, times) + load_at(24, 3) + waits));
  }
}

TEST(PartsOfAWarp, TheWholeWarpOrdersWhatItsPartsDidNot) {
  expect_clean(run_warp(store_at(20, 20) + meet(0, 15, 100) + meet(0, 31) + load_at(24, 3)));
  expect_clean(run_warp(store_at(20, 20) + meet(0, 31) + meet(0, 15, 100) + load_at(24, 3)));
  expect_race(
      only_finding(run_warp(meet(0, 31) + store_at(20, 20) + meet(0, 15, 100) + load_at(24, 3))),
      20, 24);
}

TEST(PartsOfAWarp, ChainThroughALaneThatMetBoth) {
  expect_clean(run_warp(store_at(20, 0) + meet(0, 1) + meet(1, 2) + load_at(24, 2)));
  expect_clean(run_warp(load_at(20, 0) + meet(0, 1) + meet(1, 2) + store_at(24, 2)));
  // A chain of 31 links.
  std::string links;
  for (unsigned lane = 0; lane < 31; ++lane) links += meet(lane, lane + 1);
  expect_clean(run_warp(store_at(20, 0) + links + load_at(24, 31)));
  // Others meet often between its links.
  expect_clean(
      run_warp(store_at(20, 0) + meet(0, 1) + meet(16, 31, 300) + meet(1, 2) + load_at(24, 2)));
}

TEST(PartsOfAWarp, AChainKeepsTheOrderOfItsLinks) {
  expect_race(only_finding(run_warp(store_at(20, 0) + meet(1, 2) + meet(0, 1) + load_at(24, 2))),
              20, 24);
  expect_race(only_finding(run_warp(meet(0, 1) + store_at(20, 0) + meet(1, 2) + load_at(24, 2))),
              20, 24);
  expect_race(only_finding(run_warp(store_at(20, 2) + meet(0, 1) + meet(1, 2) + load_at(24, 0))),
              20, 24);
}

TEST(PartsOfAWarp, AReadIsNotForgottenBehindOneOfAnotherPart) {
  const auto stored_after_two_reads = [](int first_reader) {
    return run_warp(load_at(20, first_reader) + meet(16, 31) + load_at(22, 20) + meet(16, 31) +
                    store_at(24, 21));
  };
  expect_race(only_finding(stored_after_two_reads(5)), 20, 24);
  expect_clean(stored_after_two_reads(17));
}

TEST(PartsOfAWarp, TheReadsOfAllLanesBeforeThePartMeetsAreSeveral) {
  const auto read_by_lanes_from = [](int first) {
    return run_warp(fmt::format("setp.lt.u32 %p3, %t, {};", first) +
                    at(20, "@!%p3 ld.shared.u32 %r1, [tile+80];") + meet(16, 31) +
                    store_at(24, 21));
  };
  expect_race(only_finding(read_by_lanes_from(0)), 20, 24);
  expect_clean(read_by_lanes_from(16));
}

TEST(PartsOfAWarp, AStoreOfTheSameValueHidesNoStore) {
  const auto store_seven = [](int line, int lane) {
    return at(line, thread_only(lane, "st.shared.u32 [tile+80], 7;"));
  };
  const RunResult result =
      run_warp(store_seven(20, 20) + store_seven(22, 3) + meet(0, 15) + load_at(24, 5));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_race(result.findings[0], 20, 24);
  EXPECT_EQ(result.findings[1].severity, Severity::info);
}

TEST(PartsOfAWarp, GoOnMeetingAfterTheWholeWarpHas) {
  std::string meetings;
  for (unsigned lane = 0; lane < 31; ++lane)
    meetings += meet(lane, lane + 1) + meet(0, 31) + meet(lane % 7, 31 - lane % 5);
  expect_race(only_finding(run_warp(meetings + store_at(20, 20) + meet(0, 15) + load_at(24, 3))),
              20, 24);
  expect_clean(run_warp(meetings + store_at(20, 9) + meet(0, 15) + load_at(24, 3)));
}

TEST(PartsOfAWarp, MeetAnewInEveryBlock) {
  // Block 0's lanes meet often, those of block 1 not at all (others do).
  PtxProgram program = warp_program(
      "mov.u32 %r4, %ctaid.x; setp.ne.u32 %p2, %r4, 0; @%p2 bra SECOND;" + meet(0, 15, 100) +
      "bra END; SECOND:" + store_at(20, 9) + meet(16, 31) + load_at(24, 3) + "END:");
  program.shape.grid = {2, 1, 1};
  expect_race(only_finding(program.run()), 20, 24);
}

TEST(LanesThatRunApart, MeetAtAnInstructionOfTheWholeWarp) {
  // Each lane comes from work of its own: its number of atomics differs.
  const std::string body =
      "mov.u32 %r8, 0; AGAIN: atom.shared.add.u32 %r9, [%at], 1; add.u32 %r8, %r8, 1;"
      "setp.le.u32 %p1, %r8, %t; @%p1 bra AGAIN;"
      "mul.lo.u32 %r1, %t, 131074; add.u32 %r1, %r1, 65536; "
      "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1; st.global.u32 [%out_at], %r0;\n";
  const auto transposed = [&](Turns turns) {
    PtxProgram program = warp_program(body);
    program.buffer("out", std::vector<std::uint32_t>(32));
    program.turns = turns;
    const RunResult result = program.run();
    EXPECT_EQ(result.status, RunStatus::completed);
    return program.contents<std::uint32_t>("out");
  };
  const std::vector<std::uint32_t> usual = transposed(Turns::usual);
  EXPECT_EQ(usual[1], 24u << 16 | 16u);
  EXPECT_EQ(transposed(Turns::lanes), usual);
  EXPECT_EQ(transposed(Turns::rising_lanes), usual);
}

}  // namespace
}  // namespace tessera::test
