// `make run` on a machine without a GPU: the programs compile, and every refusal says what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "common/run/run_lab.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kNoNvcc = "PATH=/usr/bin:/bin CUDA_PATH=/nowhere";

class Run : public ::testing::Test {
 protected:
  void expect_refusal(const std::string& arguments, int status, const std::string& output) const {
    const RunResult result = run_lab(build.path(), arguments);
    EXPECT_EQ(result.status, status) << arguments;
    EXPECT_EQ(result.output, output) << arguments;
  }

  /// Compiles the program; skips the test if nvcc is missing.
  void compile(const std::string& arguments) {
    const RunResult result = run_lab(build.path(), "--compile-only " + arguments);
    if (result.status == 3) GTEST_SKIP() << result.output;
    ASSERT_EQ(result.status, 0) << result.output;
    ASSERT_THAT(result.output, Not(HasSubstr("warning")));
  }

  RunResult program(const std::string& arguments) const { return run_lab(build.path(), arguments); }

  TemporaryDirectory build;
};

constexpr const char* kLabs =
    "there are 00-adjacent-difference 01-naive 02-single-block 03-tiled 04-boundary-checked "
    "05-transposed 06-dynamic-shared 07-transpose 08-reduction 09-stencil "
    "10-register-tile 11-vector-access 12-double-buffer 13-async-pipeline "
    "14-beyond-cublas 15-wmma 16-mma 17-wgmma\n";

TEST_F(Run, WithoutALabListsThem) {
  expect_refusal("''", 2, std::string("make run: which lab? make run LAB=03 N=1024; ") + kLabs);
}

TEST_F(Run, AnUnknownLabListsThem) {
  expect_refusal("77", 2, std::string("make run: no lab '77'; ") + kLabs);
}

TEST_F(Run, ALabWithAnOperationOfItsOwnHasNoHostProgram) {
  expect_refusal(
      "07", 2,
      "make run: 07-transpose declares its operation itself; there is a host program for "
      "those of the kit alone.\nmake run: Write one like common/run/matmul.cu, or: make "
      "grade LAB=07\n");
}

TEST(Makefile, SaysHowALabIsNamed) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"grade 03", "write: make grade LAB=03"},
      {"watch 7", "write: make watch LAB=7"},
      {"grade lab=03", "write LAB in capitals: make grade LAB=03"},
      {"run Lab=tiled", "write LAB in capitals: make run LAB=tiled"}};
  for (const auto& [words, message] : mistakes) {
    const RunResult result = run_command("make -C '" TESSERA_SOURCE_DIR "' " + words);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_THAT(result.output, HasSubstr(message)) << words;
  }
}

TEST_F(Run, AFolderWithoutTheKernelIsNamed) {
  expect_refusal("--from nowhere 03", 2, "make run: no nowhere/03-tiled/kernel.cu\n");
}

TEST_F(Run, WithoutNvccSaysWhatWorksWithoutIt) {
  const RunResult result = run_lab(build.path(), "tiled", kNoNvcc);
  if (result.status != 3) GTEST_SKIP() << "nvcc is in /usr/bin";
  EXPECT_EQ(result.output,
            "make run: no nvcc here. The program is compiled with the CUDA Toolkit, 12 or newer, "
            "and runs on a GPU.\n"
            "make run: If the Toolkit is installed, put its folder bin into PATH, or set "
            "CUDA_PATH.\n"
            "make run: Without a GPU and without the Toolkit: make grade LAB=03\n");
}

TEST_F(Run, AReferenceCompilesOnceAndItsOptionsAreChecked) {
  compile("--from solutions 6");
  if (IsSkipped() || HasFatalFailure()) return;
  const RunResult help = program("--from solutions dynamic-shared --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.output,
            "Options and their defaults:\n"
            "  --size N           all extents at once\n"
            "  --block 16\n"
            "  --k 2048\n"
            "  --m 2048\n"
            "  --n 2048\n"
            "  --memory explicit  or pinned, managed (without and with prefetching), all\n"
            "  --repeat 10        timed launches after the first one; 0 under ncu or a debugger\n"
            "  --seed 1           of the inputs\n");
  for (const auto& [arguments, message] : std::map<std::string, std::string>{
           {"--size 0", "--size takes a whole number from 1 to 2^30, not '0'."},
           {"--m 1e3", "--m takes a whole number from 1 to 2^30, not '1e3'."},
           {"--n", "--n needs a value."},
           {"--memory shared", "No such memory: shared."},
           {"--blok 4", "Unknown option --blok."},
           {"1024 1024", "Unknown option 1024."}}) {
    const RunResult result = program("--from solutions 06 " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_THAT(result.output, testing::StartsWith(message + "\nOptions")) << arguments;
  }
}

TEST_F(Run, ASkeletonCompilesAndWithoutAGpuSaysSo) {
  compile("00");
  if (IsSkipped() || HasFatalFailure()) return;
  const RunResult result = program("00 --n 1000");
  if (result.status != 3) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THAT(result.output, HasSubstr("No GPU to run on: the"));
  EXPECT_THAT(result.output, HasSubstr("Without a GPU: make grade LAB=00-adjacent-difference\n"));
}

}  // namespace
}  // namespace tessera
