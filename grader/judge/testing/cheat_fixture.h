// What the tests of cheats share: a lab of matrix products, kernels around a body, and helpers that
// read records.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "grader/judge/testing/kit_grading.h"
#include "grader/lab/test_folder.h"

namespace tessera {

class CheatTest : public ::testing::Test {
 protected:
  CheatTest() {
    // What speedups are measured over.
    options.kit.labs = folder.path() / "labs";
    std::filesystem::create_directories(options.kit.labs);
    std::filesystem::create_directory_symlink(kRoot / "labs/01-naive",
                                              options.kit.labs / "01-naive");
    options.kit.solutions = kRoot / "solutions";
  }

  Record grade_lab(const std::string& yaml, const std::string& source,
                   const std::string& hidden = "") {
    folder.write("labs/cheat/lab.yaml", yaml);
    folder.write("kernel.cu", source);
    folder.write("hidden.yaml", hidden.empty() ? "cases: []\n" : hidden);
    const auto lab = load_lab(folder.path() / "labs/cheat",
                              hidden.empty() ? "" : folder.path() / "hidden.yaml", folder.path());
    EXPECT_TRUE(lab) << lab.error().str();
    return lab ? grade(*lab, folder.path() / "kernel.cu", options) : Record();
  }

  static bool found(const Item& item, FindingKind kind) {
    return std::ranges::count(item.findings, kind, &Finding::kind) > 0;
  }

  static const Item& item_called(const Record& record, const std::string& id) {
    static const Item kNone;
    const auto item = std::ranges::find(record.items, id, &Item::id);
    if (item == record.items.end()) ADD_FAILURE() << "there is no item " << id;
    return item == record.items.end() ? kNone : *item;
  }

  /// "pass fail": the statuses of all items, in order.
  static std::string statuses(const Record& record) {
    std::string words;
    for (const Item& item : record.items)
      words += (words.empty() ? "" : " ") + std::string(to_string(item.status));
    return words;
  }

  /// All statuses and messages, for a test that fails.
  static std::string summary(const Record& record) {
    std::string text;
    for (const Item& item : record.items) {
      text += item.id + ": " + std::string(to_string(item.status)) + ": " + item.message + "\n";
      for (const Finding& finding : item.findings)
        text += "  " + std::string(to_string(finding.kind)) + " in line " +
                std::to_string(finding.line) + ": " + finding.message.str() + "\n";
    }
    return text;
  }

  TestFolder folder;
  GradeOptions options = kit_options(7);
};

/// 30 points for the cases, 10 for the checks.
inline constexpr const char* kProductLab = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 30
  cases:
    - {m: 32, n: 48, k: 64, data: uniform}
    - {m: 32, n: 48, k: 64, data: integers, padding: 3}
    - {m: 64, n: 48, k: 160, data: uniform}
checks:
  points: 10
  forbid: [out-of-bounds, misaligned, race, uninitialized-read, divergent-barrier, barrier-deadlock]
)";

/// A kernel of C = A B around `body`, which can use `row` and `column`; 16 x 16 threads a block.
inline std::string product_kernel(const std::string& body, const std::string& before = "") {
  return "#include <tessera/lab.cuh>\n" + before +
         R"(
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
)" + body +
         R"(
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";
}

/// The honest work, as the body of product_kernel().
inline constexpr const char* kHonest = R"(
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = sum;
)";

}  // namespace tessera
