// `make run` on a GPU: every lab, every kind of memory, compute-sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <vector>

#include "common/run/run_lab.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The labs whose operation is the kit's; there is no host program for the others.
std::vector<std::string> labs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/labs")) {
    std::ifstream yaml(entry.path() / "lab.yaml");
    const std::string text((std::istreambuf_iterator<char>(yaml)), {});
    if (std::regex_search(text, std::regex("(^|\\n)operation: \\w"))) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

class RunLabOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    // Checked before anything is compiled, which takes seconds.
    const char* ask = "bash -c 'compgen -G \"/dev/nvidia[0-9]*\" || test -e /dev/dxg'";
    if (run_command(ask).status != 0) GTEST_SKIP() << "needs a GPU";
  }

  /// Runs with these arguments; skips the test if nvcc or a GPU is missing.
  void run(const std::string& arguments) {
    result = run_lab(build.path(), arguments);
    if (result.status == 3) GTEST_SKIP() << result.output;
  }

  /// Runs a kernel for lab 03 with this body and block.
  void run_body(const std::string& body, const std::string& block = "dim3(16, 16)") {
    build.write("kernel.cu",
                "#include <tessera/lab.cuh>\n"
                "__global__ void matmul(Matrix<const float> A, Matrix<const float> B, "
                "Matrix<float> C) {" +
                    body + "}\n__host__ __device__ Launch launch(int m, int n, int k) {" +
                    "return {dim3(n / 16, m / 16), " + block + ", 0}; }\n");
    run("--from '" + build.path().string() + "' 03 --size 64 --repeat 0");
  }

  std::size_t count(const std::string& text) const {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = result.output.find(text, at)) != std::string::npos; ++at) {
      ++found;
    }
    return found;
  }

  TemporaryDirectory build;
  RunResult result;
};

class RunLab : public RunLabOnGpu, public ::testing::WithParamInterface<std::string> {
 protected:
  /// A small product. The tiles of lab 10 and those that follow have up to 256 columns; a block
  /// of lab 02 holds at most 32.
  static std::string small() { return GetParam() < "10" ? " --size 32" : " --size 256"; }
};

TEST_P(RunLab, TheReferenceIsRightInEveryMemoryAndCleanUnderComputeSanitizer) {
  run("--from solutions " + GetParam() + " --memory all");
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(count(" right: all "), 4 - count("No prefetching here")) << result.output;
  EXPECT_THAT(result.output, HasSubstr("explicit: malloc, cudaMalloc, cudaMemcpy"));
  EXPECT_THAT(result.output, HasSubstr("kernel, median of later launches"));

  const std::string program = "'" + (build.path() / "run" / GetParam()).string() + "'";
  for (const std::string tool : {"memcheck --leak-check full", "racecheck"}) {
    result = run_command("compute-sanitizer --error-exitcode 9 --tool " + tool + " " + program +
                         small() + " --repeat 0");
    if (result.status == 127) GTEST_SKIP() << "there is no compute-sanitizer here";
    if (count("Device not supported") > 0) GTEST_SKIP() << result.output;
    EXPECT_EQ(result.status, 0) << tool << "\n" << result.output;
  }
}

TEST_P(RunLab, TheSkeletonIsWrongAndSaysWhere) {
  run(GetParam() + small());
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr(" was not written and should be "));
}

INSTANTIATE_TEST_SUITE_P(Labs, RunLab, ::testing::ValuesIn(labs()), [](const auto& lab) {
  std::string name = lab.param;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
});

TEST_F(RunLabOnGpu, EachExtentCanBeSet) {
  run("--from solutions 04 --size 100 --k 7 --m 33");
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("m = 33, n = 100, k = 7"));
  EXPECT_THAT(result.output, HasSubstr("C is right: all 33 x 100 elements"));
}

TEST_F(RunLabOnGpu, AnAddressOutsideNamesTheCallAndWhatToDo) {
  run_body("C.data[1ll << 40] = 1;");
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("cudaErrorIllegalAddress"));
  EXPECT_THAT(result.output, HasSubstr("stopwatch.cuh:"));
  EXPECT_THAT(result.output, HasSubstr("run: make grade LAB=03-tiled"));
}

TEST_F(RunLabOnGpu, ALaunchThatTheGpuRefusesIsExplained) {
  run_body("", "dim3(64, 64)");
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output,
              HasSubstr("This cannot be launched: a block of 4096 threads; this GPU runs at most "
                        "1024 in a block.\nChange `launch` in kernel.cu, or the size.\n"));
}

TEST_F(RunLabOnGpu, OneWrongElementIsFound) {
  run_body(
      "int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x; float sum = 0;"
      "for (int p = 0; p < A.width; ++p) sum += A(i, p) * B(p, j);"
      "C(i, j) = sum + (i == 63 && j == 5);");
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("C is WRONG in 1 of 64 rows: C(63, 5) is "));
}

TEST_F(RunLabOnGpu, ADebugBuildRuns) {
  run("--debug --from solutions 03 --size 64 --repeat 0");
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_TRUE(std::filesystem::exists(build.path() / "run/03-tiled.debug"));
  EXPECT_THAT(result.output, Not(HasSubstr("median")));
}

}  // namespace
}  // namespace tessera
