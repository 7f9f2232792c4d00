#include "grader/process/forked_work.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace tessera {
namespace {

ForkedResult wait_for(ForkedWork& work) {
  for (;;) {
    if (auto result = work.result()) return *result;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ForkedWork, WhatItPrintsAndReturnsComesBack) {
  ForkedWork work([] {
    std::cout << "out" << std::flush;
    std::cerr << " err";
    return std::string("answer");
  });
  const ForkedResult result = wait_for(work);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.printed, "out err");
  EXPECT_EQ(result.answer, "answer");
  ASSERT_TRUE(work.result());
  EXPECT_EQ(work.result()->answer, "answer");
}

TEST(ForkedWork, AnExceptionIsPrinted) {
  ForkedWork work([]() -> std::string { throw std::runtime_error("no luck"); });
  const ForkedResult result = wait_for(work);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.printed, "tessera: no luck\n");
}

TEST(ForkedWork, ACrashCostsTheChildAlone) {
  ForkedWork work([] {
    raise(SIGKILL);
    return std::string();
  });
  const ForkedResult result = wait_for(work);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(ForkedWork, EndlessWorkIsStoppedWithWhatItStarted) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  {
    ForkedWork work([] {
      if (fork() >= 0) {
        for (;;) pause();
      }
      return std::string();
    });
    EXPECT_FALSE(work.result());
  }
  // The pipe ends when the last process that could write is gone.
  close(ends[1]);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST(ForkedWork, BlockedSignalsAreNotInherited) {
  sigset_t interrupt;
  sigset_t before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, &before);
  ForkedWork work([] {
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    return std::string(sigismember(&blocked, SIGINT) == 1 ? "blocked" : "free");
  });
  EXPECT_EQ(wait_for(work).answer, "free");
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace tessera
