#include "grader/process/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace tessera {
namespace {

TEST(ChildProcess, OutputLogAndStatusComeBack) {
  const auto run = run_program({"/bin/sh", "-c", "cat; echo oops >&2; pwd; exit 3"}, "input\n", {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->end, ChildResult::End::exited);
  EXPECT_EQ(run->status, 3);
  EXPECT_EQ(run->output, "input\n/\n");
  EXPECT_EQ(run->log, "oops\n");
}

TEST(ChildProcess, AForkedFunctionWritesThroughTheSameStreams) {
  const auto run = run_forked(
      [] {
        std::fputs("hello", stdout);
        std::fflush(stdout);
        return 5;
      },
      {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, 5);
  EXPECT_EQ(run->output, "hello");
}

TEST(ChildProcess, AMissingProgramIsAnError) {
  const auto run = run_program({"/nowhere/clang++"}, "", {});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().file, "/nowhere/clang++");
}

TEST(ChildProcess, AnEndlessLoopIsStopped) {
  const auto run = run_program({"/bin/sh", "-c", "while :; do :; done"}, "", {.cpu_seconds = 1});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->end, ChildResult::End::out_of_time);
}

TEST(ChildProcess, AChildThatWaitsForEverIsNotBlamedForItsTime) {
  // A tenth of the limit, 50 ms, is far more than a program takes to start on a busy machine.
  const auto run = run_program({"/bin/sleep", "100"}, "", {.cpu_seconds = 0.5, .idle_seconds = 0});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, testing::HasSubstr("s of processor time in 1 s and was ended"));
}

TEST(ChildProcess, MemoryIsLimited) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer reserves the whole address space";
#endif
  const auto run = run_forked(
      [] {
        // Through a volatile pointer, so that the allocation is not optimised away.
        void* volatile block = std::malloc(std::size_t{1} << 30);
        return block == nullptr ? 7 : 0;
      },
      {.memory_bytes = 64 << 20});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, 7);
}

TEST(ChildProcess, OutputIsLimitedAndTheLogCut) {
  const auto flood = run_program({"/bin/sh", "-c", "while :; do echo flood; done"}, "",
                                 {.cpu_seconds = 20, .output_bytes = 1 << 20});
  ASSERT_TRUE(flood);
  EXPECT_NE(flood->end, ChildResult::End::out_of_time);
  EXPECT_LE(flood->output.size(), std::size_t{1} << 20);
  const auto chatter =
      run_program({"/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8; do echo 0123456789 >&2; done"}, "",
                  {.log_bytes = 16});
  ASSERT_TRUE(chatter);
  EXPECT_EQ(chatter->log.size(), 16u);
}

TEST(ChildProcess, ACrashIsDistinguishedFromAStatus) {
  const auto run = run_forked([]() -> int { std::abort(); }, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->end, ChildResult::End::killed);
  EXPECT_EQ(run->status, SIGABRT);
}

TEST(ForkedOn, EndsWhenItsLifelineIsCut) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  close(ends[1]);
  const auto before = std::chrono::steady_clock::now();
  const auto sleep_long = [] { return sleep(60) == 0 ? 0 : 1; };
  const auto result = run_forked_on({0, 1, 2}, sleep_long, {.cpu_seconds = 5, .lifeline = ends[0]});
  close(ends[0]);
  EXPECT_FALSE(result);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

}  // namespace
}  // namespace tessera
