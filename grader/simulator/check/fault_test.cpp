// What the simulator finds in a wrong kernel, and how it reports it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

/// `body` at line 42 of the kernel.
PtxProgram at_line_42(const std::string& body, const std::string& scope = "") {
  return PtxProgram(".loc 1 7 3\n  mov.u32 %r31, 0;\n  .loc 1 42 9\n  " + body, scope);
}

void add_matrix(PtxProgram& program, const std::string& name, std::uint32_t height,
                std::uint32_t width, std::uint32_t pitch) {
  BufferInfo info;
  info.name = name;
  info.element_bytes = 4;
  info.width = width;
  info.pitch = pitch;
  program.add_buffer(std::move(info), std::vector<std::byte>(std::size_t{4} * height * pitch));
}

void expect_place(const Finding& finding, FindingKind kind) {
  EXPECT_EQ(to_string(finding.kind), to_string(kind));
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.file, "kernel.cu");
  EXPECT_EQ(finding.line, 42);
  EXPECT_NE(finding.message.str(), "");
}

TEST(OutOfBounds, GlobalReadNamesTheElementAndTheThread) {
  PtxProgram program =
      at_line_42("ld.global.f32 %f0, [%B_at+64];");  // 16 rows of 16: one row too far
  add_matrix(program, "B", 16, 16, 16);
  program.shape.block = {64, 1, 1};
  program.shape.grid = {4, 1, 1};
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.count, 16u);
  EXPECT_EQ(example(finding, "element"), "B[16][0]");
  EXPECT_THAT(finding.message, HasSubstr("(B has rows 0 to 15 and columns 0 to 15)"));
  EXPECT_THAT(finding.hint, HasSubstr("A thread's own row or column"));
  EXPECT_EQ(example(finding, "thread"), "(48, 0, 0)");
  EXPECT_EQ(example(finding, "block"), "(3, 0, 0)");
}

TEST(OutOfBounds, IsReportedAfterAnyNumberOfRemarks) {
  // Two warps store the same value into one word, in more instructions than the simulator keeps.
  std::string body;
  for (int i = 0; i < 5000; ++i) body += "st.shared.u32 [word], 7;\n";
  PtxProgram program(".shared .align 4 .b8 word[4]; " + body +
                     "ld.global.u32 %r0, [%data_at+4096];");
  program.buffer("data", std::vector<std::uint32_t>(64, 0));
  program.shape.block = {64, 1, 1};
  const RunResult result = program.run();
  EXPECT_EQ(std::ranges::count(result.findings, FindingKind::out_of_bounds, &Finding::kind), 1);
}

TEST(OutOfBounds, IsReportedAfterAnyNumberOfOtherMistakes) {
  // Stores to constants, in more instructions than the simulator keeps.
  std::string stores, constants = ".file 1 \"kernel.cu\"\n";
  for (int i = 0; i < 2500; ++i) {
    stores += fmt::format("mov.u64 %rd0, fixed{}; st.global.u32 [%rd0], 7;\n", i);
    constants += fmt::format(".const .align 4 .u32 fixed{} = 1;\n", i);
  }
  PtxProgram program(
      ".loc 1 1 1\n" + stores + ".loc 1 2 1\n" + stores + "ld.global.u32 %r0, [%data_at+4096];",
      constants);
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const RunResult result = program.run();
  EXPECT_EQ(std::ranges::count(result.findings, FindingKind::out_of_bounds, &Finding::kind), 1);
  EXPECT_GT(std::ranges::count(result.findings, FindingKind::read_only_write, &Finding::kind),
            3000);
}

TEST(OutOfBounds, AddressesThatWrapTouchASector) {
  PtxProgram program("mov.u64 %rd0, 0; ld.global.u64 %rd1, [%rd0+-4];");
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const RunResult result = program.run();
  EXPECT_EQ(result.metrics.at(Metric::global_load_requests), 1);
  EXPECT_EQ(result.metrics.at(Metric::global_load_sectors), 1);
}

TEST(OutOfBounds, AddressesThatWrapHideNoConflicts) {
  PtxProgram program(".shared .align 4 .b8 word[4]; mov.u64 %rd0, -2; ld.shared.u32 %r0, [%rd0];");
  const RunResult result = program.run();
  EXPECT_GE(result.metrics.at(Metric::shared_load_wavefronts), 1);
  EXPECT_GE(result.metrics.at(Metric::shared_load_bank_conflicts), 0);
}

TEST(OutOfBounds, TheFirstThreadOfTheGridNeedsNoGuard) {
  // Each thread reads four words on: the last four go too far, then all of them.
  for (const auto& [distance, first] : {std::pair{16, false}, std::pair{128, true}}) {
    PtxProgram program = at_line_42(fmt::format("ld.global.u32 %r0, [%data_at+{}];", distance));
    program.buffer("data", std::vector<std::uint32_t>(32, 0));
    const Finding finding = only_finding(program.run());
    EXPECT_EQ(finding.hint.str().starts_with("Even the first thread of the grid"), first)
        << finding.hint;
  }
}

TEST(OutOfBounds, AThreadOfALaterBlockIsNotTheFirst) {
  PtxProgram program = at_line_42("ld.global.u32 %r0, [%data_at];");
  program.shape.grid = {2, 1, 1};
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(example(finding, "thread"), "(0, 0, 0)");
  EXPECT_THAT(finding.hint, HasSubstr("compare it with the number of elements (32) first"));
}

TEST(OutOfBounds, BothEndsAreOneFinding) {
  PtxProgram program =
      at_line_42("ld.global.u32 %r0, [%data_at+-4]; ld.global.u32 %r0, [%data_at+4];");
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.count, 2u);
  EXPECT_THAT(finding.hint, HasSubstr("no left neighbour"));
  EXPECT_THAT(finding.hint, HasSubstr("At the other end: Which index goes too far?"));
}

TEST(OutOfBounds, PitchCountsTheRows) {
  PtxProgram program =
      at_line_42("setp.eq.u32 %p0, %index, 0; @%p0 st.global.f32 [%C+492], 0f3F800000;");
  add_matrix(program, "C", 6, 18, 20);  // 480 bytes; 492 is element 123: row 6, column 3
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(example(finding, "element"), "C[6][3]");
}

TEST(OutOfBounds, FlatArraysAndNegativeIndices) {
  PtxProgram program =
      at_line_42("setp.eq.u32 %p0, %index, 5; @%p0 ld.global.u32 %r0, [%data+-8];");
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_EQ(example(finding, "element"), "data[-2]");
  EXPECT_THAT(finding.message, HasSubstr("8 bytes before the start (data has elements 0 to 31)"));
  EXPECT_THAT(finding.hint, HasSubstr("the first element has no left neighbour"));
  EXPECT_EQ(example(finding, "thread"), "(5, 0, 0)");
}

TEST(OutOfBounds, AnUnsignedIndexBelowZeroIsMinusOne) {
  PtxProgram program =
      at_line_42("add.u64 %rd0, %data, 17179869180; ld.global.u32 %r0, [%rd0];");  // 4 * (2^32 - 1)
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("reads data[-1] (thread (0, 0, 0) of block (0, 0, 0)), 4 "
                                         "bytes before the start"));
  EXPECT_THAT(finding.hint, HasSubstr("The index is unsigned"));
}

TEST(OutOfBounds, AStoreOutsideChangesNothing) {
  PtxProgram program = at_line_42(
      "st.global.u32 [%first_at+128], 7; st.global.u32 [%first_at+-128], 7; add.u64 %rd0, "
      "%first_at, 100000; st.global.u32 [%rd0], 7;");
  program.buffer("first", std::vector<std::uint32_t>(32, 1));
  program.buffer("second", std::vector<std::uint32_t>(32, 2));
  const RunResult result = program.run();
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().kind, FindingKind::out_of_bounds);
  EXPECT_EQ(program.contents<std::uint32_t>("first"), std::vector<std::uint32_t>(32, 1));
  EXPECT_EQ(program.contents<std::uint32_t>("second"), std::vector<std::uint32_t>(32, 2));
}

TEST(OutOfBounds, TheLastElementIsInside) {
  PtxProgram program(
      "setp.eq.u32 %p0, %index, 0; @%p0 st.global.u32 [%data+124], 9; @%p0 st.global.u8 "
      "[%data+127], 1;");
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  expect_clean(program.run());
}

TEST(OutOfBounds, AVectorMayCrossTheEnd) {
  PtxProgram program = at_line_42(
      "setp.eq.u32 %p0, %index, 0; @%p0 ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%data+112];");
  program.buffer("data", std::vector<std::uint32_t>(30, 0));
  expect_place(only_finding(program.run()), FindingKind::out_of_bounds);
}

TEST(OutOfBounds, NullAndWildPointers) {
  for (const char* address : {"0", "8", "0x1234567890", "0xfffffffffffffe00"}) {
    PtxProgram program = at_line_42(fmt::format("mov.u64 %rd0, {}; ld.u64 %rd1, [%rd0];", address));
    program.buffer("data", std::vector<std::uint32_t>(32, 0));
    const Finding finding = only_finding(program.run());
    expect_place(finding, FindingKind::out_of_bounds);
    EXPECT_EQ(finding.count, 32u);
  }
}

TEST(OutOfBounds, AccessesThatEndAtTheTopOfTheAddressSpace) {
  // The end of each access, address + size, is 2^64: it wraps to 0.
  const std::vector<std::string> bodies = {
      "ld.global.u32 %r0, [%rd0+-4];",  "ld.u32 %r0, [%rd0+-4];",
      "ld.global.u64 %rd1, [%rd0+-8];", "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd0+-16];",
      "st.global.u32 [%rd0+-4], %r0;",  "atom.global.add.u32 %r0, [%rd0+-4], 1;",
      "ld.shared.u32 %r0, [%rd0+-4];",  "ld.const.u32 %r0, [%rd0+-4];",
      "ld.local.u32 %r0, [%rd0+-4];",
  };
  for (const std::string& body : bodies) {
    SCOPED_TRACE(body);
    PtxProgram program = at_line_42("mov.u64 %rd0, 0; mov.u32 %r0, 0; " + body);
    program.buffer("data", std::vector<std::uint32_t>(32, 0));
    const Finding finding = only_finding(program.run());
    expect_place(finding, FindingKind::out_of_bounds);
    EXPECT_EQ(finding.count, 32u);
  }
}

TEST(OutOfBounds, AtomicsAreCheckedToo) {
  PtxProgram program = at_line_42("atom.global.add.u32 %r0, [%data_at+4], 1;");
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(example(finding, "element"), "data[32]");
}

TEST(OutOfBounds, SharedVariablesKeepTheirNames) {
  // Tiles of 64 bytes; the store past the first must not land in the second.
  PtxProgram program = at_line_42(
      "setp.ne.u32 %p0, %index, 3; @%p0 bra END; st.shared.u32 [tile_b], 5;\n st.shared.f32 "
      "[tile_a+64], 0f3F800000;\n"
      ".loc 1 50 1\n ld.shared.u32 %r0, [tile_b]; st.global.u32 [%out], %r0;\nEND:",
      ".shared .align 4 .b8 tile_a[64];\n.shared .align 4 .b8 tile_b[64];\n");
  program.buffer("out", std::vector<std::uint32_t>(1, 0));
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_THAT(finding.message + example(finding, "element"), HasSubstr("tile_a"));
  EXPECT_EQ(example(finding, "thread"), "(3, 0, 0)");
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 5u);
}

TEST(OutOfBounds, DynamicSharedMemoryEndsWhereTheLaunchSays) {
  PtxProgram program =
      at_line_42("mov.u32 %r0, pool; mad.lo.u32 %r0, %index, 4, %r0; st.shared.u32 [%r0], 1;",
                 ".extern .shared .align 16 .b8 pool[];\n");
  program.shape.shared_bytes = 100;
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.count, 7u);
  EXPECT_EQ(example(finding, "thread"), "(25, 0, 0)");
  EXPECT_THAT(finding.message, HasSubstr("4 bytes past the end (pool has 100 bytes)"));
  EXPECT_THAT(finding.hint, HasSubstr("the bytes of all arrays together"));
}

TEST(OutOfBounds, LocalArraysAndConstantsAreGuarded) {
  PtxProgram local = at_line_42(
      ".local .align 4 .b8 own[16]; .reg .b64 %own_at; mov.u64 %own_at, own; mul.wide.u32 %rd0, "
      "%index, 4; add.u64 %rd0, %rd0, %own_at; st.local.u32 [%rd0], 1;");
  const Finding in_local = only_finding(local.run());
  expect_place(in_local, FindingKind::out_of_bounds);
  EXPECT_EQ(in_local.count, 28u);

  PtxProgram constant = at_line_42(
      "mov.u64 %rd0, table; mul.wide.u32 %rd1, %index, 4; add.u64 %rd0, %rd0, %rd1; ld.const.u32 "
      "%r0, [%rd0];",
      ".const .align 4 .u32 table[4] = {1, 2, 3, 4};\n");
  const Finding in_constant = only_finding(constant.run());
  expect_place(in_constant, FindingKind::out_of_bounds);
  EXPECT_THAT(in_constant.message + example(in_constant, "element"), HasSubstr("table"));
}

TEST(OutOfBounds, ElementsOfTheModulesArraysAreNamedAsInTheSource) {
  PtxProgram program = at_line_42("ld.global.u64 %rd0, [sums+64]; st.global.u64 [%out], %rd0;",
                                  ".global .align 8 .b8 sums[64];\n");
  program.shape.block = {1, 1, 1};
  program.buffer("out", std::vector<std::uint64_t>(1, 0));
  const auto finding = [&](const ArrayShape& shape) {
    program.arrays["sums"] = shape;
    return only_finding(program.run());
  };
  const Finding row = finding({8, {8}});
  EXPECT_EQ(example(row, "element"), "sums[8]");
  EXPECT_THAT(row.message, HasSubstr("sums has elements 0 to 7"));
  EXPECT_EQ(example(finding({8, {2, 4}}), "element"), "sums[2][0]");
}

TEST(OutOfBounds, LanesThatAreOffAreNotChecked) {
  PtxProgram program(
      "setp.ge.u32 %p0, %index, 32; @%p0 ld.global.u32 %r0, [%data_at]; mov.u64 %rd0, 0; "
      "setp.ne.u32 %p1, %index, %index; @%p1 st.u32 [%rd0], 1;");
  program.buffer("data", std::vector<std::uint32_t>(32, 0));
  expect_clean(program.run());
}

TEST(Misaligned, EverySpaceNeedsNaturalAlignment) {
  const std::vector<std::string> bodies = {
      "ld.global.u32 %r0, [%data+2];",
      "ld.global.u16 %r0, [%data+1];",
      "st.global.u64 [%data+4], %rd0;",
      "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%data+8];",
      "ld.global.v2.f32 {%f0, %f1}, [%data+4];",
      "atom.global.add.u32 %r0, [%data+2], 1;",
      "add.u64 %rd1, %data, 2; ld.u32 %r0, [%rd1];",
  };
  for (const std::string& body : bodies) {
    PtxProgram program =
        at_line_42("setp.eq.u32 %p0, %index, 4; mov.u64 %rd0, 0; @!%p0 bra END; " + body + " END:");
    program.buffer("data", std::vector<std::uint64_t>(8, 0));
    SCOPED_TRACE(body);
    const Finding finding = only_finding(program.run());
    expect_place(finding, FindingKind::misaligned);
    EXPECT_EQ(example(finding, "thread"), "(4, 0, 0)");
  }
  PtxProgram shared = at_line_42("setp.eq.u32 %p0, %index, 4; @%p0 st.shared.u32 [tile+2], 1;",
                                 ".shared .align 8 .b8 tile[64];\n");
  expect_place(only_finding(shared.run()), FindingKind::misaligned);
  PtxProgram local = at_line_42(".local .align 8 .b8 own[16]; st.local.u32 [own+6], 1;");
  expect_place(only_finding(local.run()), FindingKind::misaligned);
}

TEST(ReadOnly, ConstantsCannotBeWritten) {
  PtxProgram program = at_line_42(
      "mov.u64 %rd0, table; cvta.const.u64 %rd0, %rd0; st.u32 [%rd0], 9; ld.const.u32 %r0, "
      "[table]; st.global.u32 [%out_at], %r0;",
      ".const .align 4 .u32 table[4] = {1, 2, 3, 4};\n");
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  expect_place(only_finding(program.run()), FindingKind::read_only_write);
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 1u);
}

TEST(ReadOnly, ABufferMayBeReadOnly) {
  PtxProgram program = at_line_42("ld.global.u32 %r0, [%input_at]; st.global.u32 [%input_at], 9;");
  BufferInfo info;
  info.name = "input";
  info.read_only = true;
  program.add_buffer(std::move(info), std::vector<std::byte>(128));
  const Finding finding = only_finding(program.run());
  expect_place(finding, FindingKind::read_only_write);
  EXPECT_EQ(finding.count, 32u);
  EXPECT_EQ(program.contents<std::uint32_t>("input"), std::vector<std::uint32_t>(32, 0));
}

TEST(Deadlock, WaitingAtDifferentBarriersEndsTheRun) {
  PtxProgram program = at_line_42(
      "setp.lt.u32 %p0, %index, 32; @%p0 bra FIRST; bar.sync 1, 64; bra.uni END;\nFIRST: .loc 1 44 "
      "1\n bar.sync 2, 64;\nEND:");
  program.shape.block = {64, 1, 1};
  program.step_limit = 0;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(to_string(result.findings.front().kind), to_string(FindingKind::barrier_deadlock));
  EXPECT_TRUE(result.findings.front().line == 42 || result.findings.front().line == 44);
}

TEST(Deadlock, ABarrierThatTooFewThreadsReachIsADeadlock) {
  PtxProgram program = at_line_42("bar.sync 1, 96;");
  program.shape.block = {64, 1, 1};
  program.step_limit = 0;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(to_string(result.findings.front().kind), to_string(FindingKind::barrier_deadlock));
  EXPECT_EQ(result.findings.front().line, 42);
}

TEST(StepLimit, EndsAnEndlessLoopAtItsLine) {
  PtxProgram program = at_line_42("LOOP: add.u32 %r0, %r0, 1; bra LOOP;");
  program.step_limit = 20'000;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  expect_place(only_finding(result), FindingKind::step_limit);
}

TEST(StepLimit, EndsAnEndlessLoopInWhichWarpsWaitForEachOther) {
  PtxProgram program = at_line_42("LOOP: add.u32 %r0, %r0, 1; bar.sync 0; bra LOOP;");
  program.shape.block = {64, 1, 1};
  program.step_limit = 20'000;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  expect_place(only_finding(result), FindingKind::step_limit);
}

TEST(StepLimit, CountsEachWarpByItself) {
  // Each warp executes 60,000 instructions; all warps together execute far more than the limit.
  PtxProgram program(
      "mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 20000; @%p0 bra LOOP;");
  program.shape = {.grid = {2, 1, 1}, .block = {256, 1, 1}, .shared_bytes = 0};
  program.step_limit = 61'000;
  expect_clean(program.run());
  program.step_limit = 30'000;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  EXPECT_EQ(only_finding(result).kind, FindingKind::step_limit);
}

TEST(Trap, EndsTheRunAtItsLine) {
  PtxProgram program = at_line_42("setp.eq.u32 %p0, %index, 17; @%p0 trap;");
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  const Finding finding = only_finding(result);
  expect_place(finding, FindingKind::trap);
  EXPECT_EQ(example(finding, "thread"), "(17, 0, 0)");
}

TEST(Trap, OfNoLaneDoesNothing) {
  PtxProgram program("setp.eq.u32 %p0, %index, 99; @%p0 trap;");
  expect_clean(program.run());
}

TEST(Recursion, WithoutEndOverflowsTheStack) {
  PtxProgram program(".loc 1 7 1\n call.uni dive, ();",
                     ".func dive() { .reg .b32 %r<2>; .local .align 4 .b8 own[64]; .loc 1 42 5\n "
                     "st.local.u32 [own], 1; call.uni dive, (); ld.local.u32 %r0, [own]; ret; }\n");
  program.step_limit = 0;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  const Finding finding = only_finding(result);
  EXPECT_EQ(finding.line, 42);
  EXPECT_THAT(finding.message, HasSubstr("stack"));
}

TEST(Recursion, HasTheDriversDefaultStack) {
  const auto dive = [](int depth) {
    PtxProgram program(
        fmt::format("mov.u32 %r0, {}; {{ .param .b32 given; st.param.b32 [given], %r0; call.uni "
                    "dive, (given); }}",
                    depth),
        ".func dive(.param .b32 n) { .reg .b32 %r<2>; .reg .pred %p; .local .align 4 .b8 own[32]; "
        "st.local.u32 [own], 1; ld.param.b32 %r0, [n]; setp.eq.u32 %p, %r0, 0; @%p bra DONE; "
        "sub.u32 %r0, %r0, 1; { .param .b32 given; st.param.b32 [given], %r0; call.uni dive, "
        "(given); } DONE: ret; }\n");
    return program.run();
  };
  expect_clean(dive(20));
  EXPECT_THAT(only_finding(dive(40)).message, HasSubstr("the call stack overflows"));
}

TEST(Recursion, KeepsValuesReadAfterTheCallOnTheStack) {
  const auto dive = [](int depth, const std::string& type, const std::string& value) {
    std::string loads, sums;
    for (int i = 1; i <= 13; ++i) {
      loads += fmt::format("ld.param.{} %v{}, [n]; ", type, i);
      sums += fmt::format("add.{} %v0, %v0, %v{}; ", value, i);
    }
    PtxProgram program(
        fmt::format(".reg .{0} %v<1>; mov.{0} %v0, {1}; {{ .param .{0} given; st.param.{0} "
                    "[given], %v0; call.uni "
                    "dive, (given); }}",
                    type, depth),
        fmt::format(".func dive(.param .{0} n) {{ .reg .{0} %v<14>; .reg .pred %p; "
                    "ld.param.{0} %v0, [n]; setp.eq.{1} %p, %v0, 0; @%p bra DONE; {2}"
                    "sub.{1} %v0, %v0, 1; {{ .param .{0} given; st.param.{0} [given], %v0; "
                    "call.uni dive, (given); }} {3} st.param.{0} [n], %v0; DONE: ret; }}\n",
                    type, value, loads, sums));
    return program.run();
  };
  const auto expect_overflow = [](const RunResult& result) {
    EXPECT_THAT(only_finding(result).message.str(), HasSubstr("the call stack overflows"));
  };
  // 13 values and the return address: 64 or 112 bytes a level.
  expect_clean(dive(14, "b32", "u32"));
  expect_overflow(dive(18, "b32", "u32"));
  expect_clean(dive(7, "b64", "u64"));
  expect_overflow(dive(11, "b64", "u64"));
}

TEST(Unsupported, IsReportedWhereItIsReached) {
  const std::string body =
      "setp.eq.u32 %p0, %index, 99; @%p0 bra END; tcgen05.fence::before_thread_sync; END:";
  PtxProgram program = at_line_42(body);
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::unsupported);
  const Finding finding = only_finding(result);
  expect_place(finding, FindingKind::unsupported_instruction);
  EXPECT_THAT(finding.message, HasSubstr("tcgen05.fence"));
}

TEST(Unsupported, IsNoErrorWhereItIsNotReached) {
  PtxProgram program(
      "setp.ne.u32 %p0, %index, 99; @%p0 bra END; tcgen05.fence::before_thread_sync; END:");
  expect_clean(program.run());
}

TEST(RunFindings, OneCauseIsReportedOnce) {
  // Every thread of every block makes the same mistake in two instructions.
  PtxProgram program = at_line_42(
      "ld.global.u32 %r0, [%data_at+65536];\n .loc 1 43 1\n st.global.u32 [%data_at+65536], 1;");
  program.buffer("data", std::vector<std::uint32_t>(320, 0));
  program.shape.grid = {10, 1, 1};
  const RunResult result = program.run();
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  EXPECT_EQ(result.findings[0].count, 320u);
  EXPECT_EQ(result.findings[1].count, 320u);
  EXPECT_NE(result.findings[0].line, result.findings[1].line);
}

}  // namespace
}  // namespace tessera::test
