// Kernels with many shared variables: each finding names the right variable.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

constexpr int kVariables = 900;
constexpr int kSome[] = {0, 1, 449, 898, 899};

/// 900 variables of 8 bytes, declared in falling order of their numbers: v899, v898, ... Variable
/// number `large` has 256 bytes.
PtxProgram many_program(const std::string& body, const std::string& more = "", int large = -1) {
  std::string declarations, uses;  // a variable that is not used takes no room
  for (int i = kVariables; i-- > 0;) {
    declarations += fmt::format(".shared .align 8 .b8 v{}[{}];\n", i, i == large ? 256 : 8);
    uses += fmt::format("mov.u32 %r9, v{};\n", i);
  }
  PtxProgram program(declarations + more + ".reg .b32 %t; mov.u32 %t, %tid.x;\n" + uses + body);
  program.shape.block = {64, 1, 1};
  return program;
}

TEST(ManySharedVariables, KeepTheirValuesApart) {
  std::string body, sums;
  for (const int i : kSome) {
    body += thread_only(0, fmt::format("st.shared.u32 [v{}+4], {};", i, 10 * i + 1));
    sums += fmt::format("ld.shared.u32 %r1, [v{}+4]; add.u32 %r0, %r0, %r1;\n", i);
  }
  PtxProgram program =
      many_program(body + "bar.sync 0; mov.u32 %r0, 0;\n" + sums + "st.global.u32 [%out_at], %r0;");
  program.buffer("out", std::vector<std::uint32_t>(64, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out"),
            std::vector<std::uint32_t>(64, 10 * (0 + 1 + 449 + 898 + 899) + 5));
}

TEST(ManySharedVariables, AReadOfNoValueNamesItsVariable) {
  for (const int i : kSome) {
    const Finding finding = only_finding(
        many_program(at(42, thread_only(0, fmt::format("ld.shared.u32 %r0, [v{}+4];", i)))).run());
    EXPECT_EQ(to_string(finding.kind), "uninitialized-read");
    EXPECT_EQ(example(finding, "element"), fmt::format("v{} + 4 bytes", i));
  }
}

TEST(ManySharedVariables, ARaceNamesItsVariable) {
  for (const int i : kSome) {
    const Finding finding = only_finding(
        many_program(at(20, thread_only(0, fmt::format("st.shared.u32 [v{}], 1;", i))) +
                     at(24, thread_only(32, fmt::format("st.shared.u32 [v{}], 2;", i))))
            .run());
    expect_race(finding, 20, 24);
    EXPECT_EQ(example(finding, "variable"), fmt::format("v{}", i));
  }
}

/// The variable that an out-of-bounds finding names: "v3" if its element is "v3 + 8 bytes".
std::string variable_of(const Finding& finding) {
  const std::string element = example(finding, "element");
  return element.substr(0, element.find_first_of(" ["));
}

/// The variable that is named for a load of 4 bytes, `distance` bytes from the start of v`of`.
std::string reported_variable(int of, int distance) {
  PtxProgram program =
      many_program(fmt::format("mov.u32 %r1, v{}; add.s32 %r1, %r1, {};", of, distance) +
                   at(42, thread_only(0, "ld.shared.u32 %r0, [%r1];")));
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(to_string(finding.kind), "out-of-bounds");
  return variable_of(finding);
}

TEST(ManySharedVariables, AnAccessBetweenTwoNamesTheNearer) {
  // The layout leaves more than 1,024 bytes between v450, v449 and v448.
  for (const int near : {8, 64, 500}) EXPECT_EQ(reported_variable(449, near), "v449") << near;
  for (const int near : {-4, -64, -500}) EXPECT_EQ(reported_variable(449, near), "v449") << near;
  for (const int far : {700, 1000}) EXPECT_EQ(reported_variable(449, far), "v448") << far;
  for (const int far : {-700, -1000}) EXPECT_EQ(reported_variable(449, far), "v450") << far;
}

TEST(ManySharedVariables, AnAccessAcrossTheEndNamesItsVariable) {
  PtxProgram program = many_program(at(42, thread_only(0,
                                                       "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, "
                                                       "[v449];")));
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(to_string(finding.kind), "out-of-bounds");
  EXPECT_EQ(variable_of(finding), "v449");
}

TEST(ManySharedVariables, AnAccessBeforeOrPastAllNamesTheFirstOrTheLast) {
  EXPECT_EQ(reported_variable(899, -4), "v899");
  EXPECT_EQ(reported_variable(0, 8), "v0");
  EXPECT_EQ(reported_variable(0, 4096), "v0");
}

TEST(ManySharedVariables, AnEmptyDynamicArrayIsNamedWhenItIsOverrun) {
  PtxProgram program(
      ".shared .align 16 .b8 tile[64];\n" + at(42, "mov.u32 %r1, pool; ld.shared.u32 %r0, [%r1];"),
      ".extern .shared .align 16 .b8 pool[];\n");
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(to_string(finding.kind), "out-of-bounds");
  EXPECT_EQ(variable_of(finding), "pool");
}

/// The variable that a line's bank conflict names: lanes 0 and 1 store at these two addresses.
std::string conflict_variable(const std::string& lane_0, const std::string& lane_1, int large) {
  const RunResult result =
      many_program(fmt::format("mov.u32 %r1, {}; setp.eq.u32 %p0, %t, 1; @%p0 mov.u32 %r1, {}; "
                               "setp.lt.u32 %p1, %t, 2;",
                               lane_0, lane_1) +
                       at(10, "@%p1 st.shared.u32 [%r1], 1;"),
                   "", large)
          .run();
  expect_clean(result);
  EXPECT_EQ(result.lines.size(), 1u);
  return result.lines.empty() ? "" : result.lines[0].worst.variable;
}

TEST(ManySharedVariables, LinesNameTheirVariable) {
  for (const int i : kSome) {
    const std::string name = fmt::format("v{}", i);
    EXPECT_EQ(conflict_variable(name, name + "+128", i), name);
  }
}

TEST(ManySharedVariables, ARequestToTwoVariablesNamesNone) {
  EXPECT_EQ(conflict_variable("v450", "v446", -1), "");
  EXPECT_EQ(conflict_variable("v446", "v450", -1), "");
}

}  // namespace
}  // namespace tessera::test
