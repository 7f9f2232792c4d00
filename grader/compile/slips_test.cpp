// Slips as students make them: their findings, that right code has none, and that no finding
// changes a compiler's verdict.
#include "grader/compile/slips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "common/testing/source_root.h"
#include "common/text.h"
#include "grader/compile/testing/kit_compiler.h"
#include "grader/compile/uninitialized.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> slips_in(const std::string& source) {
  std::vector<std::string> found;
  for (const Finding& finding : find_slips(Source(source), "kernel.cu")) {
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.kind, FindingKind::compiler_warning);
    EXPECT_NE(finding.hint.str(), "");
    found.push_back(std::to_string(finding.line) + ": " + finding.message);
  }
  return found;
}

std::string kernel(const std::string& body) {
  return "__global__ void k(Matrix<const float> A, Matrix<float> C, float* p, int n) {\n"
         "const int row = blockIdx.y * 16 + threadIdx.y;\n" +
         body + "\n}\n";
}

TEST(Slips, ASemicolonIsTheWholeBody) {
  EXPECT_THAT(slips_in("void f() {\n  if (a < b);\n    g();\n}"),
              ElementsAre(HasSubstr("2: the if ends with this ;")));
  EXPECT_THAT(slips_in("void f() {\n  for (int i = 0; i < n; ++i); {\n    g();\n  }\n}"),
              ElementsAre(HasSubstr("2: the for ends with this ;")));
  EXPECT_THAT(slips_in("void f() {\n  while (a < b);\n    g();\n}"),
              ElementsAre(HasSubstr("2: the while ends with this ;")));
}

TEST(Slips, ALoopThatWaitsIsNotASlip) {
  EXPECT_THAT(slips_in("void f() {\n  while (atomicCAS(p, 0, 1) != 0);\n  g();\n}"), IsEmpty());
  EXPECT_THAT(slips_in("void f() {\n  do { g(); } while (a < b); g();\n}"), IsEmpty());
  EXPECT_THAT(slips_in("void f() {\n  for (; i < n; i *= 2);\n}"), IsEmpty());
  EXPECT_THAT(slips_in("void f() {\n  if (a < b); else g();\n}"), IsEmpty());
}

TEST(Slips, GridAndBlockAreExchanged) {
  const auto launch = [](const std::string& body) {
    return "__host__ __device__ Launch launch(int m, int n) {\n" + body + "\n}\n";
  };
  const auto exchanged = ElementsAre(HasSubstr("grid and block are exchanged"));
  EXPECT_THAT(slips_in(launch("return {dim3(TILE, TILE), dim3(ceil_div(n, TILE)), 0};")),
              exchanged);
  EXPECT_THAT(slips_in(launch("return {dim3(16, 16), dim3((n + 15) / 16, m / 16), 0};")),
              exchanged);
  EXPECT_THAT(slips_in(launch("dim3 block(BLOCK);\ndim3 grid((n + BLOCK - 1) / BLOCK);\n"
                              "return Launch{block, grid, 0};")),
              exchanged);
  EXPECT_THAT(slips_in(launch("return {dim3(ceil_div(n, TILE)), dim3(TILE, TILE), 0};")),
              IsEmpty());
  EXPECT_THAT(slips_in(launch("return {dim3(1), dim3(ceil_div(n, 4), m), 0};")), IsEmpty());
  EXPECT_THAT(slips_in(launch("return {dim3(BLOCKS), dim3(min(MOST, ceil_div(n, BLOCKS))), 0};")),
              IsEmpty());
  EXPECT_THAT(slips_in(launch("return {dim3(n / TILE), dim3(TILE / 2), 0};")), IsEmpty());
  EXPECT_THAT(slips_in(launch("return {dim3(n), dim3(m / n), 0};")), IsEmpty());
}

TEST(Slips, AGuardIsTrueForNoThread) {
  EXPECT_THAT(slips_in(kernel("if (row < 0 && n > 2) p[row] = 1;")),
              ElementsAre(HasSubstr("never true: row is computed from numbers of threads")));
  EXPECT_THAT(slips_in(kernel("if (row > C.height) C(row, 0) = 1;")),
              ElementsAre(HasSubstr("turned round: it stores only where row is too large")));
  EXPECT_THAT(slips_in(kernel("if (row >= n) { p[row * 2] += 1; }")),
              ElementsAre(HasSubstr("turned round")));
}

TEST(Slips, AGuardOfAnotherFunctionKnowsNothingOfTheKernelsThreads) {
  const std::string element =
      "__device__ int element(const int* p, int row) { if (row < 0) return 0; return p[row]; }\n";
  EXPECT_THAT(slips_in(element + kernel("p[row] = element(p, row - 1);")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("p[row] = element(p, row - 1);") + element), IsEmpty());
}

TEST(Slips, AGuardThatReturnsOrFillsIsNotASlip) {
  EXPECT_THAT(slips_in(kernel("if (row >= n) return;\np[row] = 1;")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("if (row < 0 || row >= n) return;")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("if (row >= n) { p[row] = 0; return; }\np[row] = 1;")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("if (row >= n) tile[row] = 0; else tile[row] = p[row];")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("if (row < n && n > 0) p[row] = 1;")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("int left = row - 1;\nif (left < 0) p[0] = 1;")), IsEmpty());
}

TEST(Slips, AVariableThatMayBeNegativeIsNotAThreadIndex) {
  const auto guarded = [](const std::string& start) {
    return kernel("const int begin = blockIdx.x * TILE + " + start + ";\nif (begin < 0) p[0] = 1;");
  };
  EXPECT_THAT(slips_in(guarded("TILE")), ElementsAre(HasSubstr("never true: begin is computed")));
  EXPECT_THAT(slips_in(guarded("row")), ElementsAre(HasSubstr("never true: begin is computed")));
  EXPECT_THAT(slips_in("constexpr int LEFT = -16;\n" + guarded("LEFT")), IsEmpty());
  EXPECT_THAT(slips_in("constexpr int LEFT{8 - TILE};\n" + guarded("LEFT")), IsEmpty());
  EXPECT_THAT(slips_in(guarded("n")), IsEmpty());
}

TEST(Slips, AReferenceChangesWithItsVariable) {
  EXPECT_THAT(slips_in(kernel("int& col = n;\ncol += 2;")),
              ElementsAre(HasSubstr("second name for n")));
  EXPECT_THAT(slips_in(kernel("int& col = n;\n--n;")), ElementsAre(HasSubstr("second name for n")));
  EXPECT_THAT(slips_in(kernel("int& col = n;\np[col] = 1;")), IsEmpty());
  EXPECT_THAT(slips_in(kernel("float& out = p[n];\nout = 1;")), IsEmpty());
}

TEST(Slips, CodeInsideAnIfOfThePreprocessorIsLeftAlone) {
  EXPECT_THAT(slips_in("#if 0\nvoid f() { if (a); g(); }\n#endif\n"), IsEmpty());
}

/// No source of the kit and no right kernel may get a warning.
TEST(Slips, RightKernelsHaveNone) {
  int sources = 0;
  for (const char* folder : {"labs", "solutions", "grader", "common"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / folder)) {
      const std::filesystem::path& path = entry.path();
      const bool wrong = path.string().find("/wrong/") != std::string::npos ||
                         path.string().find("/corpus/") != std::string::npos;
      if (wrong || (path.extension() != ".cu" && path.extension() != ".cuh")) continue;
      ++sources;
      const Source source(*read_file(path));
      for (const Finding& finding : find_slips(source, path.string()))
        ADD_FAILURE() << path << ":" << finding.line << ": " << finding.message;
      for (const Finding& finding : find_uninitialized(source, path.string()))
        ADD_FAILURE() << path << ":" << finding.line << ": " << finding.message;
    }
  }
  EXPECT_GT(sources, 50);
}

class SlipsCompiled : public testing::TestWithParam<CompilerKind> {
 protected:
  void SetUp() override {
    for (const CompilerInfo& info : available_compilers()) {
      if (info.kind == GetParam() && !info.available) GTEST_SKIP() << info.reason;
    }
  }

  CompileResult compiled(const std::string& source) const {
    CompileRequest request;
    request.source = Source("#include <tessera/lab.cuh>\n" + source);
    request.compiler = kit_compiler(GetParam());
    const auto result = compile(request);
    EXPECT_TRUE(result);
    return result ? *result : CompileResult{};
  }

  /// The only error of a source that does not compile.
  Finding only_error(const std::string& source) const {
    const CompileResult result = compiled(source);
    EXPECT_FALSE(result.ok) << source;
    EXPECT_EQ(result.findings.size(), 1u) << source;
    return result.findings.empty() ? Finding{} : result.findings.front();
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, SlipsCompiled,
                         testing::Values(CompilerKind::nvrtc, CompilerKind::clang),
                         [](const auto& info) {
                           return info.param == CompilerKind::nvrtc ? "Nvrtc" : "Clang";
                         });

TEST_P(SlipsCompiled, AMergeConflictIsOneFinding) {
  const Finding whole = only_error(
      "__global__ void k(int* p) {\n<<<<<<< HEAD\n  p[0] = 1;\n=======\n  p[0] = 2;\n"
      ">>>>>>> other\n}\n");
  EXPECT_EQ(whole.line, 3);
  EXPECT_THAT(whole.message, HasSubstr("a merge conflict"));
  const Finding rest = only_error("__global__ void k(int* p) {\n  p[0] = 1;\n=======\n}\n");
  EXPECT_EQ(rest.line, 4);
  EXPECT_THAT(rest.message, HasSubstr("a merge conflict"));
  EXPECT_TRUE(compiled("#if 0\n<<<<<<< HEAD\n=======\n>>>>>>> other\n#endif\n"
                       "__global__ void k(int* p) {}\n")
                  .ok)
      << "left to the compiler, which passes over it";
}

TEST_P(SlipsCompiled, AMacroThatIsNotOnlyItsValueIsOneFinding) {
  const std::string use =
      "__global__ void k(int* p) {\n  __shared__ int tile[BLOCK][BLOCK];\n"
      "  for (int i = 0; i < BLOCK; ++i) tile[i][0] = p[i];\n}\n";
  const Finding semicolon = only_error("#define BLOCK 16;\n" + use);
  EXPECT_EQ(semicolon.line, 2);
  EXPECT_THAT(semicolon.message, HasSubstr("the ; becomes a part of BLOCK"));
  EXPECT_THAT(only_error("#define BLOCK = 16\n" + use).message, HasSubstr("the = becomes a part"));
  EXPECT_TRUE(
      compiled("#define BLOCK 16;\n__global__ void k(int* p) { int b = BLOCK p[0] = b; }\n").ok)
      << "odd, and right";
}

TEST_P(SlipsCompiled, ALoopThatEndsTooEarlyIsReported) {
  const Finding finding =
      only_error("__global__ void k(int* p) {\n  for (int i = 0; i < 4; ++i);\n    p[i] = 1;\n}\n");
  EXPECT_EQ(finding.line, 3);
  EXPECT_THAT(finding.message, HasSubstr("the for ends with this ;"));
}

TEST_P(SlipsCompiled, AReferenceInPlaceOfAValueIsReported) {
  const Finding finding =
      only_error("__global__ void k(int* p) {\n  int& col = threadIdx.x * 2;\n  p[col] = 1;\n}\n");
  EXPECT_EQ(finding.line, 3);
  EXPECT_THAT(finding.message, HasSubstr("the & makes this a second name"));
}

TEST_P(SlipsCompiled, WhatIsMissingBeforeAFunctionIsNamed) {
  const std::string launch =
      "__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(n), 0}; }\n";
  const std::string body = "(int* p) {\n  p[threadIdx.x] = 1;\n}\n";
  const Finding global = only_error("void add" + body + launch);
  EXPECT_EQ(global.message.str(), "'add' lacks __global__");
  EXPECT_THAT(global.hint, HasSubstr("write __global__ void add(...)"));
  const Finding both = only_error("__global__ void add" + body + launch.substr(20));
  EXPECT_EQ(both.message.str(), "'launch' lacks __host__ __device__");
  const Finding called = only_error("void add" + body + "__global__ void k(int* p) { add(p); }\n");
  EXPECT_THAT(called.hint, HasSubstr("write __device__ before it")) << "a kernel calls it";
  const Finding constant = only_error(
      "constexpr int square(int x) { return x * x; }\nconstexpr int TILE = square(4);\n"
      "__global__ void k(int* p) { p[threadIdx.x] = TILE; }\n");
  EXPECT_EQ(constant.message.str(), "'square' lacks __device__");
}

TEST_P(SlipsCompiled, AnUninitialisedSumIsAWarning) {
  const CompileResult result = compiled(
      "__global__ void k(const float* a, float* p, int n) {\n  float sum;\n"
      "  for (int i = 0; i < n; ++i) sum += a[i];\n  p[0] = sum;\n}\n");
  EXPECT_TRUE(result.ok);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].line, 4);
  EXPECT_THAT(result.findings[0].message, AllOf(HasSubstr("sum"), HasSubstr("before it has a")));
  EXPECT_THAT(result.findings[0].hint, HasSubstr("in line 3"));
}

}  // namespace
}  // namespace tessera
