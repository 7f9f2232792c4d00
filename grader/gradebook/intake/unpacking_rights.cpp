#include "grader/gradebook/intake/unpacking_rights.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <vector>

#include "grader/process/landlock.h"
#include "grader/process/system_call_filter.h"

namespace tessera {
namespace {

/// What libarchive and the C library read: tables of character sets, and the local time.
constexpr const char* kSystem[] = {"/usr", "/lib", "/lib64", "/etc/localtime"};

/// The system calls that reading an archive and writing files and folders need. Names are checked
/// by Landlock. No links, no change of a file's rights or times, no program, no signal to another
/// process, no memory beyond what the limit of address space counts.
constexpr int kAllowed[] = {
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(close),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(pwrite64),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64),
    SCMP_SYS(getcwd),
    SCMP_SYS(fadvise64),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rmdir),
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(umask),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
#ifdef __SANITIZE_ADDRESS__
    // The sanitizers ask, through a pipe, whether memory can be read.
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(sched_yield),
    SCMP_SYS(getrlimit),
    SCMP_SYS(prlimit64),
#endif
};

/// Private memory, and files that are mapped to be read (tables of character sets).
constexpr scmp_arg_cmp kPrivate{3, SCMP_CMP_MASKED_EQ, MAP_SHARED, 0};

void allow_unpacking_alone() {
  const SystemCallFilter filter = make_system_call_filter(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return;
  const auto allow = [&](int call) {
    return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0) == 0;
  };
  const bool complete =
      std::ranges::all_of(kAllowed, allow) &&
      seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, kPrivate) == 0 &&
      allow_descriptor_flags(filter) && allow_abort(filter);
  if (complete) load_system_call_filter(filter);
}

}  // namespace

void confine_to_unpacking(const std::filesystem::path& archive, const std::filesystem::path& into) {
  close_range(STDERR_FILENO + 1, UINT_MAX, 0);
  std::vector<std::filesystem::path> readable(std::begin(kSystem), std::end(kSystem));
  readable.push_back(archive);
  confine_to_files(readable, into);
  allow_unpacking_alone();
}

}  // namespace tessera
