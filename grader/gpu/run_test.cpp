#include "grader/gpu/run.h"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

#include "grader/gpu/testing/gpu_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCopy =
    "extern \"C\" __global__ void k(const float* A, float* C, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) C[i] = 2 * A[i];\n"
    "}\n";

constexpr const char* kMatmul =
    "#include <tessera/lab.cuh>\n"
    "extern \"C\" __global__ void k(Matrix<const float> A, Matrix<const float> B,\n"
    "                               Matrix<float> C) {\n"
    "  const int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  const int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (row >= C.height || column >= C.width) return;\n"
    "  float sum = 0;\n"
    "  for (int p = 0; p < A.width; ++p) sum += A(row, p) * B(p, column);\n"
    "  C(row, column) = sum;\n"
    "}\n";

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 17);
  return values;
}

/// tessera/lab.cuh's Matrix without its address.
GpuArgument matrix_on(std::size_t buffer, std::int32_t height, std::int32_t width,
                      std::int32_t pitch) {
  struct Layout {
    std::uint64_t data;
    std::int32_t height, width, pitch, padding;
  };
  GpuArgument argument = value_of(Layout{0, height, width, pitch, 0});
  argument.relocations = {{0, buffer}};
  return argument;
}

class RunOnGpu : public GpuTest {
 protected:
  static constexpr int kCount = 1000;

  GpuRun run_of(const std::string& source, LaunchShape shape = {{4, 1, 1}, {256, 1, 1}, 0}) const {
    GpuRun run;
    run.kernel = kernel(source, shape, {pointer_to(0), pointer_to(1), value_of(kCount)});
    run.buffers = {input_buffer("A", counting(kCount)), output_buffer("C", kCount)};
    return run;
  }

  GpuRunResult result_of(const GpuRun& run) const {
    return run_on_gpu(device, std::span(&run, 1)).front();
  }
  GpuRunResult result_of(const std::string& source) const { return result_of(run_of(source)); }

  static std::string body(const std::string& statements) {
    return "extern \"C\" __global__ void k(const float* A, float* C, int n) {\n"
           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
           statements + "}\n";
  }

  /// Expects that the card still works.
  void expect_next_run_is_fine() const {
    const GpuRunResult next = result_of(kCopy);
    EXPECT_EQ(next.status, GpuStatus::completed) << next.message;
    EXPECT_TRUE(next.findings.empty());
  }
};

TEST_F(RunOnGpu, ARightKernelCompletesWithItsOutputAndMetrics) {
  const GpuRunResult result = result_of(kCopy);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.contents.size(), 2u);
  EXPECT_TRUE(result.contents[0].empty());
  const auto output = values_in<float>(result.contents[1]);
  for (std::size_t i = 0; i < output.size(); ++i) {
    EXPECT_EQ(output[i], 2 * static_cast<float>(i % 17));
  }
  EXPECT_GT(result.milliseconds, 0);
  EXPECT_GE(result.metrics.at(Metric::registers_per_thread), 4);
  EXPECT_EQ(result.metrics.at(Metric::static_shared_bytes), 0);
  EXPECT_GT(result.metrics.at(Metric::theoretical_occupancy), 50);
  EXPECT_LE(result.metrics.at(Metric::theoretical_occupancy), 100);
}

TEST_F(RunOnGpu, MatricesByValueHoldTheAddressesOfTheirBuffers) {
  constexpr int kM = 33, kN = 20, kK = 17, kPitch = 24;
  GpuRun run;
  run.kernel =
      kernel(kMatmul, {{2, 3, 1}, {16, 16, 1}, 0},
             {matrix_on(0, kM, kK, kK), matrix_on(1, kK, kN, kN), matrix_on(2, kM, kN, kPitch)});
  run.buffers = {input_buffer("A", counting(kM * kK)), input_buffer("B", counting(kK * kN)),
                 output_buffer("C", kM * kPitch)};
  run.buffers[2].width = kN;
  run.buffers[2].pitch = kPitch;
  const GpuRunResult result = result_of(run);
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_TRUE(result.findings.empty());
  const auto a = counting(kM * kK), b = counting(kK * kN);
  const auto c = values_in<float>(result.contents[2]);
  for (std::size_t row = 0; row < kM; ++row) {
    for (std::size_t column = 0; column < kN; ++column) {
      float sum = 0;
      for (std::size_t p = 0; p < kK; ++p) sum += a[row * kK + p] * b[p * kN + column];
      EXPECT_EQ(c[row * kPitch + column], sum) << row << " " << column;
    }
    EXPECT_EQ(values_in<std::uint32_t>(result.contents[2])[row * kPitch + kN], kPoison);
  }
}

TEST_F(RunOnGpu, PtxTextIsTranslatedByTheDriver) {
  GpuRun run = run_of(kCopy);
  run.kernel.module = module_of(kCopy, false);
  const GpuRunResult result = result_of(run);
  EXPECT_EQ(result.status, GpuStatus::completed) << result.message;
}

TEST_F(RunOnGpu, WhatIsNotWrittenStaysPoison) {
  const GpuRunResult result = result_of(body("if (i < n / 2) C[i] = A[i];\n"));
  ASSERT_EQ(result.status, GpuStatus::completed);
  const auto words = values_in<std::uint32_t>(result.contents[1]);
  EXPECT_EQ(words[kCount - 1], kPoison);
  EXPECT_NE(words[0], kPoison);
}

TEST_F(RunOnGpu, NanComesBackAsItIs) {
  const GpuRunResult result = result_of(body("if (i < n) C[i] = C[i] + A[i];\n"));
  ASSERT_EQ(result.status, GpuStatus::completed);
  EXPECT_TRUE(std::isnan(values_in<float>(result.contents[1])[3]));
}

TEST_F(RunOnGpu, AStoreBehindTheEndIsFoundInTheGuardBand) {
  const GpuRunResult result = result_of(body("if (i <= n) C[i] = 1;\n"));
  ASSERT_EQ(result.status, GpuStatus::completed);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_EQ(result.findings[0].file, "kernel.cu");
  EXPECT_EQ(result.findings[0].count, 1u);
  EXPECT_EQ(result.findings[0].example[0].second, "C[1000]");
}

TEST_F(RunOnGpu, AStoreBeforeTheStartIsFoundToo) {
  const GpuRunResult result = result_of(body("if (i < 5) C[i - 3] = 1;\n"));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].count, 3u);
  EXPECT_THAT(result.findings[0].message, HasSubstr("before the start of C"));
  EXPECT_EQ(result.findings[0].example[0].second, "C[-1]");
}

TEST_F(RunOnGpu, AReadBehindTheEndIsNan) {
  const GpuRunResult result = result_of(body("if (i < n) C[i] = A[i + 1];\n"));
  ASSERT_EQ(result.status, GpuStatus::completed);
  EXPECT_TRUE(std::isnan(values_in<float>(result.contents[1])[kCount - 1]));
}

TEST_F(RunOnGpu, AStoreToAnInputIsFound) {
  const GpuRunResult result =
      result_of(body("if (i < n) C[i] = A[i];\nif (i == 7 || i == 20) ((float*)A)[i] = 99;\n"));
  ASSERT_EQ(result.status, GpuStatus::completed);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::input_modified);
  EXPECT_EQ(result.findings[0].count, 2u);
  EXPECT_THAT(result.findings[0].message, HasSubstr("A[7] was 7"));
  EXPECT_FALSE(result.contents[0].empty());
}

TEST_F(RunOnGpu, ATrapEndsItsRunOnly) {
  const GpuRunResult result = result_of(body("if (i == 3) __trap();\n"));
  EXPECT_EQ(result.status, GpuStatus::trapped);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::trap);
  EXPECT_THAT(result.hint, HasSubstr("simulator"));
  expect_next_run_is_fine();
}

TEST_F(RunOnGpu, AFailedAssertHasItsLine) {
  const GpuRunResult result = result_of(body("assert(i < 100);\n"));
  EXPECT_EQ(result.status, GpuStatus::trapped);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].line, 3);
  EXPECT_THAT(result.findings[0].message, HasSubstr("assert(i < 100) failed"));
}

TEST_F(RunOnGpu, ANullPointerTraps) {
  const GpuRunResult result = result_of(body("float* p = (float*)(4ull * (n < 0));\np[i] = 1;\n"));
  EXPECT_EQ(result.status, GpuStatus::trapped);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
  expect_next_run_is_fine();
}

TEST_F(RunOnGpu, AMisalignedAccessTraps) {
  const GpuRunResult result = result_of(body("*(float*)((char*)C + 4 * i + 1) = 1;\n"));
  EXPECT_EQ(result.status, GpuStatus::trapped);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::misaligned);
  expect_next_run_is_fine();
}

TEST_F(RunOnGpu, AnEndlessLoopIsKilledAtTheLimitAndTheNextRunIsFine) {
  GpuRun run = run_of(body("volatile float* v = C;\nwhile (v[0] != 5) {\n}\n"));
  run.time_limit_ms = 300;
  const GpuRunResult result = result_of(run);
  EXPECT_EQ(result.status, GpuStatus::timeout);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::step_limit);
  EXPECT_THAT(result.message, HasSubstr("0.3 s"));
  expect_next_run_is_fine();
}

TEST_F(RunOnGpu, ALaunchTooLargeIsNotMade) {
  const GpuRunResult threads = result_of(run_of(kCopy, {{1, 1, 1}, {2048, 1, 1}, 0}));
  EXPECT_EQ(threads.status, GpuStatus::not_launched);
  ASSERT_EQ(threads.findings.size(), 1u);
  EXPECT_EQ(threads.findings[0].kind, FindingKind::bad_launch);
  const GpuRunResult empty = result_of(run_of(kCopy, {{0, 1, 1}, {32, 1, 1}, 0}));
  EXPECT_EQ(empty.status, GpuStatus::not_launched);
  const GpuRunResult shared = result_of(run_of(kCopy, {{1, 1, 1}, {32, 1, 1}, 1 << 20}));
  EXPECT_EQ(shared.status, GpuStatus::not_launched);
  EXPECT_GE(shared.metrics.at(Metric::registers_per_thread), 4);
}

TEST_F(RunOnGpu, DynamicSharedMemoryMayPass48KiB) {
  const std::uint64_t bytes = device.profile.shared_bytes_per_block_optin;
  if (bytes <= 48 << 10) GTEST_SKIP() << "this card has no more";
  const GpuRunResult result =
      result_of(run_of("extern \"C\" __global__ void k(const float* A, float* C, int n) {\n"
                       "  extern __shared__ float tile[];\n"
                       "  unsigned bytes;\n"
                       "  asm(\"mov.u32 %0, %%dynamic_smem_size;\" : \"=r\"(bytes));\n"
                       "  tile[bytes / 4 - 1 - threadIdx.x] = A[threadIdx.x];\n"
                       "  __syncthreads();\n"
                       "  C[threadIdx.x] = tile[bytes / 4 - 1 - threadIdx.x];\n"
                       "}\n",
                       {{1, 1, 1}, {256, 1, 1}, bytes}));
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  EXPECT_EQ(values_in<float>(result.contents[1])[5], 5);
  EXPECT_EQ(result.metrics.at(Metric::dynamic_shared_bytes), static_cast<double>(bytes));
  EXPECT_GT(result.metrics.at(Metric::theoretical_occupancy), 0);
}

TEST_F(RunOnGpu, RunsOfOneCallShareAProcessUntilOneBreaks) {
  const std::vector<GpuRun> runs = {run_of(kCopy), run_of(body("if (i == 3) __trap();\n")),
                                    run_of(kCopy), run_of(kCopy)};
  const auto results = run_on_gpu(device, runs);
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].status, GpuStatus::completed);
  EXPECT_EQ(results[1].status, GpuStatus::trapped);
  EXPECT_EQ(results[2].status, GpuStatus::completed) << results[2].message;
  EXPECT_EQ(results[3].status, GpuStatus::completed);
}

TEST_F(RunOnGpu, GlobalVariablesDoNotSurviveARun) {
  const GpuRun run = run_of(
      "__device__ int calls;\n"
      "extern \"C\" __global__ void k(const float* A, float* C, int n) {\n"
      "  if (threadIdx.x + blockIdx.x == 0) C[0] = calls++;\n"
      "}\n");
  const std::vector<GpuRun> runs = {run, run};
  for (const GpuRunResult& result : run_on_gpu(device, runs)) {
    EXPECT_EQ(values_in<float>(result.contents[1])[0], 0);
  }
}

TEST_F(RunOnGpu, FreedMemoryHoldsNothingOfTheRunBefore) {
  const GpuRun first = run_of(body("if (i < n) C[i] = 12345;\n"));
  GpuRun second =
      run_of(body("const float* p = C + 20000;\n"
                  "for (int j = i; j < 16384; j += 1024) if (p[j] == 12345) C[0] = 1;\n"));
  const std::vector<GpuRun> runs = {first, second};
  const auto results = run_on_gpu(device, runs);
  if (results[1].status == GpuStatus::completed) {
    EXPECT_EQ(values_in<std::uint32_t>(results[1].contents[1])[0], kPoison);
  }
}

TEST_F(RunOnGpu, PrintfIsReturnedWithItsRun) {
  const std::string prints = body("if (i == 0) printf(\"n is %d\\n\", n);\n");
  const std::vector<GpuRun> runs = {run_of(prints), run_of(kCopy), run_of(prints)};
  const auto results = run_on_gpu(device, runs);
  EXPECT_EQ(results[0].output, "n is 1000\n");
  EXPECT_EQ(results[1].output, "");
  EXPECT_EQ(results[2].output, "n is 1000\n");
}

TEST_F(RunOnGpu, PtxThatTheDriverRefusesIsTheKernelsFault) {
  GpuRun run = run_of(kCopy);
  run.kernel.module = "this is no module";
  EXPECT_EQ(result_of(run).status, GpuStatus::not_launched);
}

TEST_F(RunOnGpu, ALaunchThatDoesNotFitItsModuleIsNotTheStudentsFault) {
  GpuRun run = run_of(kCopy);
  run.kernel.entry = "missing";
  const GpuRunResult result = result_of(run);
  EXPECT_EQ(result.status, GpuStatus::infra);
  EXPECT_THAT(result.message, HasSubstr("missing"));
  run = run_of(kCopy);
  run.kernel.arguments.pop_back();
  EXPECT_EQ(result_of(run).status, GpuStatus::infra);
}

TEST(RunOnGpuArguments, RelocationsMustLieInsideTheirArgument) {
  GpuRun run;
  run.buffers = {output_buffer("C", 4)};
  run.kernel.arguments = {pointer_to(1)};
  EXPECT_THROW(run_on_gpu({}, std::span(&run, 1)), std::invalid_argument);
  run.kernel.arguments = {GpuArgument{std::vector<std::byte>(8), {{4, 0}}}};
  EXPECT_THROW(run_on_gpu({}, std::span(&run, 1)), std::invalid_argument);
}

TEST(RunOnGpuWithoutAGpu, IsInfraWithAReason) {
  if (gpu_devices(gpu_worker_program())) GTEST_SKIP() << "this machine has a GPU";
  GpuRun run;
  run.kernel = {"", "k", {}, {pointer_to(0)}};
  run.buffers = {output_buffer("C", 4)};
  const std::vector<GpuRun> runs(3, run);
  GpuDevice device;
  device.worker = gpu_worker_program();
  const auto results = run_on_gpu(device, runs);
  ASSERT_EQ(results.size(), 3u);
  for (const GpuRunResult& result : results) {
    EXPECT_EQ(result.status, GpuStatus::infra);
    EXPECT_FALSE(result.message.empty());
    EXPECT_TRUE(result.findings.empty());
  }
}

}  // namespace
}  // namespace tessera
