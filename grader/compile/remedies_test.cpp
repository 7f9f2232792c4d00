// Mistakes as students make them, through both compilers: one finding each, with a hint.
#include "grader/compile/remedies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/compile/testing/kit_compiler.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kInclude = "#include <tessera/lab.cuh>\n";

/// A kernel's body in line 3, the message of its finding ("" for the compilers' own words), and its
/// hint.
struct Mistake {
  std::string_view body;
  std::string_view message;
  std::string_view hint;
};

constexpr Mistake kErrors[] = {
    {"__shared__ int tile[n];", "", "must be a constant"},
    {"__shared__ float tile[2 * n * n]; tile[0] = 1;", "", "must be a constant"},
    {"__shared__ float tile[];", "", "write extern before __shared__"},
    {"extern __shared__ float tile[][];", "one row without an extent", "extern __shared__ float"},
    {"Matrix<float> a = A.view(0, 0, 4, 4);", "", "auto, or with const"},
    {"C(0, 0) = A[n][0];", "", "A(row, column)"},
    {"p[0][1] = 1;", "", "A[row * width + column]"},
    {"A(0, 0) = 1;", "", "stored in the output"},
    {"int t = (int)ceil(A.width / n);", "", "ceil_div(total, piece)"},
    {"int t = ceil_div(n, 16u);", "", "one type"},
    {"p[0] = max(p[1], 0);", "", "all arguments the same type"},
    {"p[0] = sqrt(n);", "", "all arguments the same type"},
};

constexpr Mistake kWarnings[] = {
    {"__syncthreads;", "named here, and not called", "write __syncthreads();"},
    {"C(0, 0) == p[0];", "nothing takes the answer", "write ="},
    {"int x; p[0] = x;", "x", "give it a value"},
    {"p[0] = p[n, 1];", "", "a comma inside [ ]"},
};

class Remedies : public testing::TestWithParam<CompilerKind> {
 protected:
  void SetUp() override {
    for (const CompilerInfo& info : available_compilers()) {
      if (info.kind == GetParam() && !info.available) GTEST_SKIP() << info.reason;
    }
  }

  CompileResult compiled(const std::string& source) const {
    CompileRequest request;
    request.source = Source(source);
    request.compiler = kit_compiler(GetParam());
    const auto result = compile(request);
    EXPECT_TRUE(result);
    return result ? *result : CompileResult{};
  }

  CompileResult compiled(const Mistake& mistake) const {
    return compiled(
        std::string(kInclude) +
        "__global__ void k(Matrix<const float> A, Matrix<float> C, float* p, int n) {\n" +
        std::string(mistake.body) + "\n}\n");
  }

  /// Expects the mistake's finding, and no other for its line.
  void expect_finding(const Mistake& mistake, const CompileResult& result) const {
    ASSERT_EQ(result.findings.size(), 1u)
        << mistake.body << "\n"
        << (result.findings.size() > 1 ? result.findings[1].message : "");
    const Finding& finding = result.findings[0];
    EXPECT_EQ(finding.line, 3) << mistake.body;
    EXPECT_GT(finding.column, 0) << mistake.body;
    EXPECT_THAT(finding.message, AllOf(HasSubstr(mistake.message), Not(HasSubstr("[-W"))));
    EXPECT_THAT(finding.hint, HasSubstr(mistake.hint)) << mistake.body << "\n" << finding.message;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, Remedies,
                         testing::Values(CompilerKind::nvrtc, CompilerKind::clang),
                         [](const auto& info) {
                           return info.param == CompilerKind::nvrtc ? "Nvrtc" : "Clang";
                         });

TEST_P(Remedies, EachErrorIsOneFinding) {
  for (const Mistake& mistake : kErrors) {
    const CompileResult result = compiled(mistake);
    EXPECT_FALSE(result.ok) << mistake.body;
    expect_finding(mistake, result);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::does_not_compile);
    EXPECT_EQ(result.findings[0].severity, Severity::error);
  }
}

TEST_P(Remedies, EachWarningIsOneFinding) {
  for (const Mistake& mistake : kWarnings) {
    const CompileResult result = compiled(mistake);
    EXPECT_TRUE(result.ok) << mistake.body;
    expect_finding(mistake, result);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::compiler_warning);
    EXPECT_EQ(result.findings[0].severity, Severity::warning);
  }
}

TEST_P(Remedies, AUnionThatHoldsAVectorIsAssignedByItsMembers) {
  const CompileResult result = compiled(
      "union Quad { float4 vector; float element[4]; };\n"
      "__global__ void k(Quad* p) {\n"
      "  p[0] = p[1];\n"
      "}\n");
  EXPECT_EQ(result.ok, GetParam() == CompilerKind::nvrtc);
  if (result.ok) return;
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].line, 3);
  EXPECT_THAT(result.findings[0].hint, HasSubstr("a.vector = b.vector"));
}

TEST_P(Remedies, AFileWithoutTheKitsHeaderHasOnlyThatError) {
  const CompileResult result = compiled(
      "constexpr int TILE = 16;\n"
      "__global__ void matmul(Matrix<const int> A, Matrix<int> C) {\n"
      "  C(0, 0) = A(0, 0);\n"
      "}\n"
      "__host__ __device__ Launch launch(int m, int n) {\n"
      "  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};\n"
      "}\n");
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].line, 2);
  EXPECT_EQ(result.findings[0].message.str(),
            "Matrix is not known: this file does not include <tessera/lab.cuh>");
  EXPECT_THAT(result.findings[0].hint, HasSubstr("#include <tessera/lab.cuh>"));
}

TEST_P(Remedies, MoreThanFiveWarningsAreFive) {
  std::string source = "__global__ void k(int* p) {\n";
  for (int line = 0; line < 9; ++line) source += "  __syncthreads;\n";
  EXPECT_EQ(compiled(source + "}\n").findings.size(), 5u);
}

TEST(UnknownLabName, IsANameThatACompilerDoesNotFind) {
  EXPECT_EQ(unknown_lab_name("no template named 'Matrix'"), "Matrix");
  EXPECT_EQ(unknown_lab_name("identifier \"ceil_div\" is undefined"), "ceil_div");
  EXPECT_EQ(unknown_lab_name("unknown type name 'Launch'"), "Launch");
  EXPECT_EQ(unknown_lab_name("unknown type name 'Matrices'"), "");
  EXPECT_EQ(unknown_lab_name("no viable conversion from 'Matrix' to 'int'"), "");
}

}  // namespace
}  // namespace tessera
