// Labs and kernels written for the test, compiled and simulated for real.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/sha256.h"
#include "grader/judge/testing/kit_grading.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;

constexpr const char* kLab = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 30
  cases:
    - {m: 16, n: 16, k: 16, data: identity}
    - {m: 19, n: 13, k: 7, data: integers, padding: 3}
    - {m: 24, n: 40, k: 32, data: uniform}
checks:
  points: 10
  forbid: [out-of-bounds, misaligned]
technique:
  - {metric: global_load_requests, at_least: 1, points: 5}
performance:
  shape: {m: 512, n: 512, k: 512}
  thresholds:
    - {metric: time_ms, full: 1, zero: 2, points: 10}
)";

constexpr const char* kHead = R"(#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
)";

constexpr const char* kProduct = R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = sum;
)";

constexpr const char* kLaunch = R"(}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";

class Grade : public testing::Test {
 protected:
  Record grade_lab(const std::string& yaml, const std::string& kernel,
                   const std::string& hidden = "") {
    folder_.write("labs/03-tiled/lab.yaml", yaml);
    folder_.write("kernel.cu", kernel);
    if (!hidden.empty()) folder_.write("hidden.yaml", hidden);
    const auto lab =
        load_lab(folder_.path() / "labs/03-tiled", folder_.path() / "hidden.yaml", folder_.path());
    EXPECT_TRUE(lab) << lab.error().str();
    return grade(*lab, folder_.path() / "kernel.cu", options_);
  }

  /// kLab's kernel with `body` between its head and its launch.
  Record grade_body(const std::string& body) {
    return grade_lab(kLab, std::string(kHead) + body + kLaunch);
  }

  static std::string statuses(const Record& record) {
    std::string words;
    for (const Item& item : record.items) {
      words += (words.empty() ? "" : " ") + std::string(to_string(item.status));
    }
    return words;
  }

  static bool found(const Item& item, FindingKind kind) {
    return std::ranges::count(item.findings, kind, &Finding::kind) > 0;
  }

  TestFolder folder_;
  GradeOptions options_ = kit_options(7);
};

TEST_F(Grade, ARightKernelWinsWhatCanBeMeasured) {
  const Record record = grade_body(kProduct);
  EXPECT_EQ(statuses(record), "pass pass pass pass pass deferred");
  EXPECT_EQ(record.score, 45);
  EXPECT_EQ(record.max_score, 55);
  EXPECT_EQ(record.deferred, 10);
  EXPECT_EQ(record.lab, "03-tiled");
  EXPECT_EQ(record.backend, "simulator");
  EXPECT_EQ(record.device, "simulated NVIDIA H200");
  EXPECT_EQ(record.sha256.size(), 64u);
  EXPECT_FALSE(record.compiler.empty());
  EXPECT_FALSE(record.untouched);
  EXPECT_GT(record.items[2].metrics.at(Metric::instructions), 0);
}

TEST_F(Grade, AGpuOfAnotherComputeCapabilityIsNotUsed) {
  std::string lab = kLab;
  lab.insert(lab.find("kernel:"), "compute_capability: 90\n");
  options_.machine.gpu.emplace();
  options_.machine.gpu->profile.name = "NVIDIA A100";
  options_.machine.gpu->profile.compute_capability = 80;
  const std::string kernel = std::string(kHead) + kProduct + kLaunch;
  const Record without = grade_lab(lab, kernel);
  EXPECT_EQ(statuses(without), "pass pass pass pass pass deferred");
  EXPECT_EQ(without.backend, "simulator");
  options_.machine.simulate = false;
  const Record alone = grade_lab(lab, kernel);
  EXPECT_EQ(statuses(alone), "infra infra infra infra infra infra");
  EXPECT_EQ(alone.items[0].message.str(),
            "this lab is about instructions of compute capability 9.0, and NVIDIA A100 has 8.0");
  EXPECT_THAT(alone.items[0].hint.str(), HasSubstr("--backend simulator"));
}

/// kLab with one threshold, `threshold`, in place of its own.
std::string lab_with(const std::string& threshold) {
  const std::string lab = kLab;
  return lab.substr(0, lab.find("    - {metric: time_ms")) + "    - " + threshold + "\n";
}

TEST_F(Grade, AModelledTimeNeedsNoGpu) {
  const std::string kernel = std::string(kHead) + kProduct + kLaunch;
  const Record easy =
      grade_lab(lab_with("{metric: modelled_time_ms, full: 100, zero: 200, points: 10}"), kernel);
  EXPECT_EQ(easy.items.back().status, Status::pass) << easy.items.back().message;
  EXPECT_EQ(easy.score, 55);
  EXPECT_EQ(easy.deferred, 0);
  EXPECT_THAT(easy.items.back().message, HasSubstr("modelled, not measured"));
  const double time = easy.items.back().metrics.at(Metric::modelled_time_ms);
  EXPECT_GT(time, 0);

  const Record half =
      grade_lab(lab_with(fmt::format("{{metric: modelled_time_ms, full: {}, zero: {}, points: 10}}",
                                     time / 2, time * 1.5)),
                kernel);
  EXPECT_EQ(half.items.back().status, Status::partial);
  EXPECT_NEAR(half.items.back().points, 5, 0.01);
}

TEST_F(Grade, AModelledTimeCountsOnTheDeviceThatIsSimulated) {
  const std::string kernel = std::string(kHead) + kProduct + kLaunch;
  const std::string here =
      "{metric: modelled_time_ms, devices: {NVIDIA H200: {full: 100, zero: 200}}, points: 10}";
  EXPECT_EQ(grade_lab(lab_with(here), kernel).items.back().status, Status::pass);
  const std::string elsewhere =
      "{metric: modelled_time_ms, devices: {Tesla T4: {full: 100, zero: 200}}, points: 10}";
  const Item item = grade_lab(lab_with(elsewhere), kernel).items.back();
  EXPECT_EQ(item.status, Status::deferred);
  EXPECT_EQ(item.message.str(), "needs the --device Tesla T4");
}

TEST_F(Grade, AKernelThatTheModelCannotRunToItsEndWinsNothing) {
  const std::string loops_when_large = R"(
  while (A.width > 100) row += 0 * clock64();
)" + std::string(kProduct);
  const Record record =
      grade_lab(lab_with("{metric: modelled_time_ms, full: 100, zero: 200, points: 10}"),
                std::string(kHead) + loops_when_large + kLaunch);
  EXPECT_EQ(record.items.back().status, Status::fail) << record.items.back().message;
  EXPECT_EQ(record.items.back().points, 0);
}

/// What a kernel does in the shape whose time is modelled counts there too.
TEST_F(Grade, AModelledTimeIsWonByTheWorkAlone) {
  const std::string lab = lab_with("{metric: modelled_time_ms, full: 100, zero: 200, points: 10}");
  const auto item_of = [&](const std::string& when_large) {
    return grade_lab(lab, std::string(kHead) + "if (A.width > 100) {" + when_large + "}" +
                              kProduct + kLaunch)
        .items.back();
  };
  const Item half = item_of(
      "float sum = 0; for (int i = 0; i < A.width; i += 2) sum += A(row, i) "
      "* B(i, column); C(row, column) = sum; return;");
  EXPECT_EQ(half.status, Status::fail);
  EXPECT_THAT(half.message, HasSubstr("expected"));
  const Item few = item_of("if (threadIdx.x > 0) return;");
  EXPECT_EQ(few.status, Status::fail);
  EXPECT_THAT(few.message, HasSubstr("their share of the output is 1792"));
  EXPECT_EQ(item_of("").status, Status::pass);
}

TEST_F(Grade, ALaunchThatDoesNotFitTheLargeShapeWinsNoModelledTime) {
  const std::string launch = R"(}
__host__ __device__ Launch launch(int m, int n, int k) {
  const int edge = m > 100 ? 64 : 16;
  return {dim3(ceil_div(n, edge), ceil_div(m, edge)), dim3(edge, edge), 0};
}
)";
  const Record record =
      grade_lab(lab_with("{metric: modelled_time_ms, full: 100, zero: 200, points: 10}"),
                std::string(kHead) + kProduct + launch);
  EXPECT_EQ(record.items.back().status, Status::fail);
  EXPECT_THAT(record.items.back().message, HasSubstr("1024"));
}

TEST_F(Grade, OneSeedGivesOneRecordForAnyNumberOfThreads) {
  options_.machine.host_threads = 1;
  const Record one = grade_body("if (row < 3) C(row, column) = A(0, 0);");
  options_.machine.host_threads = 4;
  const Record four = grade_body("if (row < 3) C(row, column) = A(0, 0);");
  ASSERT_EQ(one.items.size(), four.items.size());
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    EXPECT_EQ(one.items[i].message, four.items[i].message);
    EXPECT_EQ(one.items[i].metrics, four.items[i].metrics);
  }
}

TEST_F(Grade, AnotherSeedGivesOtherData) {
  const std::string body = "if (row < C.height && column < C.width) C(row, column) = A(0, 0);";
  const std::string first = grade_body(body).items[2].message;
  options_.seed = 8;
  EXPECT_NE(grade_body(body).items[2].message, first);
}

TEST_F(Grade, AnEmptyBodyIsUntouched) {
  const Record record = grade_body("");
  EXPECT_TRUE(record.untouched);
  EXPECT_EQ(record.score, 0);
  EXPECT_EQ(statuses(record), "fail fail fail skipped skipped skipped");
  EXPECT_TRUE(found(record.items[0], FindingKind::output_not_written));
}

TEST_F(Grade, ElementsLeftOutAreNamed) {
  const Record record = grade_body("if (column >= 10) return;" + std::string(kProduct));
  EXPECT_FALSE(record.untouched);
  EXPECT_THAT(record.items[1].message, HasSubstr("the last 3 columns"));
}

TEST_F(Grade, ARightResultWithAnErrorLosesTheChecksAndWhatWaitsForThem) {
  const Record record = grade_body(std::string(kProduct) +
                                   "if (row == C.height - 1 && A(row, A.width) == 1e30f) "
                                   "C(row, column) = 0;");
  EXPECT_EQ(statuses(record), "pass pass pass fail skipped skipped");
  EXPECT_TRUE(found(record.items[3], FindingKind::out_of_bounds));
}

TEST_F(Grade, AStoreToPaddingLosesTheChecks) {
  const Record record = grade_body("if (row < C.height - 1 && column == 13) C(row, column) = 1;" +
                                   std::string(kProduct));
  EXPECT_EQ(record.items[1].status, Status::pass);
  EXPECT_EQ(record.items[3].status, Status::fail);
  EXPECT_THAT(record.items[3].findings[0].message, HasSubstr("padding"));
}

TEST_F(Grade, AChangedInputFailsTheCase) {
  const Record record =
      grade_body(std::string(kProduct) + "const_cast<float&>(A(row, 0)) += 1.0f;");
  EXPECT_EQ(record.items[0].status, Status::fail);
  EXPECT_TRUE(found(record.items[0], FindingKind::input_modified));
}

TEST_F(Grade, NanIsNeverRight) {
  const Record record = grade_body(
      "if (row < C.height && column < C.width) C(row, column) = __int_as_float(0x7fffffff);");
  EXPECT_TRUE(found(record.items[0], FindingKind::not_finite) ||
              found(record.items[0], FindingKind::output_not_written));
  EXPECT_EQ(record.items[0].status, Status::fail);
}

TEST_F(Grade, AnEndlessLoopIsATimeout) {
  const Record record =
      grade_body("volatile int go = 1;\n while (go) {}\n" + std::string(kProduct));
  EXPECT_EQ(statuses(record), "timeout timeout timeout skipped skipped skipped");
  EXPECT_EQ(record.items[0].findings.at(0).line, 6);
}

TEST_F(Grade, ATrapIsAnError) {
  const Record record = grade_body("if (row == 3) __trap();" + std::string(kProduct));
  EXPECT_EQ(record.items[0].status, Status::error);
}

TEST_F(Grade, ALaunchBeyondTheDeviceIsAFinding) {
  const std::string too_large = R"(}
__host__ __device__ Launch launch(int m, int n, int k) { return {dim3(1), dim3(64, 64), 0}; }
)";
  const Record record = grade_lab(kLab, std::string(kHead) + kProduct + too_large);
  EXPECT_EQ(record.items[0].status, Status::fail);
  EXPECT_TRUE(found(record.items[0], FindingKind::bad_launch));
  EXPECT_THAT(record.items[0].message, HasSubstr("1024"));
}

TEST_F(Grade, AGridTooLargeToFinishIsAFinding) {
  const std::string launch = R"(}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(2147483647, 65535, 65535), dim3(32), 0};
}
)";
  const Record record = grade_lab(kLab, std::string(kHead) + kProduct + launch);
  EXPECT_EQ(record.items[0].status, Status::fail);
  EXPECT_TRUE(found(record.items[0], FindingKind::bad_launch));
  EXPECT_THAT(record.items[0].message, HasSubstr("has 9.22e+18 blocks"));
}

TEST_F(Grade, AssemblyThatIsNoPtxIsTheSubmissionsError) {
  const Record record = grade_body("asm volatile(\".incbin \\\"/etc/passwd\\\";\");");
  EXPECT_EQ(record.items[0].status, Status::error);
  // The words are those of ptxas if it is installed, else those of the loader.
  EXPECT_THAT(record.items[0].message,
              testing::AnyOf(HasSubstr("inline assembly"), HasSubstr(".incbin")));
  EXPECT_TRUE(found(record.items[0], FindingKind::does_not_compile));
  EXPECT_GT(record.items[0].findings.at(0).line, 0);
}

TEST_F(Grade, AssemblyIsSeenHoweverItsNameIsSpelt) {
  const Record record = grade_lab(kLab, "#define JOIN(a, b) a##b\n" + std::string(kHead) +
                                            "JOIN(a, sm) volatile(\"mov.u32 nosuch, 1;\");" +
                                            std::string(kProduct) + std::string(kLaunch));
  EXPECT_EQ(record.items[0].status, Status::error) << record.items[0].message;
  EXPECT_TRUE(found(record.items[0], FindingKind::does_not_compile));
}

TEST_F(Grade, TooMuchSharedMemoryIsAFinding) {
  const Record record = grade_body(
      "__shared__ float all[20000];\n all[threadIdx.x] = row;\n "
      "__syncthreads();\n if (all[0] > 1e9f) return;" +
      std::string(kProduct));
  EXPECT_TRUE(found(record.items[0], FindingKind::bad_launch));
}

TEST_F(Grade, EndlessRecursionEnds) {
  const Record record =
      grade_lab(kLab,
                "__device__ int down(int n) { volatile int a[8]; a[n % 8] = n;\n"
                "  return down(n + 1) + a[n % 7]; }\n" +
                    std::string(kHead) + "row += down(row);" + kProduct + kLaunch);
  EXPECT_NE(record.items[0].status, Status::pass);
  EXPECT_EQ(record.items[1].points, 0);
}

TEST_F(Grade, WritingEverywhereIsContained) {
  const Record record =
      grade_body("for (int i = 0; i < 1000; ++i) C.data[i * 977 * (row + 1)] = 0;");
  EXPECT_EQ(statuses(record), "fail fail fail fail skipped skipped");
  EXPECT_TRUE(found(record.items[0], FindingKind::out_of_bounds));
}

TEST_F(Grade, SyntaxErrorsAreReportedWithTheirPlace) {
  const Record record = grade_body("int x = ;");
  EXPECT_EQ(statuses(record), "error error error skipped skipped skipped");
  ASSERT_FALSE(record.items[0].findings.empty());
  EXPECT_EQ(record.items[0].findings[0].line, 5);
  EXPECT_TRUE(record.items[1].findings.empty());
}

TEST_F(Grade, WarningsOfTheCompilerComeFirstAndCostNothing) {
  const Record record = grade_body("  __syncthreads;" + std::string(kProduct));
  ASSERT_EQ(record.items[0].findings.size(), 1u);
  const Finding& warning = record.items[0].findings[0];
  EXPECT_EQ(warning.kind, FindingKind::compiler_warning);
  EXPECT_EQ(warning.severity, Severity::warning);
  EXPECT_EQ(warning.line, 5);
  EXPECT_TRUE(record.items[1].findings.empty());
  EXPECT_DOUBLE_EQ(record.score, record.max_score - record.deferred);
}

TEST_F(Grade, AStoreThatComparesIsNoUntouchedSkeleton) {
  const Record record = grade_body("  C(row, column) == 0;");
  EXPECT_FALSE(record.untouched);
  ASSERT_FALSE(record.items[0].findings.empty());
  EXPECT_EQ(record.items[0].findings[0].hint.str(), "to store the value, write =");
}

TEST_F(Grade, AKernelOfAnotherNameIsNamed) {
  const Record record = grade_lab(
      kLab, "#include <tessera/lab.cuh>\n__global__ void matmull() {\n" + std::string(kLaunch));
  EXPECT_THAT(record.items[0].message, HasSubstr("kernel.cu has matmull; it must be called"));
}

TEST_F(Grade, AWrongParameterIsNamed) {
  const Record record =
      grade_lab(kLab,
                "#include <tessera/lab.cuh>\n__global__ void matmul(Matrix<const float> A, const "
                "float* B, Matrix<float> C) {\n" +
                    std::string(kLaunch));
  EXPECT_EQ(record.items[0].message.str(),
            "parameter 2 of matmul (B) is const float*, expected Matrix<const float>");
  EXPECT_EQ(record.items[0].findings[0].line, 2);
}

TEST_F(Grade, AMissingLaunchIsExplained) {
  const Record record = grade_lab(kLab, std::string(kHead) + kProduct + "}\n");
  EXPECT_EQ(record.items[0].status, Status::error);
  EXPECT_THAT(record.items[0].message,
              HasSubstr("__host__ __device__ Launch launch(int m, int n, int k)"));
}

TEST_F(Grade, ForbiddenIncludesAreRefused) {
  const Record record =
      grade_lab(kLab, "#include \"/etc/passwd\"\n" + std::string(kHead) + kProduct + kLaunch);
  EXPECT_EQ(record.items[0].status, Status::error);
  EXPECT_TRUE(found(record.items[0], FindingKind::forbidden_include));
}

TEST_F(Grade, WindowsFilesAreFine) {
  std::string kernel = "\xef\xbb\xbf";
  for (const char c : std::string(kHead) + kProduct + kLaunch) {
    kernel += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  EXPECT_EQ(grade_lab(kLab, kernel).score, 45);
}

TEST_F(Grade, AMisnamedFileIsNamed) {
  folder_.write("labs/03-tiled/lab.yaml", kLab);
  const auto lab = load_lab(folder_.path() / "labs/03-tiled", "", folder_.path());
  folder_.write("mine/Kernel.cu.txt", "int x;");
  const Record record = grade(*lab, folder_.path() / "mine/kernel.cu", options_);
  EXPECT_EQ(record.items[0].hint.str(), "there is Kernel.cu.txt beside it: rename it kernel.cu");
}

TEST_F(Grade, TheOnlyKernelUnderAnotherNameIsNamed) {
  folder_.write("labs/03-tiled/lab.yaml", kLab);
  const auto lab = load_lab(folder_.path() / "labs/03-tiled", "", folder_.path());
  folder_.write("mine/main.cu", "int x;");
  folder_.write("mine/reference.cu", "int x;");
  const auto hint = [&] {
    return grade(*lab, folder_.path() / "mine/kernel.cu", options_).items[0].hint.str();
  };
  EXPECT_EQ(hint(), "there is main.cu beside it: rename it kernel.cu");
  folder_.write("mine/other.cu", "int x;");
  EXPECT_THAT(hint(), testing::HasSubstr("git checkout")) << "it is not clear which";
}

TEST_F(Grade, AKernelWithoutItsStoreIsNotUntouched) {
  const Record record =
      grade_body("float sum = 0; for (int k = 0; k < A.width; ++k) sum += A(row, k);");
  EXPECT_FALSE(record.untouched);
  EXPECT_THAT(record.items[0].hint, HasSubstr("is the store missing"));
}

TEST_F(Grade, EmptyMissingAndHugeFilesAreErrors) {
  const Record nothing = grade_lab(kLab, "");
  EXPECT_EQ(nothing.items[0].message.str(), "kernel.cu is empty");
  EXPECT_EQ(nothing.sha256, sha256(""));
  EXPECT_THAT(grade_lab(kLab, std::string(2 << 20, 'x')).items[0].message, HasSubstr("1048576"));
  folder_.write("labs/03-tiled/lab.yaml", kLab);
  const auto lab = load_lab(folder_.path() / "labs/03-tiled", "", folder_.path());
  const Record record = grade(*lab, folder_.path() / "missing/kernel.cu", options_);
  EXPECT_THAT(record.items[0].message, HasSubstr("there is no"));
  EXPECT_THAT(record.items[0].hint, HasSubstr("git checkout labs/03-tiled/kernel.cu"));
  EXPECT_EQ(statuses(record), "error error error skipped skipped skipped");
  EXPECT_EQ(record.sha256, "");
}

TEST_F(Grade, HiddenCasesAreGradedAndNotRevealed) {
  const std::string small_only = "if (C.height == 33) return;" + std::string(kProduct);
  const Record record = grade_lab(kLab, std::string(kHead) + small_only + kLaunch,
                                  "cases:\n  - {m: 33, n: 5, k: 3, data: ones}\n");
  const Item& hidden = record.items[3];
  EXPECT_EQ(hidden.title, "hidden case 1");
  EXPECT_EQ(hidden.status, Status::fail);
  EXPECT_EQ(hidden.message.str().find("33"), std::string::npos);
  EXPECT_EQ(record.items[0].max_points, 7.5);
}

TEST_F(Grade, ParametersReachLaunchAndKernel) {
  const std::string yaml = R"(title: Block
operation: matmul
element: int32
kernel: matmul
parameters: [block]
arguments: [A.data, B.data, C.data, m, n, k, block]
correctness:
  points: 10
  cases:
    - {m: 9, n: 7, k: 5, block: 4}
    - {m: 9, n: 7, k: 5, block: 8}
)";
  const std::string kernel = R"(#include <tessera/lab.cuh>
__global__ void matmul(const int* A, const int* B, int* C, int m, int n, int k, int block) {
  int row = blockIdx.y * block + threadIdx.y, column = blockIdx.x * block + threadIdx.x;
  if (row >= m || column >= n || blockDim.x != block) return;
  int sum = 0;
  for (int i = 0; i < k; ++i) sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}
__host__ __device__ Launch launch(int m, int n, int k, int block) {
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), 0};
}
)";
  EXPECT_EQ(grade_lab(yaml, kernel).score, 10);
}

TEST_F(Grade, ReportsEveryItemOnceItIsJudged) {
  std::vector<std::string> reported;
  options_.on_progress = [&](const Record& record) {
    reported.push_back(statuses(record));
    EXPECT_EQ(record.max_score, 55);
    EXPECT_FALSE(record.source.empty());
  };
  const Record record = grade_body(kProduct);
  EXPECT_EQ(reported, (std::vector<std::string>{"pass timeout timeout timeout skipped skipped",
                                                "pass pass timeout timeout skipped skipped",
                                                "pass pass pass pass pass deferred",
                                                "pass pass pass pass pass deferred"}));
  EXPECT_EQ(statuses(record), reported.back());
  EXPECT_GT(record.items[0].seconds, 0);
}

}  // namespace
}  // namespace tessera
