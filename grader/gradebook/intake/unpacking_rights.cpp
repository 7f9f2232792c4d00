#include "grader/gradebook/intake/unpacking_rights.h"

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

/// The calls that start programs or reach other processes.
constexpr int kRefused[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(clone),
    SCMP_SYS(clone3),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(prlimit64),
    SCMP_SYS(mount),
    SCMP_SYS(unshare),
    SCMP_SYS(shmget),
    SCMP_SYS(msgget),
};

void refuse_calls() {
  const SystemCallFilter filter = make_system_call_filter(SCMP_ACT_ALLOW);
  if (!filter) return;
  const bool complete = std::ranges::all_of(kRefused, [&](int call) {
    return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
  });
  if (complete) load_system_call_filter(filter);
}

}  // namespace

void confine_to_unpacking(const std::filesystem::path& archive, const std::filesystem::path& into) {
  close_range(STDERR_FILENO + 1, UINT_MAX, 0);
  std::vector<std::filesystem::path> readable(std::begin(kSystem), std::end(kSystem));
  readable.push_back(archive);
  confine_to_files(readable, into);
  refuse_calls();
}

}  // namespace tessera
