// Instructions that a compiler merged from several lines, and that have line 0.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using Values = std::vector<std::uint32_t>;

/// `code` that belongs to no single line of kernel.cu.
std::string merged(const std::string& code) {
  return fmt::format("\n.loc 1 0 1\n{}\n", code);
}

/// What Clang compiles this to:
///
///      8 | tile[t] = t; __syncthreads();
///     12 | if (t != 0)
///     13 |   left = tile[t + ahead];
///     14 | else
///     15 |   left = x[first];
///     16 | y[t] = tile[t] + left;
PtxProgram branches_that_load(int ahead, int first) {
  PtxProgram program(
      ".shared .align 4 .b8 tile[128]; .reg .b32 %t; mov.u32 %t, %tid.x;\n" +
      at(8, "mov.u32 %r1, tile; mad.lo.u32 %r1, %t, 4, %r1; st.shared.u32 [%r1], %t; bar.sync 0;") +
      at(12, "setp.eq.u32 %p0, %t, 0; @%p0 bra ELSE;") +
      at(13, fmt::format("cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd0, %rd1; add.s64 %rd0, %rd0, "
                         "{}; bra.uni JOIN;",
                         4 * ahead)) +
      "ELSE:" + merged(fmt::format("add.s64 %rd0, %x, {};", 4 * first)) +
      "JOIN: ld.u32 %r2, [%rd0];" +
      at(16, "ld.shared.u32 %r3, [%r1]; add.u32 %r3, %r3, %r2; st.global.u32 [%y_at], %r3;"));
  program.buffer("x", Values(32, 1));
  program.buffer("y", Values(32, 0));
  program.name_lines = {{"tile", {8, 13, 16}}, {"x", {15}}, {"y", {16}}};
  return program;
}

TEST(MergedLines, ReportTheBranchThatUsesTheVariable) {
  const Finding of_tile = only_finding(branches_that_load(1000, 0).run());
  EXPECT_EQ(of_tile.line, 13) << of_tile.message;
  EXPECT_THAT(of_tile.message, Not(HasSubstr("the compiler")));
  const Finding of_x = only_finding(branches_that_load(0, -1).run());
  EXPECT_EQ(of_x.line, 15) << of_x.message;
  EXPECT_THAT(of_x.message, Not(HasSubstr("the compiler")));
}

TEST(MergedLines, ReportAllLinesThatUseTheVariable) {
  PtxProgram program = branches_that_load(0, -1);
  program.name_lines["x"] = {13, 15, 40};
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.line, 13);
  EXPECT_THAT(finding.message,
              EndsWith(" (line 13 or line 15: the compiler made one instruction of them)"));
}

TEST(MergedLines, WithoutANameOnlyTheRangeIsReported) {
  PtxProgram program = branches_that_load(0, -1);
  program.name_lines.clear();
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.line, 0);
  EXPECT_THAT(finding.message,
              EndsWith(" (line 12 to line 16: the compiler made one instruction of several)"));
}

TEST(MergedLines, CountAtTheLineThatUsesTheVariable) {
  const RunResult result = branches_that_load(0, 0).run();
  std::vector<std::string> places;
  for (const LineAccess& line : result.lines) {
    places.push_back(fmt::format("{} {} {}", line.line,
                                 line.memory == LineAccess::Memory::global ? "global" : "shared",
                                 line.store ? "store" : "load"));
  }
  EXPECT_THAT(places, ::testing::ElementsAre("8 shared store", "13 shared load", "15 global load",
                                             "16 global store", "16 shared load"));
}

/// Lines 13 and 15 store into tile, line 20 reads what the next thread stored.
TEST(MergedLines, ABarrierIsMissingAfterTheLastOfThem) {
  PtxProgram program(
      ".shared .align 4 .b8 tile[512]; .reg .b32 %t; mov.u32 %t, %tid.x;\n"
      "mov.u32 %r1, tile; mad.lo.u32 %r1, %t, 4, %r1;" +
      at(12, "mov.u32 %r2, 1; setp.eq.u32 %p0, %t, 0; @%p0 bra JOIN;") + at(13, "mov.u32 %r2, 2;") +
      "JOIN:" + merged("st.shared.u32 [%r1], %r2;") +
      at(20,
         "xor.b32 %r3, %t, 32; mov.u32 %r4, tile; mad.lo.u32 %r4, %r3, 4, %r4; ld.shared.u32 "
         "%r5, [%r4]; st.global.u32 [%y_at], %r5;"));
  program.buffer("y", Values(64, 0));
  program.shape.block = {64, 1, 1};
  program.name_lines = {{"tile", {13, 15, 20}}, {"y", {20}}};
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(to_string(finding.kind), "race");
  EXPECT_EQ(finding.hint.str(), "__syncthreads() is missing between line 15 and line 20.");
  EXPECT_THAT(finding.message, HasSubstr("(line 13 or line 15: "));
}

}  // namespace
}  // namespace tessera::test
