// Runs a program, or a function, in a child process under limits, so that one that crashes or
// floods costs only its own job.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"

namespace tessera {

class FileGate;

struct ChildLimits {
  double cpu_seconds = 30;
  /// Seconds of wall time in addition to twice cpu_seconds; the sum (70 s) is below what a sandbox
  /// allows a grading.
  double idle_seconds = 10;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;   // beyond what this process has mapped
  std::uint64_t output_bytes = std::uint64_t{64} << 20;  // of any file the child writes
  std::size_t log_bytes = 256 << 10;                     // of standard error that is kept
  /// A socket: the child is killed as soon as its other end is closed. -1: none.
  int lifeline = -1;
  /// Answers the child, if it calls enter(). Null: the child sees all files of the user.
  FileGate* files = nullptr;
};

/// The descriptors that a child reads from and writes to.
struct ChildStreams {
  int input = -1;
  int output = -1;
  int log = -1;
};

struct ChildResult {
  enum class End {
    exited,  // with `status`
    killed,  // by the signal `status`
    /// Used up its processor time; or its wall time, after a tenth of its processor time or memory.
    /// (With less than that the machine is to blame, and the result is an Error.)
    out_of_time,
    out_of_output,
  };
  End end = End::exited;
  int status = 0;
  double cpu_seconds = 0;
  std::string output;  // standard output, whole
  std::string log;     // standard error, its head
};

/// Runs `arguments` (the first is the program's path; no shell) in "/" with `input` on standard
/// input. Errors: the child could not be started, or the machine gave it too little time.
Expected<ChildResult> run_program(const std::vector<std::string>& arguments, std::string_view input,
                                  const ChildLimits& limits);

/// The exit status of forked work that found no memory.
constexpr int kNoMemoryStatus = 125;

/// Runs `work` in a forked child; its standard output and error come back, and its return value is
/// the exit status.
Expected<ChildResult> run_forked(const std::function<int()>& work, const ChildLimits& limits);

/// The same with the caller's streams; what the child wrote stays there, and `output` and `log` of
/// the result are empty.
Expected<ChildResult> run_forked_on(const ChildStreams& streams, const std::function<int()>& work,
                                    const ChildLimits& limits);

}  // namespace tessera
