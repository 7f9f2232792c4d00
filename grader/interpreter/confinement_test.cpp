#include "grader/interpreter/confinement.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "grader/interpreter/testing/forbidden_acts.h"
#include "grader/process/testing/in_child.h"

namespace tessera {
namespace {

std::string in_child(bool confined, const std::function<std::string()>& work) {
  return test::in_child([=] { return !confined || !confine_to_computing(); }, work);
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

TEST(Confinement, LeavesWhatComputingNeeds) {
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
