// Shows a child process a few files and hides all others, and lets it start a few threads: each
// system call of the child that names a file to look at it, to read it or to execute it, or starts
// a thread, stops until the parent has looked at it (seccomp's notifications). What is hidden does
// not exist for the child, so that it cannot ask whether it does. Landlock, which needs no parent,
// forbids to open a file and lets its existence be asked. Calls that do something else with a name
// are not the gate's: whoever enters also loads a filter that lets no such call through.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/process/channel.h"

namespace tessera {

/// Made before the fork, used by both: the child calls enter(), the parent waits at descriptor()
/// and calls serve(). One child to a gate.
class FileGate {
 public:
  static constexpr int kMostThreads = 16;

  /// `shown`: folders with all below them, and single files, all to be read alone. Paths that do
  /// not exist are left out. Throws std::system_error where there are no descriptors.
  explicit FileGate(const std::vector<std::filesystem::path>& shown);
  ~FileGate();
  FileGate(const FileGate&) = delete;
  FileGate& operator=(const FileGate&) = delete;

  /// In the child, which works in "/" and has one thread: from now on, for all programs that it
  /// becomes, only what is shown exists for calls that look, read and execute, and clone() works
  /// kMostThreads times, of which no filter can keep count. The process must
  /// stay readable for its parent (PR_SET_DUMPABLE). Returns why the machine does not offer that;
  /// then nothing has changed.
  std::optional<std::string> enter();

  /// In the parent: to be polled for POLLIN; -1 if there is nothing to wait for.
  int descriptor() const;
  /// In the parent: answers what waits at descriptor().
  void serve();
  /// In the parent: how long the answers have taken. A child that asks for costly names has others
  /// work for it.
  double seconds() const { return seconds_; }
  /// In the parent: the child is gone.
  void close();

 private:
  enum class Use { look, open };

  bool shows(const std::string& path, Use use) const;
  void take_listener();
  void answer_call();
  /// What the call of the child gets: 0 to let it go on, or an errno.
  int verdict_on(pid_t child, int call, const unsigned long long* arguments);

  std::vector<std::string> shown_;
  Channel mine_;
  Channel its_;
  int listener_ = -1;
  int threads_ = 0;  // that the child has started
  double seconds_ = 0;
};

/// Why enter() would fail on this machine, or nothing. Starts a process.
std::optional<std::string> why_no_file_gate();

}  // namespace tessera
