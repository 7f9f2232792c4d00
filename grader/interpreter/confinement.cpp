#include "grader/interpreter/confinement.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "grader/process/system_call_filter.h"

namespace tessera {
namespace {

/// The system calls of the interpreter, the C library's allocator and OpenMP's waiting threads.
constexpr int kAllowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(sendto),  // sendmsg() would carry descriptors, which are limited for a user
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(close),
    SCMP_SYS(lseek),
    SCMP_SYS(munmap),
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
#ifdef __SANITIZE_ADDRESS__
    // The sanitizers ask where the stack is and, through a pipe, whether memory can be read.
    SCMP_SYS(sigaltstack),
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
#endif
};

constexpr scmp_arg_cmp kNotExecutable = SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);

/// The one change of a protection that the C library's allocator makes. RLIMIT_DATA counts what can
/// be written: memory that becomes readable alone would be kept and counted no more.
constexpr scmp_arg_cmp kWritable = SCMP_A2_64(SCMP_CMP_EQ, PROT_READ | PROT_WRITE);

/// Private memory, which RLIMIT_DATA counts, and shared buffers may be mapped. Shared memory
/// without a file, growing stacks and huge pages are not counted there.
constexpr scmp_datum_t kPlacing = MAP_FIXED | MAP_NORESERVE | MAP_STACK;
constexpr scmp_datum_t kMappable[] = {MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED};

bool add_rules(const SystemCallFilter& rules) {
  const scmp_filter_ctx filter = rules.get();
  for (const int call : kAllowed) {
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) != 0) return false;
  }
  if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, kWritable) != 0) return false;
  for (const scmp_datum_t flags : kMappable) {
    const scmp_arg_cmp has_flags = SCMP_A3_64(SCMP_CMP_MASKED_EQ, ~kPlacing, flags);
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, kNotExecutable, has_flags) != 0)
      return false;
  }
  // The advice with which the C library's allocator returns memory. Other advice affects more than
  // this process.
  for (const int advice : {MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE}) {
    const scmp_arg_cmp harmless = SCMP_A2_64(SCMP_CMP_EQ, static_cast<scmp_datum_t>(advice));
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 1, harmless) != 0) return false;
  }
  // mremap moves the allocator's memory; it cannot change its protection.
  if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mremap), 0) != 0) return false;
  return allow_abort(rules);
}

}  // namespace

std::optional<std::string> confine_to_computing() {
  const SystemCallFilter filter = make_system_call_filter(SCMP_ACT_ERRNO(EPERM));
  if (filter && !add_rules(filter)) return "libseccomp knows too few system calls";
  return load_system_call_filter(filter);
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
