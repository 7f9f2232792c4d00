// What a child process sees of the machine's files, and what it can find out about the others.
#include "grader/process/file_gate.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>

#include "common/memory_file.h"
#include "common/temporary_directory.h"
#include "grader/process/child_process.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class FileGateTest : public ::testing::Test {
 protected:
  FileGateTest() {
    fs::create_directories(folder_.path() / "shown/deep/er");
    folder_.write("shown/header.cuh", "shown");
    folder_.write("shown/deep/er/header.cuh", "deep");
    folder_.write("hidden.yaml", "hidden");
    folder_.write("shown-too.txt", "beside");
    fs::create_symlink(folder_.path() / "hidden.yaml", path("shown/link"));
    fs::create_symlink(folder_.path() / "shown", path("way"));
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  /// The errno, or 0, of `act` in a child that sees only "shown" and the system's programs.
  int in_child(const std::function<bool()>& act) const {
    FileGate gate({path("shown"), "/usr", "/nonexistent"});
    ChildLimits limits;
    limits.files = &gate;
    MemoryFile input("in"), output("out"), log("log");
    const auto result = run_forked_on(
        {input.descriptor(), output.descriptor(), log.descriptor()},
        [&] {
          if (gate.enter()) return 99;
          errno = 0;
          return act() ? 0 : errno;
        },
        limits);
    if (!result || result->end != ChildResult::End::exited) return -1;
    return result->status;
  }

  int opened(const std::string& name, int flags = O_RDONLY) const {
    return in_child([&] { return open(name.c_str(), flags, 0600) >= 0; });
  }
  int looked(const std::string& name) const {
    return in_child([&] {
      struct stat status {};
      return stat(name.c_str(), &status) == 0;
    });
  }

  TemporaryDirectory folder_;
};

TEST_F(FileGateTest, ShowsWhatItIsGiven) {
  EXPECT_EQ(opened(path("shown/header.cuh")), 0);
  EXPECT_EQ(opened(path("shown/deep/er/header.cuh")), 0);
  EXPECT_EQ(opened(path("shown/deep/../header.cuh")), 0);
  EXPECT_EQ(opened(path("way/header.cuh")), 0);
  EXPECT_EQ(opened(path("shown"), O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(opened("usr/bin/env"), 0);
  EXPECT_EQ(looked(path("shown/header.cuh")), 0);
}

TEST_F(FileGateTest, WhatIsHiddenDoesNotExist) {
  for (const std::string& name :
       {path("hidden.yaml"), path("shown-too.txt"), path("shown/../hidden.yaml"),
        path("shown/link"), path("none"), std::string("/etc/passwd"), std::string("/proc/self/mem"),
        std::string("/proc/self/root") + path("hidden.yaml"), std::string("/dev/pts")}) {
    EXPECT_EQ(opened(name), ENOENT) << name;
    EXPECT_EQ(looked(name), ENOENT) << name;
  }
  EXPECT_NE(opened(path("shown/") + std::string(5000, 'x')), 0);
}

TEST_F(FileGateTest, NoCallSaysWhetherAFileExists) {
  struct stat status {};
  struct statx more {};
  char text[64];
  const std::function<bool(const char*)> asks[] = {
      [](const char* name) { return access(name, F_OK) == 0; },
      [](const char* name) { return faccessat(AT_FDCWD, name, F_OK, AT_EACCESS) == 0; },
      [&](const char* name) { return lstat(name, &status) == 0; },
      [&](const char* name) { return fstatat(AT_FDCWD, name, &status, 0) == 0; },
      [&](const char* name) { return statx(AT_FDCWD, name, 0, STATX_ALL, &more) == 0; },
      [&](const char* name) { return readlink(name, text, sizeof text) >= 0; },
      [](const char* name) { return open(name, O_PATH) >= 0; },
      [](const char* name) { return execl(name, name, nullptr) == 0; },
  };
  for (std::size_t i = 0; i < std::size(asks); ++i) {
    const auto answer = [&](const std::string& name) {
      return in_child([&] { return asks[i](name.c_str()); });
    };
    EXPECT_EQ(answer(path("hidden.yaml")), answer(path("none"))) << "question " << i;
    EXPECT_NE(answer(path("hidden.yaml")), 0) << "question " << i;
  }
}

TEST_F(FileGateTest, LongPathsAreNotFollowed) {
  std::string way = path("shown");
  for (int i = 0; i < 60; ++i) way += "/../shown";
  EXPECT_EQ(opened(way + "/header.cuh"), ENAMETOOLONG);
}

TEST_F(FileGateTest, NothingIsWritten) {
  EXPECT_EQ(opened(path("shown/header.cuh"), O_WRONLY), EACCES);
  EXPECT_EQ(opened(path("shown/header.cuh"), O_RDONLY | O_TRUNC), EACCES);
  EXPECT_EQ(opened(path("shown/new"), O_RDONLY | O_CREAT), EACCES);
  EXPECT_FALSE(fs::exists(path("shown/new")));
}

TEST_F(FileGateTest, FoldersOnTheWayAreSeenAndNotRead) {
  EXPECT_EQ(looked(folder_.path().string()), 0);
  EXPECT_EQ(opened(folder_.path().string(), O_RDONLY | O_DIRECTORY), ENOENT);
}

TEST_F(FileGateTest, WhatIsOpenStaysSo) {
  const int file = open(path("hidden.yaml").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(in_child([&] {
              struct stat status {};
              return fstat(file, &status) == 0 && fstatat(file, "", &status, AT_EMPTY_PATH) == 0;
            }),
            0);
  const int folder = open(folder_.path().c_str(), O_PATH | O_CLOEXEC);
  EXPECT_EQ(in_child([&] { return openat(folder, "hidden.yaml", O_RDONLY) >= 0; }), ENOENT);
  close(file);
  close(folder);
}

TEST_F(FileGateTest, HoldsForTheProgramThatTheChildBecomes) {
  EXPECT_EQ(in_child([&] {
              execl("/usr/bin/cat", "cat", path("shown/header.cuh").c_str(), nullptr);
              return false;
            }),
            0);
  EXPECT_EQ(in_child([&] {
              execl("/usr/bin/cat", "cat", path("hidden.yaml").c_str(), nullptr);
              return false;
            }),
            1);
}

TEST_F(FileGateTest, IfTheParentMayNotLookNothingChanges) {
  FileGate gate({path("shown")});
  ChildLimits limits;
  limits.files = &gate;
  MemoryFile input("in"), output("out"), log("log");
  const auto result = run_forked_on(
      {input.descriptor(), output.descriptor(), log.descriptor()},
      [&] {
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        if (geteuid() == 0) return 0;  // root looks into every process
        if (!gate.enter()) return 1;
        return open(path("hidden.yaml").c_str(), O_RDONLY) >= 0 ? 0 : 2;
      },
      limits);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 0);
}

}  // namespace
}  // namespace tessera
