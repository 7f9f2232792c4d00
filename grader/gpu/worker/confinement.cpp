#include "grader/gpu/worker/confinement.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "grader/process/resource_limit.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// ---- files

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// All rights of Landlock's first version, the execution of programs among them. Loading a library
/// needs only the right to read.
constexpr std::uint64_t kOfVersion1 = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
// Rights of later versions, which an older header does not define.
constexpr std::uint64_t kRefer = 1u << 13;     // 2: move files between folders
constexpr std::uint64_t kTruncate = 1u << 14;  // 3: O_TRUNC as well
constexpr std::uint64_t kConnectAndBind = 3;   // 4: TCP
/// 6: abstract sockets of processes outside, and signals to them.
constexpr std::uint64_t kSocketsAndSignals = 3;

constexpr std::uint64_t kReadAndWrite = kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
/// Rights that a rule for a single file cannot grant.
constexpr std::uint64_t kOfFolders = LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kScratch =
    kReadAndWrite | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

/// System libraries, and what the driver reads about the machine.
constexpr const char* kReadable[] = {
    "/usr", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/sys",
    // The loader's cache of libraries, links to versions of CUDA, the driver's settings.
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/alternatives", "/etc/nvidia",
    // Libraries of distributions that keep none in /usr, and of driver containers.
    "/nix/store", "/gnu/store", "/run/opengl-driver", "/run/nvidia", "/dev/urandom", "/dev/random"};

/// The driver names its threads in /proc/self/task.
constexpr const char* kWritable[] = {"/dev/null", "/dev/zero", "/dev/dxg", "/proc/self/task",
                                     // The pipes of the MPS server, if it runs.
                                     "/tmp/nvidia-mps"};

class Ruleset {
 public:
  /// The ruleset is empty if the kernel has no Landlock.
  Ruleset() {
    const long version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return;
    attributes_.files = kOfVersion1;
    if (version >= 2) attributes_.files |= kRefer;
    if (version >= 3) attributes_.files |= kTruncate;
    if (version >= 4) attributes_.network = kConnectAndBind;
    if (version >= 6) attributes_.scopes = kSocketsAndSignals;
    // An older kernel accepts a longer struct if the rest is zero.
    descriptor_ =
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes_, sizeof attributes_, 0));
  }
  ~Ruleset() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;

  void allow(const fs::path& path, std::uint64_t rights) {
    // `place` stays open: once no descriptor refers to a folder below /proc/self, Linux makes its
    // files anew, and the rule does not hold for those.
    const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return;
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) rights &= ~kOfFolders;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights & attributes_.files;
    rule.parent_fd = place;
    syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }

  void enforce() {
    if (descriptor_ >= 0) syscall(SYS_landlock_restrict_self, descriptor_, 0);
  }

 private:
  RulesetAttributes attributes_;
  int descriptor_ = -1;
};

void allow_libraries(Ruleset& rules) {
#ifdef TESSERA_CUDA_LIBRARIES
  rules.allow(TESSERA_CUDA_LIBRARIES, kRead);
#endif
  const char* path = std::getenv("LD_LIBRARY_PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) rules.allow(fs::path(rest.substr(0, end)), kRead);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

/// Allows nvidia0, nvidiactl, nvidia-uvm and so on.
void allow_cards(Ruleset& rules) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/dev", failure)) {
    if (entry.path().filename().string().starts_with("nvidia"))
      rules.allow(entry.path(), kReadAndWrite);
  }
}

// ---- system calls

/// System calls that fail with EPERM. A launch needs only memory, threads, time and ioctl on device
/// files that are already open.
constexpr int kForbidden[] = {
    // Programs and processes. add_rules() deals with clone().
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
    // Other processes: their memory, their descriptors, signals to them.
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(process_madvise), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(perf_event_open),
    // The network, and servers of this machine. While the driver starts it may connect to
    // nvidia-persistenced by a socket; a launch connects to no server.
    SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
    // Memory and queues that processes of one user share by number.
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(msgget), SCMP_SYS(semget), SCMP_SYS(mq_open),
    // Parts of the kernel with many known mistakes, which a launch does not need.
    SCMP_SYS(bpf), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(userfaultfd), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
    SCMP_SYS(fanotify_init), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    SCMP_SYS(modify_ldt), SCMP_SYS(personality), SCMP_SYS(vmsplice),
    // Namespaces and mounts, which would give later calls another view of the system.
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(chroot), SCMP_SYS(pivot_root), SCMP_SYS(mount),
    SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
    // The machine itself, in case root runs the grader.
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(acct), SCMP_SYS(syslog), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid),
    SCMP_SYS(setregid), SCMP_SYS(setresuid), SCMP_SYS(setresgid), SCMP_SYS(setgroups),
    SCMP_SYS(capset)};

/// The numbers of calls that are newer than this list; some of these calls name files.
constexpr int kFirstUnknown = 450;
constexpr int kLastUnknown = 1000;

void add_rules(scmp_filter_ctx filter) {
  const auto forbid = [&](int call, unsigned conditions, scmp_arg_cmp condition) {
    // A call that this machine does not have needs no rule.
    static_cast<void>(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, conditions, condition));
  };
  for (const int call : kForbidden) forbid(call, 0, scmp_arg_cmp{});
  for (int call = kFirstUnknown; call <= kLastUnknown; ++call)
    static_cast<void>(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0));
  // clone() may make threads but no processes. The flags of clone3() are in memory, which a filter
  // cannot read; if clone3() is missing, the C library uses clone().
  forbid(SCMP_SYS(clone), 1, SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  static_cast<void>(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
  const auto itself = static_cast<scmp_datum_t>(getpid());
  forbid(SCMP_SYS(kill), 1, SCMP_A0_64(SCMP_CMP_NE, itself));
  forbid(SCMP_SYS(tgkill), 1, SCMP_A0_64(SCMP_CMP_NE, itself));
  forbid(SCMP_SYS(prlimit64), 1, SCMP_A0_64(SCMP_CMP_NE, 0));
}

}  // namespace

void restrict_files() {
  set_resource_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  Ruleset rules;
  for (const char* path : kReadable) rules.allow(path, kRead);
  for (const char* path : kWritable) rules.allow(path, kReadAndWrite);
  rules.allow("/dev/shm", kScratch);
  allow_libraries(rules);
  allow_cards(rules);
  rules.allow("/dev", LANDLOCK_ACCESS_FS_READ_DIR);
  rules.enforce();
}

void forbid_calls() {
  using Filter =
      std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&seccomp_release)>;
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter) return;
  // For all threads, including the driver's. If one thread cannot be filtered, none is.
  if (seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1) != 0) return;
  add_rules(filter.get());
  static_cast<void>(seccomp_load(filter.get()));
}

}  // namespace tessera
