// Branches, loops, tables of branch targets, exit and return in a kernel (PTX ISA, 9.7.13).
#include <gtest/gtest.h>

#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using Values = std::vector<std::uint32_t>;

TEST(UniformBranch, StopsTheLaunchIfTheThreadsOfAWarpDiverge) {
  PtxProgram program(at(20, "setp.lt.u32 %p0, %index, 7; @%p0 bra.uni END;") + "END:");
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped) << describe(result);
  const Finding finding = only_finding(result);
  EXPECT_EQ(finding.kind, FindingKind::trap);
  EXPECT_EQ(finding.line, 20);
}

TEST(UniformBranch, MayDifferBetweenTheWarpsOfABlock) {
  PtxProgram program(
      "setp.lt.u32 %p0, %index, 32; @%p0 bra.uni END; st.global.u32 [%out_at], 1; END:");
  program.shape.block = {64, 1, 1};
  program.buffer("out", std::vector<std::uint32_t>(64, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out")[31], 0u);
  EXPECT_EQ(program.contents<std::uint32_t>("out")[32], 1u);
}

TEST(Branch, NestedDivergenceGoesAllFourWays) {
  const Values values = lanes(R"(
    and.b32 %r0, %index, 1; and.b32 %r1, %index, 2;
    setp.ne.u32 %p0, %r0, 0; setp.ne.u32 %p1, %r1, 0;
    @%p0 bra ODD;
    @%p1 bra EVEN_HIGH;
    mov.u32 %x, 0; bra.uni JOIN;
  EVEN_HIGH:
    mov.u32 %x, 2; bra.uni JOIN;
  ODD:
    @!%p1 bra ODD_LOW;
    mov.u32 %x, 3; bra.uni JOIN;
  ODD_LOW:
    mov.u32 %x, 1;
  JOIN:
    mad.lo.u32 %x, %index, 10, %x;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], 10 * i + i % 4);
}

TEST(Branch, BackToAnEarlierBlockIsALoop) {
  const Values values = lanes(R"(
    mov.u32 %x, 0; mov.u32 %r0, 0;
  LOOP:
    setp.ge.u32 %p0, %r0, %index;
    @%p0 bra DONE;
    add.u32 %r0, %r0, 1; add.u32 %x, %x, %r0;
    bra LOOP;
  DONE:)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i * (i + 1) / 2);
}

TEST(Branch, EachLaneLeavesALoopAtItsOwnTime) {
  const Values values = lanes(R"(
    add.u32 %r0, %index, 1; mov.u32 %x, 0;
  LOOP:
    setp.eq.u32 %p0, %r0, 1; @%p0 bra DONE;
    add.u32 %x, %x, 1; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 1;
    @%p1 bra ODD;
    shr.u32 %r0, %r0, 1; bra LOOP;
  ODD:
    mad.lo.u32 %r0, %r0, 3, 1; bra LOOP;
  DONE:)",
                              "", {256, 1, 1});
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t steps = 0;
    for (std::uint32_t n = i + 1; n != 1; n = n % 2 == 1 ? 3 * n + 1 : n / 2) ++steps;
    EXPECT_EQ(values[i], steps);
  }
}

TEST(Branch, BreakAndContinueLeaveNestedLoops) {
  // for (a = 0; a < 4; ++a) for (b = 0;; ++b) { if (b == lane) break; if ((a + b) % 3 == 0)
  // continue; ++x; if (x > 40) goto out; }
  const Values values = lanes(R"(
    mov.u32 %x, 0; mov.u32 %r0, 0;
  OUTER:
    setp.ge.u32 %p0, %r0, 4; @%p0 bra OUT;
    mov.u32 %r1, 0;
  INNER:
    setp.eq.u32 %p1, %r1, %index; @%p1 bra NEXT;
    add.u32 %r2, %r0, %r1; rem.u32 %r2, %r2, 3; setp.eq.u32 %p2, %r2, 0; @%p2 bra CONTINUE;
    add.u32 %x, %x, 1; setp.gt.u32 %p3, %x, 40; @%p3 bra OUT;
  CONTINUE:
    add.u32 %r1, %r1, 1; bra INNER;
  NEXT:
    add.u32 %r0, %r0, 1; bra OUTER;
  OUT:)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t x = 0;
    for (std::uint32_t a = 0; a < 4 && x <= 40; ++a) {
      for (std::uint32_t b = 0; b != lane && x <= 40; ++b) {
        if ((a + b) % 3 != 0) ++x;
      }
    }
    EXPECT_EQ(values[lane], x) << lane;
  }
}

TEST(Branch, ALoopMayHaveTwoEntries) {
  const Values values = lanes(R"(
    mov.u32 %x, 0; mov.u32 %r0, 3; and.b32 %r1, %index, 1; setp.eq.u32 %p0, %r1, 1;
    @%p0 bra MIDDLE;
  TOP:
    add.u32 %x, %x, 100;
  MIDDLE:
    add.u32 %x, %x, 1; sub.u32 %r0, %r0, 1; setp.ne.u32 %p1, %r0, 0;
    @%p1 bra TOP;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 2 == 1 ? 203u : 303u);
}

TEST(Branch, LanesMeetAgainAfterADivergentBranch) {
  const Values values = lanes(R"(
    setp.lt.u32 %p0, %index, 7; @%p0 bra LOW;
    mov.u32 %r0, 1; bra JOIN;
  LOW:
    mov.u32 %r0, 2;
  JOIN:
    activemask.b32 %x;)");
  EXPECT_EQ(values, Values(32, 0xffffffff));
}

TEST(Branch, IndexedJumpsPickATarget) {
  const Values values = lanes(R"(
    rem.u32 %r0, %index, 5;
    setp.gt.u32 %p0, %r0, 3; @%p0 bra DEFAULT;
  targets: .branchtargets ZERO, ONE, TWO, ZERO;
    brx.idx %r0, targets;
  ZERO:
    mov.u32 %x, 100; bra.uni JOIN;
  ONE:
    mov.u32 %x, 101;
  TWO:
    mov.u32 %x, 102; bra.uni JOIN;
  DEFAULT:
    mov.u32 %x, 999;
  JOIN:)");
  const Values of_case = {100, 102, 102, 100, 999};
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], of_case[i % 5]);
}

TEST(Exit, EndsSomeLanesOnly) {
  const Values values =
      lanes("and.b32 %r0, %index, 3; setp.eq.u32 %p0, %r0, 2; @%p0 exit; mov.u32 %x, %index;", "",
            {64, 1, 1});
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(values[i], i % 4 == 2 ? kPoison32 : i);
}

TEST(Exit, ReturnInAKernelEndsTheLane) {
  const Values values = lanes(R"(
    setp.gt.u32 %p0, %index, 9; @%p0 ret;
    setp.lt.u32 %p1, %index, 3; @!%p1 bra REST;
    mov.u32 %x, 1; st.global.u32 [%out_at], %x; ret;
  REST:
    mov.u32 %x, 2;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 3 ? 1u : i < 10 ? 2u : kPoison32);
}

TEST(Exit, InsideALoopLeavesTheOthersRunning) {
  const Values values = lanes(R"(
    mov.u32 %r0, 0;
  LOOP:
    add.u32 %r0, %r0, 1; setp.eq.u32 %p0, %r0, %index; @%p0 exit;
    setp.lt.u32 %p1, %r0, 20; @%p1 bra LOOP;
    activemask.b32 %x;)");
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i >= 1 && i <= 20 ? kPoison32 : 0xffe00001u) << i;
}

TEST(Exit, AWarpMayBePartial) {
  const Values values = lanes("activemask.b32 %x;", "", {45, 1, 1});
  for (std::uint32_t i = 0; i < 45; ++i) EXPECT_EQ(values[i], i < 32 ? 0xffffffffu : 0x1fffu);
}

TEST(Scopes, SideBySideMayReuseANameForAnotherType) {
  EXPECT_EQ(lanes("{ .reg .b32 %own; mov.u32 %own, 5; mov.u32 %x, %own; }\n"
                  "{ .reg .b64 %own; mov.u64 %own, 0x300000002; cvt.u32.u64 %r0, %own; shr.u64 "
                  "%own, %own, 32; cvt.u32.u64 %r1, %own; }\n"
                  "{ .reg .pred %own; setp.eq.u32 %own, %r1, 3; @%own add.u32 %x, %x, %r0; }"),
            Values(32, 7));
}

TEST(Scopes, MayReuseALabel) {
  EXPECT_EQ(lanes("mov.u32 %x, 1; { bra.uni END; mov.u32 %x, 9; END: add.u32 %x, %x, 1; } { "
                  "bra.uni END; mov.u32 %x, 9; END: add.u32 %x, %x, 1; }"),
            Values(32, 3));
}

TEST(Scopes, HaveRegistersOfTheirOwn) {
  EXPECT_EQ(lanes("{ .reg .b32 one; mov.u32 one, 5; mov.u32 %x, one; }\n"
                  "{ .reg .b64 one; mov.u64 one, 9; cvt.u32.u64 %r0, one; }\n"
                  "add.u32 %x, %x, %r0;"),
            Values(32, 14));
}

}  // namespace
}  // namespace tessera::test
