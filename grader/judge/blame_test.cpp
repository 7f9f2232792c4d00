// What is to blame if a kernel cannot be judged: no submission can take points out of its total.
#include <gmock/gmock.h>

#include <regex>

#include "grader/judge/testing/cheat_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLab = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 40
  cases:
    - {m: 32, n: 48, k: 64, data: uniform}
    - {m: 33, n: 47, k: 64, data: integers}
checks:
  points: 10
  forbid: [out-of-bounds, race]
technique:
  - {metric: global_load_requests, at_most: 1000000, points: 10}
)";

/// Where the honest body begins in a product_kernel() without anything before it.
constexpr int kBodyLine = 6;

/// With each compiler: assembly is text to both.
class Blame : public CheatTest, public ::testing::WithParamInterface<CompilerKind> {
 protected:
  Blame() {
    options.compiler.kind = GetParam();
    for (const CompilerInfo& info : available_compilers())
      is_there_ = is_there_ || (info.kind == GetParam() && info.available);
  }

  void SetUp() override {
    if (!is_there_) GTEST_SKIP() << "this compiler is not here";
  }

  /// Nothing is left out of the total, and the finding names the line.
  void expect_students_mistake(const Record& record, int line, const std::string& words) {
    EXPECT_EQ(record.score, 0) << summary(record);
    EXPECT_EQ(record.deferred, 0) << summary(record);
    const Item& first = record.items.at(0);
    EXPECT_EQ(first.status, Status::error) << summary(record);
    ASSERT_FALSE(first.findings.empty());
    EXPECT_EQ(first.findings[0].kind, FindingKind::does_not_compile);
    EXPECT_EQ(first.findings[0].line, line) << first.findings[0].message;
    EXPECT_THAT(first.findings[0].message, HasSubstr(words));
    EXPECT_EQ(exit_status({record}), 1);
  }

 private:
  bool is_there_ = false;
};

TEST_P(Blame, AnInstructionThatPtxLacksIsTheStudentsMistake) {
  const std::string nonsense = "asm volatile(\"frobnicate;\");\n";
  expect_students_mistake(grade_lab(kLab, product_kernel("\n" + nonsense + kHonest)), kBodyLine + 1,
                          "frobnicate");
}

TEST_P(Blame, NonsenseThatRunsForRaggedShapesOrNeverIsTheStudentsMistakeToo) {
  for (const char* where : {"if (C.width % 16 != 0) ", "if (C.width > 1000000) "}) {
    const std::string body = std::string("\n") + where + "asm volatile(\"nonsense;\");\n" + kHonest;
    expect_students_mistake(grade_lab(kLab, product_kernel(body)), kBodyLine + 1, "nonsense");
  }
}

TEST_P(Blame, ArraysBeyondTheLimitsAreTheStudentsMistake) {
  const std::string table = "__device__ int table[1 << 27];\n";
  const std::string use = "if (row < 0) table[column] = row;\n";
  expect_students_mistake(grade_lab(kLab, product_kernel(use + kHonest, table)), 2,
                          "268435456 bytes");
  const std::string own =
      "char own[1LL << 28];\nfor (long long i = 0; i < A.width; ++i) own[i * row] = char(i);\n"
      "if (own[column * 7] == 1) C(0, 0) = own[row];\n";
  const Record record = grade_lab(kLab, product_kernel(own + kHonest));
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_EQ(record.deferred, 0) << summary(record);
  EXPECT_EQ(record.items.at(0).status, Status::error) << summary(record);
}

TEST_P(Blame, WhatTheSimulatorLacksCountsZeroAndIsInTheTotal) {
  const std::string ragged =
      "if (C.width % 16 != 0) asm volatile(\"cp.async.bulk.commit_group;\");\n";
  const Record record = grade_lab(kLab, product_kernel(ragged + kHonest));
  EXPECT_EQ(statuses(record), "pass review review review") << summary(record);
  EXPECT_EQ(record.score, 20);
  EXPECT_EQ(record.deferred, 0);
  EXPECT_EQ(exit_status({record}), 1);
  EXPECT_TRUE(found(record.items.at(1), FindingKind::unsupported_instruction));
}

TEST_P(Blame, WhatTheSimulatorLacksCostsNothingWhereItIsNotReached) {
  const std::string never =
      "if (C.width > 1000000) asm volatile(\"cp.async.bulk.commit_group;\");\n";
  const Record record = grade_lab(kLab, product_kernel(never + kHonest));
  EXPECT_EQ(record.score, 50) << summary(record);
  EXPECT_EQ(item_called(record, "checks").status, Status::review) << "it has assembly";
}

/// Points for the occupancy and for modelled time.
const std::string kOfRegisters =
    std::string(kLab) +
    "  - {metric: theoretical_occupancy, at_least: 1, points: 10}\n"
    "performance:\n  shape: {m: 256, n: 256, k: 256}\n  thresholds:\n"
    "    - {metric: modelled_time_ms, full: 100, zero: 200, points: 10}\n";

TEST_P(Blame, WhatPtxasRefusesIsNotMeasuredWithoutRegisters) {
  // Its words are valid, but no device has such an instruction; no case reaches it.
  const std::string dead =
      "if (C.width > 1000000) asm volatile(\"add.f32 %0, %0, 1;\" : \"+r\"(*(int*)C.data));\n";
  const Record record = grade_lab(kOfRegisters, product_kernel("\n" + dead + kHonest));
  if (GetParam() == CompilerKind::nvrtc) {
    EXPECT_EQ(record.items.at(0).status, Status::error) << summary(record);
    EXPECT_EQ(record.items.at(0).findings.at(0).line, kBodyLine + 1) << summary(record);
    EXPECT_EQ(item_called(record, "performance/1").points, 0) << summary(record);
  }
  EXPECT_EQ(item_called(record, "technique/2").points, 0) << summary(record);
}

TEST_P(Blame, WithoutRegistersOccupancyIsDeferred) {
  const Record record = grade_lab(kOfRegisters, product_kernel(kHonest));
  const bool known = GetParam() == CompilerKind::nvrtc;
  EXPECT_EQ(item_called(record, "technique/2").status, known ? Status::pass : Status::deferred);
  EXPECT_EQ(item_called(record, "performance/1").status, Status::pass);
}

TEST_P(Blame, MoreRegistersThanABlockHasIsABadLaunch) {
  const std::string keep =
      "float kept[200];\n#pragma unroll\n"
      "for (int i = 0; i < 200; ++i) kept[i] = __int_as_float(clock() & (1 << 31));\n";
  const std::string use =
      "float more = 0;\n#pragma unroll\n"
      "for (int i = 0; i < 200; ++i) more += kept[i] * kept[(i * 7 + 3) % 200];\n"
      "if (row < C.height && column < C.width) C(row, column) += more;\n";
  std::string source = product_kernel(keep + R"(
    float sum = 0;
    for (int i = 0; i < A.width && row < C.height && column < C.width; ++i)
      sum += A(row, i) * B(i, column);
    if (row < C.height && column < C.width) C(row, column) = sum;
  )" + use);
  const Record fits = grade_lab(kLab, source);
  EXPECT_EQ(item_called(fits, "correctness/1").status, Status::pass) << summary(fits);
  source = std::regex_replace(source, std::regex("16"), "32");
  const Record record = grade_lab(kLab, source);
  const Item& first = item_called(record, "correctness/1");
  const bool known = GetParam() == CompilerKind::nvrtc;
  EXPECT_EQ(first.status, known ? Status::fail : Status::pass) << summary(record);
  if (!known) return;
  EXPECT_TRUE(found(first, FindingKind::bad_launch)) << summary(record);
  EXPECT_THAT(first.message, HasSubstr("a block of 1024 threads does not fit: with "));
}

INSTANTIATE_TEST_SUITE_P(Compilers, Blame,
                         ::testing::Values(CompilerKind::nvrtc, CompilerKind::clang),
                         [](const auto& info) {
                           return info.param == CompilerKind::nvrtc ? "Nvrtc" : "Clang";
                         });

}  // namespace
}  // namespace tessera
