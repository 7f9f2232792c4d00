#include "grader/compile/server/confinement.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <system_error>
#include <thread>

#include "grader/interpreter/testing/forbidden_acts.h"
#include "grader/process/child_process.h"
#include "grader/process/file_gate.h"
#include "grader/process/landlock.h"
#include "grader/process/testing/in_child.h"

namespace tessera {
namespace {

std::string in_child(const CompilingRights& rights, const std::function<std::string()>& work) {
  return test::in_child([&] { return !confine_to_compiling(rights); }, work);
}

std::string opened(const char* path, int flags = O_RDONLY) {
  const int file = open(path, flags | O_CLOEXEC, 0600);
  if (file < 0) return std::to_string(errno);
  close(file);
  return "opened";
}

class CompilerConfinement : public ::testing::Test {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "the kernel has no Landlock";
  }
};

TEST_F(CompilerConfinement, ReadsOnlyProgramsAndWhatItIsGiven) {
  const std::string refused = std::to_string(EACCES);
  const CompilingRights rights{.readable = {TESSERA_SOURCE_DIR "/common/include", "/nonexistent"}};
  const auto read = [&](const char* path) {
    return in_child(rights, [=] { return opened(path); });
  };
  EXPECT_EQ(read("/usr/bin/env"), "opened");
  EXPECT_EQ(read(TESSERA_SOURCE_DIR "/common/include/tessera/lab.cuh"), "opened");
  EXPECT_EQ(read(TESSERA_SOURCE_DIR "/CMakeLists.txt"), refused);
  EXPECT_EQ(read(TESSERA_SOURCE_DIR "/common/include/../../CMakeLists.txt"), refused);
  EXPECT_EQ(read("/etc/passwd"), refused);
  EXPECT_EQ(read("/usr/share"), refused);  // where packages put solutions
  EXPECT_EQ(read("/proc/self/environ"), refused);
  EXPECT_EQ(read("/proc/self/mem"), refused);
  EXPECT_EQ(read("/dev/shm"), refused);
}

TEST_F(CompilerConfinement, WritesNoFileByName) {
  const std::string name = ::testing::TempDir() + "tessera-confinement-" + std::to_string(getpid());
  const CompilingRights rights{.readable = {::testing::TempDir()}};
  const std::string refused = std::to_string(EACCES);
  EXPECT_EQ(in_child(rights, [&] { return opened(name.c_str(), O_WRONLY | O_CREAT); }), refused);
  EXPECT_EQ(in_child(rights, [] { return opened("/dev/null", O_WRONLY); }), refused);
  EXPECT_EQ(in_child(rights, [] { return opened("/dev/shm/x", O_WRONLY | O_CREAT); }), refused);
  EXPECT_EQ(access(name.c_str(), F_OK), -1);
}

std::string acts() {
  std::string all;
  for (const std::string& name : test::forbidden_acts_that_work("/etc/passwd")) all += name + "\n";
  return all;
}

std::set<std::string> acts_with(const CompilingRights& rights) {
  const std::string all = in_child(rights, acts);
  std::set<std::string> names;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at);
    names.insert(all.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

TEST(CompilerFilter, LeavesNoWayToProcessesTheNetworkOrRareCalls) {
  const std::set<std::string> works = acts_with({});
  for (const char* refused :
       {"execve",          "execveat",       "fork",        "vfork",  "clone",
        "socket",          "socketpair",     "connect",     "ptrace", "process_vm_readv",
        "kill the parent", "signal another", "pidfd_open",  "shmget", "io_uring_setup",
        "unshare",         "mount",          "personality", "bpf",    "userfaultfd",
        "memfd_create"}) {
    EXPECT_EQ(works.count(refused), 0u) << refused;
  }
}

TEST(CompilerFilter, ChangesNoFileAndUsesOnlyCallsThatTheGateSees) {
  for (const bool executes : {false, true}) {
    const std::set<std::string> works = acts_with({.readable = {}, .executes = executes});
    for (const char* refused : {"openat2", "creat", "unlink", "mkdir", "chdir"})
      EXPECT_EQ(works.count(refused), 0u) << refused;
  }
}

TEST(CompilerFilter, NoProcessIsNotifiedOfInput) {
  EXPECT_EQ(in_child({},
                     [] {
                       const bool refused = fcntl(STDIN_FILENO, F_SETOWN, getppid()) == -1 &&
                                            fcntl(STDIN_FILENO, F_SETSIG, SIGKILL) == -1 &&
                                            fcntl(STDIN_FILENO, F_SETFL, O_ASYNC) == -1;
                       return refused && fcntl(STDIN_FILENO, F_GETFL) != -1 ? "refused" : "allowed";
                     }),
            "refused");
}

TEST(CompilerFilter, HasNoCallOfFutureKernels) {
  constexpr long kNewestThatIsAllowed = SYS_faccessat2;
  const std::string answers = in_child({}, [] {
    std::string implemented;
    for (long call = kNewestThatIsAllowed + 1; call < 2000; ++call) {
      errno = 0;
      if (syscall(call, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS)
        implemented += std::to_string(call) + " ";
    }
    return implemented;
  });
  EXPECT_EQ(answers, "");
}

int threads_started() {
  int started = 0;
  try {
    for (; started < 100; ++started) std::thread(pause).detach();
  } catch (const std::system_error&) {
    return started;
  }
  return started;
}

TEST(CompilerFilter, StartsAFewThreadsIfTheGateCountsThem) {
  EXPECT_EQ(in_child({}, [] { return std::to_string(threads_started()); }), "0");
  if (const auto reason = why_no_file_gate()) GTEST_SKIP() << *reason;
  FileGate gate({});
  const auto counted = run_forked(
      [&gate] {
        if (gate.enter() || confine_to_compiling({.readable = {}, .threads = true})) return 99;
        return threads_started();
      },
      {.files = &gate});
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->status, FileGate::kMostThreads);
}

TEST(CompilerFilter, LeavesExecToClangAndNoSecondProcess) {
  const CompilingRights rights{.readable = {}, .executes = true};
  const std::set<std::string> works = acts_with(rights);
  EXPECT_EQ(works.count("execve"), 1u);
  EXPECT_EQ(works.count("fork"), 0u);
  EXPECT_EQ(works.count("vfork"), 0u);
  EXPECT_EQ(works.count("socket"), 0u);
}

}  // namespace
}  // namespace tessera
