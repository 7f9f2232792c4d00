#include "grader/authoring/release/leaks.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

const std::string kSolution = R"(
  __shared__ float tile[SIZE];
  const int i = blockIdx.x * SIZE + threadIdx.x;  // which element
  if (i < n) tile[threadIdx.x] = input[i];
  __syncthreads();
#pragma unroll
  for (int step = SIZE / 2; step > 0; step /= 2) tile[threadIdx.x] += tile[threadIdx.x + step];
)";

std::vector<Leak> leaks(const std::string& text, const std::string& skeleton = "",
                        const std::string& solution = kSolution) {
  SolutionText solutions;
  solutions.add_solution(solution);
  solutions.add_skeleton(skeleton);
  return solutions.found_in(text, "a.md");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(Leaks, AnotherLayoutHidesNothing) {
  const auto found = leaks("Some text.\n" + replaced(kSolution, "\n", "\r\n\r\n"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "a.md");
  EXPECT_EQ(found[0].line, 4);
  EXPECT_EQ(found[0].text, "  __shared__ float tile[SIZE];");
  EXPECT_EQ(leaks(replaced(kSolution, "{\n", "{ ")).size(), 1u);
}

TEST(Leaks, CommentsHideNothing) {
  EXPECT_EQ(leaks(replaced(kSolution, "\n", "\n// ")).size(), 1u);
  EXPECT_EQ(leaks(replaced(kSolution, ";", "; /* between */")).size(), 1u);
}

TEST(Leaks, OtherNamesHideNothing) {
  const std::string renamed = replaced(replaced(kSolution, "tile", "buffer"), "step", "s");
  EXPECT_EQ(leaks(renamed).size(), 1u);
}

TEST(Leaks, CodeOfAnotherStructureIsNoLeak) {
  const std::string other = replaced(replaced(kSolution, "[threadIdx.x]", "[0]"), "[i]", "[0]");
  EXPECT_TRUE(leaks(other).empty());
}

TEST(Leaks, CodeThatAnyKernelHasIsNoLeak) {
  EXPECT_TRUE(leaks("  __syncthreads();\n#pragma unroll\n  for (int step = SIZE / 2;").empty());
  EXPECT_TRUE(leaks("const int i = blockIdx.x * SIZE + threadIdx.x;  if (i < n)").empty());
}

TEST(Leaks, CodeOfTheSkeletonIsNoLeak) {
  EXPECT_TRUE(leaks(kSolution, kSolution).empty());
}

TEST(Leaks, AShortSolutionIsNotLookedFor) {
  const std::string statement = "y[i] = a * x[i] + y[i];";
  EXPECT_TRUE(leaks(statement, "", statement).empty());
}

}  // namespace
}  // namespace tessera
