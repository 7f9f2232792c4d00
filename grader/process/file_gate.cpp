#include "grader/process/file_gate.h"

#include <fcntl.h>
#include <seccomp.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "common/stopwatch.h"
#include "grader/process/child_process.h"
#include "grader/process/system_call_filter.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A system call that names a file, and the indexes of its arguments; -1 if it has no such
/// argument.
struct NamingCall {
  int number;
  int path;
  int folder = -1;      // that a relative path starts from
  int open_flags = -1;  // O_RDONLY and so on
  int at_flags = -1;    // AT_EMPTY_PATH: the folder itself is meant
  bool opens = false;
};

constexpr NamingCall kNamingCalls[] = {
    {.number = SCMP_SYS(open), .path = 0, .open_flags = 1, .opens = true},
    {.number = SCMP_SYS(openat), .path = 1, .folder = 0, .open_flags = 2, .opens = true},
    {.number = SCMP_SYS(execve), .path = 0, .opens = true},
    {.number = SCMP_SYS(stat), .path = 0},
    {.number = SCMP_SYS(lstat), .path = 0},
    {.number = SCMP_SYS(newfstatat), .path = 1, .folder = 0, .at_flags = 3},
    {.number = SCMP_SYS(statx), .path = 1, .folder = 0, .at_flags = 2},
    {.number = SCMP_SYS(access), .path = 0},
    {.number = SCMP_SYS(faccessat), .path = 1, .folder = 0},
    {.number = SCMP_SYS(faccessat2), .path = 1, .folder = 0, .at_flags = 3},
    {.number = SCMP_SYS(readlink), .path = 0},
    {.number = SCMP_SYS(readlinkat), .path = 1, .folder = 0},
    {.number = SCMP_SYS(statfs), .path = 0},
};

/// Most folders in a name. Names from a compiler have about twenty; each costs a look.
constexpr int kMostFolders = 100;

/// With this name the child finds out whether its parent may read its memory, before it depends on
/// that.
constexpr char kProbe[] = "a file gate's probe";

struct Probe {
  pid_t child;
  const char* text;
};

bool read_memory(pid_t process, unsigned long long address, char* to, std::size_t bytes) {
  const iovec here{to, bytes};
  const iovec there{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

/// The text at an address of another process, if it ends within the length of a path.
std::optional<std::string> read_text(pid_t process, unsigned long long address) {
  constexpr unsigned long long kPage = 4096;
  std::string text;
  while (text.size() < PATH_MAX) {
    // After the end of a page there may be no memory.
    std::array<char, kPage> piece;
    const std::size_t bytes = kPage - address % kPage;
    if (!read_memory(process, address, piece.data(), bytes)) return std::nullopt;
    const std::size_t length = strnlen(piece.data(), bytes);
    text.append(piece.data(), length);
    if (length < bytes) return text;
    address += bytes;
  }
  return std::nullopt;
}

/// The path to which `path` leads, without links and "..", or "" if it does not exist.
std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         std::free);
  return real ? real.get() : "";
}

bool is_below(const std::string& path, const std::string& folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder == "/" || path[folder.size()] == '/';
}

std::string not_asked(int error) {
  return std::string("the kernel does not ask about system calls: ") + std::strerror(error);
}

}  // namespace

FileGate::FileGate(const std::vector<fs::path>& shown) : mine_(-1), its_(-1) {
  for (const fs::path& path : shown) {
    std::string real = real_path(path.string());
    if (!real.empty()) shown_.push_back(std::move(real));
  }
  std::tie(mine_, its_) = Channel::make_pair();
}

FileGate::~FileGate() {
  if (listener_ >= 0) ::close(listener_);
}

std::optional<std::string> FileGate::enter() {
  const Probe probe{getpid(), kProbe};
  if (!its_.send({reinterpret_cast<const char*>(&probe), sizeof probe})) return not_asked(EPIPE);
  const auto readable = its_.receive(1);
  if (!readable || *readable != "y") return not_asked(EPERM);
  const SystemCallFilter filter = make_system_call_filter(SCMP_ACT_ALLOW);
  if (!filter) return not_asked(ENOMEM);
  int result = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  for (const NamingCall& call : kNamingCalls) {
    if (result == 0) result = seccomp_rule_add(filter.get(), SCMP_ACT_NOTIFY, call.number, 0);
  }
  if (result == 0) result = seccomp_rule_add(filter.get(), SCMP_ACT_NOTIFY, SCMP_SYS(clone), 0);
  if (result == 0) result = seccomp_load(filter.get());
  if (result != 0) return not_asked(-result);
  const int listener = seccomp_notify_fd(filter.get());
  const bool sent = its_.send("l", std::span(&listener, 1));
  ::close(listener);
  // Without a listener, each of those calls fails.
  return sent ? std::nullopt : std::optional(not_asked(EPIPE));
}

int FileGate::descriptor() const {
  return listener_ >= 0 ? listener_ : mine_.descriptor();
}

void FileGate::serve() {
  const Stopwatch stopwatch;
  if (listener_ >= 0) {
    answer_call();
  } else {
    take_listener();
  }
  seconds_ += stopwatch.seconds();
}

void FileGate::close() {
  if (listener_ >= 0) ::close(listener_);
  listener_ = -1;
  mine_ = Channel(-1);
}

void FileGate::take_listener() {
  std::vector<int> descriptors;
  const auto message = mine_.receive(sizeof(Probe), &descriptors);
  if (!message) return close();
  if (descriptors.size() == 1) {
    listener_ = descriptors.front();
    return;
  }
  for (const int descriptor : descriptors) ::close(descriptor);
  if (message->size() != sizeof(Probe)) return close();
  Probe probe{};
  std::memcpy(&probe, message->data(), sizeof probe);
  const auto text = read_text(probe.child, reinterpret_cast<std::uintptr_t>(probe.text));
  mine_.send(text == kProbe ? "y" : "n");
}

bool FileGate::shows(const std::string& path, Use use) const {
  const std::string real = real_path(path);
  if (real.empty()) return false;
  return std::ranges::any_of(shown_, [&](const std::string& shown) {
    // The folders above shown files exist, since programs that resolve links look at them.
    return is_below(real, shown) || (use == Use::look && is_below(shown, real));
  });
}

int FileGate::verdict_on(pid_t child, int number, const unsigned long long* arguments) {
  if (number == SCMP_SYS(clone)) return threads_++ < kMostThreads ? 0 : EAGAIN;
  const auto* call = std::ranges::find(kNamingCalls, number, &NamingCall::number);
  if (call == std::end(kNamingCalls)) return EPERM;
  const auto argument = [&](int which) { return which < 0 ? 0 : arguments[which]; };
  const int flags = static_cast<int>(argument(call->open_flags));
  if ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0) return EACCES;
  const bool means_folder = (argument(call->at_flags) & AT_EMPTY_PATH) != 0;
  if (means_folder && argument(call->path) == 0) return 0;
  auto path = read_text(child, argument(call->path));
  if (!path) return EFAULT;
  if (means_folder && path->empty()) return 0;
  if (std::ranges::count(*path, '/') > kMostFolders) return ENAMETOOLONG;
  if (!path->starts_with('/')) {
    if (call->folder >= 0 && static_cast<int>(argument(call->folder)) != AT_FDCWD) return ENOENT;
    path->insert(0, "/");
  }
  return shows(*path, call->opens ? Use::open : Use::look) ? 0 : ENOENT;
}

void FileGate::answer_call() {
  seccomp_notif* call = nullptr;
  seccomp_notif_resp* answer = nullptr;
  if (seccomp_notify_alloc(&call, &answer) != 0) throw std::bad_alloc();
  if (seccomp_notify_receive(listener_, call) == 0) {
    unsigned long long arguments[6];
    std::ranges::copy(call->data.args, arguments);
    const int verdict = verdict_on(static_cast<pid_t>(call->pid), call->data.nr, arguments);
    answer->id = call->id;
    answer->error = -verdict;
    answer->flags = verdict == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    // A child that was killed meanwhile needs no answer.
    seccomp_notify_respond(listener_, answer);
  }
  seccomp_notify_free(call, answer);
}

std::optional<std::string> why_no_file_gate() {
  FileGate gate({});
  ChildLimits limits;
  limits.files = &gate;
  const auto result = run_forked(
      [&gate] {
        const auto reason = gate.enter();
        if (reason) std::fputs(reason->c_str(), stderr);
        return reason ? 1 : 0;
      },
      limits);
  if (!result) return result.error().str();
  if (result->end == ChildResult::End::exited && result->status == 0) return std::nullopt;
  return result->log;
}

}  // namespace tessera
