#include "grader/gradebook/intake/unpacking_rights.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "common/temporary_directory.h"
#include "grader/process/child_process.h"
#include "grader/process/landlock.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class UnpackingRights : public testing::Test {
 protected:
  UnpackingRights() {
    fs::create_directory(into_);
    std::ofstream(archive_) << "archive";
    std::ofstream(other_) << "gradebook";
  }

  /// What `work` printed in a process that may only unpack `archive_` into `into_`.
  std::string printed(const std::function<void()>& work) {
    const auto result = run_forked(
        [&] {
          confine_to_unpacking(archive_, into_);
          work();
          std::fflush(stdout);
          return 0;
        },
        {});
    return result ? result->output : result.error().str();
  }

  /// Prints "yes" if the file can be opened, "refused" if access is denied, and "fails" otherwise.
  static void try_to_open(const fs::path& file, int flags) {
    const int descriptor = open(file.c_str(), flags | O_CLOEXEC, 0600);
    std::printf("%s\n", descriptor >= 0 ? "yes" : errno == EACCES ? "refused" : "fails");
    if (descriptor >= 0) close(descriptor);
  }

  TemporaryDirectory directory_;
  fs::path archive_ = directory_.path() / "a.zip";
  fs::path other_ = directory_.path() / "gradebook.sqlite";
  fs::path into_ = directory_.path() / "into";
};

TEST_F(UnpackingRights, AreTheArchiveTheSystemAndTheTargetFolder) {
  if (landlock_version() == 0) GTEST_SKIP() << "the kernel has no Landlock";
  EXPECT_EQ(printed([this] {
              try_to_open(archive_, O_RDONLY);
              try_to_open(into_ / "kernel.cu", O_WRONLY | O_CREAT);
              try_to_open("/usr/bin/env", O_RDONLY);
            }),
            "yes\nyes\nyes\n");
  EXPECT_EQ(printed([this] {
              try_to_open(archive_, O_WRONLY);
              try_to_open(other_, O_RDONLY);
              try_to_open(other_, O_WRONLY);
              try_to_open(directory_.path() / "new", O_WRONLY | O_CREAT);
              try_to_open("/usr/bin/new", O_WRONLY | O_CREAT);
            }),
            "refused\nrefused\nrefused\nrefused\nrefused\n");
}

TEST_F(UnpackingRights, LeaveNoDescriptorOfTheProgram) {
  const int book = open(other_.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(book, 0);
  EXPECT_EQ(printed([book] { std::printf("%d\n", write(book, "x", 1) == 1 ? 1 : 0); }), "0\n");
  close(book);
}

TEST_F(UnpackingRights, IncludeNoProcessAndNoNetwork) {
  EXPECT_EQ(printed([] {
              std::printf("%d", fork() < 0 ? errno : 0);
              std::printf(" %d", socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0);
              std::printf(" %d", kill(getppid(), 0) < 0 ? errno : 0);
              std::printf(" %ld", syscall(SYS_tgkill, getppid(), getppid(), 0) < 0 ? errno : 0L);
              char* const arguments[] = {nullptr};
              std::printf(" %d\n", execv("/usr/bin/true", arguments) < 0 ? errno : 0);
            }),
            std::to_string(EPERM) + " 1 1 1 1\n");
}

TEST_F(UnpackingRights, ChangeNothingOfOtherFilesAndMakeNoLinks) {
  const auto failed = [](int result) { std::printf("%d\n", result < 0 ? errno : 0); };
  EXPECT_EQ(printed([&] {
              failed(chmod(other_.c_str(), 0666));
              failed(truncate(other_.c_str(), 0));
              failed(utimensat(AT_FDCWD, other_.c_str(), nullptr, 0));
              failed(symlink("/", (into_ / "link").c_str()));
              failed(link(archive_.c_str(), (into_ / "link").c_str()));
              failed(memfd_create("memory", 0));
              failed(fcntl(STDIN_FILENO, F_SETOWN, getppid()));
            }),
            "1\n1\n1\n1\n1\n1\n1\n");
}

}  // namespace
}  // namespace tessera
