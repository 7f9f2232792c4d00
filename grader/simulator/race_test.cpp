// Races in shared memory (PTX ISA, 8: two accesses of one location, one of them a write, that
// nothing orders).
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A body that has its thread's number in %t, its own word of `tile` in %at, and in %far and %near
/// the words of a thread of the other warp and of the next lane.
PtxProgram shared_program(const std::string& body, std::uint32_t threads = 64) {
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[4096]; .shared .align 4 .b8 other[4096];
    .reg .b32 %t, %tile, %at, %far, %near;
    mov.u32 %t, %tid.x; mov.u32 %tile, tile; mad.lo.u32 %at, %t, 4, %tile;
    xor.b32 %far, %t, 32; mad.lo.u32 %far, %far, 4, %tile;
    xor.b32 %near, %t, 1; mad.lo.u32 %near, %near, 4, %tile;)" +
                     body);
  program.shape.block = {threads, 1, 1};
  return program;
}

RunResult run_shared(const std::string& body, std::uint32_t threads = 64) {
  return shared_program(body, threads).run();
}

const std::string kStoreOwn = "st.shared.u32 [%at], %t;";
const std::string kLoadFar = "ld.shared.u32 %r0, [%far];";
const std::string kLoadNear = "ld.shared.u32 %r0, [%near];";

TEST(SharedRace, MissingBarrierIsOneFinding) {
  const Finding finding = only_finding(run_shared(at(20, kStoreOwn) + at(24, kLoadFar)));
  expect_race(finding, 20, 24);
  EXPECT_EQ(finding.count, 64u);
  EXPECT_EQ(example(finding, "variable"), "tile");
  EXPECT_THAT(finding.message, HasSubstr("no barrier between"));
  EXPECT_THAT(finding.hint, HasSubstr("__syncthreads() is missing between line 20 and line 24"));
}

TEST(SharedRace, BothThreadsAndTheElementAreNamed) {
  const Finding finding =
      only_finding(run_shared(at(20, thread_only(3, "st.shared.u32 [tile+20], 7;")) +
                              at(24, thread_only(37, "ld.shared.u32 %r0, [tile+20];"))));
  expect_race(finding, 20, 24);
  EXPECT_EQ(finding.line, 24);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(example(finding, "element"), "tile + 20 bytes");
  EXPECT_EQ(example(finding, "thread"), "(37, 0, 0)");
  EXPECT_EQ(example(finding, "other thread"), "(3, 0, 0)");
  EXPECT_EQ(example(finding, "block"), "(0, 0, 0)");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("reads tile + 20 bytes"), HasSubstr("(3, 0, 0)"),
                                     HasSubstr("writes at line 20")));
}

TEST(SharedRace, ABarrierOrdersTheWholeBlock) {
  expect_clean(run_shared(at(20, kStoreOwn) + "bar.sync 0;" + at(24, kLoadFar)));
  expect_clean(run_shared(at(20, kStoreOwn) + "barrier.sync 0;" + at(24, kLoadFar)));
  expect_clean(run_shared(at(20, kStoreOwn) +
                          "setp.eq.u32 %p0, %t, 0; bar.red.popc.u32 %r1, 0, %p0;" +
                          at(24, kLoadFar)));
}

TEST(SharedRace, AWarpBarrierOrdersNothingBetweenWarps) {
  expect_race(only_finding(run_shared(at(20, kStoreOwn) + "bar.warp.sync -1;" + at(24, kLoadFar))),
              20, 24);
}

TEST(SharedRace, AFenceIsNoBarrier) {
  expect_race(only_finding(run_shared(at(20, kStoreOwn) + "membar.cta;" + at(24, kLoadFar))), 20,
              24);
}

TEST(SharedRace, InsideAWarpSyncwarpIsMissing) {
  const Finding finding = only_finding(run_shared(at(20, kStoreOwn) + at(24, kLoadNear)));
  expect_race(finding, 20, 24);
  EXPECT_EQ(finding.count, 64u);
  EXPECT_THAT(finding.message, HasSubstr("no __syncwarp() between"));
  EXPECT_THAT(finding.hint, HasSubstr("__syncwarp() is missing between line 20 and line 24"));
}

TEST(SharedRace, AWarpBarrierOrdersItsWarp) {
  expect_clean(run_shared(at(20, kStoreOwn) + "bar.warp.sync -1;" + at(24, kLoadNear)));
  expect_clean(run_shared(at(20, kStoreOwn) + "bar.sync 0;" + at(24, kLoadNear)));
}

TEST(SharedRace, AWarpBarrierOrdersOnlyTheLanesItNames) {
  // Lanes 0-15 sync among themselves; lanes 16-31 read what lanes 0-15 wrote.
  const std::string half = "setp.ge.u32 %p0, %t, 16; @%p0 bra JOIN; bar.warp.sync 0xffff; JOIN:\n";
  const std::string across =
      "setp.lt.u32 %p1, %t, 16; @%p1 bra END; ld.shared.u32 %r0, [%at+-64]; END:";
  expect_race(only_finding(run_shared(at(20, kStoreOwn) + half + at(24, across), 32)), 20, 24);
  const std::string inside =
      "setp.ge.u32 %p1, %t, 16; @%p1 bra END; ld.shared.u32 %r0, [%near]; END:";
  expect_clean(run_shared(at(20, kStoreOwn) + half + at(24, inside), 32));
}

TEST(SharedRace, BranchesOfAWarpAreNotOrdered) {
  const std::string branches = R"(setp.lt.u32 %p0, %t, 16; @%p0 bra LOW;)" +
                               at(20, "st.shared.u32 [%at+-64], %t; bra.uni JOIN; LOW:") +
                               at(24, "ld.shared.u32 %r0, [%at]; JOIN:");
  const std::string prepare = "st.shared.u32 [%at], 0; bar.sync 0;";
  expect_race(only_finding(run_shared(prepare + branches, 32)), 20, 24);
}

TEST(SharedRace, AReadBeforeAWriteIsOneToo) {
  const std::string prepare = "st.shared.u32 [%at], 0; bar.sync 0;";
  expect_race(only_finding(run_shared(prepare + at(20, kLoadFar) + at(24, kStoreOwn))), 20, 24);
  expect_clean(run_shared(prepare + at(20, kLoadFar) + "bar.sync 0;" + at(24, kStoreOwn)));
}

TEST(SharedRace, AMissingSecondBarrierOfALoopIsToldAsSuch) {
  const Finding finding = only_finding(run_shared(
      "mov.u32 %r5, 0; LOOP:" + at(20, kStoreOwn) + at(21, "bar.sync 0;") + at(24, kLoadFar) +
      at(26,
         "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 4; "
         "@%p0 bra LOOP;")));
  expect_race(finding, 20, 24);
  EXPECT_THAT(finding.hint, HasSubstr("after line 24, before line 20 runs again"));
}

TEST(SharedRace, OneMissingBarrierForTwoVariablesIsOneFinding) {
  const std::string to_other =
      "sub.u32 %r3, %at, %tile; mov.u32 %r4, other; add.u32 %r3, %r3, %r4;"
      "sub.u32 %r6, %far, %tile; add.u32 %r6, %r6, %r4;";
  const Finding finding =
      only_finding(run_shared(to_other + at(20, kStoreOwn) + at(21, "st.shared.u32 [%r3], %t;") +
                              at(24, kLoadFar) + at(25, "ld.shared.u32 %r0, [%r6];")));
  EXPECT_EQ(finding.kind, FindingKind::race);
  EXPECT_EQ(finding.count, 128u);
  EXPECT_THAT(finding.hint, HasSubstr("between line 21 and line 24"));
  EXPECT_THAT(finding.message + finding.hint, AllOf(HasSubstr("tile"), HasSubstr("other")));
}

TEST(SharedRace, TwoMissingBarriersAreTwoFindings) {
  const RunResult result = run_shared(at(20, kStoreOwn) + at(22, kLoadFar) + at(25, "bar.sync 0;") +
                                      at(30, kStoreOwn) + at(32, kLoadFar));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_race(result.findings[0], 20, 22);
  expect_race(result.findings[1], 30, 32);
}

TEST(SharedRace, ThreadsThatWriteDifferentValuesToOneElement) {
  const Finding finding = only_finding(run_shared(at(20, "st.shared.u32 [tile+8], %t;")));
  expect_race(finding, 20, 20);
  EXPECT_EQ(example(finding, "element"), "tile + 8 bytes");
  EXPECT_THAT(finding.hint, HasSubstr("atomic"));
  expect_race(only_finding(run_shared(at(20, "st.shared.u32 [tile+8], %t;"), 32)), 20, 20);
}

TEST(SharedRace, WritesOfTheSameValueAreInformation) {
  for (const std::uint32_t threads : {32u, 64u}) {
    const RunResult result = run_shared(at(20, "st.shared.u32 [tile], 1;"), threads);
    EXPECT_EQ(result.status, RunStatus::completed);
    for (const Finding& finding : result.findings) {
      EXPECT_EQ(to_string(finding.kind), "race");
      EXPECT_EQ(finding.severity, Severity::info);
      EXPECT_EQ(finding.line, 20);
    }
    EXPECT_FALSE(result.findings.empty());
  }
}

TEST(SharedRace, AReaderNeedsABarrierWhateverTheValue) {
  // The writers agree; the reader may still come too early.
  const RunResult result = run_shared(at(20, "st.shared.u32 [tile], 1;") +
                                      at(24, thread_only(40, "ld.shared.u32 %r0, [tile];")));
  ASSERT_FALSE(result.findings.empty());
  expect_race(result.findings.front(), 20, 24);
}

TEST(SharedRace, VectorsTouchEveryElementTheyHold) {
  const std::string quad = thread_only(0, "st.shared.v4.u32 [tile], {%t, %t, %t, %t};");
  expect_race(only_finding(run_shared(at(20, quad) +
                                      at(24, thread_only(32, "ld.shared.u32 %r0, [tile+12];")))),
              20, 24);
  expect_clean(run_shared(at(20, quad) + at(24, thread_only(32, "st.shared.u32 [tile+16], %t;"))));
}

TEST(SharedRace, BytesOfOneWordBelongToTheirThreads) {
  const std::string own_byte = "add.u32 %r1, %tile, %t; st.shared.u8 [%r1], %t;";
  expect_clean(run_shared(at(20, own_byte) + at(21, "ld.shared.u8 %r0, [%r1];")));
  expect_race(
      only_finding(run_shared(at(20, own_byte) + at(24,
                                                    "xor.b32 %r2, %t, 32; add.u32 %r2, %r2, "
                                                    "%tile; ld.shared.u8 %r0, [%r2];"))),
      20, 24);
}

TEST(SharedRace, EachBlockHasItsOwnSharedMemory) {
  PtxProgram program =
      shared_program("mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r1, 0;" +
                     at(20, "@%p0 bra SECOND; " + kStoreOwn + " bra.uni END; SECOND:") +
                     at(24, "st.shared.u32 [%far], 5; END:"));
  program.shape.grid = {2, 1, 1};
  expect_clean(program.run());
}

const std::string kZero = "st.shared.u32 [%at], 0; bar.sync 0;";

TEST(SharedAtomics, MeetWithoutARace) {
  expect_clean(run_shared(kZero + at(20, "atom.shared.add.u32 %r0, [tile], 1;") +
                          at(21, "red.shared.max.u32 [tile], %t;") +
                          at(22, "atom.shared.cas.b32 %r0, [tile], 1, 2;")));
}

TEST(SharedAtomics, RaceWithPlainAccesses) {
  const std::string add = "atom.shared.add.u32 %r0, [tile], 1;";
  expect_race(only_finding(run_shared(kZero + at(20, thread_only(0, add)) +
                                      at(24, thread_only(40, "ld.shared.u32 %r0, [tile];")))),
              20, 24);
  expect_race(only_finding(run_shared(kZero + at(20, thread_only(0, add)) +
                                      at(24, thread_only(40, "st.shared.u32 [tile], 9;")))),
              20, 24);
  expect_race(only_finding(run_shared(kZero + at(20, thread_only(0, "ld.shared.u32 %r0, [tile];")) +
                                      at(24, thread_only(40, add)))),
              20, 24);
  expect_clean(
      run_shared(kZero + at(20, add) + "bar.sync 0;" + at(24, "ld.shared.u32 %r0, [tile];")));
}

TEST(SharedVolatile, MayBeWatchedByOtherWarps) {
  expect_clean(run_shared(kZero + at(20, thread_only(0, "st.volatile.shared.u32 [tile], 1;")) +
                          at(24, thread_only(32, "ld.volatile.shared.u32 %r0, [tile];"))));
}

TEST(SharedVolatile, IsNoOrderInsideAWarp) {
  // The classic unrolled last warp of a reduction, without __syncwarp().
  const Finding finding =
      only_finding(run_shared(kZero + at(20, "st.volatile.shared.u32 [%at], %t;") +
                                  at(24, "ld.volatile.shared.u32 %r0, [%near];"),
                              32));
  expect_race(finding, 20, 24);
  EXPECT_THAT(finding.message, HasSubstr("no __syncwarp() between"));
  expect_clean(run_shared(kZero + "st.volatile.shared.u32 [%at], %t; bar.warp.sync -1; "
                                  "ld.volatile.shared.u32 %r0, [%near];",
                          32));
}

TEST(SharedVolatile, OnBothSidesOrNotAtAll) {
  expect_race(
      only_finding(run_shared(kZero + at(20, thread_only(0, "st.shared.u32 [tile], 1;")) +
                              at(24, thread_only(32, "ld.volatile.shared.u32 %r0, [tile];")))),
      20, 24);
}

TEST(SharedRace, ComesAfterAccessesThatGoAstray) {
  const RunResult result = run_shared(at(20, kStoreOwn) + at(24, kLoadFar) +
                                      at(30, thread_only(0, "st.shared.u32 [tile+4096], 1;")));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  EXPECT_EQ(to_string(result.findings[0].kind), "out-of-bounds");
  expect_race(result.findings[1], 20, 24);
}

}  // namespace
}  // namespace tessera::test
