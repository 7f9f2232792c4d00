// Helpers for tests of races: code at source lines, and the expected finding.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {

/// `code` at this line of kernel.cu.
inline std::string at(int line, const std::string& code) {
  return fmt::format("\n.loc 1 {} 1\n{}\n", line, code);
}

/// A place in a function that stands in that line and is called in line `call`.
inline std::string called(int line, int call, const std::string& code) {
  return fmt::format("\n.loc 1 {} 0, function_name $L__info_string0, inlined_at 1 {} 5\n{}\n", line,
                     call, code);
}

/// An instruction that one thread of each block executes; %t holds the thread's number.
inline std::string thread_only(int thread, const std::string& instruction) {
  return fmt::format("setp.eq.u32 %p15, %t, {}; @%p15 {}\n", thread, instruction);
}

/// Accesses of a thread's own word of shared memory, and of words of two other threads. The test's
/// program has put the addresses into these registers.
inline const std::string kStoreOwn = "st.shared.u32 [%at], %t;";
inline const std::string kLoadNear = "ld.shared.u32 %r0, [%near];";
inline const std::string kLoadFar = "ld.shared.u32 %r0, [%far];";

/// Expects an error of kind race between the two lines, placed at either of them and naming both.
inline void expect_race(const Finding& finding, int line, int other_line) {
  EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::race));
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.file, "kernel.cu");
  const std::string first_line = example(finding, "other line");
  ASSERT_NE(first_line, "") << finding.message;
  const std::pair<int, int> lines = std::minmax({finding.line, std::stoi(first_line)});
  EXPECT_EQ(lines, (std::pair<int, int>(std::minmax({line, other_line})))) << finding.message;
  EXPECT_THAT(finding.message, ::testing::HasSubstr("line " + first_line));
  EXPECT_THAT(finding.message, ::testing::HasSubstr(fmt::format("line {}", finding.line)));
}

}  // namespace tessera::test
