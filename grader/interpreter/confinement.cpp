#include "grader/interpreter/confinement.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <type_traits>

#include "grader/process/resource_limit.h"

namespace tessera {
namespace {

using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&seccomp_release)>;

/// What the interpreter, the C library's allocator and OpenMP's waiting threads ask of the kernel.
constexpr int kAllowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(close),
    SCMP_SYS(lseek),
    SCMP_SYS(munmap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(sched_yield),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(gettid),
    SCMP_SYS(getpid),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

/// These take a protection as their third argument.
constexpr int kAllowedUnlessExecutable[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};

bool add_rules(scmp_filter_ctx filter) {
  for (const int call : kAllowed) {
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) != 0) return false;
  }
  for (const int call : kAllowedUnlessExecutable) {
    const scmp_arg_cmp not_executable = SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, not_executable) != 0) return false;
  }
  // mremap moves what the allocator has; it cannot change a protection.
  if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mremap), 0) != 0) return false;
  // abort(): a signal to itself alone.
  const scmp_arg_cmp to_itself = SCMP_A0_64(SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid()));
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, to_itself) == 0;
}

std::string reason(int error) {
  return std::string("the kernel takes no filter of system calls: ") + std::strerror(error);
}

}  // namespace

std::optional<std::string> confine_to_computing() {
  set_resource_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  if (!filter) return reason(ENOMEM);
  if (seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1) != 0 || !add_rules(filter.get()))
    return reason(ENOSYS);
  const int result = seccomp_load(filter.get());
  if (result != 0) return reason(-result);
  return std::nullopt;
}

std::optional<std::string> why_not_confined() {
  const pid_t child = fork();
  if (child == 0) _exit(confine_to_computing() ? 1 : 0);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return "no process can be started";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return "the kernel takes no filter of system calls (seccomp)";
}

}  // namespace tessera
