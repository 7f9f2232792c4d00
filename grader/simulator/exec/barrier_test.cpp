// Barriers of a block and progress of warps and lanes (PTX ISA, 9.7.13).
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using Values = std::vector<std::uint32_t>;

const std::string kTile =
    ".shared .align 4 .b8 tile[4096]; .reg .b32 %at, %other; mov.u32 %at, tile; mad.lo.u32 %at, "
    "%tid_x, 4, %at;\n";

/// A body that has its thread's number in %tid_x and its own word of `tile` in %at.
std::string with_tile(const std::string& body) {
  return ".reg .b32 %tid_x; mov.u32 %tid_x, %tid.x;\n" + kTile + body;
}

/// Errors among the findings; advice is allowed.
bool has_errors(const RunResult& result) {
  return std::ranges::any_of(
      result.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
}

TEST(Barrier, MayBeReachedByLanesThatWorkedForVeryLong) {
  const Values values = lanes(with_tile(R"(
    mov.u32 %r0, 0; mov.u32 %x, 7; setp.gt.u32 %p0, %tid_x, 3; @%p0 bra MEET;
  WORK:
    add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 100000; @%p1 bra WORK;
  MEET:
    bar.sync 0;)"));
  EXPECT_EQ(values, Values(32, 7));
}

TEST(Barrier, MakesStoresOfOtherWarpsVisible) {
  for (const char* barrier :
       {"bar.sync 0;", "barrier.sync 0;", "barrier.sync.aligned 0;", "bar.cta.sync 0;",
        "barrier.cta.sync.aligned 0;", "bar.sync 0, 128;"}) {
    const Values values =
        lanes(with_tile("st.shared.u32 [%at], %tid_x;\n" + std::string(barrier) +
                        "xor.b32 %other, %tid_x, 127; shl.b32 %other, %other, 2; mov.u32 %r0, "
                        "tile; add.u32 %other, %other, %r0; ld.shared.u32 %x, [%other];"),
              "", {128, 1, 1}, {2, 1, 1});
    for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(values[i], 127 - i % 128) << barrier;
  }
}

TEST(Barrier, MayBeReusedInALoop) {
  // A running sum over the block: 7 steps, two barriers each.
  const Values values = lanes(with_tile(R"(
    st.shared.u32 [%at], 1; mov.u32 %r0, 1;
  STEP:
    bar.sync 0;
    mov.u32 %r2, 0; shl.b32 %r1, %r0, 2; sub.u32 %other, %at, %r1; setp.ge.u32 %p0, %tid_x, %r0;
    @%p0 ld.shared.u32 %r2, [%other];
    bar.sync 0;
    ld.shared.u32 %r3, [%at]; add.u32 %r3, %r3, %r2; st.shared.u32 [%at], %r3;
    shl.b32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 128; @%p1 bra STEP;
    mov.u32 %x, %r3;)"),
                              "", {128, 1, 1});
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(values[i], i + 1);
}

/// What is found where even and odd threads come to a barrier in `body` one after the other.
Finding found_in_parts(const std::string& body, const std::string& module_scope = "") {
  PtxProgram program(with_tile("and.b32 %r9, %tid_x, 1; setp.eq.u32 %p0, %r9, 0;" + body),
                     module_scope);
  program.shape.block = {64, 1, 1};
  return only_finding(program.run());
}

TEST(Barrier, IsForAWarpAsAWhole) {
  const Finding in_a_loop = found_in_parts(R"(
    mov.u32 %r0, 0;
  PASS:
    setp.eq.u32 %p1, %r9, %r0; @!%p1 bra NEXT; bar.sync 0;
  NEXT:
    add.u32 %r0, %r0, 1; setp.lt.u32 %p2, %r0, 2; @%p2 bra PASS;)");
  EXPECT_EQ(in_a_loop.kind, FindingKind::divergent_barrier);
  EXPECT_EQ(in_a_loop.message.str(),
            "the threads of a warp reach this barrier one part after the other");

  const Finding in_a_function =
      found_in_parts("@%p0 bra EVEN; call meet, (); bra.uni MET; EVEN: call meet, (); MET:",
                     ".func meet() { bar.sync 0; ret; }\n");
  EXPECT_EQ(in_a_function.kind, FindingKind::divergent_barrier);

  const Finding counted =
      found_in_parts("@%p0 bra EVEN; bar.sync 1, 64; bra.uni MET; EVEN: bar.sync 1, 64; MET:");
  EXPECT_EQ(counted.kind, FindingKind::divergent_barrier);
}

TEST(Barrier, OfAFunctionThatWarpsCallFromTwoPlacesIsTwoBarriers) {
  const auto run = [](const std::string& body) {
    PtxProgram program(".reg .b32 %t; mov.u32 %t, %tid.x; setp.lt.u32 %p0, %t, 32;" + body,
                       ".func meet() { bar.sync 0; ret; }\n");
    program.shape.block = {64, 1, 1};
    return program.run();
  };
  const Finding finding =
      only_finding(run("@%p0 bra FIRST;\n.loc 1 24 3\ncall meet, (); bra END;"
                       "FIRST:\n.loc 1 20 3\ncall meet, (); END:"));
  EXPECT_EQ(finding.kind, FindingKind::divergent_barrier);
  EXPECT_EQ(finding.message.str(),
            "threads of one block meet at different barriers: line 20 and line 24");
  expect_clean(run(".loc 1 20 3\ncall meet, ();"));
}

TEST(Barrier, ThereAreSixteen) {
  PtxProgram program("mov.u32 %r0, 15; bar.sync %r0; add.u32 %r0, %r0, 1; bar.sync %r0;");
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.kind, FindingKind::trap);
  EXPECT_EQ(finding.message.str(), "there is no barrier 16");
  PtxProgram several("mov.u32 %r0, %tid.x; and.b32 %r0, %r0, 1; bar.sync %r0;");
  EXPECT_EQ(only_finding(several.run()).message.str(),
            "the threads of a warp name different barriers");
  PtxProgram partial("mov.u32 %r0, 31; bar.sync 1, %r0;");
  EXPECT_EQ(only_finding(partial.run()).message.str(), "a barrier of 31 threads");
}

TEST(Barrier, NamedBarriersKeepGroupsApart) {
  // Warps 0-1 use barrier 1 three times, warps 2-3 barrier 2 once.
  const Values values = lanes(with_tile(R"(
    st.shared.u32 [%at], %tid_x; setp.lt.u32 %p0, %tid_x, 64; @!%p0 bra SECOND;
    bar.sync 1, 64; bar.sync 1, 64; bar.sync 1, 64; bra.uni READ;
  SECOND:
    mov.u32 %r5, 2; mov.u32 %r6, 64; bar.sync %r5, %r6;
  READ:
    xor.b32 %other, %tid_x, 63; shl.b32 %other, %other, 2; mov.u32 %r0, tile;
    add.u32 %other, %other, %r0; ld.shared.u32 %x, [%other];)"),
                              "", {128, 1, 1});
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(values[i], i ^ 63);
}

TEST(Barrier, ArriveLetsAProducerGoOn) {
  // Warp 1 produces and arrives, warp 0 waits and consumes; then the roles change.
  const Values values = lanes(with_tile(R"(
    mov.u32 %r0, tile; setp.lt.u32 %p0, %tid_x, 32; @%p0 bra CONSUMER;
    mad.lo.u32 %r1, %tid_x, 3, 0; st.shared.u32 [%at], %r1; bar.arrive 1, 64;
    bar.sync 2, 64; ld.shared.u32 %x, [%at+-128]; bra.uni END;
  CONSUMER:
    bar.sync 1, 64; ld.shared.u32 %x, [%at+128];
    add.u32 %r2, %tid_x, 500; st.shared.u32 [%at], %r2; barrier.arrive 2, 64;
  END:)"),
                              "", {64, 1, 1});
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(values[i], i < 32 ? (i + 32) * 3 : i - 32 + 500);
}

TEST(Barrier, ReducesAPredicateOverTheBlock) {
  const auto reduce = [](const std::string& condition, const std::string& reduction) {
    return lanes("rem.u32 %r0, %index, 3; " + condition + reduction, "", {96, 1, 1});
  };
  const std::string third = "setp.eq.u32 %p0, %r0, 0;", all = "setp.lt.u32 %p0, %r0, 3;",
                    none = "setp.gt.u32 %p0, %r0, 3;";
  EXPECT_EQ(reduce(third, "bar.red.popc.u32 %x, 0, %p0;"), Values(96, 32));
  EXPECT_EQ(reduce(third, "bar.red.popc.u32 %x, 0, !%p0;"), Values(96, 64));
  EXPECT_EQ(reduce(third, "barrier.red.popc.aligned.u32 %x, 0, 96, %p0;"), Values(96, 32));
  const std::string as_number = " selp.u32 %x, 1, 0, %p1;";
  EXPECT_EQ(reduce(third, "bar.red.and.pred %p1, 0, %p0;" + as_number), Values(96, 0));
  EXPECT_EQ(reduce(all, "bar.red.and.pred %p1, 0, %p0;" + as_number), Values(96, 1));
  EXPECT_EQ(reduce(third, "bar.red.or.pred %p1, 0, %p0;" + as_number), Values(96, 1));
  EXPECT_EQ(reduce(none, "bar.red.or.pred %p1, 0, %p0;" + as_number), Values(96, 0));
  EXPECT_EQ(reduce(none, "bar.red.or.pred %p1, 0, !%p0;" + as_number), Values(96, 1));
}

TEST(Barrier, ReductionsFollowEachOther) {
  EXPECT_EQ(lanes("setp.lt.u32 %p0, %index, 40; setp.lt.u32 %p1, %index, 50; bar.red.popc.u32 %r0, "
                  "0, %p0; bar.red.popc.u32 %r1, 0, %p1; mad.lo.u32 %x, %r0, 100, %r1;",
                  "", {64, 1, 1}),
            Values(64, 4050));
}

TEST(Barrier, DoesNotWaitForThreadsThatHaveExited) {
  PtxProgram program(
      "setp.ge.u32 %p0, %index, 40; @%p0 exit; bar.sync 0; st.global.u32 [%out_at], %index;");
  program.shape.block = {96, 1, 1};
  program.buffer("out", Values(96, kPoison32));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  EXPECT_FALSE(has_errors(result)) << describe(result);
  const Values values = program.contents<std::uint32_t>("out");
  for (std::uint32_t i = 0; i < 96; ++i) EXPECT_EQ(values[i], i < 40 ? i : kPoison32);
}

TEST(Barrier, ExitAfterOthersWaitReleasesThem) {
  // Warp 0 is at the barrier long before warp 1 leaves.
  PtxProgram program(R"(
    setp.lt.u32 %p0, %index, 32; @%p0 bra WAIT;
    mov.u32 %r0, 0;
  SPIN:
    add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 500; @%p1 bra SPIN;
    exit;
  WAIT:
    bar.sync 0; st.global.u32 [%out_at], 1;)");
  program.shape.block = {64, 1, 1};
  program.buffer("out", Values(64, 0));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 1u);
}

TEST(Barrier, UnalignedFormsCountTheThreadsThatCome) {
  // Lanes of a warp come to the same named barrier one branch after the other.
  PtxProgram program(R"(
    and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 1; @%p0 bra ODD;
    barrier.sync 3; mov.u32 %r1, 10; bra JOIN;
  ODD:
    barrier.sync 3; mov.u32 %r1, 20;
  JOIN:
    st.global.u32 [%out_at], %r1;)");
  program.shape.block = {64, 1, 1};
  program.buffer("out", Values(64, 0));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  const Values values = program.contents<std::uint32_t>("out");
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(values[i], i % 2 == 1 ? 20u : 10u);
}

TEST(WarpProgress, LanesOfAWarpMaySpinForEachOther) {
  // Each lane takes a lock; the others of its warp spin meanwhile. A small case has few steps.
  for (const std::uint64_t steps : {std::uint64_t{0}, std::uint64_t{110'000}}) {
    PtxProgram program(R"(
  AGAIN:
    atom.global.cas.b32 %r0, [%lock], 0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra AGAIN;
    membar.gl; ld.volatile.global.u32 %r1, [%lock+4]; add.u32 %r1, %r1, 1;
    st.volatile.global.u32 [%lock+4], %r1; membar.gl;
    atom.global.exch.b32 %r2, [%lock], 0;)");
    program.shape = {.grid = {2, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 0};
    program.buffer("lock", Values(2, 0));
    program.step_limit = steps;
    const RunResult result = program.run();
    EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
    EXPECT_EQ(program.contents<std::uint32_t>("lock"), (Values{0, 128}));
  }
}

TEST(WarpProgress, ALaneMayWaitForAnotherOfItsWarp) {
  PtxProgram program(R"(
    setp.eq.u32 %p0, %index, 31; @%p0 bra SIGNAL;
  WAIT:
    atom.global.or.b32 %r0, [%flag], 0; setp.eq.u32 %p1, %r0, 0; @%p1 bra WAIT;
    bra DONE;
  SIGNAL:
    atom.global.exch.b32 %r1, [%flag], 7;
  DONE:
    atom.global.add.u32 %r2, [%flag+4], 1;)");
  program.buffer("flag", Values(2, 0));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  EXPECT_EQ(program.contents<std::uint32_t>("flag"), (Values{7, 32}));
}

TEST(WarpProgress, AWarpMayWaitForAFlagOfAnother) {
  for (const char* waits_first : {"lt", "ge"}) {  // the waiting warp is the lower, then the higher
    PtxProgram program(
        std::string(".shared .align 4 .u32 flag; .shared .align 4 .u32 data; setp.eq.u32 %p2, "
                    "%index, 0; @%p2 st.shared.u32 [flag], 0; bar.sync 0; setp.") +
        waits_first + R"(.u32 %p0, %index, 32; @!%p0 bra PRODUCE;
    WAIT:
      ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p1, %r0, 0; @%p1 bra WAIT;
      ld.volatile.shared.u32 %r1, [data]; st.global.u32 [%out_at], %r1; bra.uni END;
    PRODUCE:
      and.b32 %r2, %index, 31; setp.ne.u32 %p1, %r2, 0; @%p1 bra END;
      st.volatile.shared.u32 [data], 42; membar.cta; st.volatile.shared.u32 [flag], 1;
    END:)");
    program.shape.block = {64, 1, 1};
    program.buffer("out", Values(64, 0));
    const RunResult result = program.run();
    EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
    const Values values = program.contents<std::uint32_t>("out");
    EXPECT_EQ(std::ranges::count(values, 42u), 32);
  }
}

}  // namespace
}  // namespace tessera::test
