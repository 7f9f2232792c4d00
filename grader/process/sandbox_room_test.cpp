// What a program sees in a sandbox.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/process/sandbox.h"
#include "grader/process/testing/sandbox_test_support.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

using End = SandboxResult::End;
using ::testing::HasSubstr;
using ::testing::Not;

class SandboxRoom : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bubblewrap()) GTEST_SKIP() << why_not();
  }
};

/// Standard output of a script that ends by itself.
std::string output_of(SandboxRequest request) {
  const auto result = run_sandboxed(request, IsolationTier::bubblewrap, never());
  if (!result) return result.error().str();
  return result->output + result->log;
}

TEST(SandboxTier, HasAReasonIfThereIsNoRoom) {
  EXPECT_EQ(has_bubblewrap(), why_not().empty());
  EXPECT_THAT(has_bubblewrap() ? "bubblewrap" : why_not(), HasSubstr("bubblewrap"));
}

TEST(SandboxTier, WithoutBubblewrapTheReasonSaysWhatToInstall) {
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const Isolation isolation = available_isolation();
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(isolation.tier, IsolationTier::limits);
  EXPECT_THAT(isolation.reason, HasSubstr("apt install bubblewrap"));
}

TEST(SandboxTier, ABubblewrapThatMayNotMakeARoomIsQuotedWithARemedy) {
  const TemporaryDirectory folder;
  const fs::path program =
      folder.write("bwrap", "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n");
  fs::permissions(program, fs::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", folder.path().c_str(), 1);
  const Isolation isolation = available_isolation();
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(isolation.tier, IsolationTier::limits);
  EXPECT_THAT(isolation.reason, HasSubstr("No permissions"));
  EXPECT_THAT(isolation.reason, HasSubstr("user namespaces"));
}

TEST_F(SandboxRoom, HasNoNetworkButALoopback) {
  EXPECT_EQ(output_of(shell("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")), "lo\n");
}

TEST_F(SandboxRoom, AFileOutsideCannotBeRead) {
  const TemporaryDirectory folder;
  const std::string secret = folder.write("secret", "the solution");
  EXPECT_THAT(output_of(shell("cat " + secret)), HasSubstr("No such file"));
  EXPECT_THAT(output_of(shell("cat /etc/passwd /etc/shadow /root/.ssh")), Not(HasSubstr("root:")));
}

TEST_F(SandboxRoom, HomeFoldersAreHidden) {
  EXPECT_EQ(output_of(shell("for i in /home /root /var /run /mnt; do [ -e $i ] && echo $i; done")),
            "");
}

TEST_F(SandboxRoom, WhatIsInstalledBesideTheSystemIsHidden) {
  EXPECT_EQ(output_of(shell("test -e /opt || echo none")), "none\n");
}

TEST_F(SandboxRoom, AReadablePathIsReadAndNotWritten) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("lab.yaml", "text");
  SandboxRequest request = shell("cat " + file + "; echo more > " + file + "; touch " +
                                 (folder.path() / "new").string());
  request.readable = {folder.path()};
  const std::string output = output_of(request);
  EXPECT_EQ(output.substr(0, 4), "text");
  EXPECT_THAT(output, HasSubstr("Read-only file system"));
  EXPECT_EQ(read_file(file).value(), "text");
  EXPECT_FALSE(fs::exists(folder.path() / "new"));
}

TEST_F(SandboxRoom, AMountedFileIsSeenElsewhere) {
  const TemporaryDirectory folder;
  SandboxRequest request = shell("cat /submission/kernel.cu; echo more > /submission/kernel.cu");
  request.mounted = {{folder.write("anna.cu", "her kernel"), "/submission/kernel.cu"}};
  const std::string output = output_of(request);
  EXPECT_EQ(output.substr(0, 10), "her kernel");
  EXPECT_THAT(output, HasSubstr("Read-only file system"));
}

TEST_F(SandboxRoom, AWritablePathIsWritten) {
  const TemporaryDirectory folder;
  const std::string lock = folder.write("gpu0.lock", "");
  SandboxRequest request = shell("echo mine > " + lock);
  request.writable = {lock};
  EXPECT_EQ(output_of(request), "");
  EXPECT_EQ(read_file(lock).value(), "mine\n");
}

TEST_F(SandboxRoom, HiddenFoldersAreEmptyAndHiddenFilesCannotBeRead) {
  const TemporaryDirectory folder;
  fs::create_directory(folder.path() / "solutions");
  folder.write("solutions/vector_add.cu", "the solution");
  const fs::path file = folder.write("marks.csv", "the marks");
  const std::string solutions = folder.path() / "solutions";
  SandboxRequest request = shell("ls -A " + solutions + "; cat " + file.string() + "; touch " +
                                 solutions + "/x; umount " + solutions + "; ls -A " + solutions);
  request.readable = {folder.path()};
  request.hidden = {solutions, file};
  const std::string output = output_of(request);
  EXPECT_THAT(output, Not(HasSubstr("vector_add")));
  EXPECT_THAT(output, Not(HasSubstr("the marks")));
  EXPECT_THAT(output, HasSubstr("Read-only file system"));
}

TEST_F(SandboxRoom, TheScratchFolderIsPrivateSizedAndGoneAfterwards) {
  const std::string name = "/tmp/tessera-room-" + std::to_string(getpid());
  SandboxRequest request =
      shell("echo kept > " + name + "; cat " + name + "; ls -A /tmp | wc -l; " +
            "head -c 2000000 /dev/zero > /tmp/large; head -c 2000000 /dev/zero > /dev/shm/large");
  request.limits.scratch_bytes = 1 << 20;
  const std::string output = output_of(request);
  EXPECT_EQ(output.substr(0, 7), "kept\n1\n");
  EXPECT_FALSE(fs::exists(name));
  EXPECT_EQ(output_of(shell("ls -A /tmp")), "");
}

TEST_F(SandboxRoom, TheScratchFolderIsFullBeforeTheMachineIs) {
  SandboxRequest request = shell(
      "for i in 1 2 3 4; do head -c 500000 /dev/zero > /tmp/$i || echo full; done 2> /dev/null");
  request.limits.scratch_bytes = 1 << 20;
  EXPECT_THAT(output_of(request), HasSubstr("full"));
}

TEST_F(SandboxRoom, NothingOfTheSystemCanBeWritten) {
  const std::string output = output_of(
      shell("for i in /new /dev/new /usr/new /proc/sys/kernel/panic /proc/self/oom_score_adj; do"
            " (echo 1 > $i) 2> /dev/null && echo $i; done"));
  EXPECT_EQ(output, "");
}

TEST_F(SandboxRoom, TheProgramHasNoCapabilitiesAndNoOtherProcessesInSight) {
  const std::string output =
      output_of(shell("grep -h -E 'Cap(Eff|Prm|Bnd)' /proc/self/status | cut -f2 | sort -u; "
                      "ls -d /proc/[0-9]* | wc -l"));
  EXPECT_EQ(output.substr(0, 17), "0000000000000000\n");
  EXPECT_LE(std::stoi(output.substr(17)), 5);
}

TEST_F(SandboxRoom, OfTheGpuNothingIsSeenUnlessAskedFor) {
  EXPECT_EQ(output_of(shell("ls -d /dev/nvidia* /sys 2> /dev/null")), "");
  SandboxRequest request = shell("ls -d /sys; ls /dev | grep -c nvidia; true");
  request.gpu = true;
  EXPECT_THAT(output_of(request), HasSubstr("/sys\n"));
}

TEST_F(SandboxRoom, ALastingFailureOfTheRoomIsAnError) {
  const TemporaryDirectory folder;
  SandboxRequest request = shell("true");
  request.mounted = {{folder.write("a", ""), "/usr/tessera-nowhere/a"}};
  const auto result = run_sandboxed(request, IsolationTier::bubblewrap, never());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().str(), HasSubstr("bubblewrap cannot make a sandbox: bwrap: "));
}

TEST_F(SandboxRoom, AProgramThatExitsWithOneIsNoFailureOfTheRoom) {
  const auto result =
      run_sandboxed(shell("echo 'bwrap: lies' >&2; exit 1"), IsolationTier::bubblewrap, never());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 1);
}

}  // namespace
}  // namespace tessera
