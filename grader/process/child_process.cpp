#include "grader/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "common/memory_file.h"
#include "grader/process/resource_limit.h"

namespace tessera {
namespace {

std::uint64_t mapped_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Between fork and exec: only calls that are safe there.
void enter_child(int input, int output, int log, const ChildLimits& limits,
                 std::uint64_t memory_bytes) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  const auto seconds = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds));
  // The kernel's SIGXCPU would reach the compiler's own handler; SIGKILL does not.
  set_resource_limit(RLIMIT_CPU, seconds);
  set_resource_limit(RLIMIT_AS, memory_bytes);
  set_resource_limit(RLIMIT_FSIZE, limits.output_bytes);
  set_resource_limit(RLIMIT_CORE, 0);
  if (chdir("/") != 0) _exit(126);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Expected<ChildResult> wait_for(pid_t child, const ChildLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const double patience = limits.idle_seconds + 2.0 * limits.cpu_seconds;
  const auto deadline = Clock::now() + std::chrono::duration<double>(patience);
  ChildResult result;
  bool overdue = false;
  int status = 0;
  rusage used{};
  auto pause = std::chrono::microseconds(200);
  for (;;) {
    const pid_t ended = wait4(child, &status, overdue ? 0 : WNOHANG, &used);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      result.end = ChildResult::End::killed;  // reaped by somebody else: nothing is known of it
      return result;
    }
    if (ended == 0 && Clock::now() > deadline) {
      overdue = true;
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
    } else if (ended == 0) {
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 5 / 4, std::chrono::microseconds(2000));
    }
  }
  const double cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  if (WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  } else {
    result.end = ChildResult::End::killed;
    result.status = WTERMSIG(status);
    if (result.status == SIGXFSZ) result.end = ChildResult::End::out_of_output;
  }
  // The kernel's own clock for RLIMIT_CPU and this one differ a little.
  const bool failed = result.end != ChildResult::End::exited || result.status != 0;
  if (failed && cpu > 0.9 * limits.cpu_seconds) {
    result.end = ChildResult::End::out_of_time;
  } else if (overdue) {
    return Error{
        "", 0, 0,
        fmt::format("a child process got {:.1f} s of processor time in {:.3g} s and was ended; "
                    "try again when the machine has less to do",
                    cpu, patience)};
  }
  return result;
}

/// Forks; `body` runs in the child after the limits are set and returns its exit status.
template <class Body>
Expected<ChildResult> run_child(std::string_view input, const ChildLimits& limits, Body body) {
  MemoryFile input_file("tessera-input");
  MemoryFile output_file("tessera-output");
  MemoryFile log_file("tessera-log");
  if (!input_file.is_open() || !output_file.is_open() || !log_file.is_open() ||
      !input_file.fill(input)) {
    return Error{"", 0, 0,
                 std::string("cannot hold a compiler's input and output in memory: ") +
                     std::strerror(errno) + "; free some memory and try again"};
  }
  const std::uint64_t memory_bytes = mapped_bytes() + limits.memory_bytes;
  std::fflush(nullptr);  // what waits in stdio is not written twice
  const pid_t child = fork();
  if (child < 0) {
    return Error{"", 0, 0,
                 std::string("cannot start a process for the compiler: ") + std::strerror(errno) +
                     "; raise the limit on processes"};
  }
  if (child == 0) {
    enter_child(input_file.descriptor(), output_file.descriptor(), log_file.descriptor(), limits,
                memory_bytes);
    _exit(body());
  }
  Expected<ChildResult> result = wait_for(child, limits);
  if (!result) return result;
  result->output = output_file.read_head(limits.output_bytes);
  result->log = log_file.read_head(limits.log_bytes);
  return result;
}

}  // namespace

Expected<ChildResult> run_program(const std::vector<std::string>& arguments, std::string_view input,
                                  const ChildLimits& limits) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  auto result = run_child(input, limits, [&argv] {
    execv(argv[0], argv.data());
    return 127;
  });
  if (result && result->end == ChildResult::End::exited && result->status == 127) {
    return Error{arguments.front(), 0, 0, "cannot be run"};
  }
  return result;
}

Expected<ChildResult> run_forked(const std::function<int()>& work, const ChildLimits& limits) {
  return run_child("", limits, [&work] {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return 125;
    }
  });
}

}  // namespace tessera
