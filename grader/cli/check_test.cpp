#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/cli/test_program.h"

namespace tessera {
namespace {

using testing::HasSubstr;

constexpr const char* kAxpy = R"(#include <tessera/lab.cuh>
__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void fill(Matrix<double> m) { m(threadIdx.y, threadIdx.x) = 1; }
)";

class CheckCommand : public testing::Test {
 protected:
  CheckCommand() { folder_.write("axpy.cu", kAxpy); }

  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"check", "axpy.cu"});
    return run_program(folder_, std::move(arguments));
  }

  ProgramResult axpy(const std::string& n, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"--kernel", "axpy",
                                          "--grid",   "4",
                                          "--block",  "32",
                                          "--arg",    "float32=2.5",
                                          "--arg",    "float32[100]=uniform",
                                          "--arg",    "float32[100]=integers",
                                          "--arg",    "int32=" + n};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }

  TestFolder folder_;
};

TEST_F(CheckCommand, ACleanKernelHasMetricsAndNoFindings) {
  const ProgramResult result = axpy("100", {"--json", "c.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("nothing found"));
  EXPECT_THAT(result.out, HasSubstr("global_load_requests"));
  const auto json = nlohmann::json::parse(*read_file(folder_.path() / "c.json"));
  EXPECT_TRUE(json["findings"].empty());
  EXPECT_EQ(json["metrics"]["global_load_requests"], 8);
  EXPECT_TRUE(json["seconds"].contains("compile"));
  EXPECT_TRUE(json["seconds"].contains("run"));
}

TEST_F(CheckCommand, ATimeIsModelledAndCalledSo) {
  const ProgramResult result = axpy("100", {"--json", "c.json"});
  EXPECT_THAT(result.out, HasSubstr("modelled, not measured: "));
  EXPECT_THAT(result.out, HasSubstr("limited by the launch itself"));
  const auto json = nlohmann::json::parse(*read_file(folder_.path() / "c.json"));
  EXPECT_GT(json["metrics"]["modelled_time_ms"], 0);
}

TEST_F(CheckCommand, ATimeAloneChecksNothingAndSaysSo) {
  const ProgramResult result = axpy("100", {"--time-only", "--json", "c.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("not checked: only a few blocks were run"));
  const auto json = nlohmann::json::parse(*read_file(folder_.path() / "c.json"));
  EXPECT_GT(json["metrics"]["modelled_time_ms"], 0);
  EXPECT_FALSE(json["metrics"].contains("global_load_requests"));
}

TEST_F(CheckCommand, AnAccessOutOfBoundsIsQuoted) {
  const ProgramResult result = axpy("128");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("out-of-bounds  axpy.cu:4"));
  EXPECT_THAT(result.out, HasSubstr("        4 |   if (i < n) y[i] += a * x[i];"));
}

TEST_F(CheckCommand, BuffersAreCalledByTheKernelsParameters) {
  const auto findings = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "c.json"});
    EXPECT_EQ(run(std::move(arguments)).status, 1);
    return nlohmann::json::parse(*read_file(folder_.path() / "c.json"))["findings"];
  };
  // x is 28 elements short.
  const auto pointer =
      findings({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=1", "--arg",
                "float32[100]=ones", "--arg", "float32[128]=ones", "--arg", "int32=128"});
  ASSERT_EQ(pointer.size(), 1u);
  EXPECT_EQ(pointer[0]["kind"], "out-of-bounds");
  EXPECT_EQ(pointer[0]["example"]["element"], "x[100]");
  EXPECT_EQ(pointer[0]["count"], 28);
  EXPECT_THAT(pointer[0]["message"].get<std::string>(), HasSubstr("x[100]"));
  const auto matrix = findings(
      {"--kernel", "fill", "--grid", "1", "--block", "8,5", "--arg", "matrix:float64[4,8]=zeros"});
  ASSERT_EQ(matrix.size(), 1u);
  EXPECT_EQ(matrix[0]["example"]["element"], "m[4][0]");
}

TEST_F(CheckCommand, AnUnwrittenArrayMayBeWrittenButNotRead) {
  const ProgramResult write = run({"--kernel", "fill", "--grid", "1", "--block", "8,4", "--arg",
                                   "matrix:float64[4,8]=unwritten"});
  EXPECT_EQ(write.status, 0) << write.out << write.err;
  EXPECT_THAT(write.out, HasSubstr("nothing found"));
  const ProgramResult read =
      run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=1", "--arg",
           "float32[100]=ones", "--arg", "float32[100]=unwritten", "--arg", "int32=100"});
  EXPECT_EQ(read.status, 1);
  EXPECT_THAT(read.out, HasSubstr("uninitialized-read  axpy.cu:4"));
  EXPECT_THAT(read.out, HasSubstr("reads y[0]"));
  EXPECT_THAT(read.out, HasSubstr("100 times"));
}

TEST_F(CheckCommand, EachLineIsShownWithWhatItAsksOfMemory) {
  const ProgramResult result = axpy("100", {"--json", "c.json"});
  EXPECT_THAT(result.out, HasSubstr("what each line asks of memory"));
  const auto lines = nlohmann::json::parse(*read_file(folder_.path() / "c.json"))["lines"];
  ASSERT_EQ(lines.size(), 2u);
  // 4 warps, the last with 4 lanes, load x and y and store y.
  EXPECT_EQ(lines[0]["line"], 4);
  EXPECT_EQ(lines[0]["access"], "load");
  EXPECT_EQ(lines[0]["requests"], 8);
  EXPECT_EQ(lines[0]["sectors"], 2 * (3 * 4 + 1));
  EXPECT_EQ(lines[0]["ideal"], lines[0]["sectors"]);
  EXPECT_EQ(lines[0]["advice"], "");
  EXPECT_EQ(lines[1]["access"], "store");
  EXPECT_EQ(lines[1]["requests"], 4);
}

TEST_F(CheckCommand, ALineThatWalksDownAColumnIsAdvised) {
  folder_.write("axpy.cu", R"(#include <tessera/lab.cuh>
__global__ void transpose(Matrix<const float> in, Matrix<float> out) {
  out(threadIdx.y, threadIdx.x) = in(threadIdx.x, threadIdx.y);
}
)");
  const ProgramResult result = run({"--kernel", "transpose", "--grid", "1", "--block", "32,32",
                                    "--arg", "matrix:float32[32,32]=uniform", "--arg",
                                    "matrix:float32[32,32]=unwritten", "--json", "c.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("walk down a column of in"));
  EXPECT_THAT(result.out, HasSubstr("32 sectors a request"));
  const auto lines = nlohmann::json::parse(*read_file(folder_.path() / "c.json"))["lines"];
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["sectors"], 32 * 32);
  // 128 bytes from any word of a sector on: 4 sectors if they start with a sector, else 5.
  EXPECT_EQ(lines[0]["ideal"], 4 * 4 + 28 * 5);
  EXPECT_EQ(lines[1]["advice"], "");
}

TEST_F(CheckCommand, AMatrixIsPassedByValue) {
  const ProgramResult right = run(
      {"--kernel", "fill", "--grid", "1", "--block", "8,4", "--arg", "matrix:float64[4,8]=zeros"});
  EXPECT_EQ(right.status, 0) << right.out << right.err;
  const ProgramResult small = run(
      {"--kernel", "fill", "--grid", "1", "--block", "8,5", "--arg", "matrix:float64[4,8]=zeros"});
  EXPECT_EQ(small.status, 1);
}

TEST_F(CheckCommand, FilesAreArguments) {
  folder_.write_npy("x.npy", 1, 100);
  const ProgramResult result =
      run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=1", "--arg",
           "float32[100]=x.npy", "--arg", "float32[100]=zeros", "--arg", "int32=100"});
  EXPECT_EQ(result.status, 0) << result.err;
  const ProgramResult wrong =
      run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=1", "--arg",
           "float32[99]=x.npy", "--arg", "float32[100]=zeros", "--arg", "int32=100"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("x.npy"));
}

TEST_F(CheckCommand, AnArgumentOfAnotherTypeIsRefused) {
  const ProgramResult result =
      run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "int32=1", "--arg",
           "float32[100]=ones", "--arg", "float32[100]=ones", "--arg", "int32=100"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--arg int32=1: parameter 1 of axpy(float, float const*, "
                                    "float*, int) is a float; write float32=NUMBER"));
}

TEST_F(CheckCommand, TwoParametersMayLeadIntoOneArray) {
  const ProgramResult result =
      run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=1", "--arg",
           "float32[101]=ones", "--arg", "&x[1]", "--arg", "int32=100"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("race  axpy.cu:4"));
}

TEST_F(CheckCommand, StructuresAreArguments) {
  folder_.write("axpy.cu", R"(struct Span { float* data; int size; };
__global__ void fill(Span span, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < span.size) span.data[i] = value;
}
)");
  const auto with_size = [&](const std::string& size) {
    return run({"--kernel", "fill", "--grid", "4", "--block", "32", "--arg",
                "struct:float32[100]=unwritten,int32=" + size, "--arg", "float32=2", "--out",
                "span.1=filled.npy"});
  };
  EXPECT_EQ(with_size("100").status, 0) << with_size("100").err;
  EXPECT_THAT(with_size("101").out, HasSubstr("out-of-bounds  axpy.cu:4"));
}

TEST_F(CheckCommand, ArraysAreWrittenToFiles) {
  const ProgramResult result = axpy("100", {"--out", "y=y.npy"});
  EXPECT_EQ(result.status, 0) << result.err;
  const ProgramResult again =
      run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=0", "--arg",
           "float32[100]=uniform", "--arg", "float32[100]=y.npy", "--arg", "int32=100", "--out",
           "y=again.npy"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(*read_file(folder_.path() / "y.npy"), *read_file(folder_.path() / "again.npy"));
  EXPECT_THAT(axpy("100", {"--out", "z=z.npy"}).err, HasSubstr("no array is called z"));
  EXPECT_THAT(axpy("100", {"--out", "y"}).err, HasSubstr("write NAME=FILE.npy"));
}

TEST_F(CheckCommand, AnArrayMayBeWrittenInPart) {
  const auto with_n = [&](const std::string& n) {
    return run({"--kernel", "axpy", "--grid", "4", "--block", "32", "--arg", "float32=1", "--arg",
                "float32[100]=ones@60", "--arg", "float32[100]=ones", "--arg", "int32=" + n});
  };
  EXPECT_EQ(with_n("60").status, 0) << with_n("60").out;
  const ProgramResult beyond = with_n("61");
  EXPECT_EQ(beyond.status, 1);
  EXPECT_THAT(beyond.out, HasSubstr("reads x[60]"));
}

TEST_F(CheckCommand, WarningsEndWithTheStatusThatIsAskedFor) {
  folder_.write("axpy.cu", R"(__global__ void k(int* out) {
  __shared__ int shared[32];
  shared[threadIdx.x] = 1;
  if (threadIdx.x >= 16) return;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x];
}
)");
  const auto status = [&](const std::string& fail_on) {
    return run({"--kernel", "k", "--grid", "1", "--block", "32", "--arg", "int32[16]=unwritten",
                "--fail-on", fail_on})
        .status;
  };
  EXPECT_EQ(status("error"), 0);
  EXPECT_EQ(status("warning"), 1);
  EXPECT_EQ(status("info"), 1);
  EXPECT_EQ(status("hint"), 2);
}

TEST_F(CheckCommand, FindingsAreWrittenForCodeScanning) {
  EXPECT_EQ(axpy("128", {"--sarif", "c.sarif"}).status, 1);
  const auto log = nlohmann::json::parse(*read_file(folder_.path() / "c.sarif"));
  const auto result = log["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "out-of-bounds");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "axpy.cu");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
  EXPECT_EQ(nlohmann::json::parse(axpy("100", {"--sarif", "-"}).out)["version"], "2.1.0");
  EXPECT_EQ(axpy("100", {"--sarif", "-", "--json", "-"}).status, 2);
  EXPECT_EQ(axpy("100", {"--sarif", "no/such/folder/c.sarif"}).status, 2);
}

TEST_F(CheckCommand, PtxIsCheckedByItsOwnLines) {
  folder_.write("twice.ptx", R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 twice_param_0, .param .u32 twice_param_1)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .loc 1 77 3
  ld.param.u64 %rd1, [twice_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd3, %rd2, %rd3;
  ld.global.u32 %r2,
      [%rd3];  // not the first line of its statement
  add.s32 %r2, %r2, %r2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)");
  const auto with_size = [&](const std::string& size) {
    return run_program(folder_,
                       {"check", "twice.ptx", "--kernel", "twice", "--grid", "1", "--block", "32",
                        "--arg", "int32[" + size + "]=ones", "--arg", "int32=0"});
  };
  EXPECT_EQ(with_size("32").status, 0) << with_size("32").out << with_size("32").err;
  const ProgramResult small = with_size("31");
  EXPECT_EQ(small.status, 1) << small.err;
  EXPECT_THAT(small.out, HasSubstr("out-of-bounds  twice.ptx:15"));
  EXPECT_THAT(small.out, HasSubstr("out-of-bounds  twice.ptx:18"));
  EXPECT_THAT(small.out, HasSubstr("       18 |   st.global.u32 [%rd3], %r2;"));
  folder_.write("twice.ptx", ".version 8.0\n.target sm_80\n.address_size 64\nnonsense\n");
  const ProgramResult broken = with_size("32");
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, HasSubstr("twice.ptx:4"));
}

TEST_F(CheckCommand, ALaunchBeyondTheDeviceIsAFinding) {
  const ProgramResult result = run({"--kernel", "fill", "--grid", "1", "--block", "64,64", "--arg",
                                    "matrix:float64[4,8]=zeros"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("bad-launch"));
}

TEST_F(CheckCommand, ASourceMayHaveHeadersOfItsOwn) {
  folder_.write("own.cu", R"(#include <cuda_runtime.h>
#include <stdint.h>
#include "deep/put.cuh"
#include <scale.h>
__global__ void k(int* out, uint32_t n) { put(out, threadIdx.x + 1, SCALE * n); }
)");
  folder_.write("deep/put.cuh", R"(#pragma once
#include "../types.h"
#include <stdio.h>
inline __device__ void put(int* out, index_t i, int value) {
  out[i] = value;
}
)");
  folder_.write("types.h", "using index_t = unsigned;\n");
  folder_.write("elsewhere/scale.h", "#define SCALE 3\n");
  const std::vector<std::string> launch = {
      "check", "own.cu", "--kernel",           "k",     "--grid",  "1", "--block",
      "4",     "--arg",  "int32[4]=unwritten", "--arg", "uint32=5"};
  const ProgramResult missing = run_program(folder_, launch);
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.out, HasSubstr("own.cu:4"));
  EXPECT_THAT(missing.out, HasSubstr("\"scale.h\" is not found"));
  EXPECT_THAT(missing.out, HasSubstr("--include DIR adds a folder"));
  std::vector<std::string> whole = launch;
  whole.insert(whole.end(), {"--include", "elsewhere"});
  const ProgramResult result = run_program(folder_, whole);
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("out-of-bounds  own.cu:5")) << "the line of the call";
  whole.back() = "nowhere";
  EXPECT_EQ(run_program(folder_, whole).status, 2);
}

TEST_F(CheckCommand, AKernelInAHeaderIsCheckedByTheHeadersLines) {
  folder_.write("all.cu", "#include \"kernels.cuh\"\n");
  folder_.write("kernels.cuh", R"(__global__ void k(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
)");
  const ProgramResult result =
      run_program(folder_, {"check", "all.cu", "--kernel", "k", "--grid", "1", "--block", "64",
                            "--arg", "int32[64]=integers", "--arg", "int32[64]=unwritten"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("race  kernels.cuh:4"));
  EXPECT_THAT(result.out, HasSubstr("missing between line 3 and line 4"));
}

TEST_F(CheckCommand, ErrorsInHeadersNameThem) {
  folder_.write("all.cu", "#include \"broken.cuh\"\n__global__ void k() { f(); }\n");
  folder_.write("broken.cuh", "\n__device__ int f() { return unheard; }\n");
  const ProgramResult result =
      run_program(folder_, {"check", "all.cu", "--kernel", "k", "--grid", "1", "--block", "1"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("unheard"));
  EXPECT_THAT(result.out, HasSubstr("(in broken.cuh:2)"));
}

TEST_F(CheckCommand, NoHeaderOutsideOfItsFoldersIsRead) {
  folder_.write("secret.h", "__global__ void k() { int secret = unheard; }\n");
  folder_.write("inner/all.cu", "#include \"../secret.h\"\n");
  const ProgramResult result = run_program(
      folder_, {"check", "inner/all.cu", "--kernel", "k", "--grid", "1", "--block", "1"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_THAT(result.out, testing::Not(HasSubstr("unheard")));
  folder_.write("inner/all.cu",
                "#if 0\n#include \"../secret.h\"\n#endif\n"
                "#include \"k.cuh\"\n");
  folder_.write("inner/k.cuh", "__global__ void k(int* out) { out[1] = 0; }\n");
  const ProgramResult skipped =
      run_program(folder_, {"check", "inner/all.cu", "--kernel", "k", "--grid", "1", "--block", "1",
                            "--arg", "int32[1]=zeros"});
  EXPECT_THAT(skipped.out, HasSubstr("out-of-bounds  k.cuh:1")) << skipped.err;
}

TEST_F(CheckCommand, CompileErrorsAreFindings) {
  folder_.write("axpy.cu", "__global__ void axpy() { int x = ; }\n");
  const ProgramResult result = run({"--kernel", "axpy", "--grid", "1", "--block", "1"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("does-not-compile  axpy.cu:1"));
}

TEST_F(CheckCommand, UsageMistakesAreNamed) {
  const auto error = [this](std::vector<std::string> arguments) {
    const ProgramResult result = run(std::move(arguments));
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  const std::vector<std::string> shape = {"--grid", "1", "--block", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), shape.begin(), shape.end());
    return error(std::move(more));
  };
  EXPECT_THAT(with({"--kernel", "axpi"}), HasSubstr("did you mean 'axpy'?"));
  EXPECT_THAT(with({"--kernel", "axpy"}), HasSubstr("takes 4 arguments, 0 given"));
  EXPECT_THAT(with({"--kernel", "fill", "--arg", "int32=4"}),
              HasSubstr("has 4 bytes, parameter 1"));
  EXPECT_THAT(with({"--kernel", "fill", "--arg", "float31=4"}),
              HasSubstr("did you mean 'float32'?"));
  EXPECT_THAT(with({"--kernel", "fill", "--arg", "float32[4]=unifrm"}), HasSubstr("uniform"));
  EXPECT_THAT(error({"--kernel", "fill", "--grid", "1,x", "--block", "1"}),
              HasSubstr("--grid 1,x"));
  EXPECT_THAT(error({"--kernel", "fill", "--grid", "1"}), HasSubstr("--block"));
  EXPECT_EQ(
      run_program(folder_, {"check", "none.cu", "--kernel", "x", "--grid", "1", "--block", "1"})
          .status,
      2);
}

TEST_F(CheckCommand, ALinkOutOfItsFolderIsRefused) {
  std::filesystem::create_directories(folder_.path() / "mine");
  std::filesystem::create_symlink("../axpy.cu", folder_.path() / "mine/kernel.cu");
  const ProgramResult result = run_program(
      folder_, {"check", "mine/kernel.cu", "--kernel", "fill", "--grid", "1", "--block", "1"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("leads out of its folder"));
}

TEST_F(CheckCommand, ABlockBeyondTheLaunchBoundsIsABadLaunch) {
  folder_.write("axpy.cu", "__global__ void __launch_bounds__(32) k() {}\n");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--time-only"}}) {
    std::vector<std::string> arguments = {"--kernel", "k", "--grid", "1", "--block", "64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_THAT(result.out, HasSubstr("a block of 64 threads does not fit: because of its "
                                      "__launch_bounds__ this kernel runs in blocks"));
  }
}

/// Configures and tests a project that has one call of tessera_check(); returns its status and all
/// that it prints.
ProgramResult test_project(const TestFolder& folder, const std::string& call) {
  folder.write("axpy.cu", kAxpy);
  folder.write("CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\n"
               "enable_testing()\nfind_package(tessera REQUIRED)\n" +
                   call);
  const std::string command = "cd '" + folder.path().string() +
                              "' && exec >log 2>&1 && cmake -S . -B b -DTESSERA_PROGRAM='" +
                              TESSERA_PROGRAM
                              "' -Dtessera_DIR='" TESSERA_SOURCE_DIR
                              "/grader/package' && ctest --test-dir b --output-on-failure";
  const int status = std::system(command.c_str());
  return {.status = status, .out = *read_file(folder.path() / "log"), .err = ""};
}

TEST(TesseraCheckInCMake, IsATestOfTheProject) {
  const TestFolder folder;
  const auto with = [&](const std::string& n, const std::string& more) {
    return test_project(folder, "tessera_check(axpy FILE axpy.cu KERNEL axpy GRID 4 BLOCK 32 " +
                                    more +
                                    " ARGS float32=2.5 float32[100]=uniform "
                                    "float32[100]=integers int32=" +
                                    n + ")");
  };
  const ProgramResult clean = with("100", "FAIL_ON info SHARED 16");
  EXPECT_EQ(clean.status, 0) << clean.out;
  EXPECT_THAT(clean.out, HasSubstr("100% tests passed"));
  const ProgramResult broken = with("101", "SARIF axpy.sarif");
  EXPECT_NE(broken.status, 0);
  EXPECT_THAT(broken.out, HasSubstr("out-of-bounds  axpy.cu:4"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "axpy.sarif"));
  EXPECT_THAT(with("100", "GIRD 4").out, HasSubstr("unknown argument GIRD"));
  folder.write("own.cu", "#include \"one.h\"\n__global__ void k(int* out) { out[ONE] = 0; }\n");
  folder.write("headers/one.h", "#define ONE 1\n");
  const std::string own =
      "tessera_check(own FILE own.cu KERNEL k GRID 1 BLOCK 1 ARGS int32[1]=zeros";
  EXPECT_THAT(test_project(folder, own + ")").out, HasSubstr("\"one.h\" is not found"));
  EXPECT_THAT(test_project(folder, own + " INCLUDE headers)").out,
              HasSubstr("out-of-bounds  own.cu:2"));
  EXPECT_THAT(test_project(folder, "tessera_check(axpy FILE axpy.cu KERNEL axpy GRID 4)").out,
              HasSubstr("BLOCK is missing"));
}

TEST(DoctorCommand, SaysWhatThisMachineOffers) {
  const TestFolder folder;
  const ProgramResult result = run_program(folder, {"doctor"});
  EXPECT_TRUE(result.status == 0 || result.status == 3);
  for (const char* word : {"nvrtc", "clang", "simulator", "gpu", "isolation", "nvidia-h200"}) {
    EXPECT_THAT(result.out, HasSubstr(word));
  }
}

TEST(StartCommand, SaysThatTheReferencesAreThere) {
  const TestFolder folder;
  const ProgramResult result = run_program(folder, {"start", "course"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("course/labs holds 18 labs"));
  EXPECT_THAT(result.out, HasSubstr("course/solutions holds the references, because the package"));
}

TEST(Program, NeedsACommand) {
  const TestFolder folder;
  EXPECT_EQ(run_program(folder, {}).status, 2);
  EXPECT_EQ(run_program(folder, {"--help"}).status, 0);
  EXPECT_EQ(run_program(folder, {"--version"}).status, 0);
  EXPECT_EQ(run_program(folder, {"grad"}).status, 2);
}

}  // namespace
}  // namespace tessera
