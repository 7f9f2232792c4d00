#include "grader/interpreter/testing/forbidden_acts.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>

namespace tessera::test {
namespace {

struct Act {
  const char* name;
  std::function<long()> call;
};

long map(int protection, int flags = MAP_PRIVATE | MAP_ANONYMOUS) {
  void* memory = mmap(nullptr, 4096, protection, flags, -1, 0);
  return memory == MAP_FAILED ? -1 : 0;
}

/// Memory that RLIMIT_DATA does not count.
long map_uncounted(int flags) {
  return map(PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS);
}

long send_descriptor() {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  return sendmsg(-1, &message, MSG_NOSIGNAL);
}

/// Of memory that can be written.
long protect(int protection) {
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? 0 : mprotect(memory, 4096, protection);
}

/// A second process would answer 0 here too: it ends at once.
long start_process(long number, unsigned long flags) {
  const long child = syscall(number, flags, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child;
}

long peek_at_parent() {
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{&byte, 1};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

std::vector<Act> acts(const char* file) {
  static char name[] = "/nonexistent";  // another errno where the kernel looks for it
  static char* const words[] = {name, nullptr};
  return {
#ifdef SYS_open  // arm64 has none of these
      {"open", [=] { return syscall(SYS_open, file, O_RDONLY); }},
      {"creat", [] { return syscall(SYS_creat, "/tmp/tessera-forbidden", 0600); }},
      {"stat",
       [=] {
         struct stat status {};
         return syscall(SYS_stat, file, &status);
       }},
      {"access", [=] { return syscall(SYS_access, file, R_OK); }},
      {"readlink",
       [] {
         char link[64];
         return syscall(SYS_readlink, "/proc/self/exe", link, sizeof link);
       }},
      {"unlink", [] { return syscall(SYS_unlink, "/tmp/tessera-forbidden"); }},
      {"mkdir", [] { return syscall(SYS_mkdir, "/tmp/tessera-forbidden", 0700); }},
      {"fork", [] { return start_process(SYS_fork, 0); }},
#endif
      {"openat", [=] { return syscall(SYS_openat, AT_FDCWD, file, O_RDONLY, 0); }},
      {"openat2",
       [=] {
         std::uint64_t how[3] = {O_RDONLY, 0, 0};
         return syscall(SYS_openat2, AT_FDCWD, file, how, sizeof how);
       }},
      {"execve", [] { return syscall(SYS_execve, name, words, nullptr); }},
      {"execveat", [] { return syscall(SYS_execveat, AT_FDCWD, name, words, nullptr, 0); }},
      {"vfork", [] { return start_process(SYS_clone, SIGCHLD); }},
      {"clone", [] { return start_process(SYS_clone, CLONE_NEWUSER | SIGCHLD); }},
      {"clone3", [] { return syscall(SYS_clone3, nullptr, 0); }},
      {"socket", [] { return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
      {"socketpair",
       [] {
         int ends[2];
         return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
       }},
      {"connect", [] { return syscall(SYS_connect, 3, nullptr, 0); }},
      {"ptrace", [] { return syscall(SYS_ptrace, PTRACE_PEEKDATA, getppid(), 0, 0); }},
      {"process_vm_readv", peek_at_parent},
      {"kill the parent", [] { return syscall(SYS_kill, getppid(), 0); }},
      {"signal another", [] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }},
      {"pidfd_open", [] { return syscall(SYS_pidfd_open, getppid(), 0); }},
      {"memfd_create", [] { return syscall(SYS_memfd_create, "x", 0); }},
      {"shmget", [] { return syscall(SYS_shmget, 0, 4096, 0600 | 01000); }},
      {"io_uring_setup",
       [] {
         io_uring_params parameters{};
         return syscall(SYS_io_uring_setup, 1, &parameters);
       }},
      {"unshare", [] { return syscall(SYS_unshare, CLONE_NEWUSER); }},
      {"mount", [] { return syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr); }},
      {"chdir", [] { return syscall(SYS_chdir, "/"); }},
      {"setuid", [] { return syscall(SYS_setuid, getuid()); }},
      {"prctl", [] { return syscall(SYS_prctl, 4, 1, 0, 0, 0); }},          // PR_SET_DUMPABLE
      {"personality", [] { return syscall(SYS_personality, 0x0400000); }},  // READ_IMPLIES_EXEC
      {"ioctl", [] { return syscall(SYS_ioctl, 0, 0x5413, nullptr); }},
      {"dup", [] { return syscall(SYS_dup, 0); }},
      {"bpf", [] { return syscall(SYS_bpf, 0, nullptr, 0); }},
      {"userfaultfd", [] { return syscall(SYS_userfaultfd, 1); }},
      {"sendmsg", send_descriptor},
      {"shared memory without a file", [] { return map_uncounted(MAP_SHARED); }},
      {"validated shared memory", [] { return map_uncounted(MAP_SHARED_VALIDATE); }},
      {"a stack that grows", [] { return map_uncounted(MAP_PRIVATE | MAP_GROWSDOWN); }},
      {"huge pages", [] { return map_uncounted(MAP_PRIVATE | MAP_HUGETLB); }},
      {"executable memory", [] { return map(PROT_READ | PROT_EXEC); }},
      {"writable and executable memory", [] { return map(PROT_READ | PROT_WRITE | PROT_EXEC); }},
      {"making memory executable", [] { return protect(PROT_READ | PROT_EXEC); }},
      // RLIMIT_DATA counts what can be written.
      {"making memory readable alone", [] { return protect(PROT_READ); }},
      {"making memory writable alone", [] { return protect(PROT_WRITE); }},
      {"taking all rights from memory", [] { return protect(PROT_NONE); }},
  };
}

}  // namespace

std::vector<std::string> forbidden_acts_that_work(const char* file) {
  std::vector<std::string> names;
  for (const Act& act : acts(file)) {
    errno = 0;
    const bool is_refused = act.call() < 0 && (errno == EPERM || errno == ENOSYS);
    if (!is_refused) names.emplace_back(act.name);
  }
  return names;
}

}  // namespace tessera::test
