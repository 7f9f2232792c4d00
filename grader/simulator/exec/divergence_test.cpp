// Lanes and threads that part: warp-wide instructions whose lanes name masks of their own, those
// whose lanes never come, and what is reported after threads met at different barriers.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Values = std::vector<std::uint32_t>;

/// %mask: the half warp of each lane.
const std::string kHalves =
    ".reg .b32 %mask; setp.lt.u32 %p9, %index, 16; selp.b32 %mask, 0xffff, 0xffff0000, %p9;\n";

TEST(OwnMasks, HalvesShuffleApart) {
  const Values values = lanes(kHalves + "shfl.sync.bfly.b32 %x, %index, 5, 31, %mask;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i ^ 5);
}

TEST(OwnMasks, HalvesVoteApart) {
  const Values ballots =
      lanes(kHalves +
            "and.b32 %r0, %index, 3; setp.eq.u32 %p0, %r0, 1; vote.sync.ballot.b32 %x, "
            "%p0, %mask;");
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(ballots[i], 0x22222222u & (i < 16 ? 0xffffu : 0xffff0000u));
  // True in all of the lower half, in some of the upper.
  const Values all = lanes(kHalves +
                           "setp.lt.u32 %p0, %index, 20; vote.sync.all.pred %p1, %p0, %mask; "
                           "selp.u32 %x, 1, 0, %p1;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(all[i], i < 16 ? 1u : 0u);
}

TEST(OwnMasks, GroupsReduceAndMatchApart) {
  // Groups of 8 lanes.
  const std::string groups =
      ".reg .b32 %mask; and.b32 %r0, %index, 24; mov.u32 %r1, 0xff; shl.b32 %mask, %r1, %r0;\n";
  const Values sums = lanes(groups + "redux.sync.add.u32 %x, %index, %mask;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(sums[i], 8 * (i & 24) + 28);
  const Values matches =
      lanes(groups + "and.b32 %r2, %index, 1; match.any.sync.b32 %x, %r2, %mask;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(matches[i], (0x55u << (i % 2)) << (i & 24)) << i;
}

TEST(OwnMasks, OneHalfWaitsForLanesElsewhere) {
  // Lanes 24-31 work on, then come to another instruction of the kind; the lower half need not
  // wait.
  const Values values = lanes(kHalves + R"(
    setp.lt.u32 %p0, %index, 24; @%p0 bra EARLY;
    mov.u32 %r2, 0;
  WORK:
    add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100; @%p1 bra WORK;
    add.u32 %r3, %index, 500; shfl.sync.bfly.b32 %x, %r3, 8, 31, %mask; bra JOIN;
  EARLY:
    add.u32 %r3, %index, 700; shfl.sync.bfly.b32 %x, %r3, 8, 31, %mask;
  JOIN:)");
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], (i ^ 8) + ((i ^ 8) < 24 ? 700 : 500)) << i;
}

TEST(OwnMasks, HalvesInBranchesOfTheirOwnLoopApart) {
  // The lower half takes 2 rounds, the upper 5, each with a vote of its own.
  const Values values = lanes(kHalves + R"(
    selp.u32 %r1, 2, 5, %p9; mov.u32 %r2, 0; mov.u32 %x, 0;
  ROUND:
    setp.lt.u32 %p0, %r2, 99; vote.sync.ballot.b32 %r3, %p0, %mask; popc.b32 %r3, %r3;
    add.u32 %x, %x, %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra ROUND;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 16 ? 32u : 80u);
}

TEST(OwnMasks, SyncwarpOfHalvesOrdersEachHalf) {
  const std::string tile =
      ".shared .align 4 .b8 tile[128]; .reg .b32 %t; mov.u32 %t, %index; mov.u32 %r0, tile; "
      "mad.lo.u32 %r1, %index, 4, %r0;";
  const auto exchange = [&](int distance) {
    PtxProgram program(kHalves + tile + at(20, "st.shared.u32 [%r1], %index;") +
                       "bar.warp.sync %mask;" +
                       at(24, fmt::format("xor.b32 %r2, %index, {}; mad.lo.u32 %r2, %r2, 4, %r0; "
                                          "ld.shared.u32 %r3, [%r2];",
                                          distance)));
    return program.run();
  };
  expect_clean(exchange(7));
  expect_race(only_finding(exchange(16)), 20, 24);
}

PtxProgram for_threads(const std::string& body, std::uint32_t threads,
                       const std::string& module = "") {
  PtxProgram program(".reg .b32 %t; mov.u32 %t, %tid.x;\n" + body, module);
  program.shape.block = {threads, 1, 1};
  return program;
}

void expect_divergence(const Finding& finding, int line) {
  EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::divergent_barrier));
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.line, line) << finding.message;
  EXPECT_NE(finding.hint.str(), "");
}

TEST(LanesThatNeverCome, AreADivergentBarrier) {
  for (const char* instruction :
       {"shfl.sync.bfly.b32 %r0, %t, 1, 31, -1;", "vote.sync.ballot.b32 %r0, %p0, -1;",
        "bar.warp.sync -1;", "redux.sync.add.u32 %r0, %t, -1;"}) {
    SCOPED_TRACE(instruction);
    // The other half waits at the block's barrier, which the first half cannot reach.
    const RunResult result = for_threads("setp.ge.u32 %p0, %t, 16; @%p0 bra JOIN;" +
                                             at(42, instruction) + "JOIN:" + at(50, "bar.sync 0;"),
                                         32)
                                 .run();
    EXPECT_EQ(result.status, RunStatus::stopped);
    ASSERT_FALSE(result.findings.empty());
    expect_divergence(result.findings.front(), 42);
  }
}

TEST(LanesThatNeverCome, AlsoWhereTheyWaitForOthersOfTheWarp) {
  // The halves wait for each other in two kinds of instruction.
  const RunResult result =
      for_threads("setp.ge.u32 %p0, %t, 16; @%p0 bra UPPER;" +
                      at(42, "shfl.sync.bfly.b32 %r0, %t, 1, 31, -1; bra JOIN; UPPER:") +
                      at(44, "vote.sync.ballot.b32 %r0, %p0, -1; JOIN:"),
                  32)
          .run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(to_string(result.findings.front().kind), "divergent-barrier");
}

TEST(LanesThatNeverCome, ALaneMustNameItself) {
  const Finding finding =
      only_finding(for_threads(at(42, "shfl.sync.bfly.b32 %r0, %t, 1, 31, 0xff;"), 16).run());
  expect_divergence(finding, 42);
  EXPECT_THAT(finding.message, AllOf(HasSubstr("lane 8"), HasSubstr("0x000000ff")));
  EXPECT_EQ(example(finding, "thread"), "(8, 0, 0)");
}

TEST(LanesThatHaveEnded, AreAwaitedByNoLane) {
  // Whether they end before the others come to the instruction or after.
  for (const char* which : {"setp.ge.u32 %p0, %t, 24;", "setp.lt.u32 %p0, %t, 24;"}) {
    for (const char* instruction :
         {"shfl.sync.bfly.b32 %r0, %t, 1, 31, -1;", "vote.sync.ballot.b32 %r0, %p1, -1;",
          "bar.warp.sync -1;", "redux.sync.add.u32 %r0, %t, -1;"}) {
      SCOPED_TRACE(std::string(which) + instruction);
      expect_clean(for_threads(std::string(which) + "@%p0 bra OTHER;" + instruction +
                                   "ret; OTHER: mov.u32 %r1, 0; AGAIN: add.u32 %r1, %r1, 1; "
                                   "setp.lt.u32 %p2, %r1, 50; @%p2 bra AGAIN; ret;",
                               32)
                       .run());
    }
  }
}

TEST(LanesThatPart, MeetBehindAnIfThatSomeMightHaveLeft) {
  // A third of the lanes takes a way out of which nothing comes; then all come to the barrier.
  const std::string body =
      "rem.u32 %r1, %t, 3; setp.ne.u32 %p0, %r1, 0; @%p0 bra MEET; setp.gt.u32 %p1, %t, {}; "
      "@%p1 bra OUT; add.u32 %r2, %t, 1; MEET:" +
      at(30, "bar.sync 0; bra.uni OUT; OUT: ret;");
  expect_clean(for_threads(fmt::format(fmt::runtime(body), 99), 64).run());
  // Threads that take it are reported, and are not awaited.
  const Finding finding = only_finding(for_threads(fmt::format(fmt::runtime(body), 20), 64).run());
  EXPECT_THAT(finding.message, HasSubstr("15 of 64 threads have returned before this barrier"));
}

TEST(LanesThatPart, MeetWhereTheWayOutDoesSomethingFirst) {
  expect_clean(for_threads("rem.u32 %r1, %t, 3; setp.ne.u32 %p0, %r1, 0; @%p0 bra MEET; "
                           "setp.gt.u32 %p1, %t, 99; @%p1 bra ERROR; add.u32 %r2, %t, 1; MEET:" +
                               at(30, "bar.sync 0; bra.uni OUT; ERROR: mov.u32 %r3, 7; OUT: ret;"),
                           64)
                   .run());
}

TEST(LanesThatPart, MeetWhereTwoSidesShareAWayOutThatParts) {
  // As a compiler merges two calls of assert() and what follows them.
  const std::string side =
      "setp.gt.u32 %p1, %t, 99; @%p1 bra ERROR; add.u32 %r2, %t, 1; bra.uni MEET;";
  const std::string body = "rem.u32 %r1, %t, 3; setp.ne.u32 %p0, %r1, 0; @%p0 bra OTHER;" + side +
                           "OTHER:" + side + "MEET:" + at(30, "bar.sync 0;") +
                           "bra.uni LAST; ERROR: setp.gt.u32 %p2, %t, 200; @%p2 bra SAYS; "
                           "mov.u32 %r3, 7; ret; SAYS: mov.u32 %r3, 8; ret; LAST:";
  expect_clean(for_threads(body + "ret;", 64).run());
  // In a loop, whose end is no way out.
  expect_clean(for_threads("mov.u32 %r4, 0; AGAIN:" + body +
                               "add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 3; @%p3 bra AGAIN; ret;",
                           64)
                   .run());
}

TEST(LanesThatPart, MeetWhereOneWayCallsWhatNeverReturns) {
  // Of a third of the lanes some might call it; behind the call comes what a compiler prints next,
  // and what all others come to.
  for (const char* call : {"call.uni fail, ();", "call fail, (); mov.u32 %r3, 7;"}) {
    PtxProgram program = for_threads(
        "rem.u32 %r1, %t, 3; setp.ne.u32 %p0, %r1, 0; @%p0 bra MEET; setp.gt.u32 %p1, %t, 99; "
        "@%p1 bra WRONG; add.u32 %r2, %t, 1; MEET:" +
            at(30, "bar.sync 0; bra.uni NEXT; WRONG: ") + call + " NEXT: mov.u32 %r4, 1; ret;",
        64, ".func fail() .noreturn { trap; }\n");
    expect_clean(program.run());
  }
}

TEST(LanesThatPart, MeetInALoopThatEndsTheKernel) {
  expect_clean(for_threads("mov.u32 %r1, 0; AGAIN: and.b32 %r2, %t, 1; setp.eq.u32 %p0, %r2, 1; "
                           "@%p0 bra MEET; add.u32 %r3, %t, 1; MEET:" +
                               at(30, "bar.sync 0;") +
                               "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra AGAIN; ret;",
                           64)
                   .run());
}

const std::string kTwoBarriers =
    ".shared .align 4 .b8 tile[512]; mov.u32 %r0, tile; mad.lo.u32 %r1, %t, 4, %r0; xor.b32 %r2, "
    "%t, 32; mad.lo.u32 %r2, %r2, 4, %r0; setp.lt.u32 %p0, %t, 32; @%p0 bra FIRST;" +
    at(20, "bar.sync 0; bra JOIN; FIRST:") + at(30, "bar.sync 0; JOIN:");

TEST(DifferentBarriers, AreOneFindingWithBothLines) {
  const Finding finding = only_finding(for_threads(kTwoBarriers, 64).run());
  expect_divergence(finding, 20);
  EXPECT_THAT(finding.message, AllOf(HasSubstr("line 20"), HasSubstr("line 30")));
}

TEST(DifferentBarriers, RacesAfterThemAreConsequences) {
  expect_divergence(only_finding(for_threads(kTwoBarriers + at(40, "st.shared.u32 [%r1], %t;") +
                                                 at(42, "ld.shared.u32 %r3, [%r2];"),
                                             64)
                                     .run()),
                    20);
}

TEST(DifferentBarriers, RacesBeforeThemAreCausesOfTheirOwn) {
  const std::string race =
      ".shared .align 4 .b8 early[512]; mov.u32 %r4, early; mad.lo.u32 %r5, %t, 4, %r4; xor.b32 "
      "%r6, %t, 32; mad.lo.u32 %r6, %r6, 4, %r4;" +
      at(10, "st.shared.u32 [%r5], %t;") + at(12, "ld.shared.u32 %r3, [%r6];");
  const RunResult result = for_threads(race + kTwoBarriers, 64).run();
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_divergence(result.findings[0], 20);
  expect_race(result.findings[1], 10, 12);
}

TEST(DifferentBarriers, RacesBetweenBlocksStay) {
  // A barrier, right or wrong, has no say in them.
  PtxProgram program = for_threads(kTwoBarriers + "mov.u32 %r7, %ctaid.x;" +
                                       at(40, thread_only(0, "st.global.u32 [%out], %r7;")),
                                   64);
  program.shape.grid = {2, 1, 1};
  program.buffer("out", Values(4, 9));
  const RunResult result = program.run();
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_divergence(result.findings[0], 20);
  expect_race(result.findings[1], 40, 40);
}

TEST(DifferentBarriers, OtherBlocksAreCheckedInFull) {
  // Only block 0 diverges; block 1 has a race of its own.
  PtxProgram program = for_threads(
      "mov.u32 %r8, %ctaid.x; setp.ne.u32 %p1, %r8, 0; @%p1 bra RACE;" + kTwoBarriers +
          "bra END; RACE: mov.u32 %r0, tile; mad.lo.u32 %r1, %t, 4, %r0; xor.b32 %r2, %t, 32; "
          "mad.lo.u32 %r2, %r2, 4, %r0;" +
          at(40, "st.shared.u32 [%r1], %t;") + at(42, "ld.shared.u32 %r3, [%r2];") + "END:",
      64);
  program.shape.grid = {2, 1, 1};
  const RunResult result = program.run();
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_divergence(result.findings[0], 20);
  expect_race(result.findings[1], 40, 42);
}

TEST(EarlyReturn, BeforeABarrierIsAWarning) {
  const Finding finding = only_finding(
      for_threads("setp.ge.u32 %p0, %t, 40; @%p0 ret;" + at(42, "bar.sync 0;"), 64).run());
  EXPECT_EQ(to_string(finding.kind), "divergent-barrier");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.line, 42);
  EXPECT_THAT(finding.message, HasSubstr("24 of 64"));
}

TEST(EarlyReturn, PastTheBarrierIsAnError) {
  // Warp 1 jumps over the barrier and ends.
  PtxProgram program =
      for_threads("setp.ge.u32 %p0, %t, 32; @%p0 bra OVER;" + at(42, "bar.sync 0;") +
                      "OVER:" + at(50, "add.u32 %r0, %t, 1; st.global.u32 [%out_at], %r0;"),
                  64);
  program.buffer("out", Values(64, 0));
  program.return_lines.emplace();  // the source returns nowhere
  const Finding finding = only_finding(program.run());
  expect_divergence(finding, 42);
  EXPECT_THAT(finding.message, HasSubstr("32 of 64"));
}

TEST(EarlyReturn, MayComeAfterOtherWork) {
  // if (t >= 32) { out[t] = 1; return; }
  PtxProgram program =
      for_threads(at(41, "setp.lt.u32 %p0, %t, 32; @%p0 bra ON; st.global.u32 [%out_at], 1; ret;") +
                      "ON:" + at(44, "bar.sync 0; st.global.u32 [%out_at], 2;"),
                  64);
  program.buffer("out", Values(64, 0));
  program.return_lines = std::map<int, int>{{42, 41}};
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.severity, Severity::warning) << finding.message;
  EXPECT_EQ(finding.line, 44);
}

/// Each half of a block waits at one of two barriers. In a loop either may follow the other.
std::vector<Finding> of_two_barriers(const std::string& one, const std::string& other,
                                     bool in_a_loop = false) {
  return for_threads("setp.lt.u32 %p0, %t, 32; setp.gt.u32 %p1, %t, 1000; BEGIN: @%p0 bra ONE;" +
                         other + " bra END; ONE:" + one +
                         " END:" + (in_a_loop ? "@%p1 bra BEGIN;" : ""),
                     64)
      .run()
      .findings;
}

std::string in_column(int column) {
  return fmt::format("\n.loc 1 21 {}\nbar.sync 0;", column);
}

TEST(DifferentBarriers, OfOneLineDifferByTheirColumns) {
  const std::vector<Finding> findings = of_two_barriers(in_column(5), in_column(40), true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::divergent_barrier);
  EXPECT_THAT(findings[0].message, HasSubstr("different barriers: two of line 21"));
  EXPECT_TRUE(of_two_barriers(in_column(5), in_column(5), true).empty())
      << "one barrier that the compiler doubled";
}

TEST(DifferentBarriers, OfOnePlaceDifferByWhatTheyReduce) {
  const std::string place = "\n.loc 1 21 0\n";
  EXPECT_EQ(of_two_barriers(place + "barrier.red.popc.aligned.u32 %r1, 0, %p0;",
                            place + "barrier.red.or.aligned.pred %p2, 0, %p0;", true)
                .size(),
            1u);
}

TEST(DifferentBarriers, OfOnePlaceAreReportedIfNeitherFollowsTheOther) {
  // A function that was inlined twice, by a compiler that does not say where.
  EXPECT_EQ(of_two_barriers(in_column(5), in_column(5)).size(), 1u);
}

/// The barrier of line 3, in a function that the compiler inlined at "line column" of the source.
std::string inlined_barrier(const std::string& place) {
  return "\n.loc 1 3 5, function_name $L__info_string0, inlined_at 1 " + place + "\nbar.sync 0;";
}

/// The same where the function was inlined into another, at line 4, and that one at `place`.
std::string inlined_twice(const std::string& place) {
  return "\n.loc 1 4 9, function_name $L__info_string1, inlined_at 1 " + place +
         inlined_barrier("4 9");
}

TEST(DifferentBarriers, OfOneFunctionDifferByTheirCalls) {
  const std::vector<Finding> findings =
      of_two_barriers(inlined_barrier("21 5"), inlined_barrier("23 5"), true);
  ASSERT_EQ(findings.size(), 1u);
  expect_divergence(findings[0], 3);
  EXPECT_THAT(findings[0].message, HasSubstr("different barriers: two of line 3"));
  EXPECT_TRUE(of_two_barriers(inlined_barrier("21 5"), inlined_barrier("21 5"), true).empty())
      << "one barrier that the compiler doubled";
}

TEST(DifferentBarriers, OfOneFunctionDifferByTheCallsOfItsCaller) {
  const std::vector<Finding> findings =
      of_two_barriers(inlined_twice("21 5"), inlined_twice("23 5"), true);
  ASSERT_EQ(findings.size(), 1u);
  expect_divergence(findings[0], 3);
  EXPECT_TRUE(of_two_barriers(inlined_twice("21 5"), inlined_twice("21 5"), true).empty())
      << "one barrier that the compiler doubled";
}

TEST(DifferentBarriers, OfOneFunctionDifferByTheColumnsOfTheirCalls) {
  const std::vector<Finding> findings =
      of_two_barriers(inlined_barrier("21 12"), inlined_barrier("21 40"), true);
  ASSERT_EQ(findings.size(), 1u);
  expect_divergence(findings[0], 3);
}

}  // namespace
}  // namespace tessera::test
