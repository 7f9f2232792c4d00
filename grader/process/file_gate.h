// Shows a child process a few files and hides all others, and lets it start a few threads: each
// system call of the child that names a file to look at it, to read it or to execute it, or that
// starts a thread, stops until the parent has looked at it (seccomp's notifications). Hidden files
// do not exist for the child, so it cannot even find out that they are there. Landlock, which needs
// no parent, forbids opening a file but not asking whether it exists. Calls that do something else
// with a name are not checked here: a child that enters also loads a filter that blocks them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/process/channel.h"

namespace tessera {

/// Created before the fork and used by both: the child calls enter(), the parent waits at
/// descriptor() and calls serve(). One gate serves one child.
class FileGate {
 public:
  static constexpr int kMostThreads = 16;

  /// `shown`: folders with all below them, and single files, all read-only. Paths that do not exist
  /// are left out. Throws std::system_error if there are no descriptors.
  explicit FileGate(const std::vector<std::filesystem::path>& shown);
  ~FileGate();
  FileGate(const FileGate&) = delete;
  FileGate& operator=(const FileGate&) = delete;

  /// In the child, which works in "/" and has one thread: from now on, in all programs that it
  /// executes too, only the shown files exist for calls that look, read and execute, and clone()
  /// works kMostThreads times, which no filter can count. The process must stay readable for its
  /// parent (PR_SET_DUMPABLE). Returns why the machine cannot do that;
  /// then nothing has changed.
  std::optional<std::string> enter();

  /// In the parent: poll it for POLLIN; -1 if there is nothing to wait for.
  int descriptor() const;
  /// In the parent: answers what waits at descriptor().
  void serve();
  /// In the parent: how long the answers have taken, since a child can cause work by asking for
  /// costly names.
  double seconds() const { return seconds_; }
  /// In the parent: call it when the child is gone.
  void close();

 private:
  enum class Use { look, open };

  bool shows(const std::string& path, Use use) const;
  void take_listener();
  void answer_call();
  /// The result of the child's call: 0 to let it go on, or an errno.
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
