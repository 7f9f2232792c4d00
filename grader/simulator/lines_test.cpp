// Counters by source line: requests, passes, the ideal, and the worst request's shape.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using Memory = LineAccess::Memory;
using Values = std::vector<std::uint32_t>;

/// A 32 x 64 matrix `A` of floats, row after row, and a flat array `x` of 4,096 words.
PtxProgram line_program(const std::string& body) {
  PtxProgram program(
      ".shared .align 16 .b8 tile[8192]; .reg .b32 %t, %tile; mov.u32 %t, %tid.x; mov.u32 %tile, "
      "tile;\n" +
      body);
  BufferInfo info;
  info.name = "A";
  info.width = 64;
  info.pitch = 64;
  program.add_buffer(std::move(info), std::vector<std::byte>(32 * 64 * 4));
  program.buffer("x", Values(4096, 0));
  return program;
}

std::string place(const LineAccess& access) {
  return fmt::format("{} {} {}", access.line, access.memory == Memory::global ? "global" : "shared",
                     access.store ? "store" : "load");
}

std::vector<std::string> places(const RunResult& result) {
  std::vector<std::string> all;
  for (const LineAccess& access : result.lines) all.push_back(place(access));
  return all;
}

/// The only line of a run.
LineAccess only_line(const RunResult& result) {
  if (result.lines.size() != 1) {
    ADD_FAILURE() << testing::PrintToString(places(result)) << describe(result);
    return {};
  }
  return result.lines.front();
}

void expect_counts(const LineAccess& access, std::uint64_t requests, std::uint64_t passes,
                   std::uint64_t ideal) {
  EXPECT_EQ(access.requests, requests) << place(access);
  EXPECT_EQ(access.passes, passes) << place(access);
  EXPECT_EQ(access.ideal, ideal) << place(access);
}

TEST(Lines, OfInlineAsmBeyondTheSourceAreNotListed) {
  const RunResult result = line_program(at(10, "ld.global.u32 %r0, [%x_at];") +
                                        at(99'999'999, "st.global.u32 [%x_at], %r0;"))
                               .run();
  EXPECT_EQ(places(result), (std::vector<std::string>{"10 global load", "10 global store"}));
}

TEST(Lines, AreInOrderAndApart) {
  const RunResult result =
      line_program("mad.lo.u32 %r1, %t, 4, %tile;" +
                   at(30, "ld.global.u32 %r0, [%x_at]; st.global.u32 [%x_at], %r0;") +
                   at(10, "ld.global.u32 %r0, [%A_at]; st.shared.u32 [%r1], %r0;") +
                   at(20, "ld.shared.u32 %r0, [%r1]; st.shared.u32 [%r1], %r0;"))
          .run();
  EXPECT_EQ(places(result),
            (std::vector<std::string>{"10 global load", "10 shared store", "20 shared load",
                                      "20 shared store", "30 global load", "30 global store"}));
}

TEST(Lines, AddUpTheInstructionsOfALine) {
  const LineAccess access = only_line(
      line_program(at(10, "ld.global.u32 %r0, [%x_at]; ld.global.u32 %r1, [%x_at+4];")).run());
  expect_counts(access, 2, 4 + 5, 4 + 5);
}

TEST(Lines, AColumnWalk) {
  const LineAccess access = only_line(
      line_program("mad.wide.u32 %rd0, %t, 256, %A;" + at(10, "ld.global.f32 %f0, [%rd0+12];"))
          .run());
  expect_counts(access, 1, 32, 5);  // 128 bytes that do not start with a sector
  EXPECT_EQ(access.worst.variable, "A");
  EXPECT_EQ(access.worst.lanes, 32u);
  EXPECT_EQ(access.worst.width, 4u);
  EXPECT_EQ(access.worst.passes, 32u);
  EXPECT_EQ(access.worst.ideal, 5u);
  EXPECT_EQ(access.worst.stride, 256);
  EXPECT_EQ(access.worst.row_bytes, 256u);
  ASSERT_EQ(access.worst.offsets.size(), 32u);
  EXPECT_EQ(access.worst.offsets[0], 12u) << "from the start of its sector";
  EXPECT_EQ(access.worst.offsets[31], 31u * 256 + 12);
}

TEST(Lines, AColumnWalkInASharedArrayWithRowsFromTheSource) {
  PtxProgram program =
      line_program("mad.lo.u32 %r0, %t, 64, %tile;" + at(10, "ld.shared.f32 %f0, [%r0];"));
  EXPECT_EQ(only_line(program.run()).worst.row_bytes, 0u);
  program.arrays["tile"] = {4, {128, 16}};
  const LineAccess access = only_line(program.run());
  EXPECT_EQ(access.worst.variable, "tile");
  EXPECT_EQ(access.worst.stride, 64);
  EXPECT_EQ(access.worst.row_bytes, 64u);
}

TEST(Lines, LanesThatTakeNoPartHaveNoOffset) {
  const LineAccess access =
      only_line(line_program("mad.lo.u32 %r0, %t, 128, %tile; setp.ge.u32 %p0, %t, 30;" +
                             at(10, "@%p0 st.shared.u32 [%r0+8], %t;"))
                    .run());
  EXPECT_EQ(access.worst.lanes, 2u);
  ASSERT_EQ(access.worst.offsets.size(), 32u);
  EXPECT_EQ(access.worst.offsets[29], std::nullopt);
  EXPECT_EQ(access.worst.offsets[30], 8u) << "from the start of its row of banks";
  EXPECT_EQ(access.worst.offsets[31], 136u);
}

TEST(Lines, AWalkBackwardsHasANegativeStride) {
  const LineAccess access =
      only_line(line_program("sub.u32 %r0, 31, %t; mad.wide.u32 %rd0, %r0, 32, %x;" +
                             at(10, "st.global.u32 [%rd0], %t;"))
                    .run());
  expect_counts(access, 1, 32, 4);
  EXPECT_TRUE(access.store);
  EXPECT_EQ(access.worst.variable, "x");
  EXPECT_EQ(access.worst.stride, -32);
  EXPECT_EQ(access.worst.row_bytes, 0u);
}

TEST(Lines, ABankConflict) {
  const LineAccess access = only_line(
      line_program("mad.lo.u32 %r0, %t, 128, %tile;" + at(10, "st.shared.u32 [%r0], %t;")).run());
  EXPECT_EQ(access.memory, Memory::shared);
  expect_counts(access, 1, 32, 1);
  EXPECT_EQ(access.worst.variable, "tile");
  EXPECT_EQ(access.worst.passes, 32u);
  EXPECT_EQ(access.worst.ideal, 1u);
  EXPECT_EQ(access.worst.stride, 128);
}

TEST(Lines, MostOfTheLanesGiveTheStride) {
  // Two rows of sixteen lanes: 15 + 15 steps of 8 bytes, and one step of another length.
  const LineAccess access = only_line(
      line_program("and.b32 %r0, %t, 15; shr.u32 %r1, %t, 4; mad.lo.u32 %r0, %r1, 1024, %r0; "
                   "mad.wide.u32 %rd0, %r0, 8, %x;" +
                   at(10, "ld.global.u32 %r2, [%rd0];"))
          .run());
  expect_counts(access, 1, 8, 4);
  EXPECT_EQ(access.worst.stride, 8);
}

TEST(Lines, TheIdealIsThatOfTheLanesThatTakePart) {
  struct Case {
    const char* what;
    std::string code;
    std::uint64_t passes;
    std::uint64_t ideal;
  };
  const std::vector<Case> cases = {
      {"consecutive words", "ld.global.u32 %r0, [%x_at];", 4, 4},
      {"a broadcast", "ld.global.u32 %r0, [%x+64];", 1, 1},
      {"nine lanes", "setp.lt.u32 %p0, %t, 9; @%p0 ld.global.u32 %r0, [%x_at];", 2, 2},
      {"one word off", "ld.global.u32 %r0, [%x_at+4];", 5, 5},
      {"every second word", "mad.wide.u32 %rd0, %t, 8, %x; ld.global.u32 %r0, [%rd0];", 8, 4},
      {"pairs of lanes",
       "shr.u32 %r0, %t, 1; mad.wide.u32 %rd0, %r0, 4, %x; ld.global.u32 %r0, [%rd0];", 2, 2},
      {"bytes", "cvt.u64.u32 %rd0, %t; add.u64 %rd0, %rd0, %x; ld.global.u8 %r0, [%rd0];", 1, 1},
      {"16 bytes", "mad.wide.u32 %rd0, %t, 16, %x; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd0];",
       16, 16},
      {"a column of four lanes",
       "setp.lt.u32 %p0, %t, 4; mad.wide.u32 %rd0, %t, 256, %x; @%p0 ld.global.u32 %r0, [%rd0];", 4,
       1},
      {"shared words", "mad.lo.u32 %r0, %t, 4, %tile; st.shared.u32 [%r0], %t;", 1, 1},
      {"shared, every second word", "mad.lo.u32 %r0, %t, 8, %tile; st.shared.u32 [%r0], %t;", 2, 1},
      {"shared 16 bytes",
       "mad.lo.u32 %r0, %t, 16, %tile; st.shared.v4.u32 [%r0], {%t, %t, %t, %t};", 4, 4},
      {"shared 16 bytes in one bank group",
       "mad.lo.u32 %r0, %t, 128, %tile; st.shared.v4.u32 [%r0], {%t, %t, %t, %t};", 32, 4},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    expect_counts(only_line(line_program(at(10, test.code)).run()), 1, test.passes, test.ideal);
  }
}

TEST(Lines, ALineReportsItsWorstRequest) {
  // Warp 0 reads a row, warp 1 every second word, warp 2 a column.
  PtxProgram program = line_program(
      "and.b32 %r0, %t, 31; shr.u32 %r1, %t, 5; mov.u32 %r2, 4; setp.eq.u32 %p0, %r1, 1; @%p0 "
      "mov.u32 %r2, 8; setp.eq.u32 %p0, %r1, 2; @%p0 mov.u32 %r2, 256; mul.lo.u32 %r0, %r0, %r2; "
      "cvt.u64.u32 %rd0, %r0; add.u64 %rd0, %rd0, %A;" +
      at(10, "ld.global.f32 %f0, [%rd0];"));
  program.shape.block = {96, 1, 1};
  const LineAccess access = only_line(program.run());
  expect_counts(access, 3, 4 + 8 + 32, 12);
  EXPECT_EQ(access.worst.passes, 32u);
  EXPECT_EQ(access.worst.stride, 256);
}

TEST(Lines, ARequestToSeveralBuffersNamesNone) {
  // The lower half walks down A, the upper down x.
  const LineAccess access = only_line(
      line_program("setp.lt.u32 %p0, %t, 16; selp.b64 %rd1, %A, %x, %p0; mad.wide.u32 %rd0, %t, "
                   "128, %rd1;" +
                   at(10, "ld.global.u32 %r0, [%rd0];"))
          .run());
  expect_counts(access, 1, 32, 4);
  EXPECT_EQ(access.worst.variable, "");
}

TEST(Lines, GenericAddressesCountInTheMemoryTheyPointTo) {
  const RunResult result =
      line_program(
          "cvt.u64.u32 %rd1, %tile; cvta.shared.u64 %rd1, %rd1; mad.wide.u32 %rd0, %t, "
          "4, %rd1;" +
          at(10, "st.u32 [%rd0], %t;") + at(11, "ld.u32 %r0, [%x_at];"))
          .run();
  EXPECT_EQ(places(result), (std::vector<std::string>{"10 shared store", "11 global load"}));
}

TEST(Lines, AtomicsAndLanesThatAreOffAreLeftOut) {
  const RunResult result =
      line_program(at(10, "atom.global.add.u32 %r0, [%x], 1; red.global.add.u32 [%x], 1;") +
                   at(11, "setp.gt.u32 %p0, %t, 99; @%p0 ld.global.u32 %r0, [%A_at];"))
          .run();
  EXPECT_TRUE(result.lines.empty()) << testing::PrintToString(places(result));
}

TEST(Lines, CodeOfOtherFilesCountsAtTheLineThatInlinedIt) {
  const std::string foreign = "\n.loc 2 5 1\nld.global.u32 %r0, [%x_at];\n";
  PtxProgram after(".reg .b32 %t;" + at(10, "mov.u32 %t, %tid.x;") + foreign,
                   ".file 2 \"/include/helper.cuh\"\n");
  after.buffer("x", Values(32, 0));
  EXPECT_EQ(places(after.run()), std::vector<std::string>{"10 global load"});

  const std::string inlined =
      "\n.loc 2 5 1, function_name $L__info_string0, inlined_at 1 14 5\nld.global.u32 %r0, "
      "[%x_at];\n";
  PtxProgram call(".reg .b32 %t;" + at(10, "mov.u32 %t, %tid.x;") + inlined,
                  ".file 2 \"/include/helper.cuh\"\n");
  call.buffer("x", Values(32, 0));
  EXPECT_EQ(places(call.run()), std::vector<std::string>{"14 global load"});
}

/// Rows, columns, conflicts and a ragged last warp, in 6 blocks that update `x` in place.
RunResult run_mixed(int host_threads) {
  PtxProgram program = line_program(
      "and.b32 %r0, %t, 31; mad.wide.u32 %rd0, %r0, 256, %A; mad.lo.u32 %r1, %t, 8, %tile;" +
      at(10, "ld.global.f32 %f0, [%rd0];") + at(11, "st.shared.f32 [%r1], %f0;") +
      at(12, "ld.global.u32 %r2, [%x_at]; add.u32 %r2, %r2, 1; st.global.u32 [%x_at], %r2;"));
  program.shape.grid = {6, 1, 1};
  program.shape.block = {72, 1, 1};
  program.host_threads = host_threads;
  RunResult result = program.run();
  expect_clean(result);
  return result;
}

std::string in_words(const RunResult& result) {
  std::string text;
  for (const LineAccess& line : result.lines) {
    const AccessShape& worst = line.worst;
    text +=
        fmt::format("{}: {} {} {}, {} {} {} {} {} {} {}\n", place(line), line.requests, line.passes,
                    line.ideal, worst.variable, worst.lanes, worst.width, worst.passes, worst.ideal,
                    worst.stride, worst.row_bytes, testing::PrintToString(worst.offsets));
  }
  return text;
}

TEST(Lines, DoNotDependOnHostThreads) {
  const std::string alone = in_words(run_mixed(1));
  EXPECT_NE(alone, "");
  for (int run = 0; run < 3; ++run) EXPECT_EQ(in_words(run_mixed(4)), alone);
}

TEST(Lines, AddUpToTheLaunch) {
  const RunResult result = run_mixed(4);
  std::map<std::string, double> sums;
  for (const LineAccess& line : result.lines) {
    const bool global = line.memory == Memory::global;
    const std::string name =
        std::string(global ? "global_" : "shared_") + (line.store ? "store_" : "load_");
    sums[name + "requests"] += static_cast<double>(line.requests);
    sums[name + (global ? "sectors" : "wavefronts")] += static_cast<double>(line.passes);
    if (!global) sums[name + "bank_conflicts"] += static_cast<double>(line.passes - line.ideal);
  }
  EXPECT_EQ(sums.size(), 7u);
  for (const auto& [name, value] : sums)
    EXPECT_EQ(result.metrics.at(metric_named(name).value()), value) << name;
}

TEST(Lines, OfARepeatedLaunchAreCountedOnce) {
  // In place: the launch runs again in order. 3 warps of 32, 32 and 8 lanes, 6 blocks; odd blocks
  // start one sector off, at word 72.
  const RunResult result = run_mixed(2);
  ASSERT_EQ(result.lines.size(), 4u);
  expect_counts(result.lines[0], 18, 6 * (32 + 32 + 8), 6 * (4 + 4 + 1));
  expect_counts(result.lines[1], 18, 6 * (2 + 2 + 1), 18);
  expect_counts(result.lines[2], 18, 6 * (4 + 4 + 1), 6 * (4 + 4 + 1));
  expect_counts(result.lines[3], 18, 6 * (4 + 4 + 1), 6 * (4 + 4 + 1));
}

}  // namespace
}  // namespace tessera::test
