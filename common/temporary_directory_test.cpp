#include "common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "common/resource_failure.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// TMPDIR names a folder that belongs to the test.
class TemporaryDirectories : public testing::Test {
 protected:
  TemporaryDirectories() {
    if (const char* value = getenv("TMPDIR")) before_ = value;
    set(folder_.path());
  }
  ~TemporaryDirectories() override {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      set(before_);
    }
  }

  static void set(const fs::path& folder) { setenv("TMPDIR", folder.c_str(), 1); }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    return names;
  }

  /// Makes a temporary directory with a file in it in a process that is then killed.
  static void abandon_one() {
    const pid_t child = fork();
    if (child == 0) {
      const TemporaryDirectory directory;
      directory.write("left.txt", "x");
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
  }

  const TemporaryDirectory folder_;

 private:
  std::string before_;
};

TEST_F(TemporaryDirectories, OfAKilledProcessAreRemovedByTheNextSweep) {
  abandon_one();
  abandon_one();
  ASSERT_EQ(names().size(), 2u);
  remove_abandoned_directories();
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(TemporaryDirectories, OfRunningProcessesStay) {
  const TemporaryDirectory own;
  own.write("a.txt", "x");
  remove_abandoned_directories();
  EXPECT_TRUE(fs::exists(own.path() / "a.txt"));
}

TEST_F(TemporaryDirectories, OtherFilesStay) {
  const std::string name = "tessera-scratch-";
  fs::create_directory(folder_.path() / "tessera-master");
  fs::create_directory(folder_.path() / (name + "public"));
  fs::permissions(folder_.path() / (name + "public"), fs::perms(0755));
  fs::create_directory(folder_.path() / "target");
  fs::permissions(folder_.path() / "target", fs::perms(0700));
  fs::create_directory_symlink("target", folder_.path() / (name + "a-link"));
  std::ofstream(folder_.path() / (name + "a-file")) << "x";
  remove_abandoned_directories();
  EXPECT_THAT(names(), testing::UnorderedElementsAre("tessera-master", name + "public", "target",
                                                     name + "a-link", name + "a-file"));
}

TEST_F(TemporaryDirectories, OfAnotherUserStay) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  const fs::path other = folder_.path() / "tessera-scratch-others";
  fs::create_directory(other);
  fs::permissions(other, fs::perms(0700));
  ASSERT_EQ(chown(other.c_str(), 65534, 65534), 0);
  remove_abandoned_directories();
  EXPECT_THAT(names(), ElementsAre("tessera-scratch-others"));
}

TEST_F(TemporaryDirectories, ASweepDoesNotRemoveADirectoryThatIsBeingMade) {
  std::atomic<bool> done = false;
  std::thread sweeper([&] {
    while (!done) remove_abandoned_directories();
  });
  for (int i = 0; i < 2000; ++i) {
    const TemporaryDirectory directory;
    EXPECT_NO_THROW(directory.write("a.txt", "x"));
    EXPECT_TRUE(fs::exists(directory.path() / "a.txt"));
  }
  done = true;
  sweeper.join();
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(TemporaryDirectories, AMissingFolderIsNamedWithItsVariable) {
  set("/nonexistent");
  try {
    const TemporaryDirectory directory;
    FAIL() << directory.path();
  } catch (const ResourceFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("TMPDIR is '/nonexistent', which is no folder"));
    EXPECT_THAT(failure.what(), HasSubstr("unset it for /tmp"));
  }
}

TEST_F(TemporaryDirectories, WithoutTheVariableAreInTmp) {
  unsetenv("TMPDIR");
  EXPECT_EQ(TemporaryDirectory().path().parent_path(), "/tmp");
}

}  // namespace
}  // namespace tessera
