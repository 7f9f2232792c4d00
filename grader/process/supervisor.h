// The process between this one and a sandbox. The sandbox's orphans become its children, so that
// none escapes, and it ends the sandbox when this process is killed.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "grader/process/process_tree.h"

namespace tessera {

/// What the supervisor writes to its report pipe.
struct SupervisorReport {
  enum class Kind {
    started,  // the program is executed
    failed,   // it could not be executed: `value` is the errno
    ended,    // no process is left: `value` is the program's status from waitpid
  };
  Kind kind = Kind::started;
  int value = 0;
};

/// The descriptors that SupervisorPlan::room and filter have in the program.
constexpr int kRoomDescriptor = 4;
constexpr int kFilterDescriptor = 5;

/// Prepared before the fork, because the supervisor must not allocate.
struct SupervisorPlan {
  char* const* arguments;    // the first is the program's path
  char* const* environment;  // as execve takes them
  int output;                // standard output of the program
  int log;                   // its standard error
  int reports;               // where the supervisor writes its reports
  int room;                  // where bwrap describes its sandbox, in JSON; -1 without bwrap
  int filter;                // process_group_filter(), which bwrap reads; -1 without bwrap
  pid_t parent;              // the process that forks
  std::uint64_t file_bytes;  // of any file that the program writes
  ProcessTree* tree;
};

/// Runs in the forked child, with all signals blocked: runs the program, and ends everything below
/// it after the program's own end, on SIGTERM, or when the thread that forked is gone.
[[noreturn]] void supervise(const SupervisorPlan& plan);

}  // namespace tessera
