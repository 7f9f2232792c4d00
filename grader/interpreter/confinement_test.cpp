#include "grader/interpreter/confinement.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "grader/interpreter/testing/forbidden_acts.h"

namespace tessera {
namespace {

/// What `work` returns in a child process that is confined, or not.
std::string in_child(bool confined, const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    if (confined) {
      if (const auto reason = confine_to_computing()) _exit(9);
    }
    const std::string answer = work();
    (void)!write(ends[1], answer.data(), answer.size());
    _exit(0);
  }
  close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? answer
                                                       : "ended with " + std::to_string(status);
}

std::string acts() {
  std::string all;
  for (const std::string& name : test::forbidden_acts_that_work("/etc/passwd")) all += name + "\n";
  return all;
}

TEST(Confinement, LeavesNoWayToFilesProcessesOrTheNetwork) {
  EXPECT_EQ(in_child(true, acts), "");
}

TEST(Confinement, WithoutItTheSameCallsWork) {
  const std::string all = in_child(false, acts);
  EXPECT_GT(std::ranges::count(all, '\n'), 25) << all;
}

TEST(Confinement, LeavesWhatComputingTakes) {
  const std::string answer = in_child(true, [] {
    std::string text(64 << 20, 'x');  // from mmap
    text.resize(100);
    text.shrink_to_fit();
    return text.substr(0, 1);
  });
  EXPECT_EQ(answer, "x");
}

TEST(Confinement, IsFoundOutWithoutConfiningTheCaller) {
  EXPECT_EQ(why_not_confined(), std::nullopt);
  EXPECT_EQ(access("/etc/passwd", R_OK), 0);
}

}  // namespace
}  // namespace tessera
