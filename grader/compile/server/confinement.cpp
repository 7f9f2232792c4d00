#include "grader/compile/server/confinement.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "grader/process/landlock.h"
#include "grader/process/system_call_filter.h"

namespace tessera {
namespace {

/// Programs, libraries, and how the loader finds them. Never a home folder, /etc, /proc or /tmp,
/// and nothing of /usr/share, where the packages of the kit put its labs and solutions.
constexpr const char* kSystem[] = {"/bin",
                                   "/lib",
                                   "/lib32",
                                   "/lib64",
                                   "/libx32",
                                   "/usr/bin",
                                   "/usr/include",
                                   "/usr/lib",
                                   "/usr/lib32",
                                   "/usr/lib64",
                                   "/usr/libexec",
                                   "/usr/libx32",
                                   "/usr/local/bin",
                                   "/usr/local/include",
                                   "/usr/local/lib",
                                   "/usr/local/lib64",
                                   "/etc/ld.so.cache",
                                   "/etc/alternatives"};

/// The system calls that a compiler, the loader, the C library and its threads need. All others
/// fail with ENOSYS, including calls that future kernels add: a list of refused calls would be
/// complete only on the day it is written.
constexpr int kAllowed[] = {
    // Files, by name and by descriptor. Nothing that makes, changes, moves or removes a file: names
    // are checked by a gate (process/file_gate.h) and by Landlock.
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(close), SCMP_SYS(read), SCMP_SYS(readv),
    SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64),
    SCMP_SYS(pwritev), SCMP_SYS(lseek), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat),
    SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(getdents), SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(flock),
    SCMP_SYS(fadvise64), SCMP_SYS(readahead), SCMP_SYS(ftruncate), SCMP_SYS(fallocate),
    SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
    SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(umask), SCMP_SYS(close_range),
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect),
    SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(msync), SCMP_SYS(mlock), SCMP_SYS(munlock),
    // Threads, their waiting, and signals to themselves.
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(set_tid_address), SCMP_SYS(arch_prctl), SCMP_SYS(membarrier), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(getcpu),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack), SCMP_SYS(wait4),
    SCMP_SYS(waitid), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // Time, the process's identity, facts about the machine.
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(alarm),
    SCMP_SYS(setitimer), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getpgrp),
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getresuid),
    SCMP_SYS(getresgid), SCMP_SYS(getgroups), SCMP_SYS(uname), SCMP_SYS(sysinfo),
    SCMP_SYS(getrandom), SCMP_SYS(getrlimit), SCMP_SYS(setrlimit), SCMP_SYS(capget)};

constexpr scmp_datum_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// Names of threads, whether the parent may read this process's memory (it reads the names of
/// files), and labels of memory.
constexpr int kAllowedPrctl[] = {PR_SET_NAME, PR_GET_NAME, PR_SET_DUMPABLE, PR_GET_DUMPABLE,
                                 PR_SET_VMA};

/// The question whether a descriptor is a terminal.
constexpr scmp_datum_t kTerminalSettings = TCGETS;

bool allow(const SystemCallFilter& filter, int call) {
  return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0) == 0;
}

bool allow_if(const SystemCallFilter& filter, int call, const scmp_arg_cmp& argument) {
  return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 1, argument) == 0;
}

/// Threads, but neither processes nor namespaces. clone3() has its flags in memory, which a filter
/// cannot read: if the kernel seems to lack it, the C library uses clone().
bool allow_threads(const SystemCallFilter& filter) {
  return allow_if(filter, SCMP_SYS(clone),
                  SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD | kNamespaces, CLONE_THREAD));
}

/// Signals to itself, for abort(), and limits of its own, which it can only lower.
bool allow_what_is_its_own(const SystemCallFilter& filter) {
  for (const int option : kAllowedPrctl) {
    if (!allow_if(filter, SCMP_SYS(prctl),
                  SCMP_A0_64(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option))))
      return false;
  }
  return allow_if(filter, SCMP_SYS(ioctl), SCMP_A1_64(SCMP_CMP_EQ, kTerminalSettings)) &&
         allow_descriptor_flags(filter) && allow_abort(filter) &&
         allow_if(filter, SCMP_SYS(prlimit64), SCMP_A0_64(SCMP_CMP_EQ, 0)) &&
         allow_if(filter, SCMP_SYS(sched_setaffinity), SCMP_A0_64(SCMP_CMP_EQ, 0));
}

SystemCallFilter make_filter(const CompilingRights& rights) {
  SystemCallFilter filter = make_system_call_filter(SCMP_ACT_ERRNO(ENOSYS));
  if (!filter) return filter;
  const bool complete =
      std::ranges::all_of(kAllowed, [&filter](int call) { return allow(filter, call); }) &&
      (!rights.executes || allow(filter, SCMP_SYS(execve))) &&
      (!rights.threads || allow_threads(filter)) && allow_what_is_its_own(filter);
  if (!complete) filter.reset();
  return filter;
}

}  // namespace

std::vector<std::filesystem::path> readable_to_compilers(std::vector<std::filesystem::path> given) {
  given.insert(given.end(), std::begin(kSystem), std::end(kSystem));
  return given;
}

std::optional<std::string> confine_to_compiling(const CompilingRights& rights) {
  if (landlock_version() > 0) {
    if (auto reason = confine_to_files(readable_to_compilers(rights.readable))) return reason;
  }
  auto reason = load_system_call_filter(make_filter(rights));
  // The server reads the names of the files that this process asks for (process/file_gate.h).
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  return reason;
}

}  // namespace tessera
