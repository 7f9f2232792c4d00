// Submissions that try to win without the work, one group for each row of README.md's "Cheats".
// What needs a GPU to mean anything is in cheats_gpu_test.cpp.
#include <gmock/gmock.h>

#include "grader/judge/testing/cheat_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// `source` with `attribute` in front of its kernel's name.
std::string with_attribute(std::string source, const std::string& attribute) {
  const std::string kernel = "__global__ void ";
  return source.insert(source.find(kernel) + kernel.size(), attribute + " ");
}

class Cheats : public CheatTest {
 protected:
  Record grade_body(const std::string& body, const std::string& before = "") {
    return grade_lab(kProductLab, product_kernel(body, before));
  }

  Record grade_technique(const std::string& item, const std::string& source) {
    return grade_lab(std::string(kProductLab) + "technique:\n  - " + item + "\n", source);
  }

  /// The kernel does not run: no points, and a message with `sentence` about `line` (0: any line).
  void expect_refused(const std::string& source, FindingKind kind, const std::string& sentence,
                      int line = 0) {
    const Record record = grade_lab(kProductLab, source);
    EXPECT_EQ(statuses(record), "error error error skipped") << summary(record);
    EXPECT_EQ(record.score, 0);
    ASSERT_FALSE(record.items.empty());
    EXPECT_TRUE(found(record.items[0], kind)) << summary(record);
    EXPECT_THAT(record.items[0].message, HasSubstr(sentence));
    if (line > 0) {
      EXPECT_EQ(record.items[0].findings.at(0).line, line);
    }
  }

  void expect_host_code(const std::string& before, const std::string& sentence) {
    expect_refused(product_kernel(kHonest, before), FindingKind::does_not_compile, sentence, 2);
  }

  /// All cases fail, each with a finding of this kind.
  void expect_all_lost(const Record& record, FindingKind kind) {
    EXPECT_EQ(record.score, 0) << summary(record);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(record.items[i].status, Status::fail);
      EXPECT_TRUE(found(record.items[i], kind)) << summary(record);
    }
  }
};

TEST_F(Cheats, TheHonestKernelWinsEverything) {
  const Record record = grade_body(kHonest);
  EXPECT_EQ(statuses(record), "pass pass pass pass") << summary(record);
  EXPECT_EQ(record.score, 40);
}

// 1. Forge the result.

TEST_F(Cheats, ForgedResultByAStaticInitialiserIsHostCode) {
  expect_host_code("struct Forge { Forge() { __trap(); } } forge;\n", "'Forge' is a host function");
  expect_host_code("static int forged() { return 0; } int now = forged();\n",
                   "'forged' is a host function");
  const Record record =
      grade_body(kHonest, "__device__ int seed();\n__device__ int now = seed();\n");
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_EQ(record.items[0].status, Status::error);
}

TEST_F(Cheats, ForgedResultByMainOrExitIsHostCode) {
  expect_host_code("int main() { return 0; }\n", "'main' is a host function");
  const Record record = grade_body("_exit(0);");
  EXPECT_EQ(statuses(record), "error error error skipped") << summary(record);
}

TEST_F(Cheats, ForgedResultByAttributeConstructorIsHostCode) {
  expect_host_code("__attribute__((constructor)) void forge() {}\n", "'forge' is a host function");
}

TEST_F(Cheats, ForgedResultOnStandardOutputIsOnlyText) {
  const Record record = grade_body(
      "if (row + column == 0) printf(\"{\\\"schema\\\": \\\"tessera.result/2\\\", "
      "\\\"score\\\": 40.0, \\\"items\\\": []}\\n\");");
  expect_all_lost(record, FindingKind::output_not_written);
}

TEST_F(Cheats, ForgedLaunchKernelBehindAnUnclosedConditionChangesNothing) {
  // The condition would hide the grader's own kernel.
  const Record record = grade_lab(kProductLab, product_kernel(kHonest) + "#if 0\n");
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_EQ(record.items[0].status, Status::error);
}

// 2. Patch the timer, the event API or the statistics.

TEST_F(Cheats, PatchedClockIsHostCode) {
  expect_host_code(
      "extern \"C\" int cudaEventElapsedTime(float* ms, void*, void*) "
      "{ *ms = 0; return 0; }\n",
      "'cudaEventElapsedTime' is a host function");
  expect_refused(product_kernel(kHonest, "#include <cuda_runtime.h>\n"),
                 FindingKind::forbidden_include, "cuda_runtime.h", 2);
  expect_refused(product_kernel(kHonest, "#include <dlfcn.h>\n"), FindingKind::forbidden_include,
                 "dlfcn.h", 2);
}

TEST_F(Cheats, WhatIsForAnotherArchitectureIsNotWhatIsExecuted) {
  // The modelled device and the machine code are of one architecture, 9.0.
  const Record record =
      grade_body("#if __CUDA_ARCH__ == 900\n  return;\n#endif\n" + std::string(kHonest));
  expect_all_lost(record, FindingKind::output_not_written);
}

// 3. Return a cached answer.

TEST_F(Cheats, CachedAnswerIsGoneInTheNextCase) {
  // Keyed on the shape, which cases 1 and 2 share, with different data.
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  const int at = row * C.width + column;
  if (filled[at] == A.width) { C(row, column) = kept[at]; return; }
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = kept[at] = sum;
  filled[at] = A.width;
)",
                                   "__device__ float kept[64 * 48];\n"
                                   "__device__ int filled[64 * 48];\n");
  // The cache was empty in each case: only the second launch, with other inputs, finds a result.
  EXPECT_EQ(statuses(record), "fail fail fail skipped") << summary(record);
}

TEST_F(Cheats, CachedAnswerOfLaunchDoesNotReachTheKernel) {
  std::string source =
      product_kernel("if (known != 0) return;" + std::string(kHonest), "__device__ int known;\n");
  const std::string head = "launch(int m, int n, int k) {\n";
  source.insert(source.find(head) + head.size(), "#ifdef __CUDA_ARCH__\n  known = m;\n#endif\n");
  EXPECT_EQ(grade_lab(kProductLab, source).score, 40);
}

// 4. Do fifteen calls' work in one launch.

TEST_F(Cheats, ManyLaunchesInOneReachesOutOfItsOwnBuffers) {
  const Record record =
      grade_body(std::string(kHonest) + "C.data[C.height * C.pitch + row] = sum;");
  EXPECT_EQ(item_called(record, "checks").status, Status::fail) << summary(record);
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::out_of_bounds));
}

// 5. Work outside the timed interval.

TEST_F(Cheats, WorkOutsideTheIntervalByALaunchFromTheDeviceIsRefused) {
  const std::string child = "__global__ void child(float* c) { *c = 1; }\n";
  expect_refused(product_kernel("  child<<<1, 1>>>(C.data);", child), FindingKind::does_not_compile,
                 "<<<...>>> launches a kernel", 7);
  // The scan does not see it in a macro; the compiler does.
  const Record record =
      grade_body("  LAUNCH(child)(C.data);", child + "#define LAUNCH(name) name <<< 1, 1 >>>\n");
  EXPECT_EQ(statuses(record), "error error error skipped") << summary(record);
}

TEST_F(Cheats, WorkOutsideTheIntervalByTheDeviceRuntimeWinsNothing) {
  const Record record = grade_body(
      "  if (row + column == 0) cudaLaunchDeviceV2(cudaGetParameterBufferV2((void*)matmul, "
      "dim3(1), dim3(1), 0), nullptr);",
      "extern \"C\" __device__ void* cudaGetParameterBufferV2(void*, dim3, dim3, unsigned);\n"
      "extern \"C\" __device__ int cudaLaunchDeviceV2(void*, void*);\n"
      "__global__ void matmul(Matrix<const float>, Matrix<const float>, Matrix<float>);\n");
  EXPECT_EQ(record.score, 0) << summary(record);
}

TEST_F(Cheats, WorkOutsideTheIntervalByAThreadIsRefused) {
  expect_refused(product_kernel(kHonest, "#include <thread>\n"), FindingKind::forbidden_include,
                 "thread", 2);
  const Record record = grade_body("cudaStream_t side; cudaStreamCreate(&side);");
  EXPECT_EQ(statuses(record), "error error error skipped") << summary(record);
}

// 6. Recognise the test.

TEST_F(Cheats, RecognisedTestByHardCodedShapesLosesTheHiddenCases) {
  const Record record = grade_lab(
      kProductLab,
      product_kernel("if (C.height != 32 && C.height != 64) return;" + std::string(kHonest)),
      "cases:\n  - {m: 33, n: 48, k: 64, data: uniform}\n"
      "  - {m: 32, n: 48, k: 65, data: integers}\n");
  EXPECT_EQ(statuses(record), "pass pass pass fail pass partial") << summary(record);
  const Item& hidden = record.items[3];
  EXPECT_TRUE(found(hidden, FindingKind::output_not_written));
  EXPECT_THAT(hidden.message, Not(HasSubstr("33")));
  EXPECT_LT(record.score, 35);
}

TEST_F(Cheats, RecognisedTestByTheAnswersOfOneSeedLosesWithTheNext) {
  const std::string yaml =
      "title: One\noperation: matmul\nkernel: matmul\narguments: [A, B, C]\n"
      "correctness:\n  points: 10\n  cases:\n    - {m: 1, n: 1, k: 1, data: uniform}\n";
  const Record wrong = grade_lab(yaml, product_kernel("if (row + column == 0) C(0, 0) = 9;"));
  const auto& example = wrong.items.at(0).findings.at(0).example;
  const auto answer = std::ranges::find(example, "expected", [](const auto& e) { return e.first; });
  ASSERT_NE(answer, example.end());
  const std::string copied =
      product_kernel("if (row + column == 0) C(0, 0) = float(" + answer->second + ");");
  EXPECT_EQ(grade_lab(yaml, copied).score, 10) << "the seed is the same";
  options.seed = 8;
  EXPECT_EQ(grade_lab(yaml, copied).score, 0);
}

// 7. Find the reference answer in stale memory.

TEST_F(Cheats, StaleMemoryInTheOutputIsPoison) {
  const Record record =
      grade_body("if (row < C.height && column < C.width) C(row, column) = C(row, column) + 0.0f;");
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::uninitialized_read));
}

TEST_F(Cheats, StaleMemoryAroundTheBuffersIsOutOfBounds) {
  const Record record = grade_body(
      "if (row < C.height && column < C.width) "
      "C(row, column) = C.data[C.height * C.pitch + row * C.width + column];");
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::out_of_bounds));
}

TEST_F(Cheats, StaleMemoryInSharedMemoryIsNotWritten) {
  const Record record = grade_body(
      "__shared__ float left[16][16];\n  volatile float* v = &left[threadIdx.y][threadIdx.x];\n"
      "if (row < C.height && column < C.width) C(row, column) = *v;");
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::uninitialized_read));
}

// 8. Change the inputs, so that the reference is computed from easy data.

TEST_F(Cheats, ChangedInputsToZeroFailTheCase) {
  const Record record = grade_body(R"(
  if (column < A.width && row < A.height) const_cast<float&>(A(row, column)) = 0;
  if (row < C.height && column < C.width) C(row, column) = 0;
)");
  expect_all_lost(record, FindingKind::input_modified);
  EXPECT_TRUE(found(record.items[0], FindingKind::wrong_result)) << summary(record);
}

TEST_F(Cheats, ChangedInputsFailTheCaseThoughTheResultIsRight) {
  const Record record =
      grade_body(std::string(kHonest) + "if (column == 0) const_cast<float&>(A(row, 0)) = 0;");
  EXPECT_EQ(record.items[1].status, Status::fail);
  EXPECT_TRUE(found(record.items[1], FindingKind::input_modified)) << summary(record);
}

// 9. NaN, empty or unwritten output.

TEST_F(Cheats, NanOutputIsNotFinite) {
  for (const char* nan : {"__int_as_float(0x7fffffff)", "0.0f / 0.0f * A(0, 0)", "1.0f / 0.0f"}) {
    const Record record = grade_body(
        "if (row < C.height && column < C.width) C(row, column) = " + std::string(nan) + ";");
    expect_all_lost(record, FindingKind::not_finite);
  }
}

TEST_F(Cheats, OneNanAmongRightElementsFailsTheCase) {
  const Record record =
      grade_body(std::string(kHonest) +
                 "if (row == C.height - 1 && column == C.width - 1) C(row, column) = "
                 "__int_as_float(0x7fc00000);");
  expect_all_lost(record, FindingKind::not_finite);
}

TEST_F(Cheats, UnwrittenOutputByExitIsNamed) {
  const Record record = grade_body("asm volatile(\"exit;\");" + std::string(kHonest));
  expect_all_lost(record, FindingKind::output_not_written);
}

TEST_F(Cheats, OneUnwrittenElementFailsTheCase) {
  const Record record = grade_body("if (row == C.height - 1 && column == C.width - 1) return;" +
                                   std::string(kHonest));
  expect_all_lost(record, FindingKind::output_not_written);
}

// 10. Half precision, TF32, skipped terms.

constexpr const char* kToHalf = R"(
__device__ float half_of(float x) {
  const unsigned bits = __float_as_uint(x);
  return __uint_as_float((bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000);
}
)";

TEST_F(Cheats, HalfPrecisionInputsMissTheBound) {
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += half_of(A(row, i)) * half_of(B(i, column));
  C(row, column) = sum;
)",
                                   kToHalf);
  EXPECT_EQ(statuses(record), "fail pass fail partial") << summary(record);
  EXPECT_TRUE(found(record.items[0], FindingKind::wrong_result));
  EXPECT_THAT(record.items[2].message,
              HasSubstr("the operands are rounded to 11 significant bits"));
}

TEST_F(Cheats, HalfPrecisionSumsMissTheBound) {
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum = half_of(sum + A(row, i) * B(i, column));
  C(row, column) = sum;
)",
                                   kToHalf);
  EXPECT_EQ(record.items[0].status, Status::fail) << summary(record);
  EXPECT_EQ(record.items[2].status, Status::fail) << summary(record);
}

TEST_F(Cheats, Tf32InputsMissTheBound) {
  // Rounded to nearest, as cvt.rna.tf32 does.
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += tf32(A(row, i)) * tf32(B(i, column));
  C(row, column) = sum;
)",
                                   "__device__ float tf32(float x) {\n"
                                   "  return __uint_as_float((__float_as_uint(x) + 0x1000u) & "
                                   "0xffffe000u);\n}\n");
  EXPECT_EQ(statuses(record), "fail pass fail partial") << summary(record);
}

TEST_F(Cheats, ASkippedTermIsWrong) {
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width - 1; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = sum;
)");
  expect_all_lost(record, FindingKind::wrong_result);
}

TEST_F(Cheats, SkippedSmallTermsAreWrong) {
  const Record record = grade_body(R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i)
    if (fabsf(A(row, i)) > 0.01f) sum += A(row, i) * B(i, column);
  C(row, column) = sum;
)");
  EXPECT_EQ(record.items[0].status, Status::fail) << summary(record);
  EXPECT_EQ(record.items[2].status, Status::fail) << summary(record);
}

// 11. Warm or persisting L2: it has no effect on counters.

TEST_F(Cheats, PrefetchedL2ChangesNoCounter) {
  const std::string item = "{metric: global_load_sectors, at_most: 100000000, points: 5}";
  const std::string prefetch =
      "if (row < A.height) asm volatile(\"prefetch.global.L2::evict_last [%0];\" :: \"l\"(&A(row, "
      "0)));";
  const Record plain = grade_technique(item, product_kernel(kHonest));
  const Record fetched = grade_technique(item, product_kernel(prefetch + kHonest));
  ASSERT_EQ(fetched.items.back().status, Status::pass) << summary(fetched);
  EXPECT_EQ(fetched.items.back().metrics, plain.items.back().metrics);
}

TEST_F(Cheats, PersistingL2PolicyIsLeftToTheGpu) {
  const Record record = grade_body(
      "unsigned long long policy;\n"
      "asm volatile(\"createpolicy.fractional.L2::evict_last.b64 %0, 1.0;\" : \"=l\"(policy));\n"
      "if (policy == 1) return;" +
      std::string(kHonest));
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_EQ(record.items[0].status, Status::review);
  EXPECT_EQ(record.deferred, 0) << "it counts as not won";
  EXPECT_TRUE(found(record.items[0], FindingKind::unsupported_instruction));
}

TEST_F(Cheats, ManyMistakesThatAreAllowedHideNoneThatIsNot) {
  std::string constants, stores;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "c" + std::to_string(i);
    constants += "__constant__ int " + name + " = 1;\n";
    stores += "asm volatile(\"st.u32 [%0], 2;\" :: \"l\"(&" + name + "));\n";
  }
  const Record record =
      grade_body(stores + "float beyond = A(A.height, A.width); if (beyond == 0.125f) return;\n" +
                     std::string(kHonest),
                 constants);
  EXPECT_EQ(item_called(record, "checks").status, Status::fail) << summary(record);
}

TEST_F(Cheats, AMistakeInLaunchIsTheCases) {
  std::string source = product_kernel(kHonest);
  const std::size_t at = source.find("return {dim3");
  ASSERT_NE(at, std::string::npos);
  source.insert(at, "*static_cast<volatile int*>(nullptr) = 1;\n  ");
  const Record record = grade_lab(kProductLab, source);
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_TRUE(found(record.items.front(), FindingKind::out_of_bounds)) << summary(record);
}

TEST_F(Cheats, AStoreToAConstantEndsTheLaunchAsOnACard) {
  const Record record =
      grade_body("asm volatile(\"st.u32 [%0], 2;\" :: \"l\"(&one));\n" + std::string(kHonest),
                 "__constant__ int one = 1;\n");
  EXPECT_EQ(record.items.front().status, Status::error) << summary(record);
  EXPECT_EQ(record.score, 0) << summary(record);
}

TEST_F(Cheats, NamesAsLongAsTheyMayBeBreakNothing) {
  const std::string name(8000, 'n');
  const Record record =
      grade_body("__shared__ float " + name + "[4]; " + name + "[A.height + 99] = 1; if (" + name +
                 "[A.width + 77] == 0.125f) return;\n" + std::string(kHonest));
  const Item& item = item_called(record, "checks");
  EXPECT_TRUE(found(item, FindingKind::out_of_bounds)) << summary(record);
  EXPECT_FALSE(found(record.items[0], FindingKind::grader_crash));
}

// 12. No work at all, a library call, the reference, a keyword.

TEST_F(Cheats, NoWorkIsUntouched) {
  const Record record = grade_body("");
  expect_all_lost(record, FindingKind::output_not_written);
  EXPECT_TRUE(record.untouched);
}

TEST_F(Cheats, LibraryCallsAreRefused) {
  for (const char* header : {"cublas_v2.h", "cublasdx.hpp", "cutlass/gemm/device/gemm.h",
                             "thrust/inner_product.h", "cub/cub.cuh"}) {
    expect_refused(product_kernel(kHonest, "#include <" + std::string(header) + ">\n"),
                   FindingKind::forbidden_include, header, 2);
  }
  const Record record =
      grade_body("cublasSgemm();", "extern \"C\" __device__ void cublasSgemm();\n");
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_EQ(record.items[0].status, Status::error) << summary(record);
  EXPECT_TRUE(found(record.items[0], FindingKind::does_not_compile));
  EXPECT_THAT(record.items[0].message, HasSubstr("cublasSgemm"));
}

TEST_F(Cheats, TheReferenceCannotBeIncluded) {
  const std::string root = TESSERA_SOURCE_DIR;
  const std::string lines[] = {
      "#include \"../../solutions/01-naive/kernel.cu\"",
      "#include \"" + root + "/solutions/01-naive/kernel.cu\"",
      "#include <" + root + "/solutions/01-naive/kernel.cu>",
      "#include <tessera/../../../solutions/01-naive/kernel.cu>",
      "#include <cuda/../../solutions/01-naive/kernel.cu>",
      "#define REFERENCE \"kernel.cu\"\n#include REFERENCE",
      "#inc\\\nlude \"/etc/passwd\"",
      "%:include \"/etc/passwd\"",
      "#embed \"/etc/passwd\"",
      "#if __has_include(\"/etc/passwd\")\n#endif",
  };
  for (const std::string& line : lines) {
    const Record record = grade_body(kHonest, line + "\n");
    EXPECT_EQ(statuses(record), "error error error skipped") << line << "\n" << summary(record);
    EXPECT_TRUE(found(record.items[0], FindingKind::forbidden_include)) << line;
    EXPECT_THAT(record.items[0].message, Not(HasSubstr("root:"))) << line;
  }
}

TEST_F(Cheats, TheReferenceIsNotAmongTheHeaders) {
  expect_refused(product_kernel("", "#include <tessera/matmul.cuh>\n"),
                 FindingKind::forbidden_include, "there is no <tessera/matmul.cuh>", 2);
}

constexpr const char* kShared = "{metric: static_shared_bytes, at_least: 1, points: 5}";

TEST_F(Cheats, SharedMemoryInACommentCountsNothing) {
  const Record record =
      grade_technique(kShared, product_kernel("// __shared__ float tile[16][16]; __syncthreads();\n"
                                              "const char* text = \"__shared__\"; (void)text;\n" +
                                              std::string(kHonest)));
  EXPECT_EQ(statuses(record), "pass pass pass pass fail") << summary(record);
}

TEST_F(Cheats, SharedMemoryWithoutUseCountsNothing) {
  const Record record = grade_technique(
      kShared, product_kernel("__shared__ float tile[16][16];\n" + std::string(kHonest)));
  EXPECT_EQ(statuses(record), "pass pass pass pass fail") << summary(record);
  const Record uncalled = grade_technique(
      kShared, product_kernel(kHonest,
                              "__device__ void unused() { __shared__ float tile[16]; "
                              "tile[threadIdx.x] = 1; __syncthreads(); }\n"));
  EXPECT_EQ(uncalled.items.back().status, Status::fail) << summary(uncalled);
}

// What a technique item does not catch by itself: these SUCCEED against it, and lose against the
// second item that a lab should put beside it.

TEST_F(Cheats, SucceedsADummySharedArrayWinsStaticSharedBytesButNoResultsThroughShared) {
  const std::string source =
      product_kernel("__shared__ volatile int dummy;\n  dummy = 1;\n" + std::string(kHonest));
  const Record alone = grade_technique(kShared, source);
  EXPECT_EQ(alone.items.back().status, Status::pass) << summary(alone);
  const Record beside =
      grade_technique("{metric: results_through_shared, at_least: 90, points: 5}", source);
  EXPECT_EQ(beside.items.back().status, Status::fail) << summary(beside);
}

constexpr const char* kExcess = "{metric: global_load_excess_sectors, at_most: 50000, points: 5}";

/// threadIdx.x on rows: 16 sectors for 16 elements of A, where 2 would do.
constexpr const char* kUncoalesced = R"(#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * blockDim.x + threadIdx.x;
  const int column = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) {
    sum += A(row, i) * B(i, column);
    EXTRA
  }
  C(row, column) = sum;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";

std::string uncoalesced(const std::string& extra) {
  std::string source = kUncoalesced;
  source.replace(source.find("EXTRA"), 5, extra);
  return source;
}

TEST_F(Cheats, NeedlessLoadsDoNotDiluteTheExcess) {
  EXPECT_EQ(grade_technique(kExcess, product_kernel(kHonest)).items.back().status, Status::pass);
  EXPECT_EQ(grade_technique(kExcess, uncoalesced("")).items.back().status, Status::fail);
  // Loads of one sector.
  const std::string dilution =
      "for (int again = 0; again < 4; ++again) (void)*(const volatile float*)B.data;";
  const Record diluted = grade_technique(kExcess, uncoalesced(dilution));
  EXPECT_EQ(diluted.items.back().status, Status::fail) << summary(diluted);
}

/// One thread does everything: one sector a request.
constexpr const char* kOneThread = R"(#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  for (int row = 0; row < C.height; ++row) {
    for (int column = 0; column < C.width; ++column) {
      float sum = 0;
      for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
      C(row, column) = sum;
    }
  }
}
__host__ __device__ Launch launch(int, int, int) { return {dim3(1), dim3(1), 0}; }
)";

TEST_F(Cheats, SucceedsOneThreadHasNoExcessButTooManyRequests) {
  const Record alone = grade_technique(kExcess, kOneThread);
  EXPECT_EQ(statuses(alone), "pass pass pass pass pass") << summary(alone);
  const Record beside =
      grade_technique("{metric: global_load_requests, at_most: 62000, points: 5}", kOneThread);
  EXPECT_EQ(beside.items.back().status, Status::fail) << summary(beside);
}

/// The naive kernel, with atomics as loads: Nsight Compute counts them apart, and so does the
/// simulator.
constexpr const char* kAtomicLoads = R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i)
    sum += __int_as_float(atomicCAS((int*)&A(row, i), 1, 1)) *
           __int_as_float(atomicCAS((int*)&B(i, column), 1, 1));
  C(row, column) = sum;
)";

TEST_F(Cheats, ARatioOfNoLoadsIsNotWon) {
  const Record record = grade_technique(
      "{metric: global_load_sectors_per_request, at_least: 1, points: 5}\n"
      "  - {metric: global_load_requests, at_most: 1000000, points: 1}",
      product_kernel(kAtomicLoads));
  EXPECT_EQ(item_called(record, "technique/1").points, 0) << summary(record);
}

/// The naive kernel with a shared copy of each row that lanes read down a column, by atomics.
constexpr const char* kAtomicTiles = R"(
  __shared__ float tile[16][16];
  float sum = 0;
  for (int start = 0; start < A.width; start += 16) {
    const int i = start + threadIdx.x;
    atomicExch(&tile[threadIdx.x][threadIdx.y], row < A.height && i < A.width ? A(row, i) : 0.0f);
    __syncthreads();
    for (int p = 0; p < 16 && start + p < A.width; ++p) {
      if (column < C.width)
        sum += atomicAdd(&tile[p][threadIdx.y], 0.0f) * B(start + p, column);
    }
    __syncthreads();
  }
  if (row < C.height && column < C.width) C(row, column) = sum;
)";

constexpr const char* kThroughShared = "{metric: results_through_shared, at_least: 90, points: 5}";

TEST_F(Cheats, SharedMemoryThatCarriesNoInputsWinsNoResultsThroughShared) {
  const std::string read =
      "__shared__ float seen[256];\n"
      "  const int me = 16 * threadIdx.y + threadIdx.x;\n"
      "  seen[me] = %;\n  __syncthreads();\n"
      "  const float other = seen[me ^ 1];\n";
  const auto kernel = [&](const std::string& stored, const std::string& used) {
    std::string body = read + used;
    body.replace(body.find('%'), 1, stored);
    return body;
  };
  std::string added = kHonest;
  added.replace(added.find("sum;"), 4, "sum + other;");
  const std::string bodies[] = {
      kernel("A(0, me % 16)", "if (other == 12345.0f) return;\n" + std::string(kHonest)),
      kernel("0", added),
      kernel("(free(malloc(16)), 0.0f)", added),
      // Results that take a detour through shared memory.
      kernel("0",
             "if (row >= C.height || column >= C.width) return;\n"
             "  float sum = other;\n"
             "  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);\n"
             "  __syncwarp();\n  seen[me] = sum;\n  __syncwarp();\n"
             "  C(row, threadIdx.x % 2 == 0 ? column + 1 : column - 1) = seen[me ^ 1];\n"),
  };
  for (const std::string& body : bodies) {
    const Record record = grade_technique(kThroughShared, product_kernel(body));
    EXPECT_EQ(statuses(record), "pass pass pass pass fail") << body << "\n" << summary(record);
    EXPECT_LT(record.items.back().metrics.at(Metric::results_through_shared), 2) << body;
  }
  const Record atomics = grade_technique(kThroughShared, product_kernel(kAtomicTiles));
  EXPECT_EQ(atomics.items.back().status, Status::fail) << summary(atomics);
}

TEST_F(Cheats, ResultsThroughSharedAreWonByTilesOfAllInputs) {
  const std::string tiles = R"(
  __shared__ float a[16][16], b[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int start = 0; start < A.width; start += 16) {
    a[y][x] = row < A.height && start + x < A.width ? A(row, start + x) : 0.0f;
    b[y][x] = start + y < B.height && column < B.width ? B(start + y, column) : 0.0f;
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += a[y][p] * b[p][x];
    __syncthreads();
  }
  if (row < C.height && column < C.width) C(row, column) = sum;
)";
  const Record both = grade_technique(kThroughShared, product_kernel(tiles));
  EXPECT_EQ(statuses(both), "pass pass pass pass pass") << summary(both);
  EXPECT_EQ(both.items.back().metrics.at(Metric::results_through_shared), 100);
  std::string tiles_of_a = tiles;
  tiles_of_a.replace(tiles_of_a.find("* b[p][x]"), 9,
                     "* (start + p < B.height && column < B.width ? B(start + p, column) : 0.0f)");
  const Record half = grade_technique(kThroughShared, product_kernel(tiles_of_a));
  EXPECT_EQ(half.items.back().status, Status::fail) << summary(half);
}

TEST_F(Cheats, LoadsAndStoresOfSharedMemoryDisguisedAsAtomicsCount) {
  for (const std::string metric :
       {"shared_store_bank_conflicts", "shared_load_requests", "shared_load_wavefronts"}) {
    const Record record = grade_technique("{metric: " + metric + ", at_most: 0, points: 5}",
                                          product_kernel(kAtomicTiles));
    EXPECT_EQ(statuses(record), "pass pass pass pass fail") << summary(record);
  }
  const Record floor = grade_technique("{metric: shared_load_requests, at_least: 1, points: 5}",
                                       product_kernel(kAtomicTiles));
  EXPECT_EQ(floor.items.back().status, Status::fail) << summary(floor);
}

TEST_F(Cheats, StoresDisguisedAsAtomicsCount) {
  std::string stores = kHonest;
  stores.replace(stores.find("C(row, column) = sum;"), 21, "atomicExch(&C(row, column), sum);");
  const Record record = grade_technique("{metric: global_store_requests, at_most: 1, points: 5}",
                                        product_kernel(stores));
  EXPECT_EQ(record.items.back().status, Status::fail) << summary(record);
}

TEST_F(Cheats, TheTechniqueOnlyInTheShapeThatIsShownIsNotEnough) {
  // It uses tiles only in the shape whose counters the student sees. What it wins there, it loses
  // in the other shape that counts.
  const std::string lab =
      std::string(kProductLab)
          .replace(std::string(kProductLab).find("padding: 3"), 10, "padding: 3, counted: true");
  const std::string tiled = R"(
  __shared__ float As[16][16];
  __shared__ float Bs[16][16];
  float sum = 0;
  if (C.height == 64) {
    for (int start = 0; start < A.width; start += 16) {
      As[threadIdx.y][threadIdx.x] = A(row, start + threadIdx.x);
      Bs[threadIdx.y][threadIdx.x] = B(start + threadIdx.y, column);
      __syncthreads();
      for (int p = 0; p < 16; ++p) sum += As[threadIdx.y][p] * Bs[p][threadIdx.x];
      __syncthreads();
    }
  } else {
    for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  }
  C(row, column) = sum;
)";
  const std::string item =
      "technique:\n  - {metric: global_load_requests, at_most: 4000, scales_with: [m, n, k], "
      "points: 5}\n";
  const Record once = grade_lab(kProductLab + item, product_kernel(tiled));
  EXPECT_EQ(once.items.back().status, Status::pass) << summary(once);
  const Record all = grade_lab(lab + item, product_kernel(tiled));
  EXPECT_EQ(all.items.back().status, Status::fail) << summary(all);
}

TEST_F(Cheats, LoadsDisguisedAsAtomicsModifyInputs) {
  const Record record = grade_technique("{metric: global_load_requests, at_most: 100, points: 5}",
                                        product_kernel(kAtomicLoads));
  EXPECT_EQ(record.items.front().status, Status::fail) << summary(record);
  EXPECT_TRUE(found(record.items.front(), FindingKind::input_modified)) << summary(record);
  EXPECT_EQ(record.items.back().points, 0) << summary(record);
}

// Launches that no card takes.

TEST_F(Cheats, ABlockBeyondItsLaunchBoundsDoesNotRun) {
  const auto graded = [&](const std::string& attribute) {
    return grade_lab(kProductLab, with_attribute(product_kernel(kHonest), attribute));
  };
  const Record record = graded("__launch_bounds__(32)");
  EXPECT_EQ(record.score, 0) << summary(record);
  const Item& first = item_called(record, "correctness/1");
  EXPECT_EQ(first.status, Status::fail) << summary(record);
  EXPECT_TRUE(found(first, FindingKind::bad_launch)) << summary(record);
  EXPECT_THAT(first.message, HasSubstr("__launch_bounds__"));
  EXPECT_EQ(graded("__launch_bounds__(256)").score, 40);
}

}  // namespace
}  // namespace tessera
