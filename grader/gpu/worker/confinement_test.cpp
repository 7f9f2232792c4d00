#include "grader/gpu/worker/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

namespace tessera {
namespace {

/// Whether `act` returns true in a confined process.
bool confined(const std::function<bool()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    restrict_files();
    forbid_calls();
    _exit(act() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_refused(long result) {
  return result < 0 && errno == EPERM;
}

bool has_landlock() {
  return syscall(444, nullptr, 0, 1) > 0;  // landlock_create_ruleset's version
}

TEST(GpuConfinement, ThreadsStartAndProcessesDoNot) {
  EXPECT_TRUE(confined([] {
    bool ran = false;
    std::thread([&] { ran = true; }).join();
    return ran;
  }));
  EXPECT_TRUE(confined([] { return is_refused(fork()); }));
  EXPECT_TRUE(confined([] {
    char* const words[] = {nullptr};
    return is_refused(execve("/bin/true", words, words));
  }));
}

TEST(GpuConfinement, OtherProcessesAndTheNetworkAreOutOfReach) {
  EXPECT_TRUE(confined([] { return is_refused(kill(getppid(), 0)); }));
  EXPECT_TRUE(confined([] { return is_refused(ptrace(PTRACE_ATTACH, getppid(), 0, 0)); }));
  EXPECT_TRUE(confined([] { return is_refused(socket(AF_INET, SOCK_STREAM, 0)); }));
  EXPECT_TRUE(confined([] { return is_refused(syscall(SYS_io_uring_setup, 1, nullptr)); }));
  EXPECT_TRUE(confined([] { return is_refused(syscall(SYS_bpf, 0, nullptr, 0)); }));
}

TEST(GpuConfinement, CallsThatTheKernelGotLaterDoNotExist) {
  EXPECT_TRUE(confined([] {
    for (long call = 450; call <= 1000; ++call) {
      if (syscall(call, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) return false;
    }
    return true;
  }));
}

TEST(GpuConfinement, LibrariesCanBeReadAndNothingElse) {
  if (!has_landlock()) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_TRUE(confined([] { return open("/proc/self/maps", O_RDONLY) >= 0; }));
  EXPECT_TRUE(confined([] { return open("/proc/self/task", O_RDONLY | O_DIRECTORY) >= 0; }));
  EXPECT_TRUE(confined([] { return open("/dev/null", O_RDWR) >= 0; }));
  EXPECT_TRUE(confined([] { return open("/etc/passwd", O_RDONLY) < 0; }));
  EXPECT_TRUE(confined([] { return open(TESSERA_SOURCE_DIR "/Makefile", O_RDONLY) < 0; }));
  EXPECT_TRUE(confined([] { return open("/tmp/tessera-forbidden", O_CREAT | O_RDWR, 0600) < 0; }));
  EXPECT_TRUE(confined([] {
    const std::string memory = "/proc/" + std::to_string(getppid()) + "/mem";
    return open(memory.c_str(), O_RDONLY) < 0;
  }));
}

TEST(GpuConfinement, TheDriverMayNameItsThreads) {
  EXPECT_TRUE(confined([] {
    const std::string name = "/proc/self/task/" + std::to_string(gettid()) + "/comm";
    const int file = open(name.c_str(), O_WRONLY | O_TRUNC);
    return file >= 0 && write(file, "cuda", 4) == 4;
  }));
}

}  // namespace
}  // namespace tessera
