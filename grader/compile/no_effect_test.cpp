#include "grader/compile/no_effect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> reported(const char* source) {
  std::vector<std::string> places;
  for (const Finding& finding : find_statements_without_effect(source, "kernel.cu")) {
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.kind, FindingKind::compiler_warning);
    places.push_back(std::to_string(finding.line) + ":" + std::to_string(finding.column) + " " +
                     finding.message);
  }
  return places;
}

TEST(StatementsWithoutEffect, AreBarriersThatAreNamedAndNotCalled) {
  EXPECT_THAT(reported("void f() {\n  __syncthreads;\n  if (a) __syncwarp;\n  __syncthreads();\n}"),
              ElementsAre("2:3 __syncthreads is named here, and not called",
                          "3:10 __syncwarp is named here, and not called"));
}

TEST(StatementsWithoutEffect, AreComparisonsWhoseResultIsNotUsed) {
  EXPECT_THAT(reported("void f() {\n"
                       "  C(row, col) == sum;\n"
                       "  if (row < m && col < n) C[row * n + col] == sum;\n"
                       "  else C.data[0] == a + b;\n"
                       "}"),
              ElementsAre("2:15 == compares, and nothing takes the answer",
                          "3:44 == compares, and nothing takes the answer",
                          "4:18 == compares, and nothing takes the answer"));
}

TEST(StatementsWithoutEffect, AreNotComparisonsThatAreUsed) {
  EXPECT_THAT(reported("bool operator==(const Pair& other) const;\n"
                       "template <int N> enable_if_t<N == 4, int> g();\n"
                       "constexpr bool kSquare = M == N;\n"
                       "void f() {\n"
                       "  bool same = a == b;\n"
                       "  for (int i = 0; i == 0; ++i) x[i] = 1;\n"
                       "  if (a == b) c = 1;\n"
                       "  while (a == b);\n"
                       "  same |= a == b;\n"
                       "  assert(a == b);\n"
                       "  a == b ? g() : h();\n"
                       "  a == b && g();\n"
                       "  return a == b;\n"
                       "}"),
              IsEmpty());
}

TEST(StatementsWithoutEffect, InsideAnIfOfThePreprocessorAreLeftToTheCompiler) {
  EXPECT_THAT(reported("#if 0\nvoid f() { a == b; __syncthreads; }\n#endif\n"), IsEmpty());
}

}  // namespace
}  // namespace tessera
