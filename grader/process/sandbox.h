// Runs an untrusted program in a sandbox (bubblewrap), under limits on time, memory, processes and
// output. If the machine allows no sandbox, only the limits apply.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// What stands between a worker and the machine, weakest first.
enum class IsolationTier {
  limits,      // only limits on resources: the program reads, writes and kills what the user can
  bubblewrap,  // no network, a private /tmp, own processes, a read-only system, no home folders
};

std::string_view to_string(IsolationTier tier);  // "limits", "bubblewrap"

struct Isolation {
  IsolationTier tier = IsolationTier::limits;
  std::string reason;  // if bubblewrap cannot be used: why, and what to do
};

/// The best tier of this machine, found by making a sandbox. Call it once.
Isolation available_isolation();

/// Memory and processes are counted every 50 milliseconds. Memory that no process maps is not
/// counted: files in /tmp and /dev/shm inside (scratch_bytes each), and memory from memfd_create.
struct SandboxLimits {
  double wall_seconds = 120;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;     // resident, of all processes together
  int processes = 64;                                      // at once, threads not counted
  std::uint64_t output_bytes = std::uint64_t{64} << 20;    // of standard output; more ends it
  std::size_t log_bytes = 64 << 10;                        // of standard error that is kept
  std::uint64_t scratch_bytes = std::uint64_t{256} << 20;  // of /tmp inside, and of any one file
};

/// Paths must be absolute and exist, hidden ones too. The tier `limits` only checks that: the
/// program sees the machine as it is, so a command does not find its `mounted` paths.
struct SandboxRequest {
  std::vector<std::string> command;             // absolute path of the program, its arguments
  std::vector<std::filesystem::path> readable;  // files and folders, seen at their own paths
  /// Files and folders seen at other paths, read-only: the real path, the path inside.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> mounted;
  std::vector<std::filesystem::path> writable;  // locks of GPUs; seen at their own paths
  /// Hidden although the system or `readable` holds it: folders are empty, files cannot be opened.
  std::vector<std::filesystem::path> hidden;
  /// The whole environment, except PATH (/usr/bin:/bin unless given here) and bubblewrap's PWD.
  std::vector<std::pair<std::string, std::string>> environment;
  bool gpu = false;  // NVIDIA's device files and /sys are seen too
  SandboxLimits limits;
};

struct SandboxResult {
  enum class End {
    exited,
    killed,
    out_of_time,
    out_of_memory,
    out_of_processes,
    out_of_output,
    stopped
  };
  End end = End::exited;
  /// Exit status, or the signal. In bubblewrap, an exit status of 128 + N counts as signal N.
  int status = 0;
  std::string output;      // standard output
  std::string log;         // standard error, its head
  double seconds = 0;      // wall time
  double cpu_seconds = 0;  // processor time of its processes, if a limit ended it
};

/// Runs the command until it ends or is ended, in the folder "/" and with empty standard input.
/// When this returns, no process of it is left, except one that a driver holds for more than a
/// minute; if the calling process is killed, the sandbox ends with it. setsid and setpgid do
/// nothing inside, so that all of it can be killed at once. If another thread sets `stop`, it ends
/// early. May be called by many threads at once. Error: the program could not be started.
Expected<SandboxResult> run_sandboxed(const SandboxRequest& request, IsolationTier tier,
                                      const std::atomic<bool>& stop);

}  // namespace tessera
