// What tests of races share: code at source lines, and what a race's finding must say.
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

/// One instruction for one thread of each block; %t holds the thread's number.
inline std::string thread_only(int thread, const std::string& instruction) {
  return fmt::format("setp.eq.u32 %p15, %t, {}; @%p15 {}\n", thread, instruction);
}

/// Accesses of a thread's own word of shared memory and of two other threads', whose addresses the
/// test's program has put into these registers.
inline const std::string kStoreOwn = "st.shared.u32 [%at], %t;";
inline const std::string kLoadNear = "ld.shared.u32 %r0, [%near];";
inline const std::string kLoadFar = "ld.shared.u32 %r0, [%far];";

/// An error of kind race between the two lines, told at either of them and naming both.
inline void expect_race(const Finding& finding, int line, int other_line) {
  EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::race));
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.file, "kernel.cu");
  const std::string other = example(finding, "other line");
  ASSERT_NE(other, "") << finding.message;
  const std::pair<int, int> told = std::minmax({finding.line, std::stoi(other)});
  EXPECT_EQ(told, (std::pair<int, int>(std::minmax({line, other_line})))) << finding.message;
  EXPECT_THAT(finding.message, ::testing::HasSubstr("line " + other));
  EXPECT_THAT(finding.message, ::testing::HasSubstr(fmt::format("line {}", finding.line)));
}

}  // namespace tessera::test
