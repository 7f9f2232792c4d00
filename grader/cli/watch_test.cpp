// `tessera grade --watch` as a student uses it: the program runs, files are saved as editors do it,
// and the output is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include <nlohmann/json.hpp>

#include "grader/cli/test_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kWatchedLab = R"(title: Copy
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 16, n: 16, k: 16, data: integers}
    - {m: 19, n: 13, k: 7, data: integers}
)";

std::string watched_kernel(const std::string& body) {
  return R"(#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  )" + body +
         R"(
  C(row, column) = sum;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";
}

/// The large case comes first: after a case that does not end, the others have fewer steps.
std::string lab_with_a_large_case() {
  const std::string cases = "  cases:\n";
  std::string lab = kWatchedLab;
  return lab.insert(lab.find(cases) + cases.size(), "    - {m: 256, n: 256, k: 256}\n");
}

const std::string kRight =
    watched_kernel("for (int i = 0; i < A.width; ++i) sum += A(row, i) * B(i, column);");
const std::string kHalf =
    watched_kernel("for (int i = 0; i < 16; ++i) sum += A(row, i) * B(i, column);");
const std::string kBroken = watched_kernel("sum += ;");
// Its steps end at a limit, after some seconds.
const std::string kEndless = watched_kernel("volatile int go = 1; while (go) {}");

class Watch : public testing::Test {
 protected:
  Watch() {
    for (const std::string lab : {"01-naive", "03-tiled"}) {
      folder_.write("labs/" + lab + "/lab.yaml", kWatchedLab);
      folder_.write("labs/" + lab + "/kernel.cu", kHalf);
    }
  }

  RunningProgram start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"grade", "--watch"});
    return {folder_, std::move(arguments)};
  }

  void save(const std::string& content, const std::string& lab = "03-tiled") const {
    folder_.write("labs/" + lab + "/kernel.cu", content);
  }

  fs::path path(const fs::path& name) const { return folder_.path() / name; }

  /// Ctrl-C ends a session without an error, and without output of a grading in progress.
  void expect_end(const RunningProgram& program) const {
    program.interrupt();
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.status, 130);
    EXPECT_EQ(result.err, "");
  }

  TestFolder folder_;
};

TEST_F(Watch, ASaveInPlaceIsGradedAndCompared) {
  const RunningProgram program = start({"03"});
  ASSERT_TRUE(program.prints("  03-tiled  10 of 20\n"));
  EXPECT_THAT(program.out(), ContainsRegex("^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]  03-tiled"));
  save(kRight);
  ASSERT_TRUE(program.prints("03-tiled  10 -> 20 of 20; case 2 now passes\n"));
  save(kBroken);
  ASSERT_TRUE(program.prints("03-tiled  20 -> 0 of 20; no longer compiles\n"));
  save(kHalf);
  ASSERT_TRUE(program.prints("03-tiled  0 -> 10 of 20; case 1 now passes\n"));
  EXPECT_THAT(program.out(), HasSubstr("03-tiled  20.0 / 20.0 points"));
  EXPECT_THAT(program.out(), HasSubstr("does-not-compile"));
  EXPECT_THAT(program.out(), Not(HasSubstr("\x1b")));
  expect_end(program);
}

TEST_F(Watch, ASaveThroughATemporaryFileIsGraded) {
  const RunningProgram program = start({"03"});
  ASSERT_TRUE(program.prints("10 of 20\n"));
  folder_.write("labs/03-tiled/4913", "");
  fs::remove(path("labs/03-tiled/4913"));
  fs::rename(path("labs/03-tiled/kernel.cu"), path("labs/03-tiled/kernel.cu~"));
  folder_.write("labs/03-tiled/.kernel.cu.new", kRight);
  fs::rename(path("labs/03-tiled/.kernel.cu.new"), path("labs/03-tiled/kernel.cu"));
  ASSERT_TRUE(program.prints("10 -> 20 of 20"));
  expect_end(program);
}

TEST_F(Watch, AKernelMayGoAndComeBack) {
  const RunningProgram program = start({"03"});
  ASSERT_TRUE(program.prints("10 of 20\n"));
  fs::remove_all(path("labs/03-tiled/kernel.cu"));
  ASSERT_TRUE(program.prints("there is no labs/03-tiled/kernel.cu"));
  save(kRight);
  ASSERT_TRUE(program.prints("0 -> 20 of 20"));
  expect_end(program);
}

TEST_F(Watch, AFolderThatGitReplacesIsGraded) {
  const RunningProgram program = start({"03"});
  ASSERT_TRUE(program.prints("10 of 20\n"));
  folder_.write("branch/03-tiled/lab.yaml", kWatchedLab);
  folder_.write("branch/03-tiled/kernel.cu", kRight);
  fs::remove_all(path("labs/03-tiled"));
  fs::rename(path("branch/03-tiled"), path("labs/03-tiled"));
  ASSERT_TRUE(program.prints("20 of 20"));
  expect_end(program);
}

TEST_F(Watch, ASaveStopsAnEndlessKernel) {
  folder_.write("labs/03-tiled/lab.yaml", lab_with_a_large_case());
  const RunningProgram program = start({"03"});
  ASSERT_TRUE(program.prints("6.7 of 20\n"));
  save(kEndless);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // so that its grading has begun
  save(kRight);
  ASSERT_TRUE(program.prints("03-tiled  6.7 -> 20 of 20"));
  EXPECT_THAT(program.out(), Not(HasSubstr("step-limit")));
  expect_end(program);
}

TEST_F(Watch, ControlCStopsAnEndlessKernel) {
  folder_.write("labs/03-tiled/lab.yaml", lab_with_a_large_case());
  save(kEndless);
  const RunningProgram program = start({"01", "03"});
  ASSERT_TRUE(program.prints("01-naive  10 of 20\n"));
  expect_end(program);
}

TEST_F(Watch, SeveralLabsAreALineEachUntilOneIsSaved) {
  const RunningProgram program = start({});
  ASSERT_TRUE(program.prints("03-tiled  10 of 20\n"));
  EXPECT_THAT(program.out(), HasSubstr("01-naive  10 of 20\n"));
  EXPECT_THAT(program.out(), Not(HasSubstr("points")));
  save(kRight, "01-naive");
  ASSERT_TRUE(program.prints("01-naive  20.0 / 20.0 points"));
  EXPECT_THAT(program.out(), HasSubstr("\n\n"));
  EXPECT_THAT(program.out(), Not(HasSubstr("03-tiled  10.0 / 20.0 points")));
  expect_end(program);
}

TEST_F(Watch, ALabThatIsRepairedIsGraded) {
  folder_.write("labs/03-tiled/lab.yaml", "title: x\nkernal: y\n");
  const RunningProgram program = start({"03"});
  ASSERT_TRUE(program.prints("did you mean 'kernel'?"));
  EXPECT_THAT(program.out(), HasSubstr("03-tiled  cannot be graded\n"));
  folder_.write("labs/03-tiled/lab.yaml", kWatchedLab);
  ASSERT_TRUE(program.prints("03-tiled  10 of 20\n"));
  expect_end(program);
}

TEST_F(Watch, TheSeedIsTheSameForTheSession) {
  const RunningProgram program = start({"03", "--json", "r.json"});
  ASSERT_TRUE(program.prints("10 of 20\n"));
  const auto seed = [&] {
    return nlohmann::json::parse(*read_file(path("r.json")))["seed"].get<std::uint64_t>();
  };
  const std::uint64_t first = seed();
  save(kRight);
  ASSERT_TRUE(program.prints("10 -> 20 of 20"));
  EXPECT_EQ(seed(), first);
  EXPECT_TRUE(program.prints("seed " + std::to_string(first), 2));
  expect_end(program);
}

TEST_F(Watch, AKernelMayLieInTheFolderItself) {
  folder_.write("mine/kernel.cu", kHalf);
  const RunningProgram program = start({"03", "--from", "mine"});
  ASSERT_TRUE(program.prints("10 of 20\n"));
  folder_.write("mine/kernel.cu", kRight);
  ASSERT_TRUE(program.prints("10 -> 20 of 20"));
  expect_end(program);
}

TEST_F(Watch, ATerminalIsClearedBeforeAResult) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    setenv("TESSERA_CACHE", path("cache").c_str(), 1);
    if (chdir(folder_.path().c_str()) == 0)
      execl(TESSERA_PROGRAM, TESSERA_PROGRAM, "grade", "--watch", "03", nullptr);
    _exit(127);
  }
  std::string shown;
  char bytes[4096];
  while (shown.find("Ctrl-C ends") == std::string::npos) {
    const ssize_t count = read(terminal, bytes, sizeof(bytes));
    if (count <= 0) break;
    shown.append(bytes, static_cast<std::size_t>(count));
  }
  EXPECT_EQ(write(terminal, "\x03", 1), 1);  // the key, which the terminal makes a signal
  while (read(terminal, bytes, sizeof(bytes)) > 0) {
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_THAT(shown, HasSubstr("grading 03-tiled ..."));
  EXPECT_LT(shown.find("\x1b[2J"), shown.find("10 of 20"));
  EXPECT_THAT(shown, HasSubstr("save labs/03-tiled/kernel.cu to grade it again"));
}

TEST_F(Watch, UsageMistakesEndIt) {
  const auto expect_usage = [&](std::vector<std::string> arguments, const std::string& message) {
    const ProgramResult result = start(std::move(arguments)).wait();
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  expect_usage({"09"}, "no lab '09'");
  expect_usage({"03", "--json", "-"}, "--watch: shows text");
  expect_usage({"03", "--format", "gradescope"}, "--watch: shows text");
  expect_usage({"03", "--device", "nvidia-h20"}, "nvidia-h200");
}

}  // namespace
}  // namespace tessera
