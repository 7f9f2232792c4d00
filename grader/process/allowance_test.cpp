#include "grader/process/allowance.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace tessera {
namespace {

/// A child that does `work` until it is killed.
class Child {
 public:
  template <class Work>
  explicit Child(Work work) : process(fork()) {
    if (process == 0) {
      for (;;) work();
    }
  }
  ~Child() {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  const pid_t process;
};

TEST(Allowance, IsUsedUpByProcessorTime) {
  const Child busy([] {});
  const Allowance allowance(busy.process, 0.1);
  EXPECT_TRUE(allowance.lasts());
  const Stopwatch stopwatch;
  while (allowance.lasts() && stopwatch.seconds() < 60) usleep(1000);
  EXPECT_GE(stopwatch.seconds(), 0.05);
  EXPECT_LT(stopwatch.seconds(), 60);
}

TEST(Allowance, LastsForLongIfTheProcessGetsNoProcessor) {
  const Child idle([] { pause(); });
  const Allowance allowance(idle.process, 0.02);
  const Stopwatch stopwatch;
  while (allowance.lasts() && stopwatch.seconds() < 60) usleep(1000);
  EXPECT_GE(stopwatch.seconds(), 0.2);
  EXPECT_LT(stopwatch.seconds(), 60);
}

}  // namespace
}  // namespace tessera
