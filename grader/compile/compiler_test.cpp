// Both compilers, from a source to PTX or to findings.
#include "grader/compile/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "common/testing/source_root.h"
#include "common/text.h"
#include "grader/compile/testing/kit_compiler.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kEpilogue =
    "extern \"C\" __global__ void tessera_launch(int m, int n, int k, unsigned int* out) {\n"
    "  const Launch answer = launch(m, n, k);\n"
    "  out[0] = answer.grid.x;\n"
    "}\n";
constexpr const char* kHint = "launch is missing; expected: Launch launch(int m, int n, int k)";

CompilerInfo info_of(CompilerKind kind) {
  for (CompilerInfo& info : available_compilers()) {
    if (info.kind == kind) return info;
  }
  return {};
}

class CompilerTest : public ::testing::TestWithParam<CompilerKind> {
 protected:
  void SetUp() override {
    const CompilerInfo info = info_of(GetParam());
    if (!info.available) GTEST_SKIP() << info.reason;
  }

  CompileRequest request(const std::string& source) const {
    CompileRequest request;
    request.source = Source(source);
    request.compiler = kit_compiler(GetParam());
    return request;
  }

  CompileResult compiled(const CompileRequest& request) const {
    auto result = compile(request);
    EXPECT_TRUE(result) << (result ? "" : result.error().str());
    return result ? *result : CompileResult{};
  }
  CompileResult compiled(const std::string& source) const { return compiled(request(source)); }
};

INSTANTIATE_TEST_SUITE_P(Compilers, CompilerTest,
                         ::testing::Values(CompilerKind::nvrtc, CompilerKind::clang),
                         [](const auto& info) {
                           return info.param == CompilerKind::nvrtc ? "Nvrtc" : "Clang";
                         });

std::string messages(const CompileResult& result) {
  std::string all;
  for (const Finding& finding : result.findings) {
    all += std::to_string(finding.line) + ": " + finding.message + "\n";
  }
  return all;
}

TEST_P(CompilerTest, TheCorpusGivesPtx) {
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "grader/compile/corpus")) {
    const CompileResult result = compiled(*read_file(entry.path()));
    EXPECT_TRUE(result.ok) << entry.path() << "\n" << messages(result);
    EXPECT_THAT(result.ptx, HasSubstr(".entry"));
  }
}

TEST_P(CompilerTest, TheSkeletonsLaunchIsCompiledWithTheEpilogue) {
  CompileRequest wanted = request(*read_file(kRoot / "grader/compile/corpus/common_headers.cu"));
  wanted.epilogue = kEpilogue;
  const CompileResult result = compiled(wanted);
  EXPECT_TRUE(result.ok) << messages(result);
  EXPECT_THAT(result.compiler, HasSubstr(GetParam() == CompilerKind::nvrtc ? "nvrtc " : "clang "));
  EXPECT_THAT(result.ptx, HasSubstr(".entry tessera_launch"));
  EXPECT_THAT(result.ptx, HasSubstr("\"kernel.cu\"\n"));
  EXPECT_THAT(result.ptx, HasSubstr("\"tessera-launch\"\n"));
  EXPECT_THAT(result.ptx, Not(HasSubstr(kRoot.string())));
}

TEST_P(CompilerTest, LineNumbersAreThoseOfTheFile) {
  const CompileResult result = compiled(
      "__global__ void k(float* p) {\n"
      "  p[threadIdx.x] =\n"
      "      p[threadIdx.x + 1];\n"
      "  __syncthreads();\n"
      "}\n");
  ASSERT_TRUE(result.ok);
  EXPECT_THAT(result.ptx, HasSubstr(".loc\t1 3 "));
  EXPECT_THAT(result.ptx, HasSubstr(".loc\t1 4 "));
}

TEST_P(CompilerTest, ASharedVariableThatNothingWritesIsReadAllTheSame) {
  const CompileResult result = compiled(
      "__global__ void k(int* out) {\n"
      "  __shared__ int tile[64];\n"
      "  __shared__ int idle[64];\n"
      "  if (tile[threadIdx.x] != 7) out[threadIdx.x] = 1;\n"
      "}\n");
  ASSERT_TRUE(result.ok);
  EXPECT_THAT(result.ptx, HasSubstr("ld.shared"));
  EXPECT_THAT(result.ptx, Not(HasSubstr("idle")));
}

TEST_P(CompilerTest, DefinesAreMacrosAndChangeNoLine) {
  CompileRequest wanted = request(
      "__global__ void k(int* out) { out[0] = SIZE; }\n"
      "#if SIZE != 24\n#error another size\n#endif\nint x = WHAT;\n");
  wanted.defines = {"SIZE 24"};
  const CompileResult result = compiled(wanted);
  ASSERT_FALSE(result.ok);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().line, 5) << messages(result);
}

TEST_P(CompilerTest, CarriageReturnsAndByteOrderMarksChangeNoLine) {
  const CompileResult good = compiled("\xEF\xBB\xBF__global__ void k() {\r\n}\r\n");
  EXPECT_TRUE(good.ok) << messages(good);
  const CompileResult bad = compiled("\xEF\xBB\xBF__global__ void k() {\r\n  int a = b;\r\n}\r\n");
  ASSERT_FALSE(bad.findings.empty());
  EXPECT_EQ(bad.findings[0].line, 2);
}

TEST_P(CompilerTest, ASyntaxErrorHasLineAndColumn) {
  const CompileResult result = compiled(
      "__global__ void k(int* p) {\n"
      "  p[0] = nothing + 1;\n"
      "  p[1] = 2\n"
      "}\n");
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.ptx.empty());
  ASSERT_GE(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::does_not_compile);
  EXPECT_EQ(result.findings[0].file, "kernel.cu");
  EXPECT_EQ(result.findings[0].line, 2);
  EXPECT_EQ(result.findings[0].column, 10);
  EXPECT_THAT(result.findings[0].message, HasSubstr("nothing"));
  EXPECT_GE(result.findings[1].line, 3);
}

TEST_P(CompilerTest, AnErrorInsideATemplateOfTheKitIsReportedAtTheStudentsLine) {
  const CompileResult result = compiled(
      "#include <tessera/lab.cuh>\n"
      "struct Odd {};\n"
      "__global__ void k(int* p) {\n"
      "  ceil_div(Odd(), Odd());\n"
      "}\n");
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].line, 4) << messages(result);
  EXPECT_THAT(messages(result), HasSubstr("tessera/lab.cuh"));
  EXPECT_THAT(messages(result), Not(HasSubstr(kRoot.string())));
}

TEST_P(CompilerTest, WarningsDoNotStopACompilation) {
  const CompileResult result = compiled("__global__ void k(int* p) {\n  int a;\n  p[0] = a;\n}\n");
  EXPECT_TRUE(result.ok);
  ASSERT_EQ(result.findings.size(), 1u) << messages(result);
  EXPECT_EQ(result.findings[0].severity, Severity::warning);
  EXPECT_EQ(result.findings[0].line, 3);
}

TEST_P(CompilerTest, AnUnusedVariableIsNoWarning) {
  const CompileResult result =
      compiled("constexpr int TILE = 16;\n__global__ void k() {\n  int unused;\n}\n");
  EXPECT_TRUE(result.findings.empty()) << messages(result);
}

TEST_P(CompilerTest, BothAcceptWhatNvccAccepts) {
  const CompileResult result = compiled(
      "#include <tessera/lab.cuh>\n"
      "__global__ void k(float* p, double* q, int n, unsigned int u) {\n"
      "  q[0] = pow(p[0], 2.5) + pow(q[1], p[1]) + pow(n, n) + pow(u, u) + pow(2, p[0]);\n"
      "  p[1] = pow(p[0], n) + pow(p[0], 2) + pow(p[0], p[1]) + pow(q[0], q[1]);\n"
      "  q[2] = copysign(p[0], q[1]) + copysign(q[1], p[0]);\n"
      "  float both[2] = {p[0], q[0]};\n"
      "  p[2] = both[0] + both[1];\n"
      "}\n"
      "__host__ __device__ Launch launch(int m, int n, int block) {\n"
      "  return {dim3(m), dim3(block), 2 * block * block * sizeof(float)};\n"
      "}\n");
  EXPECT_TRUE(result.ok) << messages(result);
}

TEST_P(CompilerTest, ANameBeyondAsciiIsAcceptedOrTheCompilerIsNamed) {
  const CompileResult result = compiled(
      "__global__ void k(float* p) {\n  float gr\u00f6\u00dfe = p[0];\n  p[1] = "
      "gr\u00f6\u00dfe;\n}\n");
  if (result.ok) return;
  EXPECT_EQ(GetParam(), CompilerKind::nvrtc) << messages(result);
  EXPECT_EQ(result.findings[0].line, 2);
  EXPECT_THAT(result.findings[0].message,
              HasSubstr("NVRTC, which compiles here, takes no letters"));
}

TEST_P(CompilerTest, ASymbolBeyondAsciiIsNamedWithItsPlace) {
  const CompileResult result = compiled(
      "__global__ void k(float* p) {\n  __shared__ float k\u00e4se[32];\n"
      "  k\u00e4se[threadIdx.x] = p[threadIdx.x];\n  __syncthreads();\n"
      "  p[threadIdx.x] = k\u00e4se[31 - threadIdx.x];\n}\n");
  ASSERT_FALSE(result.ok);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].line, 2);
  EXPECT_THAT(result.findings[0].message, HasSubstr("takes no letters beyond ASCII in"));
  EXPECT_THAT(result.findings[0].message, HasSubstr("k\u00e4se"));
}

TEST_P(CompilerTest, AChangedCopyOfABuiltInVariableIsAcceptedOrGetsARemedy) {
  const CompileResult result = compiled(
      "__global__ void k(unsigned int* p) {\n  auto block = blockIdx;\n  block.x += 3;\n"
      "  p[0] = block.x;\n}\n");
  if (result.ok) return;
  EXPECT_EQ(GetParam(), CompilerKind::clang) << messages(result);
  EXPECT_EQ(result.findings[0].line, 3);
  EXPECT_THAT(result.findings[0].hint, HasSubstr("uint3 copy = blockIdx;"));
}

TEST_P(CompilerTest, AMissingLaunchIsOneFindingWithTheHint) {
  CompileRequest wanted = request("#include <tessera/lab.cuh>\n__global__ void matmul() {}\n");
  wanted.epilogue = kEpilogue;
  wanted.epilogue_message = kHint;
  const CompileResult result = compiled(wanted);
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.findings.size(), 1u) << messages(result);
  EXPECT_EQ(result.findings[0].message, kHint);
}

TEST_P(CompilerTest, AnUnclosedBraceIsNotAMissingLaunch) {
  CompileRequest wanted = request(
      "#include <tessera/lab.cuh>\n"
      "__global__ void matmul() {\n"
      "  if (threadIdx.x == 0) {\n"
      "}\n"
      "__host__ __device__ Launch launch(int, int, int) { return {}; }\n");
  wanted.epilogue = kEpilogue;
  wanted.epilogue_message = kHint;
  const CompileResult result = compiled(wanted);
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].line, 2) << messages(result);
  EXPECT_THAT(result.findings[0].message, HasSubstr("never closed"));
}

TEST_P(CompilerTest, ForbiddenIncludesNeverReachACompiler) {
  const CompileResult result = compiled("#include \"/etc/passwd\"\n__global__ void k() {}\n");
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::forbidden_include);
  EXPECT_THAT(messages(result), Not(HasSubstr("root")));
}

TEST_P(CompilerTest, AnUnknownHeaderOfTheKitIsNamed) {
  const CompileResult result = compiled("#include <tessera/labs.cuh>\n__global__ void k() {}\n");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::forbidden_include);
  EXPECT_THAT(result.findings[0].message, HasSubstr("did you mean 'tessera/lab.cuh'"));
}

TEST_P(CompilerTest, ToolkitHeadersNeedTheToolkit) {
  const CompileResult result = compiled(
      "#include <cuda_fp8.h>\n#include <cooperative_groups.h>\n#include <math_constants.h>\n"
      "__global__ void k(float* p) { p[0] = CUDART_PI_F; }\n");
  if (GetParam() == CompilerKind::nvrtc) {
    EXPECT_TRUE(result.ok) << messages(result);
  } else {
    ASSERT_EQ(result.findings.size(), 2u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::forbidden_include);
    EXPECT_THAT(result.findings[0].message, HasSubstr("Clang has no such header"));
    EXPECT_THAT(result.findings[0].hint, HasSubstr("--compiler nvrtc"));
  }
}

TEST_P(CompilerTest, NumbersOfSixteenBitsAndFragmentsNeedNoToolkit) {
  const CompileResult result = compiled(
      "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <mma.h>\n"
      "using namespace nvcuda;\n"
      "template <class T> __device__ void multiply(const T* a, const T* b, float* c) {\n"
      "  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::col_major> left;\n"
      "  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> right;\n"
      "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;\n"
      "  wmma::load_matrix_sync(sums, c, 16, wmma::mem_col_major);\n"
      "  wmma::load_matrix_sync(left, a, 16);\n"
      "  wmma::load_matrix_sync(right, b, 16);\n"
      "  wmma::mma_sync(sums, left, right, sums);\n"
      "  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] *= 2;\n"
      "  wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);\n"
      "}\n"
      "__global__ void k(const __half* h, const __nv_bfloat16* b, float* c) {\n"
      "  multiply(h, h, c);\n"
      "  multiply(b, b, c);\n"
      "  const __half sum = h[0] * h[1] + __float2half(2.5f);\n"
      "  const float2 both = __bfloat1622float2(__floats2bfloat162_rn(c[0], c[1]));\n"
      "  c[2] = __half2float(sum) + both.x + both.y + __bfloat162float(b[0] - b[1]);\n"
      "}\n");
  EXPECT_TRUE(result.ok) << messages(result);
}

TEST_P(CompilerTest, AHeaderBehindAConditionIsNeededIfTheCompilerReadsIt) {
  const std::string kernel =
      "#include <cuda_fp8.h>\n#endif\n__global__ void k(float* p) { p[0] = 1; }\n";
  EXPECT_TRUE(compiled("#ifndef __clang__\n" + kernel).ok);
  const CompileResult needed = compiled("#ifdef __CUDACC__\n" + kernel);
  if (GetParam() == CompilerKind::nvrtc) {
    EXPECT_TRUE(needed.ok) << messages(needed);
  } else {
    ASSERT_EQ(needed.findings.size(), 1u) << messages(needed);
    EXPECT_EQ(needed.findings[0].line, 2);
    EXPECT_THAT(needed.findings[0].hint, HasSubstr("--compiler nvrtc"));
  }
}

TEST_P(CompilerTest, ASkippedPartMayNameAnyHeader) {
  const CompileResult result = compiled(
      "#ifndef __CUDACC_RTC__\n#include <cuda_runtime.h>\n#endif\n"
      "#if 0\n#include \"/etc/passwd\"\n#endif\n__global__ void k(float* p) { p[0] = 1; }\n");
  EXPECT_TRUE(result.ok) << messages(result);
}

TEST_P(CompilerTest, AGridBarrierIsReportedAtItsLine) {
  if (GetParam() == CompilerKind::nvrtc) GTEST_SKIP() << "NVRTC compiles it";
  const CompileResult result = compiled(
      "#include <cooperative_groups.h>\n"
      "__global__ void k(float* p) {\n  p[0] = 1;\n  cooperative_groups::this_grid().sync();\n"
      "  p[1] = 1;\n}\n");
  ASSERT_EQ(result.findings.size(), 1u) << messages(result);
  EXPECT_EQ(result.findings[0].line, 4);
  EXPECT_THAT(result.findings[0].message, HasSubstr("cannot wait for each other"));
}

TEST_P(CompilerTest, HostFunctionsOutOfMacrosAreReportedByTheCompilerOrIgnored) {
  const CompileResult result = compiled(
      "#define FUNCTION(name) int name() { return 1; }\n"
      "FUNCTION(f)\n"
      "__global__ void k(int* p) { p[0] = f(); }\n");
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_THAT(result.findings[0].hint, HasSubstr("__device__")) << messages(result);
}

TEST_P(CompilerTest, LambdasOfAnyTypeAreDeviceCodeInsideAKernel) {
  const CompileResult result = compiled(
      "template <class F> __device__ void all(int n, F f) { for (int i = 0; i < n; ++i) f(i); }\n"
      "__device__ float half(float x) {\n"
      "  auto outer = [](auto y) { auto inner = [=](auto z) { return z + y; }; return inner(y); "
      "};\n"
      "  return outer(x) / 4;\n"
      "}\n"
      "__global__ void k(const float* a, float* b) {\n"
      "  auto smaller = [](auto x, auto y) { return x < y ? x : y; };\n"
      "  all(3, [=](auto i) { b[i] += half(smaller(a[i], a[i + 1])); });\n"
      "  auto factorial = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); "
      "};\n"
      "  b[8] = factorial(factorial, 4) + [](auto... each) { return (each + ...); }(1, 2, 3.0f);\n"
      "}\n");
  EXPECT_TRUE(result.ok) << messages(result);
  EXPECT_TRUE(result.findings.empty()) << messages(result);
}

TEST_P(CompilerTest, AMissingDeviceIsAMistakeBesideSuchALambdaToo) {
  const std::string kernel = "  auto same = [](auto x) { return x; };\n  b[0] = same(b[1]);\n}\n";
  struct Mistake {
    std::string source;
    std::string message;
    std::string hint;
  };
  for (const Mistake& mistake :
       {Mistake{"float w[3];\n__global__ void k(float* b) {\n  b[3] = w[threadIdx.x];\n", "",
                "__device__ or __constant__"},
        Mistake{"__global__ void k(float* b) {\n  struct S {\n"
                "    float f(float x) { return x; }\n  } s;\n  b[2] = s.f(1.0f);\n",
                "", "__device__"},
        Mistake{"__global__ void k(float* b) {\n  b[2] = nowhere;\n", "nowhere", ""}}) {
    const CompileResult result = compiled(mistake.source + kernel);
    EXPECT_FALSE(result.ok) << mistake.source;
    ASSERT_FALSE(result.findings.empty()) << mistake.source;
    EXPECT_THAT(result.findings[0].message, HasSubstr(mistake.message));
    EXPECT_THAT(result.findings[0].hint, HasSubstr(mistake.hint));
    for (const Finding& finding : result.findings) EXPECT_NE(finding.line, 6) << messages(result);
  }
}

TEST_P(CompilerTest, AlignasStandsBehindSharedOrBeforeIt) {
  const CompileResult result = compiled(
      "struct alignas(16) S { float x[4]; };\n"
      "struct Member { alignas(32) char c[3]; alignas(double) float f; };\n"
      "static_assert(alignof(S) == 16 && alignof(Member) == 32);\n"
      "template <int N, int M> struct alignas(N > M ? N : M) Larger { char c; };\n"
      "static_assert(alignof(Larger<8, 64>) == 64 && alignof(Larger<32, 4>) == 32);\n"
      "constexpr int kLine = 128;\n"
      "extern \"C\" __global__ void k(float* p) {\n"
      "  __shared__ alignas(16) float behind[64];\n"
      "  alignas(kLine) __shared__ float before[64];\n"
      "  __shared__ alignas(float4) float like[4][4];\n"
      "  __shared__ alignas(sizeof(float) * 4) S s;\n"
      "  alignas(8) float local[2] = {1, 2};\n"
      "  behind[threadIdx.x] = before[threadIdx.x] = like[1][threadIdx.x] =\n"
      "      s.x[threadIdx.x] = p[0];\n"
      "  __syncthreads();\n"
      "  p[1] = behind[1] + before[2] + like[1][2] + s.x[threadIdx.x] + local[threadIdx.x];\n"
      "}\n"
      "template <class T, int N> __global__ void any(T* p) {\n"
      "  __shared__ alignas(T) alignas(N) T x[4];\n"
      "  x[threadIdx.x] = p[0];\n"
      "  __syncthreads();\n"
      "  p[1] = x[1];\n"
      "}\n"
      "template __global__ void any<float, 64>(float*);\n");
  ASSERT_TRUE(result.ok) << messages(result);
  const auto alignment = [&](const std::string& name) {
    const std::size_t end = result.ptx.find(name + "[");
    const std::size_t begin = result.ptx.rfind(".align ", end);
    return end == std::string::npos ? "none" : result.ptx.substr(begin + 7, 3);
  };
  EXPECT_EQ(alignment("behind"), "16 ");
  EXPECT_EQ(alignment("before"), "128");
  EXPECT_EQ(alignment("like"), "16 ");
  EXPECT_EQ(alignment("1x"), "64 ");
}

TEST_P(CompilerTest, AlignasLeavesTheColumnsOfItsLine) {
  const CompileResult result = compiled(
      "__global__ void k(float* p) {\n"
      "  __shared__ alignas(16) float a[64]; p[0] = a[1] + nowhere;\n"
      "}\n");
  ASSERT_EQ(result.findings.size(), 1u) << messages(result);
  EXPECT_EQ(result.findings[0].line, 2);
  EXPECT_EQ(result.findings[0].column, 53);
}

TEST_P(CompilerTest, AlignasBehindTheNameCompilesWithNvrtcOrHasARemedy) {
  const CompileResult result = compiled(
      "__global__ void k(float* p) {\n  __shared__ float a alignas(16)[64];\n"
      "  p[0] = a[threadIdx.x];\n}\n");
  if (GetParam() == CompilerKind::nvrtc) {
    EXPECT_TRUE(result.ok) << messages(result);
  } else {
    ASSERT_FALSE(result.findings.empty());
    EXPECT_THAT(result.findings[0].hint, HasSubstr("alignas(16) __shared__"));
  }
}

TEST_P(CompilerTest, ARecursiveTemplateIsAFinding) {
  const CompileResult result = compiled(
      "template <int N> struct Bomb { static constexpr int value = Bomb<N + 1>::value; };\n"
      "__global__ void k(int* p) { p[0] = Bomb<0>::value; }\n");
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_GT(result.findings[0].line, 0) << messages(result);
}

TEST_P(CompilerTest, AnExponentialTemplateRunsIntoTheTimeLimit) {
  CompileRequest wanted = request(
      "template <int D, int N> struct Bomb {\n"
      "  static constexpr long value = Bomb<D - 1, 2 * N>::value + Bomb<D - 1, 2 * N + 1>::value;\n"
      "};\n"
      "template <int N> struct Bomb<0, N> { static constexpr long value = N; };\n"
      "__global__ void k(long* p) { p[0] = Bomb<26, 0>::value; }\n");
  wanted.time_limit_s = 1;
  const CompileResult result = compiled(wanted);
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_THAT(result.findings[0].message, HasSubstr("the compiler ran over 1 s of processor time"));
}

TEST_P(CompilerTest, FiveMebibytesOfTemplatesAreNotEvenRead) {
  std::string source = "__global__ void k() {}\n";
  while (source.size() < (std::size_t{5} << 20)) source += "template <int> struct A;\n";
  const CompileResult result = compiled(source);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_THAT(result.findings[0].message, HasSubstr("1 MiB is the limit"));
}

TEST_P(CompilerTest, AnEmptyFileIsAFinding) {
  const CompileResult result = compiled("");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(messages(result), HasSubstr("holds no code"));
}

TEST_P(CompilerTest, OddFileNamesAreQuotedSafely) {
  CompileRequest wanted = request("__global__ void k() {\n  int a = b;\n}\n");
  wanted.file_name = "my \"kernel\"\\\n.cu";
  const CompileResult result = compiled(wanted);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].line, 2);
  EXPECT_EQ(result.findings[0].file, wanted.file_name);
}

TEST_P(CompilerTest, TheSecondCompilationComesFromTheCache) {
  const auto cache = std::filesystem::path(::testing::TempDir()) /
                     ("tessera-compile-" + std::to_string(getpid()) + "-" +
                      std::to_string(static_cast<int>(GetParam())));
  CompileRequest wanted = request("__global__ void k(int* p) {\n  int a;\n  p[0] = a;\n}\n");
  wanted.compiler.cache_dir = cache;
  const CompileResult first = compiled(wanted);
  const CompileResult second = compiled(wanted);
  EXPECT_TRUE(first.ok);
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.ptx, second.ptx);
  EXPECT_EQ(first.compiler, second.compiler);
  EXPECT_EQ(messages(first), messages(second));
  for (const auto& entry : std::filesystem::directory_iterator(cache)) {
    std::ofstream(entry.path()) << "broken";
  }
  const CompileResult third = compiled(wanted);
  EXPECT_FALSE(third.cached);
  EXPECT_EQ(first.ptx, third.ptx);
  EXPECT_TRUE(compiled(wanted).cached);
  std::filesystem::remove_all(cache);
}

TEST(Compiler, NvrtcMakesACubin) {
  const CompilerInfo info = info_of(CompilerKind::nvrtc);
  if (!info.available) GTEST_SKIP() << info.reason;
  CompileRequest request;
  request.source = "__global__ void k(int* p) { p[0] = 1; }\n";
  request.compiler = kit_compiler();
  request.cubin = true;
  request.compute_capability = 90;
  const auto result = compile(request);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->ok);
  EXPECT_TRUE(
      result->cubin.starts_with("\x7f"
                                "ELF"));
  EXPECT_FALSE(result->ptx.empty());
}

TEST(Compiler, AComputeCapabilityThatNvrtcDoesNotKnowIsNotTheStudentsFault) {
  const CompilerInfo info = info_of(CompilerKind::nvrtc);
  if (!info.available) GTEST_SKIP() << info.reason;
  CompileRequest request;
  request.source = "__global__ void k() {}\n";
  request.compiler = kit_compiler(CompilerKind::nvrtc);
  request.compute_capability = 11;
  const auto result = compile(request);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("compute capability 11"));
}

TEST(Compiler, ClangMakesNoCubin) {
  CompileRequest request;
  request.source = "__global__ void k() {}\n";
  request.compiler = kit_compiler(CompilerKind::clang);
  request.cubin = true;
  const auto result = compile(request);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("--compiler nvrtc"));
}

/// With every Clang that is installed beside the default version.
TEST(Compiler, TheCorpusCompilesWithEveryInstalledClang) {
  int tried = 0;
  for (int major = 14; major <= 21; ++major) {
    const std::string name = "clang++-" + std::to_string(major);
    if (access(("/usr/bin/" + name).c_str(), X_OK) != 0) continue;
    ++tried;
    setenv("TESSERA_CLANG", name.c_str(), 1);
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "grader/compile/corpus")) {
      CompileRequest request;
      request.source = Source(*read_file(entry.path()));
      request.compiler = kit_compiler(CompilerKind::clang);
      request.compute_capability = 90;
      const auto result = compile(request);
      ASSERT_TRUE(result);
      EXPECT_TRUE(result->ok) << name << " " << entry.path() << "\n" << messages(*result);
      EXPECT_THAT(result->compiler, HasSubstr("clang " + std::to_string(major)));
    }
  }
  unsetenv("TESSERA_CLANG");
  if (tried == 0) GTEST_SKIP() << "no clang++-14 to -21 is installed";
}

TEST(Compiler, AMissingCompilerIsAnErrorWithARemedy) {
  setenv("TESSERA_CLANG", "/nowhere/clang++", 1);
  CompileRequest request;
  request.source = "__global__ void k() {}\n";
  request.compiler = kit_compiler(CompilerKind::clang);
  const auto result = compile(request);
  const CompilerInfo info = info_of(CompilerKind::clang);
  setenv("TESSERA_CLANG", "/bin/cat", 1);
  const auto wrong = compile(request);
  unsetenv("TESSERA_CLANG");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("TESSERA_CLANG"));
  EXPECT_FALSE(info.available);
  EXPECT_THAT(info.reason, HasSubstr("TESSERA_CLANG"));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("install Clang"));
}

TEST(Compiler, WordsNameTheCompilers) {
  EXPECT_EQ(compiler_from("auto"), CompilerKind::automatic);
  EXPECT_EQ(compiler_from("nvrtc"), CompilerKind::nvrtc);
  EXPECT_EQ(compiler_from("clang"), CompilerKind::clang);
  EXPECT_FALSE(compiler_from("gcc"));
}

}  // namespace
}  // namespace tessera
