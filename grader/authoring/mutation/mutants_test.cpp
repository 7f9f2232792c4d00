#include "grader/authoring/mutation/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/text.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kHead = "#include <tessera/lab.cuh>\n";

std::string in_kernel(const std::string& body) {
  return kHead +
         ("__global__ void f(Matrix<const float> A, Matrix<const float> B, float* C, int m, int n) "
          "{\n" +
          body + "\n}\n");
}

/// The edited lines of all mutants of kind `kind`.
std::vector<std::string> lines(const std::string& source, const std::string& kind) {
  std::vector<std::string> found;
  for (const Mutant& mutant : make_mutants(Source(source))) {
    if (mutant.kind == kind) found.push_back(mutant.after);
  }
  return found;
}

TEST(Mutants, ABarrierIsLeftOut) {
  EXPECT_THAT(lines(in_kernel("__syncthreads();"), "barrier"), UnorderedElementsAre(";"));
  EXPECT_THAT(lines(in_kernel("__syncwarp(0xffffffff);"), "barrier"), UnorderedElementsAre(";"));
}

TEST(Mutants, AnIndexIsOneMoreAndOneLess) {
  EXPECT_THAT(lines(in_kernel("C[m] = 2;"), "index"),
              UnorderedElementsAre("C[m + 1] = 2;", "C[m - 1] = 2;"));
  EXPECT_THAT(lines(in_kernel("C[0] = A(m, 3);"), "index"),
              AllOf(Contains("C[0] = A(m + 1, 3);"), Contains("C[0] = A(m, 3 - 1);")));
}

TEST(Mutants, AViewIsShiftedAndItsExtentsAreNot) {
  EXPECT_THAT(lines(in_kernel("A.view(m, n, 8, 8);"), "index"),
              UnorderedElementsAre("A.view(m + 1, n, 8, 8);", "A.view(m - 1, n, 8, 8);",
                                   "A.view(m, n + 1, 8, 8);", "A.view(m, n - 1, 8, 8);"));
}

TEST(Mutants, ADeclarationIsNoAccess) {
  const std::string source = in_kernel("__shared__ float tile[8][9];");
  EXPECT_THAT(lines(source, "index"), IsEmpty());
  EXPECT_THAT(lines(source, "swap"), IsEmpty());
  EXPECT_THAT(lines(source, "array"), UnorderedElementsAre("__shared__ float tile[8 - 1][9];",
                                                           "__shared__ float tile[8][9 - 1];"));
}

TEST(Mutants, NeighboursChangePlaces) {
  EXPECT_THAT(lines(in_kernel("int i = threadIdx.x;"), "swap"),
              UnorderedElementsAre("int i = threadIdx.y;"));
  EXPECT_THAT(lines(in_kernel("C[1] = 2 - C[0];"), "swap"),
              UnorderedElementsAre("C[1] = C[0] - 2;"));
  EXPECT_THAT(lines(in_kernel("C[0] = A(m, 0);"), "swap"),
              UnorderedElementsAre("C[0] = B(m, 0);", "C[0] = A(0, m);", "C[0] = A(n, 0);"));
  EXPECT_THAT(lines(in_kernel("int h = A.height;"), "swap"),
              UnorderedElementsAre("int h = B.height;", "int h = A.width;"));
}

TEST(Mutants, AGuardIsWeakenedAndLeftOut) {
  EXPECT_THAT(
      lines(in_kernel("if (m < 3 && n > 4) C[0] = 1;"), "guard"),
      UnorderedElementsAre("if (m <= 3 && n > 4) C[0] = 1;", "if (m < 3 && n >= 4) C[0] = 1;",
                           "if (n > 4) C[0] = 1;", "if (m < 3) C[0] = 1;", "if (true) C[0] = 1;"));
}

TEST(Mutants, AGuardThatReturnsIsGoneWhenNoThreadReturns) {
  EXPECT_THAT(lines(in_kernel("if (m == 3) return;"), "guard"),
              UnorderedElementsAre("if (m != 3) return;", "if (false) return;"));
}

TEST(Mutants, ALoopStartsEndsAndStepsElsewhere) {
  EXPECT_THAT(lines(in_kernel("for (int p = 0; p < 9; ++p) {}"), "bound"),
              UnorderedElementsAre(
                  "for (int p = 0 + 1; p < 9; ++p) {}", "for (int p = 0; p <= 9; ++p) {}",
                  "for (int p = 0; p < 9 - 1; ++p) {}", "for (int p = 0; p < 9; p += 2) {}"));
  EXPECT_THAT(lines(in_kernel("for (int p = 9; p > 0; p -= m + 1) {}"), "bound"),
              AllOf(Contains("for (int p = 9; p > 0 + 1; p -= m + 1) {}"),
                    Contains("for (int p = 9; p > 0; p -= 2 * (m + 1)) {}")));
}

TEST(Mutants, NumbersAndOperatorsChange) {
  EXPECT_THAT(lines(in_kernel("float sum = 0.0f;"), "initial"),
              UnorderedElementsAre("float sum = 1.0f;"));
  EXPECT_THAT(lines(in_kernel("C[m] += m * n;"), "arithmetic"),
              UnorderedElementsAre("C[m] = m * n;", "C[m] -= m * n;", "C[m] += m + n;"));
  EXPECT_THAT(lines(in_kernel("C[m] = 16;"), "constant"), UnorderedElementsAre("C[m] = 17;"));
}

TEST(Mutants, ATemplateIsNoComparisonAndAPointerNoProduct) {
  EXPECT_THAT(make_mutants(Source(in_kernel("const Matrix<float> D; float* p;"))), IsEmpty());
}

TEST(Mutants, ALaunchIsSmallerSwappedAndRoundedDown) {
  const std::string source =
      kHead + std::string(
                  "Launch launch(int m, int n) {\n"
                  "return {dim3(ceil_div(n, 8), m), dim3(8, 4), bytes};\n}\n");
  const std::vector<std::string> found = lines(source, "launch");
  EXPECT_THAT(found, Contains("return {dim3(m, ceil_div(n, 8)), dim3(8, 4), bytes};"));
  EXPECT_THAT(found, Contains("return {dim3(ceil_div(n, 8) - 1, m), dim3(8, 4), bytes};"));
  EXPECT_THAT(found, Contains("return {dim3((n) / (8), m), dim3(8, 4), bytes};"));
  EXPECT_THAT(found, Contains("return {dim3(ceil_div(n, 8), m), dim3(8, 4 / 2), bytes};"));
  EXPECT_THAT(found, Contains("return {dim3(ceil_div(n, 8), m), dim3(8, 4), (bytes) / 2};"));
}

TEST(Mutants, OnlyWhatStudentsWriteAndLaunchAreEdited) {
  const std::string source =
      "constexpr int TILE = 16;\n"
      "__device__ int given(int m) { return m + 1; }\n"
      "__global__ void f(float* C) {\n"
      "  C[0] = 1;\n"
      "  // BEGIN SOLUTION: YOUR CODE HERE\n"
      "  C[5] = 1;  // C[6] = 1\n"
      "  // END SOLUTION\n"
      "}\n"
      "Launch launch(int n) { return {dim3(n), dim3(32), 0}; }\n";
  std::set<int> edited;
  for (const Mutant& mutant : make_mutants(Source(source))) edited.insert(mutant.line);
  EXPECT_THAT(edited, UnorderedElementsAre(6, 9));
  EXPECT_THAT(make_mutants(Source(source)),
              Not(Contains(Field(&Mutant::source, HasSubstr("C[7]")))));
}

TEST(Mutants, ConstantsAreEditedWhereNothingIsMarked) {
  EXPECT_THAT(lines("constexpr int TILE = 16;\n", "constant"),
              UnorderedElementsAre("constexpr int TILE = 8;", "constexpr int TILE = 17;"));
}

TEST(Mutants, AreInSourceOrderWithoutDuplicates) {
  const std::string source = in_kernel("if (m < 3) C[m] = m - 1;\nC[n] = 0;");
  const std::vector<Mutant> mutants = make_mutants(Source(source));
  EXPECT_TRUE(std::ranges::is_sorted(mutants, {}, &Mutant::line));
  std::set<std::string> ids, sources;
  for (const Mutant& mutant : mutants) {
    ids.insert(mutant.id);
    sources.insert(mutant.source);
  }
  EXPECT_EQ(ids.size(), mutants.size());
  EXPECT_EQ(sources.size(), mutants.size());
}

TEST(Mutants, AnIdSurvivesEditsOfOtherLinesAndOfComments) {
  const std::vector<Mutant> before = make_mutants(Source(in_kernel("C[m] = 2;")));
  const std::vector<Mutant> after =
      make_mutants(Source(in_kernel("int t = n;\n\n  C[m] = 2;  // why")));
  for (const Mutant& mutant : before)
    EXPECT_THAT(after, Contains(Field(&Mutant::id, mutant.id))) << mutant.after;
}

TEST(Mutants, EachKindIsExplained) {
  std::set<std::string> known;
  for (const MutationOperator& mutation_operator : mutation_operators())
    known.insert(mutation_operator.name);
  for (const Mutant& mutant :
       make_mutants(Source(in_kernel("for (int i = 0; i < m; ++i) C[i] += 2 * i;"))))
    EXPECT_TRUE(known.contains(mutant.kind)) << mutant.kind;
}

TEST(Mutants, EachOperatorIsInTheReadme) {
  const auto readme = read_file(TESSERA_SOURCE_DIR "/grader/authoring/README.md");
  ASSERT_TRUE(readme);
  for (const MutationOperator& mutation_operator : mutation_operators())
    EXPECT_THAT(*readme, HasSubstr("| `" + mutation_operator.name + "` | "));
}

}  // namespace
}  // namespace tessera
