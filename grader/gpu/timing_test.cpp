#include "grader/gpu/timing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "grader/compile/cubin.h"
#include "grader/gpu/helper_kernels.h"
#include "grader/gpu/testing/gpu_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr int kSize = 512;
constexpr std::size_t kElements = std::size_t{kSize} * kSize;

/// A kernel that computes C = A B `repeats` times.
std::string matmul(int repeats) {
  return "extern \"C\" __global__ void k(const float* A, const float* B, float* C, int n) {\n"
         "  const int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
         "  const int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  for (int r = 0; r < " +
         std::to_string(repeats) +
         "; ++r) {\n"
         "    float sum = 0;\n"
         "    for (int p = 0; p < n; ++p) sum += A[row * n + p] * B[p * n + column];\n"
         "    ((volatile float*)C)[row * n + column] = sum;\n"
         "    __threadfence();\n"
         "  }\n"
         "}\n";
}

template <class Value>
std::vector<Value> timed_input(const TimingRequest& request, std::size_t buffer,
                               std::uint64_t salt) {
  std::vector<std::byte> contents;
  set_timed_input(request, buffer, salt, contents);
  return values_in<Value>(contents);
}

class TimeOnGpu : public GpuTest {
 protected:
  GpuKernel matmul_kernel(int repeats) const { return kernel_of(matmul(repeats)); }

  GpuKernel kernel_of(const std::string& source) const {
    return kernel(source, {{kSize / 16, kSize / 16, 1}, {16, 16, 1}, 0},
                  {pointer_to(0), pointer_to(1), pointer_to(2), value_of(kSize)});
  }

  TimingRequest request(const GpuWork& candidate) const {
    TimingRequest request;
    request.compiler.program = TESSERA_COMPILER;
    request.device = device;
    request.candidate = candidate;
    std::vector<float> values(kElements);
    for (std::size_t i = 0; i < kElements; ++i) {
      values[i] = static_cast<float>((i * 7919) % 2001) / 1000 - 1;
    }
    request.buffers = {input_buffer("A", values), input_buffer("B", values),
                       output_buffer("C", kElements)};
    request.seed = 12345;
    return request;
  }

  /// Element (row, column) of the product that the launch behind `output` had to compute.
  double expected(const TimingRequest& request, const TimedOutput& output, std::size_t row,
                  std::size_t column) const {
    const auto a = timed_input<float>(request, 0, output.salt);
    const auto b = timed_input<float>(request, 1, output.salt);
    double sum = 0;
    for (std::size_t p = 0; p < kSize; ++p) {
      sum += static_cast<double>(a[row * kSize + p]) * static_cast<double>(b[p * kSize + column]);
    }
    return sum;
  }
};

TEST_F(TimeOnGpu, TwiceTheWorkIsTwiceTheTime) {
  TimingRequest wanted = request(matmul_kernel(8));
  wanted.baseline = matmul_kernel(16);
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_NEAR(result.statistics.median, 2, 0.2);
  EXPECT_LE(result.statistics.low, result.statistics.median);
  EXPECT_GE(result.statistics.high, result.statistics.median);
  EXPECT_EQ(result.pairs.size(), kFirstPairs);
  EXPECT_GE(result.statistics.candidate_ms * result.candidate_launches, 0.15);
  EXPECT_GT(result.statistics.clock_mhz, 300);
  EXPECT_LT(result.statistics.clock_mhz, 1.1 * device.profile.clock_mhz);
  EXPECT_GE(result.metrics.at(Metric::registers_per_thread), 4);
}

TEST_F(TimeOnGpu, TheRatioOfAKernelToItselfIsOne) {
  TimingRequest wanted = request(matmul_kernel(4));
  wanted.baseline = matmul_kernel(4);
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_NEAR(result.statistics.median, 1, 0.05);
}

TEST_F(TimeOnGpu, ThresholdsDecide) {
  TimingRequest wanted = request(matmul_kernel(8));
  wanted.baseline = matmul_kernel(16);
  wanted.threshold = TimingThreshold{.full = 1.5, .zero = 1.0};
  EXPECT_EQ(time_on_gpu(wanted).statistics.verdict, TimingVerdict::won);
  wanted.threshold = TimingThreshold{.full = 4, .zero = 3};
  EXPECT_EQ(time_on_gpu(wanted).statistics.verdict, TimingVerdict::lost);
}

TEST_F(TimeOnGpu, WithoutABaselineTheTimeItselfIsMeasured) {
  TimingRequest wanted = request(matmul_kernel(4));
  const double once = time_on_gpu(wanted).statistics.median;
  wanted.candidate = matmul_kernel(8);
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_EQ(result.statistics.baseline_ms, 0);
  EXPECT_NEAR(result.statistics.median / once, 2, 0.3);
}

TEST_F(TimeOnGpu, CublasCanBeTheBaseline) {
  TimingRequest wanted = request(matmul_kernel(1));
  wanted.baseline = CublasProduct{.m = kSize, .n = kSize, .k = kSize};
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_GT(result.statistics.baseline_ms, 0);
  EXPECT_LT(result.statistics.median, 1) << "a naive kernel does not beat cuBLAS";
}

TEST_F(TimeOnGpu, OutputsOfTimedLaunchesAreThoseOfTheirInputs) {
  const TimingRequest wanted = request(matmul_kernel(1));
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  ASSERT_EQ(result.outputs.size(), kTimedOutputs);
  for (const TimedOutput& output : result.outputs) {
    EXPECT_TRUE(output.contents[0].empty());
    const auto c = values_in<float>(output.contents[2]);
    for (std::size_t i = 0; i < kSize; i += 37) {
      EXPECT_NEAR(c[i * kSize + i], expected(wanted, output, i, i), 1e-3);
    }
  }
  EXPECT_NE(result.outputs[0].salt, result.outputs[2].salt);
}

TEST_F(TimeOnGpu, AnAnswerKeptFromALaunchBeforeIsWrong) {
  const TimingRequest wanted = request(kernel_of(
      "__device__ float kept[512 * 512];\n"
      "__device__ int have;\n"
      "extern \"C\" __global__ void k(const float* A, const float* B, float* C, int n) {\n"
      "  const int at = (blockIdx.y * blockDim.y + threadIdx.y) * n +\n"
      "                 blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (have >= 1024) { C[at] = kept[at]; return; }\n"
      "  float sum = 0;\n"
      "  for (int p = 0; p < n; ++p) sum += A[at / n * n + p] * B[p * n + at % n];\n"
      "  C[at] = kept[at] = sum;\n"
      "  if (threadIdx.x + threadIdx.y == 0) atomicAdd(&have, 1);\n"
      "}\n"));
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  for (const TimedOutput& output : result.outputs) {
    const auto c = values_in<float>(output.contents[2]);
    int wrong = 0;
    for (std::size_t i = 0; i < kSize; i += 37) {
      wrong += std::abs(c[i * kSize + i] - expected(wanted, output, i, i)) > 1e-3 ? 1 : 0;
    }
    EXPECT_GT(wrong, 5);
  }
}

TEST_F(TimeOnGpu, NothingWrittenIsPoisonEveryTime) {
  const TimingResult result = time_on_gpu(
      request(kernel_of("extern \"C\" __global__ void k(const float* A, const float* B, float* C, "
                        "int n) {}\n")));
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  for (const TimedOutput& output : result.outputs) {
    for (const std::uint32_t word : values_in<std::uint32_t>(output.contents[2])) {
      ASSERT_EQ(word, kPoison);
    }
  }
  EXPECT_GT(result.candidate_launches, 20);
}

TEST_F(TimeOnGpu, IntegersAreVariedModuloTwoToTheThirtyTwo) {
  TimingRequest wanted = request(
      kernel_of("extern \"C\" __global__ void k(const int* A, const int* B, int* C, int n) {\n"
                "  const int at = (blockIdx.y * blockDim.y + threadIdx.y) * n +\n"
                "                 blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  C[at] = A[at] + B[at];\n"
                "}\n"));
  wanted.variation = Variation::signs_int32;
  const std::vector<std::uint32_t> fives(kElements, 5);
  wanted.buffers[0].contents = bytes_of(fives);
  wanted.buffers[1].contents = bytes_of(fives);
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  for (const TimedOutput& output : result.outputs) {
    const auto a = timed_input<std::int32_t>(wanted, 0, output.salt);
    const auto b = timed_input<std::int32_t>(wanted, 1, output.salt);
    const auto c = values_in<std::int32_t>(output.contents[2]);
    for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(c[i], a[i] + b[i]);
  }
}

TEST_F(TimeOnGpu, ATrapIsTheCandidatesFaultAndABaselinesIsNot) {
  TimingRequest wanted = request(
      kernel_of("extern \"C\" __global__ void k(const float* A, const float* B, float* C, int n) "
                "{ __trap(); }\n"));
  wanted.baseline = matmul_kernel(1);
  const TimingResult trapped = time_on_gpu(wanted);
  EXPECT_EQ(trapped.status, GpuStatus::trapped);
  ASSERT_EQ(trapped.findings.size(), 1u);
  std::swap(wanted.candidate, *wanted.baseline);
  const TimingResult excused = time_on_gpu(wanted);
  EXPECT_EQ(excused.status, GpuStatus::infra);
  EXPECT_THAT(excused.message, HasSubstr("baseline"));
  EXPECT_TRUE(excused.findings.empty());
}

TEST_F(TimeOnGpu, AnEndlessLoopEndsAtTheLimit) {
  TimingRequest wanted = request(
      kernel_of("extern \"C\" __global__ void k(const float* A, const float* B, float* C, int n) "
                "{ while (*(volatile float*)A != 77) {} }\n"));
  wanted.time_limit_ms = 500;
  const TimingResult result = time_on_gpu(wanted);
  EXPECT_EQ(result.status, GpuStatus::timeout);
  wanted.candidate = matmul_kernel(1);
  wanted.time_limit_ms = 120'000;
  EXPECT_EQ(time_on_gpu(wanted).status, GpuStatus::completed);
}

TEST_F(TimeOnGpu, CublasCanBeTheCandidateAndLoadsItsCodeBeforeAnythingIsTimed) {
  TimingRequest wanted = request(CublasProduct{kSize, kSize, kSize});
  wanted.least_pairs = 3;
  wanted.patience_ms = 1000;
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_GE(result.pairs.size(), kFirstPairs) << "loading does not use the patience up";
  EXPECT_GE(result.statistics.candidate_ms * result.candidate_launches, 0.15)
      << "loading is not taken for the time of a launch";
  EXPECT_TRUE(result.metrics.empty());
}

TEST_F(TimeOnGpu, ImpatienceStopsWithFewerPairs) {
  TimingRequest wanted = request(matmul_kernel(1));
  wanted.least_pairs = 7;
  wanted.patience_ms = 0;
  const TimingResult result = time_on_gpu(wanted);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_EQ(result.pairs.size(), 7u);
  EXPECT_EQ(result.outputs.size(), 7u);
}

TEST_F(TimeOnGpu, ALaunchTooLargeIsNotMade) {
  TimingRequest wanted = request(matmul_kernel(1));
  std::get<GpuKernel>(wanted.candidate).shape.block = {64, 64, 1};
  const TimingResult result = time_on_gpu(wanted);
  EXPECT_EQ(result.status, GpuStatus::not_launched);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::bad_launch);
}

TEST(TimedInput, IsTheContentsWithHalfOfTheSignsChanged) {
  TimingRequest request;
  request.buffers = {input_buffer("A", std::vector<float>(1000, 2.0f)),
                     input_buffer("B", std::vector<float>(1000, 2.0f))};
  const auto a = timed_input<float>(request, 0, 5);
  EXPECT_EQ(a, timed_input<float>(request, 0, 5));
  EXPECT_NE(a, timed_input<float>(request, 1, 5));
  EXPECT_NE(a, timed_input<float>(request, 0, 6));
  EXPECT_TRUE(std::ranges::all_of(a, [](float value) { return std::abs(value) == 2; }));
}

TEST(TimingRequests, BuffersThatAreNotThereAreRefused) {
  TimingRequest request;
  request.buffers = {output_buffer("C", 4)};
  request.baseline = CublasProduct{};
  EXPECT_THROW(time_on_gpu(request), std::invalid_argument);
  request.baseline = std::nullopt;
  GpuKernel kernel;
  kernel.arguments = {pointer_to(3)};
  request.candidate = kernel;
  EXPECT_THROW(time_on_gpu(request), std::invalid_argument);
  request.candidate = CublasProduct{};
  EXPECT_THROW(time_on_gpu(request), std::invalid_argument);
}

TEST(TimeWithoutAGpu, IsInfraWithAReason) {
  if (gpu_devices(gpu_worker_program())) GTEST_SKIP() << "this machine has a GPU";
  TimingRequest request;
  request.device.worker = gpu_worker_program();
  request.buffers = {output_buffer("C", 4)};
  const TimingResult result = time_on_gpu(request);
  EXPECT_EQ(result.status, GpuStatus::infra);
  EXPECT_FALSE(result.message.empty());
  EXPECT_TRUE(result.findings.empty());
}

TEST(HelperKernels, CompileForEveryArchitectureThatCoursesUse) {
  for (const CompilerInfo& info : available_compilers()) {
    if (info.kind == CompilerKind::nvrtc && !info.available) GTEST_SKIP() << info.reason;
  }
  for (const int compute_capability : {75, 80, 86, 89, 90, 100, 120}) {
    const CompilerSetup compiler{.program = TESSERA_COMPILER};
    const auto module = helper_module(compute_capability, compiler);
    ASSERT_TRUE(module) << module.error().str();
    for (const char* entry : {kVaryKernel, kWaitKernel, kStampKernel}) {
      EXPECT_TRUE(cubin_registers(*module, entry)) << entry;
    }
  }
}

}  // namespace
}  // namespace tessera
