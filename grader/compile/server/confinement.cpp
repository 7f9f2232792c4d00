#include "grader/compile/server/confinement.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "grader/process/landlock.h"
#include "grader/process/system_call_filter.h"

namespace tessera {
namespace {

/// Programs, libraries, and how the loader finds them. Never a home, /etc, /proc, /tmp.
constexpr const char* kSystem[] = {
    "/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives"};

/// What no compiler needs: the network, other processes and their memory, what the user's processes
/// share without a file, namespaces and mounts, keys, and the parts of the kernel that have been
/// attacked most.
constexpr int kRefused[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(bind),
    SCMP_SYS(connect),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(recvmmsg),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(process_mrelease),
    SCMP_SYS(kcmp),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(setpgid),
    SCMP_SYS(setsid),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(vfork),
    SCMP_SYS(fork),
    SCMP_SYS(add_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(request_key),
    SCMP_SYS(personality),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmctl),
    SCMP_SYS(msgget),
    SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv),
    SCMP_SYS(msgctl),
    SCMP_SYS(semget),
    SCMP_SYS(semop),
    SCMP_SYS(semtimedop),
    SCMP_SYS(semctl),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(utimensat),
    SCMP_SYS(futimesat),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
};

constexpr int kRefusedWithoutExec[] = {SCMP_SYS(execve), SCMP_SYS(execveat)};

constexpr scmp_datum_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

bool refuse(const SystemCallFilter& filter, int call) {
  return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
}

bool refuse_if(const SystemCallFilter& filter, int call, const scmp_arg_cmp& argument) {
  return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 1, argument) == 0;
}

/// Threads, but neither processes nor namespaces. clone3() has its flags in memory, where a filter
/// cannot look: whoever is told that the kernel has none takes clone().
bool refuse_processes(const SystemCallFilter& filter) {
  if (!refuse_if(filter, SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)))
    return false;
  for (scmp_datum_t flag = 1; flag <= kNamespaces; flag <<= 1) {
    const bool is_one = (kNamespaces & flag) != 0;
    if (is_one && !refuse_if(filter, SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_MASKED_EQ, flag, flag)))
      return false;
  }
  return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

/// Signals to itself, for abort(), and limits of its own, which it can only lower.
bool refuse_reaching_others(const SystemCallFilter& filter) {
  const auto self = static_cast<scmp_datum_t>(getpid());
  return refuse_if(filter, SCMP_SYS(tgkill), SCMP_A0_64(SCMP_CMP_NE, self)) &&
         refuse_if(filter, SCMP_SYS(prlimit64), SCMP_A0_64(SCMP_CMP_NE, 0)) &&
         refuse_if(filter, SCMP_SYS(sched_setaffinity), SCMP_A0_64(SCMP_CMP_NE, 0));
}

SystemCallFilter make_filter(bool executes) {
  SystemCallFilter filter = make_system_call_filter(SCMP_ACT_ALLOW);
  if (!filter) return filter;
  const auto refuse_this = [&filter](int call) { return refuse(filter, call); };
  const bool complete = std::ranges::all_of(kRefused, refuse_this) &&
                        (executes || std::ranges::all_of(kRefusedWithoutExec, refuse_this)) &&
                        refuse_processes(filter) && refuse_reaching_others(filter);
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
    if (auto reason = confine_to_reading(readable_to_compilers(rights.readable))) return reason;
  }
  auto reason = load_system_call_filter(make_filter(rights.executes));
  // The server reads the names of the files that this process asks for (process/file_gate.h).
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  return reason;
}

}  // namespace tessera
