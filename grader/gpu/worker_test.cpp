#include "grader/gpu/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace tessera {
namespace {

using ::testing::StartsWith;

class Worker : public ::testing::Test {
 protected:
  WorkerEnd run(const std::function<int()>& work, double milliseconds = 10'000) {
    deadline_->set(milliseconds);
    auto end = run_worker(work, *deadline_);
    EXPECT_TRUE(end);
    return *end;
  }

  Shared<Deadline> deadline_;
};

TEST_F(Worker, StatusOutputAndLogComeBack) {
  const WorkerEnd end = run([] {
    std::puts("said");
    std::fputs("complained", stderr);
    return 7;
  });
  EXPECT_EQ(end.end, WorkerEnd::End::exited);
  EXPECT_EQ(end.status, 7);
  EXPECT_EQ(end.output, "said\n");
  EXPECT_EQ(end.log, "complained");
}

TEST_F(Worker, WhatItLeavesInSharedMemoryStays) {
  Shared<int> answer;
  run([&] {
    *answer = 42;
    return 0;
  });
  EXPECT_EQ(*answer, 42);
}

TEST_F(Worker, IsKilledAtTheDeadlineAndTheNextOneRuns) {
  const WorkerEnd stuck = run(
      [] {
        for (;;) pause();
        return 0;
      },
      50);
  EXPECT_EQ(stuck.end, WorkerEnd::End::overdue);
  EXPECT_EQ(run([] { return 0; }).end, WorkerEnd::End::exited);
}

TEST_F(Worker, MovesItsOwnDeadline) {
  const WorkerEnd end = run(
      [this] {
        deadline_->set(10'000);
        usleep(100'000);
        return 3;
      },
      50);
  EXPECT_EQ(end.status, 3);
}

TEST_F(Worker, ACrashIsTold) {
  const WorkerEnd end = run([] {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return 0;
  });
  EXPECT_EQ(end.end, WorkerEnd::End::crashed);
  EXPECT_EQ(end.status, SIGSEGV);
}

TEST_F(Worker, AnExceptionIsAStatusAndALine) {
  const WorkerEnd end = run([]() -> int { throw std::runtime_error("no memory"); });
  EXPECT_EQ(end.status, 125);
  EXPECT_EQ(end.log, "no memory\n");
}

TEST_F(Worker, AFloodIsCutAndHarmsNothing) {
  const WorkerEnd end = run([] {
    const std::string line(1 << 20, 'x');
    for (int i = 0; i < 300; ++i) std::fputs(line.c_str(), stdout);
    return 0;
  });
  EXPECT_EQ(end.end, WorkerEnd::End::exited);
  EXPECT_EQ(end.output.size(), std::size_t{1} << 20);
  EXPECT_THAT(end.output, StartsWith("xxx"));
}

}  // namespace
}  // namespace tessera
