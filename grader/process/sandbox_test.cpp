#include "grader/process/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "grader/process/testing/sandbox_test_support.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using End = SandboxResult::End;
using ::testing::HasSubstr;

class Sandbox : public ::testing::TestWithParam<IsolationTier> {
 protected:
  void SetUp() override {
    if (GetParam() == IsolationTier::bubblewrap && !has_bubblewrap()) GTEST_SKIP() << why_not();
  }

  Expected<SandboxResult> run(const SandboxRequest& request) const {
    return run_sandboxed(request, GetParam(), never());
  }
};

INSTANTIATE_TEST_SUITE_P(Tier, Sandbox,
                         ::testing::Values(IsolationTier::limits, IsolationTier::bubblewrap),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST_P(Sandbox, OutputLogAndStatusComeBack) {
  const auto result = run(shell("pwd; cat; echo oops >&2; exit 3"));
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::exited);
  EXPECT_EQ(result->status, 3);
  EXPECT_EQ(result->output, "/\n");
  EXPECT_EQ(result->log, "oops\n");
  EXPECT_GT(result->seconds, 0);
}

TEST_P(Sandbox, ASignalIsDistinguishedFromAStatus) {
  const auto result = run(shell("kill -SEGV $$"));
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::killed);
  EXPECT_EQ(result->status, SIGSEGV);
}

TEST_P(Sandbox, AMissingProgramIsAnError) {
  SandboxRequest request;
  request.command = {"/nowhere/program"};
  const auto result = run(request);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().str(), HasSubstr("No such file"));
}

TEST_P(Sandbox, AMissingPathIsAnErrorThatNamesIt) {
  SandboxRequest request = shell("true");
  request.readable = {"/nowhere/labs"};
  const auto result = run(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().file, "/nowhere/labs");
}

TEST_P(Sandbox, TheEnvironmentIsTheRequestsAndPath) {
  SandboxRequest request;
  request.command = {"/usr/bin/env"};
  request.environment = {{"TESSERA_ONE", "1"}};
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  const std::string pwd = GetParam() == IsolationTier::bubblewrap ? "PWD=/\n" : "";
  EXPECT_EQ(result->output, "PATH=/usr/bin:/bin\nTESSERA_ONE=1\n" + pwd);
}

TEST_P(Sandbox, NoOtherDescriptorIsOpen) {
  const int secret = open("/etc/passwd", O_RDONLY);  // without O_CLOEXEC
  const auto result = run(shell("ls /proc/self/fd"));
  close(secret);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->output, "0\n1\n2\n3\n");  // 3 is ls's own
}

TEST_P(Sandbox, AnEndlessLoopRunsOutOfTime) {
  SandboxRequest request = shell("while :; do :; done");
  request.limits.wall_seconds = 0.2;
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::out_of_time);
  EXPECT_GE(result->seconds, 0.2);
}

TEST_P(Sandbox, TheProcessorTimeOfAllProcessesOfAnEndedProgramIsCounted) {
  SandboxRequest request = shell("(while :; do :; done) & while :; do :; done");
  request.limits.wall_seconds = 1;
  const auto busy = run(request);
  ASSERT_TRUE(busy) << busy.error().str();
  EXPECT_GT(busy->cpu_seconds, 0.2);
  EXPECT_LT(busy->cpu_seconds, 3);
  request = shell("exec sleep 100");
  request.limits.wall_seconds = 0.3;
  const auto idle = run(request);
  ASSERT_TRUE(idle) << idle.error().str();
  EXPECT_LT(idle->cpu_seconds, 0.2);
}

TEST_P(Sandbox, EndlessOutputIsCutAndKeptOutOfThisProcess) {
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  SandboxRequest request = shell("exec cat /dev/zero");
  request.limits.output_bytes = 1 << 20;
  const auto result = run(request);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::out_of_output);
  EXPECT_EQ(result->output.size(), std::size_t{1} << 20);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 32 << 10);  // KiB
}

TEST_P(Sandbox, OfTheLogTheHeadIsKeptAndTheRestIsNoReasonToEnd) {
  SandboxRequest request = shell("echo first >&2; head -c 3000000 /dev/zero >&2; echo done");
  request.limits.log_bytes = 100;
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::exited);
  EXPECT_EQ(result->output, "done\n");
  EXPECT_EQ(result->log.size(), 100u);
  EXPECT_EQ(result->log.substr(0, 6), "first\n");
}

/// The bombs stop by themselves at some five hundred processes.
SandboxRequest bomb(const std::string& script) {
  SandboxRequest request = shell(script);
  request.limits.processes = 32;
  request.limits.wall_seconds = 10;
  return request;
}

TEST_P(Sandbox, AForkBombEndsAndNoProcessSurvives) {
  const Marker marker;
  const auto result =
      run(bomb(marker.comment() +
               "f() { [ $1 -gt 8 ] || { f $(($1 + 1)) | f $(($1 + 1)) & }; sleep 20; }; f 1"));
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::out_of_processes);
  EXPECT_EQ(marker.processes(), 0);
}

TEST_P(Sandbox, ABombOfSessionsEndsAndNoProcessSurvives) {
  const Marker marker;
  SandboxRequest request = bomb(marker.comment() +
                                "[ $1 -gt 7 ] || for i in 1 2; do setsid /bin/sh -c \"$0\" \"$0\" "
                                "$(($1 + 1)) & done; sleep 20");
  request.command.push_back(request.command.back());  // $0
  request.command.push_back("1");
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::out_of_processes);
  EXPECT_EQ(marker.processes(), 0);
}

TEST_P(Sandbox, NoProcessLeavesTheGroupThatIsKilledAtOnce) {
  const auto result =
      run(shell("setsid /bin/sh -c 'cut -d\" \" -f5 /proc/self/stat'; "
                "cut -d' ' -f5 /proc/self/stat"));
  ASSERT_TRUE(result) << result.error().str();
  const std::size_t half = result->output.size() / 2;
  EXPECT_EQ(result->output.substr(0, half), result->output.substr(half)) << result->output;
}

TEST_P(Sandbox, AsManyProcessesAsAllowedAreFine) {
  SandboxRequest request = shell("for i in 1 2 3 4 5 6 7; do sleep 0.3 & done; wait; echo fine");
  request.limits.processes = 8;
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::exited);
  EXPECT_EQ(result->output, "fine\n");
}

TEST_P(Sandbox, AMemoryHogIsEnded) {
  SandboxRequest request = shell("dd if=/dev/zero of=/dev/null bs=200M count=1000");
  request.limits.memory_bytes = 100 << 20;
  request.limits.wall_seconds = 10;
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::out_of_memory);
}

TEST_P(Sandbox, MemoryIsCountedOverAllProcesses) {
  const std::string hog = "dd if=/dev/zero of=/dev/null bs=40M count=100000 & ";
  SandboxRequest request = shell(hog + hog + hog + "wait");
  request.limits.memory_bytes = 100 << 20;
  request.limits.wall_seconds = 10;
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::out_of_memory);
}

TEST_P(Sandbox, ADaemonDoesNotOutliveItsSandbox) {
  const Marker marker;
  const auto result = run(shell("(setsid /bin/sh -c '" + marker.comment() +
                                "sleep 1000; true' > /dev/null 2>&1 &) ; sleep 0.1; echo gone"));
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::exited);
  EXPECT_EQ(result->output, "gone\n");
  EXPECT_EQ(marker.processes(), 0);
}

TEST_P(Sandbox, StopEndsItLongBeforeItsTime) {
  const Marker marker;
  std::atomic<bool> stop = false;
  std::thread stopper([&] {
    std::this_thread::sleep_for(200ms);
    stop = true;
  });
  SandboxRequest request = shell(marker.comment() + "sleep 1000; true");
  request.limits.wall_seconds = 1000;
  const auto result = run_sandboxed(request, GetParam(), stop);
  stopper.join();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->end, End::stopped);
  EXPECT_EQ(marker.processes(), 0);
}

TEST_P(Sandbox, ManyAtOnceDoNotDisturbEachOther) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 4; ++round) {
        const std::string text = fmt::format("{} {}\n", thread, round);
        const auto result = run(shell(fmt::format("echo '{} {}'; sleep 0.02", thread, round)));
        if (result && result->end == End::exited && result->output == text) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 32);
}

TEST_P(Sandbox, DiesWithTheProcessThatRunsIt) {
  const Marker marker;
  const pid_t runner = fork();
  ASSERT_GE(runner, 0);
  if (runner == 0) {
    const auto result = run(shell("setsid /bin/sh -c '" + marker.comment() + "sleep 1000; true'"));
    _exit(result ? 0 : 1);
  }
  EXPECT_TRUE(becomes_true([&] { return marker.processes() > 0; }));
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
  EXPECT_TRUE(becomes_true([&] { return marker.processes() == 0; }));
}

TEST_P(Sandbox, OtherChildrenOfThisProcessAreLeftAlone) {
  const pid_t other = fork();
  ASSERT_GE(other, 0);
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  const auto result = run(shell("true"));
  EXPECT_TRUE(result);
  EXPECT_EQ(waitpid(other, nullptr, WNOHANG), 0);
  kill(other, SIGKILL);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
}

}  // namespace
}  // namespace tessera
