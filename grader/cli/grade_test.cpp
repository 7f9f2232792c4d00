#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/cli/test_program.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* kLab = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 16, n: 16, k: 16, data: integers}
    - {m: 19, n: 13, k: 7, data: uniform}
performance:
  shape: {m: 512, n: 512, k: 512}
  thresholds:
    - {metric: time_ms, full: 1, zero: 2, points: 10}
)";

constexpr const char* kLargeLab = R"(title: Large
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 512, n: 512, k: 512}
)";

std::string kernel(const std::string& body) {
  return R"(#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  )" + body +
         R"(
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";
}

std::string right_kernel() {
  return kernel(R"(if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);
  C(row, column) = sum;)");
}

class GradeCommand : public testing::Test {
 protected:
  GradeCommand() {
    for (const std::string lab : {"01-naive", "03-tiled"}) {
      folder_.write("labs/" + lab + "/lab.yaml", kLab);
      folder_.write("labs/" + lab + "/kernel.cu", kernel(""));
      folder_.write("solutions/" + lab + "/kernel.cu", right_kernel());
    }
  }

  /// The arguments of a grading that is the same on a machine with a GPU.
  static std::vector<std::string> without_gpu(std::vector<std::string> arguments) {
    if (std::ranges::find(arguments, "--backend") == arguments.end())
      arguments.insert(arguments.begin(), {"--backend", "simulator"});
    arguments.insert(arguments.begin(), "grade");
    return arguments;
  }

  ProgramResult run(std::vector<std::string> arguments) const {
    return run_program(folder_, without_gpu(std::move(arguments)));
  }

  Json json(const std::string& name) const {
    const auto text = read_file(folder_.path() / name);
    return text ? Json::parse(*text) : Json();
  }

  /// Usage mistakes end with status 2, say why, and grade nothing.
  void expect_usage(std::vector<std::string> arguments, const std::string& message) const {
    const ProgramResult result = run(std::move(arguments));
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(result.out, Not(HasSubstr("points")));
  }

  TestFolder folder_;
};

TEST_F(GradeCommand, SolutionsWinEveryMeasurablePoint) {
  const ProgramResult result = run({"--from", "solutions", "--json", "r.json", "--seed", "42"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("03-tiled  20.0 / 20.0 points, 10.0 deferred (need a GPU)"));
  EXPECT_THAT(result.out, HasSubstr("2 labs  40.0 / 40.0 points"));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
  const Json records = json("r.json");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1]["lab"], "03-tiled");
  EXPECT_EQ(records[1]["score"], 20.0);
  EXPECT_EQ(records[1]["deferred"], 10.0);
  EXPECT_EQ(records[1]["seed"], 42);
  EXPECT_EQ(records[1]["items"].size(), 3u);
}

TEST_F(GradeCommand, SkeletonsAreAFriendlyPage) {
  const ProgramResult result = run({});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("Nothing written yet: open labs/03-tiled/README.md"));
  EXPECT_THAT(result.out, Not(HasSubstr("fail")));
}

TEST_F(GradeCommand, OneLabMayLieInTheFolderItself) {
  folder_.write("mine/kernel.cu", right_kernel());
  const ProgramResult result = run({"3", "--from", "mine", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(json("r.json")["submission"]["path"], "mine/kernel.cu");
}

TEST_F(GradeCommand, AMissingLabIsReportedAndTheOthersGoOn) {
  std::filesystem::remove(folder_.path() / "solutions/01-naive/kernel.cu");
  const ProgramResult result = run({"--from", "solutions"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("there is no solutions/01-naive/kernel.cu"));
  EXPECT_THAT(result.out, HasSubstr("03-tiled  20.0 / 20.0 points"));
}

TEST_F(GradeCommand, AFailedCaseIsExplained) {
  folder_.write("mine/kernel.cu", kernel("C(row, column) = A(row, column);"));
  const ProgramResult result = run({"03", "--from", "mine", "--seed", "1"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("wrong-result  in case 1"));
  EXPECT_THAT(result.out, HasSubstr("        5 |   C(row, column) = A(row, column);"));
}

TEST_F(GradeCommand, ExplainShowsTheSourceWithWhatEachLineAsks) {
  const ProgramResult plain = run({"03", "--from", "solutions"});
  EXPECT_THAT(plain.out, Not(HasSubstr("what each line asks of memory")));
  const ProgramResult result = run({"03", "--from", "solutions", "--explain", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("what each line asks of memory"));
  EXPECT_THAT(result.out, HasSubstr("for (int i = 0; i < A.width; ++i)"));
  EXPECT_THAT(result.out, HasSubstr("03-tiled  20.0 / 20.0 points"));
  const Json lines = json("r.json")["lines"];
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["access"], "load");
  EXPECT_EQ(lines[0]["memory"], "global");
  EXPECT_GT(lines[0]["requests"], 0);
  EXPECT_EQ(lines[1]["access"], "store");
}

TEST_F(GradeCommand, ExplainOfASkeletonSaysThatThereIsNothing) {
  const ProgramResult result = run({"03", "--explain"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("Nothing written yet"));
}

TEST_F(GradeCommand, TheSeedRepeatsARun) {
  folder_.write("mine/kernel.cu", kernel("C(row, column) = A(0, 0);"));
  const std::string first = run({"03", "--from", "mine", "--seed", "5"}).out;
  EXPECT_EQ(run({"03", "--from", "mine", "--seed", "5", "--threads", "1"}).out, first);
  EXPECT_NE(run({"03", "--from", "mine", "--seed", "6"}).out, first);
}

TEST_F(GradeCommand, AFreshSeedCanBeTyped) {
  run({"03", "--json", "r.json"});
  EXPECT_LE(json("r.json")["seed"].get<std::uint64_t>(), 0xffffffffu);
}

TEST_F(GradeCommand, WorksFromAFolderInside) {
  const ProgramResult result =
      run({"03", "--labs", (folder_.path() / "labs").string(), "--from", "solutions"});
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(GradeCommand, HiddenCasesAreFoundBesideTheLabs) {
  folder_.write("solutions/03-tiled/hidden.yaml", "cases:\n  - {m: 33, n: 5, k: 3}\n");
  const ProgramResult result = run({"03", "--from", "solutions", "--seed", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("hidden case 1"));
  EXPECT_THAT(result.out, Not(HasSubstr("33")));
}

TEST_F(GradeCommand, BothCompilersGiveTheSameScore) {
  for (const std::string compiler : {"nvrtc", "clang"}) {
    const ProgramResult result =
        run({"03", "--from", "solutions", "--compiler", compiler, "--json", "r.json"});
    if (result.status == 3) continue;  // not on this machine
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_THAT(json("r.json")["compiler"].get<std::string>(), HasSubstr(compiler));
  }
}

TEST_F(GradeCommand, JsonOnStandardOutputIsAloneThere) {
  const ProgramResult result = run({"03", "--from", "solutions", "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["lab"], "03-tiled");
  EXPECT_EQ(Json::parse(run({"--json", "-"}).out).size(), 2u);
}

TEST_F(GradeCommand, GradescopesResultsAreAloneOnStandardOutput) {
  const ProgramResult result =
      run({"03", "--from", "solutions", "--format", "gradescope", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const Json results = Json::parse(result.out);
  EXPECT_EQ(results["score"], json("r.json")["score"]);
  EXPECT_EQ(results["tests"][0]["status"], "passed");
  EXPECT_EQ(Json::parse(run({"--format", "gradescope"}).out)["score"], 0.0);
}

TEST_F(GradeCommand, APageHoldsEveryLabAndIsAloneOnStandardOutput) {
  const ProgramResult result = run({"--format", "html", "--json", "r.json"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(result.out.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_EQ(result.out.substr(result.out.size() - 8), "</html>\n");
  for (const Json& record : json("r.json"))
    EXPECT_NE(result.out.find(">" + record["lab"].get<std::string>() + "<"), std::string::npos);
}

TEST_F(GradeCommand, UsageMistakesAreNamed) {
  expect_usage({"09"}, "no lab '09'");
  expect_usage({"tile"}, "did you mean 'tiled'?");
  expect_usage({"--from", "nowhere"}, "nowhere: no such directory");
  expect_usage({"--labs", "nowhere"}, "nowhere: no such directory");
  expect_usage({"--device", "nvidia-h20"}, "nvidia-h200");
  expect_usage({"--backend", "cpu"}, "cpu");
  expect_usage({"--seed", "x"}, "seed");
  expect_usage({"--seed", "-5"}, "seed");
  expect_usage({"--nonsense"}, "nonsense");
  expect_usage({"--format", "xml"}, "xml");
  expect_usage({"--format", "gradescope", "--json", "-"}, "give --json a file");
}

TEST_F(GradeCommand, AnUnwritableJsonIsFoundBeforeGrading) {
  folder_.write("file", "");
  expect_usage({"--json", "nowhere/r.json"}, "nowhere/r.json");
  expect_usage({"--json", "file/r.json"}, "file/r.json");
  expect_usage({"--json", "labs"}, "is a directory");
}

TEST_F(GradeCommand, AReadOnlyFolderStillGrades) {
  const auto locked = folder_.path() / "locked";
  std::filesystem::create_directories(locked);
  std::filesystem::permissions(
      locked, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (getuid() != 0) expect_usage({"--json", "locked/r.json"}, "locked/r.json");
  // A cache that cannot be made is no cache.
  folder_.write("cache", "a file where the cache should be");
  EXPECT_EQ(run({"03", "--from", "solutions"}).status, 0);
}

TEST_F(GradeCommand, BrokenLabsAreToldWithTheirPlace) {
  folder_.write("labs/01-naive/lab.yaml", "title: x\nkernal: y\n");
  const ProgramResult result = run({});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("labs/01-naive/lab.yaml:2:1: unknown key 'kernal'"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'kernel'?"));
}

TEST_F(GradeCommand, DataOfAnotherShapeIsABrokenLab) {
  std::string yaml = kLab;
  yaml.replace(yaml.find("data: uniform"), 13, "data: {A: small.npy, B: ones}");
  folder_.write("labs/03-tiled/lab.yaml", yaml);
  folder_.write_npy("datasets/small.npy", 2, 2);
  const ProgramResult result = run({"03"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("holds a 2 x 2 matrix; A is 19 x 7 here"));
}

TEST_F(GradeCommand, FiveMegabytesAreRefused) {
  folder_.write("mine/kernel.cu", right_kernel() + std::string(5 << 20, ' '));
  const ProgramResult result = run({"03", "--from", "mine"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("at most 1048576"));
}

TEST_F(GradeCommand, ControlCKeepsWhatWasGraded) {
  folder_.write("labs/05-large/lab.yaml", kLargeLab);
  folder_.write("solutions/05-large/kernel.cu", kernel("volatile int go = 1; while (go) {}"));
  RunningProgram program(folder_, without_gpu({"--from", "solutions", "--json", "r.json"}));
  EXPECT_TRUE(program.prints("03-tiled  20.0"));
  program.interrupt();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.status, 130);
  EXPECT_THAT(result.err, HasSubstr("interrupted; 2 of 3 labs graded"));
  EXPECT_EQ(json("r.json").size(), 2u);
}

}  // namespace
}  // namespace tessera
