// Races in shared memory (PTX ISA, 8: two accesses to one location, one of them a write, that
// nothing orders).
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A kernel around `body`: %t holds the thread's number, %at the address of its word of `tile`,
/// %far that of a thread of the other warp, %near that of the next lane.
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
  EXPECT_EQ(finding.message.str(),
            "line 20 stores tile + 20 bytes (thread (3, 0, 0)), line 24 reads it (thread (37, 0, "
            "0)), no barrier between");
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

TEST(SharedRace, AWarpBarrierBetweenTheLinesIsNoLoopForOtherWarps) {
  const Finding finding =
      only_finding(run_shared(at(20, kStoreOwn) + at(22, "bar.warp.sync -1;") + at(24, kLoadFar)));
  EXPECT_THAT(finding.hint, HasSubstr("__syncthreads() is missing between line 20 and line 24"));
  EXPECT_THAT(finding.message, Not(HasSubstr("next pass")));
}

TEST(SharedRace, IsReportedInTheOrderOfTheProgram) {
  // The second warp stores first and the first warp's read is found last, or the other way round.
  const std::string prepare = at(10, "st.shared.u32 [%at], 0; bar.sync 0;");
  for (const auto& [reader, writer] : {std::pair{3, 40}, std::pair{40, 3}}) {
    const Finding finding = only_finding(
        run_shared(prepare + at(20, thread_only(writer, "st.shared.u32 [tile+20], 7;")) +
                   at(24, thread_only(reader, "ld.shared.u32 %r0, [tile+20];"))));
    EXPECT_EQ(finding.line, 24);
    EXPECT_EQ(finding.message.str(),
              fmt::format("line 20 stores tile + 20 bytes (thread ({}, 0, 0)), line 24 reads it "
                          "(thread ({}, 0, 0)), no barrier between",
                          writer, reader));
    EXPECT_EQ(example(finding, "thread"), fmt::format("({}, 0, 0)", reader));
    EXPECT_EQ(example(finding, "other thread"), fmt::format("({}, 0, 0)", writer));
  }
}

TEST(SharedRace, AThreadDoesNotRaceWithItself) {
  // All threads read, and the thread that stores reads last.
  const Finding finding =
      only_finding(run_shared(at(10, thread_only(0, "st.shared.u32 [%tile], 0;") + "bar.sync 0;") +
                              at(20, "ld.shared.u32 %r0, [%tile];") +
                              at(24, thread_only(63, "st.shared.u32 [%tile], 7;"))));
  expect_race(finding, 20, 24);
  EXPECT_EQ(example(finding, "thread"), "(63, 0, 0)");
  EXPECT_NE(example(finding, "other thread"), "(63, 0, 0)");
}

TEST(SharedRace, TwoStoresOfTwoLinesMayBeAWrongIndex) {
  const Finding finding =
      only_finding(run_shared(at(20, thread_only(3, "st.shared.u32 [tile+20], %t;")) +
                              at(24, thread_only(40, "st.shared.u32 [tile+20], %t;"))));
  EXPECT_EQ(finding.message.str(),
            "line 20 stores tile + 20 bytes (thread (3, 0, 0)), line 24 stores it too (thread (40, "
            "0, 0)), no barrier between");
  EXPECT_THAT(finding.hint,
              AllOf(HasSubstr("Both line 20 and line 24 store into the same element of tile"),
                    HasSubstr("one of the indices is wrong"),
                    HasSubstr("__syncthreads() is missing between line 20 and line 24")));
}

TEST(SharedRace, TwoStoresIntoDynamicSharedMemoryMayBeTwoArrays) {
  PtxProgram program(".reg .b32 %t, %at; mov.u32 %t, %tid.x; mov.u32 %at, pool;" +
                         at(20, thread_only(3, "st.shared.u32 [%at+20], %t;")) +
                         at(24, thread_only(40, "st.shared.u32 [%at+20], %t;")),
                     ".extern .shared .align 16 .b8 pool[];\n");
  program.shape.block = {64, 1, 1};
  program.shape.shared_bytes = 256;
  const Finding finding = only_finding(program.run());
  expect_race(finding, 20, 24);
  EXPECT_THAT(
      finding.hint,
      StartsWith("Both line 20 and line 24 store into the same element of pool: do two arrays "
                 "overlap? Look at where each of them starts. Only if both lines mean "
                 "the same array: __syncthreads() is missing"));
}

TEST(SharedRace, AllThreadsOfAWarpInOneElementLackTheirIndex) {
  const Finding finding = only_finding(run_shared(at(20, "st.shared.u32 [%tile+20], %t;"), 32));
  expect_race(finding, 20, 20);
  EXPECT_EQ(finding.message.str(),
            "line 20 stores tile + 20 bytes twice (thread (0, 0, 0), thread (1, 0, 0)), no "
            "__syncwarp() between");
  EXPECT_THAT(finding.hint, HasSubstr("is threadIdx missing in the index?"));
  EXPECT_THAT(finding.hint, Not(HasSubstr("atomic")));
}

TEST(SharedRace, SomeThreadsInOneElementMayHaveTheirIndex) {
  const std::string halves = "shr.u32 %r1, %t, 1; mad.lo.u32 %r1, %r1, 4, %tile;";
  const Finding finding = only_finding(run_shared(halves + at(20, "st.shared.u32 [%r1], %t;"), 32));
  expect_race(finding, 20, 20);
  EXPECT_THAT(finding.hint, HasSubstr("is the index different for them"));
}

TEST(SharedRace, VectorsAreCheckedLikeWords) {
  const std::string places =
      "mad.lo.u32 %at, %t, 16, %tile; xor.b32 %far, %t, 32; "
      "mad.lo.u32 %far, %far, 16, %tile;";
  const std::string store = at(20, "st.shared.v4.u32 [%at], {%t, %t, %t, %t};");
  const std::string load = at(24, "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%far];");
  expect_clean(run_shared(places + store + "bar.sync 0;" + load));
  expect_race(only_finding(run_shared(places + store + load)), 20, 24);
  expect_race(only_finding(run_shared(places + store + "bar.sync 0;" + load +
                                      at(28, "st.shared.v4.u32 [%at], {%t, %t, %t, %t};"))),
              24, 28);
}

TEST(SharedRace, LanesThatStoreVectorsIntoOnePlaceRace) {
  const std::string halves = "shr.u32 %r1, %t, 1; mad.lo.u32 %r1, %r1, 16, %tile;";
  expect_race(
      only_finding(run_shared(halves + at(20, "st.shared.v4.u32 [%r1], {%t, %t, %t, %t};"), 32)),
      20, 20);
}

TEST(SharedRace, OneOfTheLanesThatReadAVectorMustNotStoreThere) {
  const std::string store =
      "mad.lo.u32 %at, %t, 16, %tile; st.shared.v4.u32 [%at], {%t, %t, %t, %t}; bar.sync 0;";
  for (const int lane : {0, 31}) {
    const Finding finding =
        only_finding(run_shared(store + at(24, "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%tile];") +
                                    at(28, thread_only(lane, "st.shared.u32 [%tile+8], 7;")),
                                32));
    expect_race(finding, 24, 28);
  }
}

TEST(SharedRace, ASumWithoutAnAtomicFunctionIsNoMissingIndex) {
  const Finding finding = only_finding(run_shared(
      at(10, thread_only(0, "st.shared.u32 [%tile], 0;") + "bar.sync 0;") +
          at(20, "ld.shared.u32 %r0, [%tile]; add.u32 %r0, %r0, %t; st.shared.u32 [%tile], %r0;"),
      32));
  expect_race(finding, 20, 20);
  EXPECT_THAT(finding.message, HasSubstr("line 20 reads tile + 0 bytes ("));
  EXPECT_THAT(finding.message, HasSubstr(") and stores it (thread"));
  EXPECT_THAT(finding.hint, HasSubstr("use an atomic function"));
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
  // Lanes 0-15 meet at a __syncwarp of their own; lanes 16-31 read what lanes 0-15 wrote.
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

TEST(SharedRace, AReadBeforeAWriteRacesToo) {
  const std::string prepare = "st.shared.u32 [%at], 0; bar.sync 0;";
  expect_race(only_finding(run_shared(prepare + at(20, kLoadFar) + at(24, kStoreOwn))), 20, 24);
  expect_clean(run_shared(prepare + at(20, kLoadFar) + "bar.sync 0;" + at(24, kStoreOwn)));
}

TEST(SharedRace, WhatALineComputesAfterTheOtherAccessIsNoLoop) {
  const std::string skipped = "setp.gt.u32 %p0, %t, 99; @!%p0 bra BEHIND; bar.sync 0; BEHIND:";
  const Finding finding = only_finding(run_shared(
      at(20, kStoreOwn) + at(22, skipped) + at(24, kLoadFar) + at(20, "add.u32 %r5, %r5, 1;")));
  expect_race(finding, 20, 24);
  EXPECT_THAT(finding.message, Not(HasSubstr("next pass")));
}

TEST(SharedRace, AMissingSecondBarrierOfALoopIsReportedAsSuch) {
  const Finding finding = only_finding(run_shared(
      "mov.u32 %r5, 0; LOOP:" + at(20, kStoreOwn) + at(21, "bar.sync 0;") + at(24, kLoadFar) +
      at(26,
         "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 4; "
         "@%p0 bra LOOP;")));
  expect_race(finding, 20, 24);
  EXPECT_EQ(finding.line, 20);
  EXPECT_THAT(finding.message, HasSubstr("line 24 reads tile + "));
  EXPECT_THAT(finding.message, HasSubstr("line 20 stores it in the next pass of the loop (thread"));
  EXPECT_THAT(finding.hint, HasSubstr("after line 24, before line 20 runs again"));
}

/// Expects a race whose message says that the barrier between lines 20 and 24 does not hold the
/// threads.
void expect_no_next_pass(const std::string& body) {
  const RunResult result = run_shared("setp.lt.u32 %p1, %t, 32; mov.u32 %r5, 0;" + body);
  const auto race = std::ranges::find(result.findings, FindingKind::race, &Finding::kind);
  ASSERT_NE(race, result.findings.end());
  EXPECT_THAT(race->message, HasSubstr("line 20 stores tile + "));
  EXPECT_THAT(race->message, HasSubstr("and the barrier between does not order them"));
  EXPECT_THAT(race->hint, Not(HasSubstr("runs again")));
}

TEST(SharedRace, WithoutALoopThereIsNoNextPass) {
  expect_no_next_pass(at(20, kStoreOwn) + at(21, "@%p1 bar.sync 0;") + at(24, kLoadFar));
}

TEST(SharedRace, PastADivergentBarrierThereIsNoNextPass) {
  expect_no_next_pass("LOOP:" + at(20, kStoreOwn) + at(21, "@%p1 bar.sync 0;") + at(24, kLoadFar) +
                      at(25, "@!%p1 bar.sync 0;") +
                      at(26, "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 4; @%p0 bra LOOP;"));
}

TEST(SharedRace, ABarrierThatThePassSkipsIsNotMissingInTheNextOne) {
  expect_no_next_pass("LOOP:" + at(20, kStoreOwn) +
                      at(21, "setp.eq.u32 %p2, %r5, 3; @%p2 bra LAST; bar.sync 0; LAST:") +
                      at(24, kLoadFar) +
                      at(26, "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 4; @%p0 bra LOOP;"));
}

TEST(SharedRace, AFunctionAboveTheKernelStandsWhereItIsCalled) {
  // Lines 5 and 8 are of functions that the kernel calls in lines 20 and 24.
  const Finding finding =
      only_finding(run_shared(called(8, 20, kStoreOwn) + called(5, 24, kLoadFar)));
  EXPECT_THAT(finding.message.str(),
              AllOf(HasSubstr("line 8 stores"), HasSubstr("line 5 reads it"),
                    HasSubstr("(line 8 is called in line 20) (line 5 is called in line 24)")));
  EXPECT_THAT(finding.hint, HasSubstr("between line 20 and line 24"));
}

TEST(SharedRace, ABarrierAboveTheCallsDoesNotStandBetweenThem) {
  // By their own lines the barrier of line 22 would stand between lines 5 and 30.
  const Finding finding =
      only_finding(run_shared(at(22, "bar.sync 0;") + at(30, kStoreOwn) + called(5, 34, kLoadFar)));
  EXPECT_THAT(finding.message.str(), HasSubstr("no barrier between"));
  EXPECT_THAT(finding.hint, HasSubstr("between line 30 and line 34"));
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
  EXPECT_THAT(finding.hint, HasSubstr("threadIdx"));
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

TEST(SharedRace, AStoreOfTheSameValueHidesNoStore) {
  const auto store = [](int line, int thread) {
    return at(line, thread_only(thread, "st.shared.u32 [tile], 7;"));
  };
  const auto read_after = [&](const std::string& between, const std::string& third) {
    return run_shared(store(20, 0) + between + store(22, 32) + third + "bar.warp.sync -1;" +
                      at(24, thread_only(33, "ld.shared.u32 %r0, [tile];")));
  };
  // The reader is ordered after the second store only, even if its own warp stores again.
  for (const std::string& third : {std::string(), "bar.warp.sync -1;" + store(22, 34)}) {
    const RunResult result = read_after("", third);
    ASSERT_FALSE(result.findings.empty());
    expect_race(result.findings.front(), 20, 24);
  }
  expect_clean(read_after("bar.sync 0;", ""));
}

TEST(SharedRace, AStoreOfTheSameValueHidesNoRead) {
  // Thread 0 reads 0 and stores 7. Thread 32 stores 7 as well, and may do so before the read.
  const auto run_with = [](const std::string& between) {
    return run_shared(thread_only(0, "st.shared.u32 [tile], 0;") + "bar.sync 0;" +
                      at(20, thread_only(0, "ld.shared.u32 %r0, [tile];")) +
                      at(21, thread_only(0, "st.shared.u32 [tile], 7;")) + between +
                      at(22, thread_only(32, "st.shared.u32 [tile], 7;")));
  };
  // With a fence somewhere, every reader is kept.
  for (const char* fence : {"", "fence.acq_rel.cta;"}) {
    SCOPED_TRACE(fence);
    const RunResult result = run_with(fence);
    ASSERT_FALSE(result.findings.empty());
    expect_race(result.findings.front(), 20, 22);
    expect_clean(run_with(std::string("bar.sync 0;") + fence));
  }
}

TEST(SharedRace, AReaderNeedsABarrierWhateverTheValue) {
  // The writers store the same value; the reader may still come too early.
  const RunResult result = run_shared(at(20, "st.shared.u32 [tile], 1;") +
                                      at(24, thread_only(40, "ld.shared.u32 %r0, [tile];")));
  ASSERT_FALSE(result.findings.empty());
  expect_race(result.findings.front(), 20, 24);
}

TEST(SharedRace, VectorsAccessEveryElementTheyHold) {
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

TEST(SharedAtomics, OfTwoSizesRaceWithEachOther) {
  const auto updates = [](const std::string& second) {
    PtxProgram program(
        ".shared .align 8 .u64 sum; mov.u32 %r0, sum; setp.eq.u32 %p1, %index, 0; @%p1 "
        "st.shared.u64 [sum], 0; bar.sync 0; setp.lt.u32 %p0, %index, 32;\n" +
        at(20, "@%p0 red.shared.add.u32 [%r0], 1;") + "@%p0 bra END;\n" + at(21, second) + "END:");
    program.shape.block = {64, 1, 1};
    return program;
  };
  expect_race(only_finding(updates("red.shared.add.u64 [%r0], 1;").run()), 21, 20);
  expect_clean(updates("red.shared.add.u32 [%r0], 1;").run());
}

TEST(SharedAtomics, DoNotHideAPlainStoreOfTheirOwnThread) {
  // if (t == 0) sum = 0; atomicAdd(&sum, t); with no barrier between.
  const std::string clear = at(20, thread_only(0, "st.shared.u32 [tile], 0;"));
  const std::string add = at(24, "atom.shared.add.u32 %r0, [tile], %t;");
  const RunResult result = run_shared(kZero + clear + add);
  ASSERT_FALSE(result.findings.empty());
  for (const Finding& finding : result.findings) expect_race(finding, 20, 24);
  expect_clean(run_shared(kZero + clear + "bar.sync 0;" + add));
  expect_clean(run_shared(kZero + clear + "bar.warp.sync -1;" + add, 32));
}

TEST(SharedRace, ABarrierDoesNotOrderWhatAThreadThatHasEndedStored) {
  // Warp 2 stores a word and returns early; two barriers later warp 0 reads the word.
  const auto kinds = [](const std::string& before_it_ends) {
    const RunResult result = run_shared(
        "setp.ge.u32 %p1, %t, 64; add.u32 %r1, %tile, 256; mad.lo.u32 %r1, %t, 4, %r1;" +
            at(20, "@%p1 st.shared.u32 [%at], %t;") + before_it_ends +
            "@%p1 bra END; bar.sync 0; bar.sync 0; setp.lt.u32 %p2, %t, 32; @!%p2 bra END;" +
            at(24, "ld.shared.u32 %r0, [%r1];") + "END:",
        96);
    std::vector<FindingKind> all;
    for (const Finding& finding : result.findings) all.push_back(finding.kind);
    return all;
  };
  EXPECT_THAT(kinds(""), testing::Contains(FindingKind::race));
  EXPECT_THAT(kinds("bar.sync 0;"), Not(testing::Contains(FindingKind::race)));
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

TEST(SharedRace, IsListedAfterAccessesOutsideOfArrays) {
  const RunResult result = run_shared(at(20, kStoreOwn) + at(24, kLoadFar) +
                                      at(30, thread_only(0, "st.shared.u32 [tile+4096], 1;")));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  EXPECT_EQ(to_string(result.findings[0].kind), "out-of-bounds");
  expect_race(result.findings[1], 20, 24);
}

}  // namespace
}  // namespace tessera::test
