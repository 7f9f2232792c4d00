// Submissions that try to beat the clock, or the checks, of a GPU: what cheats_test.cpp cannot try
// without one. Each is graded with its cases in the simulator, and with its cases on the GPU.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "common/recipe.h"
#include "grader/gpu/testing/worker_program.h"
#include "grader/judge/testing/cheat_fixture.h"
#include "grader/judge/testing/scale_lab.h"

namespace tessera {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr const char* kCases = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 30
  cases:
    - {m: 32, n: 48, k: 64, data: uniform}
    - {m: 32, n: 48, k: 64, data: integers, padding: 3}
checks:
  points: 10
  forbid: [out-of-bounds, misaligned, race, uninitialized-read, divergent-barrier, barrier-deadlock]
performance:
  shape: {m: 512, n: 512, k: 512}
  thresholds:
)";

/// Any kernel that does the work is fast enough.
constexpr const char* kAnyTime = "    - {metric: time_ms, full: 1000, zero: 2000, points: 10}\n";
constexpr const char* kAnySpeed =
    "    - {metric: speedup, over: 01-naive, zero: 0.001, full: 0.002, points: 10}\n";

/// How often the module's kernel was launched before: 0 in every case, since each case loads the
/// module anew.
constexpr const char* kLaunchNumber = R"(
__device__ unsigned arrived;
__device__ unsigned launch_number() {
  __shared__ unsigned number;
  if (threadIdx.x + threadIdx.y == 0) number = atomicAdd(&arrived, 1u) / (gridDim.x * gridDim.y);
  __syncthreads();
  return number;
}
)";

/// Does nothing useful; the simulator does not know it.
constexpr const char* kUnknownToTheSimulator =
    "unsigned long long policy;\n"
    "asm volatile(\"createpolicy.fractional.L2::evict_last.b64 %0, 1.0;\" : \"=l\"(policy));\n";

class CheatsOnGpu : public CheatTest, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    const auto devices = gpu_devices(gpu_worker_program());
    if (!devices) GTEST_SKIP() << "needs a GPU: " << devices.error().str();
    options.machine.gpu = devices->front();
    options.machine.simulate = GetParam();
  }

  Record grade_body(const std::string& body, const std::string& before = "",
                    const std::string& threshold = kAnyTime) {
    return grade_lab(kCases + threshold, product_kernel(body, before));
  }

  /// The cases are right, and the timed launches are found to be wrong. The simulator launches a
  /// kernel twice if it changes variables, and may find by itself what the kernel does.
  void expect_timed_loss(const Record& record, FindingKind kind) {
    const Item& first = item_called(record, "correctness/1");
    if (options.machine.simulate &&
        first.message.str().find("not in the second") != std::string::npos) {
      EXPECT_EQ(first.status, Status::fail) << summary(record);
      EXPECT_EQ(item_called(record, "correctness/2").status, Status::fail) << summary(record);
      EXPECT_EQ(record.score, 0) << summary(record);
      return;
    }
    EXPECT_EQ(item_called(record, "correctness/1").status, Status::pass) << summary(record);
    EXPECT_EQ(item_called(record, "correctness/2").status, Status::pass) << summary(record);
    const Item& timed = item_called(record, "performance/1");
    EXPECT_EQ(timed.status, Status::fail) << summary(record);
    EXPECT_EQ(timed.points, 0);
    EXPECT_TRUE(found(timed, kind)) << summary(record);
    EXPECT_THAT(timed.message, HasSubstr("a timed launch left a wrong result"));
  }
};

TEST_P(CheatsOnGpu, TheHonestKernelWins) {
  for (const char* threshold : {kAnyTime, kAnySpeed}) {
    const Record record = grade_body(kHonest, "", threshold);
    EXPECT_EQ(item_called(record, "performance/1").status, Status::pass) << summary(record);
    EXPECT_EQ(record.score, options.machine.simulate ? 50 : 40) << summary(record);
  }
}

// 3. Return a cached answer.

TEST_P(CheatsOnGpu, CachedAnswerOfTheFirstLaunchIsWrong) {
  const Record record =
      grade_body(R"(
  const unsigned number = launch_number();
  if (row >= C.height || column >= C.width) return;
  if (number > 0) { C(row, column) = kept[row * C.width + column]; return; }
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = kept[row * C.width + column] = sum;
)",
                 std::string(kLaunchNumber) + "__device__ float kept[512*512];\n");
  expect_timed_loss(record, FindingKind::wrong_result);
}

TEST_P(CheatsOnGpu, CachedAnswerKeyedOnContentIsWrong) {
  // Signs change from launch to launch, magnitudes do not.
  const Record record = grade_body(
      R"(
  const unsigned number = launch_number();
  const float content = fabsf(A(0, 0)) + fabsf(B(0, 0));
  if (row >= C.height || column >= C.width) return;
  if (number > 0 && key == content) { C(row, column) = kept[row * C.width + column]; return; }
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = kept[row * C.width + column] = sum;
  if (row + column == 0) key = content;
)",
      std::string(kLaunchNumber) + "__device__ float kept[512*512];\n__device__ float key;\n");
  expect_timed_loss(record, FindingKind::wrong_result);
}

TEST_P(CheatsOnGpu, CachedAnswerKeyedOnThePointerIsPoison) {
  // Where C was written before, the answer may still be there.
  const Record record = grade_body("if (seen_before(C.data)) return;" + std::string(kHonest),
                                   std::string(kLaunchNumber) + R"(
__device__ unsigned long long seen[256];
__device__ bool seen_before(const void* pointer) {
  __shared__ bool known;
  const unsigned long long now = launch_number() + 1ull;
  const unsigned long long wanted = (unsigned long long)pointer | now << 48;
  if (threadIdx.x + threadIdx.y == 0) {
    known = false;
    for (int i = 0; i < 256; ++i) {
      const unsigned long long entry = atomicCAS(&seen[i], 0ull, wanted);
      if (entry == 0) break;
      if ((entry ^ wanted) << 16 != 0) continue;
      known = entry >> 48 != now;
      break;
    }
  }
  __syncthreads();
  return known;
}
)");
  expect_timed_loss(record, FindingKind::output_not_written);
}

// 4. Do fifteen calls' work in one launch.

TEST_P(CheatsOnGpu, ManyLaunchesInOneLeavesTheOthersUnwritten) {
  // Eight timed outputs are verified: this passes once in 16^8 times.
  const Record record =
      grade_body("if (launch_number() % 16 != 0) return;" + std::string(kHonest), kLaunchNumber);
  expect_timed_loss(record, FindingKind::output_not_written);
}

// 6. Recognise the timed run.

TEST_P(CheatsOnGpu, RecognisedTimedRunByTheLaunchesBeforeIsUnwritten) {
  const Record record =
      grade_body("if (launch_number() > 0) return;" + std::string(kHonest), kLaunchNumber);
  expect_timed_loss(record, FindingKind::output_not_written);
}

TEST_P(CheatsOnGpu, RecognisedTimedRunByTheShapeIsUnwritten) {
  const Record record = grade_body("if (A.width == 512) return;" + std::string(kHonest));
  expect_timed_loss(record, FindingKind::output_not_written);
}

// 7. Find an answer in stale memory.

TEST_P(CheatsOnGpu, StaleMemoryOfTheBaselineIsPoisoned) {
  // The baseline has computed the same product, perhaps right before.
  const Record record = grade_body("if (launch_number() > 0) return;" + std::string(kHonest),
                                   kLaunchNumber, kAnySpeed);
  expect_timed_loss(record, FindingKind::output_not_written);
}

TEST_P(CheatsOnGpu, StaleMemoryIsNeverInTheOutput) {
  const std::string trap = fmt::format(
      "if (row < C.height && column < C.width && "
      "__float_as_uint(C(row, column)) != {}u) __trap();",
      poison_bits(Element::float32));
  const Record record = grade_body(trap + kHonest);
  EXPECT_EQ(item_called(record, "correctness/1").status, Status::pass) << summary(record);
  EXPECT_EQ(item_called(record, "correctness/2").status, Status::pass) << summary(record);
  EXPECT_EQ(item_called(record, "performance/1").status,
            options.machine.simulate ? Status::skipped : Status::pass)
      << summary(record);
}

// 8. Change the inputs.

TEST_P(CheatsOnGpu, ChangedInputsFailTheCase) {
  const Record record =
      grade_body(std::string(kHonest) + "if (column == 0) const_cast<float&>(A(row, 0)) = 0;");
  EXPECT_EQ(item_called(record, "correctness/2").status, Status::fail) << summary(record);
  EXPECT_TRUE(found(item_called(record, "correctness/2"), FindingKind::input_modified));
}

TEST_P(CheatsOnGpu, ChangedInputsOfTimedLaunchesDoNotReachTheReference) {
  const Record record = grade_body(R"(
  if (launch_number() > 0) {
    if (row < A.height && column < A.width) const_cast<float&>(A(row, column)) = 0;
    if (row < C.height && column < C.width) C(row, column) = 0;
    return;
  }
)" + std::string(kHonest),
                                   kLaunchNumber);
  expect_timed_loss(record, FindingKind::wrong_result);
}

// 9. NaN output.

TEST_P(CheatsOnGpu, NanOutputOfTimedLaunchesIsNotFinite) {
  const Record record = grade_body(
      "if (A.width == 512) { if (row < C.height && column < C.width) C(row, column) = "
      "__int_as_float(0x7fc00000); return; }" +
      std::string(kHonest));
  expect_timed_loss(record, FindingKind::not_finite);
}

// 10. Half precision, TF32, skipped terms, in timed launches that are too large to compare.

TEST_P(CheatsOnGpu, Tf32InTimedLaunchesAloneIsFound) {
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  const unsigned mask = A.width == 512 ? 0xffffe000u : ~0u, half = A.width == 512 ? 0x1000u : 0u;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) {
    sum += __uint_as_float((__float_as_uint(A(row, i)) + half) & mask) *
           __uint_as_float((__float_as_uint(B(i, column)) + half) & mask);
  }
  C(row, column) = sum;
)");
  expect_timed_loss(record, FindingKind::wrong_result);
}

TEST_P(CheatsOnGpu, TensorCoresInTf32InTimedLaunchesAreFound) {
  // A warp computes 16 x 8 elements.
  const Record record = grade_lab(kCases + std::string(kAnyTime), R"(#include <tessera/lab.cuh>
__device__ unsigned tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * 16 + threadIdx.x / 4;
  const int column = blockIdx.x * 8 + threadIdx.x / 4;
  const int k = threadIdx.x % 4;
  float sums[4] = {};
  for (int at = 0; A.width == 512 && at < 512; at += 8) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(tf32(A(row, at + k))), "r"(tf32(A(row + 8, at + k))),
                   "r"(tf32(A(row, at + k + 4))), "r"(tf32(A(row + 8, at + k + 4))),
                   "r"(tf32(B(at + k, column))), "r"(tf32(B(at + k + 4, column))));
  }
  for (int i = 0; i < 4; ++i) {
    const int r = row + i / 2 * 8, c = blockIdx.x * 8 + 2 * k + i % 2;
    for (int p = 0; A.width != 512 && p < A.width; ++p) sums[i] += A(r, p) * B(p, c);
    C(r, c) = sums[i];
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / 8, m / 16), dim3(32), 0};
}
)");
  expect_timed_loss(record, FindingKind::wrong_result);
}

TEST_P(CheatsOnGpu, OneSkippedTermInTimedLaunchesIsFound) {
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = A.width == 512; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = sum;
)");
  expect_timed_loss(record, FindingKind::wrong_result);
}

TEST_P(CheatsOnGpu, OneElementOfADeclaredOperationIsFoundInTimedLaunches) {
  // So many elements that the lab's reference runs on the GPU.
  const std::string yaml = kScaleLab + std::string(R"(performance:
  shape: {n: 1000000}
  thresholds:
)") + kAnyTime;
  folder.write("labs/cheat/reference.cu", R"(#include <tessera/lab.cuh>
__device__ double reference(Matrix<const float> x, int n, int row, int column) {
  return 2.0 * x(0, column);
}
__device__ double bound(Matrix<const float> x, int n, int row, int column) { return 0; }
)");
  const Record honest = grade_lab(yaml, scale_kernel("x[i] * 2"));
  EXPECT_EQ(item_called(honest, "performance/1").status, Status::pass) << summary(honest);
  const Record wrong =
      grade_lab(yaml, scale_kernel("x[i] * (n == 1000000 && i == 777777 ? 3 : 2)"));
  EXPECT_EQ(item_called(wrong, "correctness/1").status, Status::pass) << summary(wrong);
  EXPECT_EQ(item_called(wrong, "performance/1").status, Status::fail) << summary(wrong);
  EXPECT_THAT(item_called(wrong, "performance/1").message, ContainsRegex("777,?777"));
}

// 11. Warm or persisting L2.

TEST_P(CheatsOnGpu, PersistingL2GainsNoTime) {
  const std::string yaml = R"(title: Difference
operation: adjacent_difference
element: int32
kernel: difference
arguments: [input.data, result.data, n]
correctness:
  points: 10
  cases:
    - {n: 1000, data: integers}
performance:
  shape: {n: 1048576}
  thresholds:
)" + std::string(kAnyTime);
  const std::string rest = R"(
__global__ void difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = load(input + i) - (i > 0 ? load(input + i - 1) : 0);
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 256)), dim3(256), 0}; }
)";
  const std::string head = "#include <tessera/lab.cuh>\n__device__ int load(const int* from) {\n";
  const std::string keep = R"(
  int value;
  asm volatile("{\n .reg .b64 policy, at;\n"
               " createpolicy.fractional.L2::evict_last.b64 policy, 1.0;\n"
               " cvta.to.global.u64 at, %1;\n"
               " ld.global.L2::cache_hint.s32 %0, [at], policy;\n}"
               : "=r"(value) : "l"(from));
  return value;
}
)";
  const Record honest = grade_lab(yaml, head + "  return *from;\n}\n" + rest);
  const Record kept = grade_lab(yaml, head + keep + rest);
  ASSERT_EQ(item_called(honest, "performance/1").status, Status::pass) << summary(honest);
  ASSERT_EQ(item_called(kept, "performance/1").status, Status::pass) << summary(kept);
  const auto time = [](const Record& record) {
    return item_called(record, "performance/1").metrics.at(Metric::time_ms);
  };
  EXPECT_GE(time(kept), 0.9 * time(honest));
}

TEST_P(CheatsOnGpu, ATimeThatVariesAtWillIsNotDeferred) {
  const std::string spin = R"(
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  if (C.width >= 512 && ((now >> 23) * 2654435761u >> 16 & 1)) {
    const long long end = clock64() + 200000;
    while (clock64() < end) {}
  }
)";
  const std::string threshold = "    - {metric: time_ms, full: 0.0001, zero: 0.0002, points: 10}\n";
  const Record record = grade_body(spin + kHonest, "", threshold);
  EXPECT_EQ(item_called(record, "performance/1").status, Status::fail) << summary(record);
  EXPECT_THAT(item_called(record, "performance/1").message, HasSubstr("the slower quartile"));
}

// The checks of the simulator, if the GPU runs the case.

TEST_P(CheatsOnGpu, AnInstructionUnknownToTheSimulatorDoesNotWinTheChecks) {
  const std::string race = "__shared__ volatile int last;\n  last = threadIdx.x;\n";
  const Record record = grade_body(kUnknownToTheSimulator + race + kHonest);
  EXPECT_EQ(item_called(record, "correctness/1").status, Status::pass) << summary(record);
  EXPECT_EQ(item_called(record, "checks").status,
            options.machine.simulate ? Status::review : Status::deferred)
      << summary(record);
  EXPECT_EQ(item_called(record, "checks").points, 0);
}

TEST_P(CheatsOnGpu, StoresAroundTheOutputAreOutOfBounds) {
  const Record record = grade_body(std::string(kHonest) +
                                   "if (row + column == 0) C.data[C.height * C.pitch + 5] = sum;");
  EXPECT_EQ(item_called(record, "checks").status, Status::fail) << summary(record);
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::out_of_bounds));
}

TEST_P(CheatsOnGpu, OtherCodeForTheArchitectureOfTheCardIsCheckedToo) {
  if (options.machine.gpu->profile.compute_capability == 80) GTEST_SKIP() << "this card is of 8.0";
  const std::string race =
      "#if __CUDA_ARCH__ != 800\n__shared__ volatile int last;\nlast = threadIdx.x;\n#endif\n";
  const Record record = grade_body(race + kHonest);
  EXPECT_EQ(item_called(record, "checks").status,
            options.machine.simulate ? Status::fail : Status::deferred)
      << summary(record);
}

INSTANTIATE_TEST_SUITE_P(Cases, CheatsOnGpu, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Simulated" : "OnTheGpu"; });

}  // namespace
}  // namespace tessera
