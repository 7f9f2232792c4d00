#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "common/seed.h"
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
  EXPECT_THAT(result.out, HasSubstr("03-tiled  nothing written yet: labs/03-tiled/README.md\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("fail")));
  EXPECT_THAT(run({"03"}).out, HasSubstr("Nothing written yet: open labs/03-tiled/README.md"));
}

TEST_F(GradeCommand, OneLabMayLieInTheFolderItself) {
  folder_.write("mine/kernel.cu", right_kernel());
  const ProgramResult result = run({"3", "--from", "mine", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(json("r.json")["submission"]["path"], "mine/kernel.cu");
}

TEST_F(GradeCommand, ALinkOutOfTheSubmissionsIsRefused) {
  namespace fs = std::filesystem;
  const fs::path solutions = folder_.path() / "solutions";
  fs::create_directories(folder_.path() / "mine/03-tiled");
  fs::create_symlink(solutions / "03-tiled/kernel.cu", folder_.path() / "mine/03-tiled/kernel.cu");
  fs::create_directory_symlink(solutions / "01-naive", folder_.path() / "mine/01-naive");
  const ProgramResult result = run({"--from", "mine"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("2 labs  0.0 / 60.0 points"));
  for (const std::string lab : {"01-naive", "03-tiled"}) {
    EXPECT_THAT(result.out, HasSubstr("mine/" + lab + "/kernel.cu: is a link, or lies behind one"));
  }
}

TEST_F(GradeCommand, AFolderOfSubmissionsMayBeALink) {
  std::filesystem::create_directory_symlink("solutions", folder_.path() / "mine");
  const ProgramResult result = run({"--from", "mine"});
  EXPECT_EQ(result.status, 0) << result.out;
}

TEST_F(GradeCommand, AMissingLabIsReportedAndTheOthersGoOn) {
  std::filesystem::remove(folder_.path() / "solutions/01-naive/kernel.cu");
  const ProgramResult result = run({"--from", "solutions"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("there is no solutions/01-naive/kernel.cu"));
  EXPECT_THAT(result.out, HasSubstr("03-tiled  20.0 / 20.0 points"));
}

TEST_F(GradeCommand, WithoutACompilerOneSentenceSaysSo) {
  setenv("TESSERA_CLANG", "/proc/none", 1);
  const ProgramResult result = run({"--from", "solutions", "--compiler", "clang"});
  unsetenv("TESSERA_CLANG");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "tessera: TESSERA_CLANG=/proc/none: there is no such program\n");
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

TEST_F(GradeCommand, AFreshSeedCanBeTypedAndNotTried) {
  std::uint64_t largest = 0;
  for (int i = 0; i < 3; ++i) {
    run({"03", "--json", "r.json"});
    const auto seed = json("r.json")["seed"].get<std::uint64_t>();
    EXPECT_LT(seed, kSeeds);
    largest = std::max(largest, seed);
  }
  EXPECT_GT(largest, 0xffffffffu) << "three of 49 bits are all below 2^32 once in 2^51 times";
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

TEST_F(GradeCommand, AFloodOfPrintfIsInNoReportAndCostsNoPoints) {
  folder_.write("mine/kernel.cu", kernel(R"(float sum = 0;
  for (int i = 0; i < A.width; ++i) {
    for (int again = 0; again < 20; ++again) printf("flood %d %f\n", row, sum);
    if (row < C.height && column < C.width) sum += A(row, i) * B(i, column);
  }
  if (row < C.height && column < C.width) C(row, column) = sum;)"));
  const ProgramResult result = run({"03", "--from", "mine", "--json", "r.json", "--format", "text",
                                    "--format", "html=r.html", "--format", "gradescope=g.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("flood 0")));
  for (const char* file : {"r.json", "r.html", "g.json"}) {
    const auto text = read_file(folder_.path() / file);
    ASSERT_TRUE(text) << file;
    EXPECT_THAT(*text, Not(HasSubstr("flood 0"))) << file;
    EXPECT_LT(text->size(), 100'000u) << file;
  }
}

TEST_F(GradeCommand, UsageMistakesAreNamed) {
  expect_usage({"09"}, "no lab '09'");
  expect_usage({"tile"}, "did you mean 'tiled'?");
  expect_usage({"--from", "nowhere"}, "nowhere: no such directory");
  expect_usage({"--labs", "nowhere"}, "nowhere: no such directory");
  expect_usage({"--device", "nvidia-h20"}, "nvidia-h200");
  expect_usage({"--backend", "cpu"}, "cpu");
  expect_usage({"--seed", "x"}, "seed");
  expect_usage({"--seed", "-5"}, "'-5' is no seed: a whole number from 0 to 18446744073709551615");
  expect_usage({"--seed", "99999999999999999999"}, "is no seed");
  expect_usage({"--nonsense"}, "nonsense");
  expect_usage({"--format", "xml"}, "xml");
  expect_usage({"--format", "gradescope", "--json", "-"}, "send --json to a file");
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
  // If no cache can be created, there is none.
  unsetenv("TESSERA_TEST_CACHE");
  folder_.write("cache", "a file where the cache should be");
  EXPECT_EQ(run({"03", "--from", "solutions"}).status, 0);
}

TEST_F(GradeCommand, BrokenLabsAreReportedWithTheirPlace) {
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

/// Sets a variable for the programs that a test runs.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

TEST_F(GradeCommand, SeveralFormatsAreFilesBesideTheTextOnTheTerminal) {
  const ProgramResult result = run(
      {"--from", "solutions", "--format", "junit=r.xml", "--format", "gradescope=r.json", "03"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("03-tiled  20.0 / 20.0 points, 10.0 deferred"));
  EXPECT_EQ(json("r.json")["score"], 20.0);
  EXPECT_THAT(json("r.json")["output"].get<std::string>(), Not(HasSubstr("stopped")));
  EXPECT_THAT(*read_file(folder_.path() / "r.xml"),
              HasSubstr("<testsuite name=\"03-tiled\" tests=\"3\" failures=\"0\" errors=\"0\" "
                        "skipped=\"1\""));
}

TEST_F(GradeCommand, JunitIsAloneOnStandardOutput) {
  const ProgramResult result = run({"--format", "junit"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, testing::StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
  EXPECT_THAT(result.out, testing::EndsWith("</testsuites>\n"));
}

TEST_F(GradeCommand, AutolabsLineIsTheLastAfterTheText) {
  const ProgramResult single = run({"03", "--from", "solutions", "--format", "autolab"});
  EXPECT_EQ(single.status, 0) << single.err;
  EXPECT_THAT(single.out, HasSubstr("03-tiled  20.0 / 20.0 points"));
  EXPECT_EQ(split_lines(single.out).back(),
            "{\"scores\":{\"Correctness\":20.0,\"Performance\":null},\"scoreboard\":[20.0,0.0]}");
  const ProgramResult all = run({"--from", "solutions", "--format", "autolab"});
  EXPECT_EQ(split_lines(all.out).back(),
            "{\"scores\":{\"01-naive\":20.0,\"03-tiled\":20.0},\"scoreboard\":[40.0,20.0,20.0]}");
}

TEST_F(GradeCommand, GithubGetsNotesAtLinesAndASummary) {
  // An array whose name is a command, in a line that the report quotes.
  folder_.write("mine/kernel.cu", kernel("/* ##[error]mine */ C(row, column) = A(row, column);"));
  folder_.write("summary.md", "of an earlier command\n");
  const Environment workspace("GITHUB_WORKSPACE", folder_.path());
  const Environment summary("GITHUB_STEP_SUMMARY", folder_.path() / "summary.md");
  const ProgramResult result = run({"03", "--from", "mine", "--format", "github"});
  EXPECT_EQ(result.status, 1);
  const std::vector<std::string> lines = split_lines(result.out);
  ASSERT_THAT(lines.front(), testing::StartsWith("::stop-commands::"));
  const std::string token = lines.front().substr(std::string("::stop-commands::").size());
  const std::size_t text_ends = result.out.find("\n::" + token + "::\n");
  EXPECT_LT(result.out.find("##[error]mine"), text_ends);
  EXPECT_EQ(result.out.find("##[error]mine", text_ends), std::string::npos);
  EXPECT_GT(result.out.find("\n::error file=mine/kernel.cu,line=5,col="), text_ends);
  EXPECT_THAT(*read_file(folder_.path() / "summary.md"),
              testing::AllOf(testing::StartsWith("of an earlier command\n## 0 of 30 points"),
                             HasSubstr("| **fail** | case 1: m=16 n=16 k=16 integers | 0 / 10 |")));
}

TEST_F(GradeCommand, AFullDiskIsReportedAndIsNoFaultOfTheStudents) {
  const ProgramResult file = run({"03", "--from", "solutions", "--format", "junit=/dev/full"});
  EXPECT_EQ(file.status, 3);
  EXPECT_THAT(file.err, HasSubstr("/dev/full: cannot be written: No space left on device"));
  EXPECT_THAT(file.out, HasSubstr("03-tiled  20.0 / 20.0 points"));
  std::filesystem::remove(folder_.path() / "out.txt");
  std::filesystem::create_symlink("/dev/full", folder_.path() / "out.txt");
  for (const std::string format : {"text", "junit", "github"}) {
    const ProgramResult printed = run({"03", "--from", "solutions", "--format", format});
    EXPECT_EQ(printed.status, 3) << format;
    EXPECT_EQ(printed.err, "tessera: standard output: cannot be written; is its disk full?\n");
  }
  EXPECT_EQ(run({"03", "--from", "solutions", "--json", "-"}).status, 3);
}

TEST_F(GradeCommand, AFormatThatCannotBeWrittenIsFoundBeforeGrading) {
  expect_usage({"--format", "html5"}, "--format html5: no such format");
  expect_usage({"--format", "junit=nowhere/r.xml"},
               "nowhere/r.xml: cannot be written: No such file or directory; create the directory "
               "'nowhere' first");
  expect_usage({"--format", "junit=labs"}, "labs: is a directory");
  expect_usage({"--json", "r.json", "--format", "gradescope=./r.json"},
               "--json r.json: a format is written to this file");
  expect_usage({"--json", "-", "--format", "junit"}, "standard output is for --format junit");
  expect_usage({"--watch", "--format", "junit"}, "--format junit=FILE");
}

TEST_F(GradeCommand, ASummaryThatCannotBeWrittenIsReported) {
  const Environment summary("GITHUB_STEP_SUMMARY", "nowhere/summary.md");
  const ProgramResult result = run({"03", "--format", "github"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("nowhere/summary.md: cannot be appended to"));
}

TEST_F(GradeCommand, ABrokenLabIsNoResultInAnyFormat) {
  folder_.write("labs/01-naive/lab.yaml", "title: x\nkernal: y\n");
  for (const std::string format : {"text", "junit", "gradescope", "autolab", "junit=r.xml"}) {
    const ProgramResult result = run({"--format", format});
    EXPECT_EQ(result.status, 2) << format;
    EXPECT_EQ(result.out, "") << format;
    EXPECT_THAT(result.err, HasSubstr("labs/01-naive/lab.yaml:2:1: unknown key 'kernal'"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "r.xml"));
  EXPECT_THAT(run({"--format", "github"}).out,
              testing::StartsWith("::error file=labs/01-naive/lab.yaml,line=2,col=1,title=tessera::"
                                  "unknown key 'kernal'"));
}

constexpr const char* kSmallThenLargeLab = R"(title: Small, then large
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 16, n: 16, k: 16}
    - {m: 512, n: 512, k: 512}
checks: {points: 10, forbid: [race]}
)";

/// 03-tiled is right; of 05-large the last case never ends within a test's patience.
class KilledGrade : public GradeCommand {
 protected:
  KilledGrade() {
    folder_.write("labs/05-large/lab.yaml", kSmallThenLargeLab);
    folder_.write("solutions/05-large/kernel.cu",
                  right_kernel().insert(right_kernel().find("float sum"),
                                        "volatile int go = C.height > 16;\n while (go) {}\n"));
  }

  /// Runs until the first lab and the first case of the last one are reported; results.json is
  /// valid JSON all the time.
  void run_into_the_last_case(const RunningProgram& program) const {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < give_up) {
      const auto text = read_file(folder_.path() / "results.json");
      const Json results = text ? Json::parse(*text) : Json();
      if (results.is_object() && results["score"] == 30.0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    program.kill_now();
    FAIL() << "the first cases were never reported";
  }

  void expect_the_earlier_items() const {
    const Json results = json("results.json");
    ASSERT_EQ(results["tests"].size(), 6u);
    EXPECT_EQ(results["score"], 30.0);
    EXPECT_THAT(results["output"].get<std::string>(),
                testing::StartsWith("The grader was stopped before its end."));
    EXPECT_EQ(results["tests"][0]["status"], "passed");
    EXPECT_EQ(results["tests"][3]["score"], 10.0);
    for (const std::size_t i : {4u, 5u}) {
      EXPECT_EQ(results["tests"][i]["score"], 0.0);
      EXPECT_EQ(results["tests"][i]["max_score"], 10.0);
      EXPECT_EQ(results["tests"][i]["visibility"], "visible");
      EXPECT_THAT(results["tests"][i]["output"].get<std::string>(),
                  HasSubstr("not graded: the grader was stopped before it came to this"));
    }
  }
};

TEST_F(KilledGrade, LeavesTheItemsThatWereJudged) {
  std::filesystem::remove_all(folder_.path() / "labs/01-naive");
  const RunningProgram program(
      folder_, without_gpu({"--from", "solutions", "--format", "gradescope=results.json"}));
  run_into_the_last_case(program);
  program.kill_now();
  EXPECT_EQ(program.wait().status, 1000 + SIGKILL);
  expect_the_earlier_items();
}

/// The parent of a process that exists and is no zombie.
std::optional<pid_t> parent_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream rest(text.substr(std::min(text.rfind(')') + 1, text.size())));
  char state = 'Z';
  pid_t parent = 0;
  rest >> state >> parent;
  return state == 'Z' ? std::nullopt : std::optional(parent);
}

/// `process` and all its descendants.
std::set<pid_t> family_of(pid_t process) {
  std::set<pid_t> family = {process};
  for (std::size_t before = 0; before != family.size();) {
    before = family.size();
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t other = std::atoi(entry.path().filename().c_str());
      const auto parent = other > 0 ? parent_of(other) : std::nullopt;
      if (parent && family.contains(*parent)) family.insert(other);
    }
  }
  return family;
}

/// Kills only `program`; all processes that it has started must be gone within a second.
void expect_all_end_with(const RunningProgram& program) {
  const std::set<pid_t> family = family_of(program.process());
  EXPECT_GE(family.size(), 2u);
  program.kill_now();
  program.wait();
  const auto some_live = [&] {
    return std::ranges::any_of(family,
                               [](pid_t process) { return parent_of(process).has_value(); });
  };
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (some_live() && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(some_live());
}

TEST_F(KilledGrade, TakesTheInterpreterWithIt) {
  std::filesystem::remove_all(folder_.path() / "labs/01-naive");
  const RunningProgram program(
      folder_, without_gpu({"--from", "solutions", "--format", "gradescope=results.json"}));
  run_into_the_last_case(program);
  expect_all_end_with(program);
}

TEST_F(KilledGrade, TakesTheCompilerWithIt) {
  folder_.write("solutions/05-large/kernel.cu",
                right_kernel() +
                    "__global__ void slow(volatile float* p) {\n#pragma unroll\n"
                    "for (int i = 0; i < 400; ++i)\n#pragma unroll\n"
                    "for (int j = 0; j < 400; ++j) p[i * j] = sqrtf(p[i + j]) * p[i] + p[j];\n}\n");
  const RunningProgram program(folder_, without_gpu({"05", "--from", "solutions"}));
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (family_of(program.process()).size() < 3 && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  expect_all_end_with(program);
}

TEST_F(KilledGrade, AnInterruptWritesThemToo) {
  std::filesystem::remove_all(folder_.path() / "labs/01-naive");
  const RunningProgram program(
      folder_, without_gpu({"--from", "solutions", "--format", "gradescope=results.json",
                            "--format", "autolab"}));
  run_into_the_last_case(program);
  program.interrupt();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.status, 130);
  expect_the_earlier_items();
  EXPECT_EQ(split_lines(result.out).back(),
            "{\"scores\":{\"03-tiled\":20.0,\"05-large\":10.0},\"scoreboard\":[30.0,20.0,10.0]}");
}

}  // namespace
}  // namespace tessera
