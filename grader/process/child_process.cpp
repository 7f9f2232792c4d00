#include "grader/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

#include "common/memory_file.h"
#include "grader/process/file_gate.h"
#include "grader/process/processor_time.h"
#include "grader/process/resource_limit.h"

namespace tessera {
namespace {

std::uint64_t mapped_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Runs between fork and exec: uses only calls that are safe there.
void enter_child(const ChildStreams& streams, const ChildLimits& limits,
                 std::uint64_t memory_bytes) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(streams.input, STDIN_FILENO);
  dup2(streams.output, STDOUT_FILENO);
  dup2(streams.log, STDERR_FILENO);
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

/// Sleeps until a child ends or asks for a file, or the other end of a lifeline is gone. A kernel
/// before 5.3 has no descriptors of processes: there it sleeps only a short time.
class ChildWatch {
 public:
  ChildWatch(pid_t child, int lifeline, FileGate* files)
      : process_(static_cast<int>(syscall(SYS_pidfd_open, child, 0))),
        lifeline_(lifeline),
        files_(files) {}
  ~ChildWatch() {
    if (process_ >= 0) close(process_);
  }
  ChildWatch(const ChildWatch&) = delete;
  ChildWatch& operator=(const ChildWatch&) = delete;

  /// Returns after `most` milliseconds at the latest: false if the lifeline is cut.
  bool wait(double most) const {
    const int asks = files_ == nullptr ? -1 : files_->descriptor();
    pollfd all[] = {{process_, POLLIN, 0}, {lifeline_, POLLRDHUP, 0}, {asks, POLLIN, 0}};
    const double time = process_ < 0 ? std::min(most, 1.0) : most;
    poll(all, std::size(all), static_cast<int>(std::clamp(std::ceil(time), 0.0, 60e3)));
    if ((all[2].revents & POLLIN) != 0) {
      files_->serve();
    } else if (all[2].revents != 0) {
      files_->close();
    }
    return (all[1].revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
  }

 private:
  int process_;
  int lifeline_;
  FileGate* files_;
};

/// Whether the child's requests for files have taken longer than those of any compilation.
bool asked_too_much(const ChildLimits& limits) {
  return limits.files != nullptr && limits.files->seconds() > limits.cpu_seconds / 6;
}

/// Whether a child that did not end was slow by itself and not because of a busy machine. A machine
/// that swaps because of the child gives it no time.
bool took_much(double cpu, const rusage& used, const ChildLimits& limits) {
  constexpr double kPart = 0.5;  // what compilers usually need is less
  const double resident = 1024.0 * static_cast<double>(used.ru_maxrss);
  return took_fair_part(cpu, limits.cpu_seconds) ||
         resident > kPart * static_cast<double>(limits.memory_bytes);
}

Expected<ChildResult> wait_for(pid_t child, const ChildLimits& limits) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const double patience = limits.idle_seconds + 2.0 * limits.cpu_seconds;
  const auto deadline = Clock::now() + Milliseconds(1e3 * patience);
  const ChildWatch watch(child, limits.lifeline, limits.files);
  ChildResult result;
  bool overdue = false;
  int status = 0;
  rusage used{};
  for (;;) {
    const pid_t ended = wait4(child, &status, overdue ? 0 : WNOHANG, &used);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      result.end = ChildResult::End::killed;  // reaped elsewhere: nothing is known about its end
      return result;
    }
    if (ended < 0) continue;
    const Milliseconds left = deadline - Clock::now();
    if (left.count() <= 0 || !watch.wait(left.count()) || asked_too_much(limits)) {
      overdue = true;
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
    }
  }
  const double cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  result.cpu_seconds = cpu;
  if (WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  } else {
    result.end = ChildResult::End::killed;
    result.status = WTERMSIG(status);
    if (result.status == SIGXFSZ) result.end = ChildResult::End::out_of_output;
  }
  const bool failed = result.end != ChildResult::End::exited || result.status != 0;
  // The kernel kills at RLIMIT_CPU. Its clock for that and this one differ a little, and more on a
  // busy machine.
  const double kernels_limit = std::ceil(limits.cpu_seconds);
  const bool by_kernel = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !overdue;
  const bool took_time = cpu > 0.9 * limits.cpu_seconds ||
                         (by_kernel && cpu > 0.5 * kernels_limit) || asked_too_much(limits);
  if (failed && (took_time || (overdue && took_much(cpu, used, limits)))) {
    result.end = ChildResult::End::out_of_time;
  } else if (overdue) {
    return Error{.message = fmt::format(
                     "a child process got {:.1f} s of processor time in {:.3g} s and was ended; "
                     "try again when the machine has less to do",
                     cpu, patience)};
  }
  return result;
}

/// Forks; `body` runs in the child after the limits are set and returns its exit status.
template <class Body>
Expected<ChildResult> run_child(const ChildStreams& streams, const ChildLimits& limits, Body body) {
  const std::uint64_t memory_bytes = mapped_bytes() + limits.memory_bytes;
  std::fflush(nullptr);  // what waits in stdio is not written twice
  const pid_t child = fork();
  if (child < 0) {
    return Error{.message = std::string("cannot start a process: ") + std::strerror(errno) +
                            "; raise the limit on processes"};
  }
  if (child == 0) {
    enter_child(streams, limits, memory_bytes);
    _exit(body());
  }
  return wait_for(child, limits);
}

/// The same with `input`, and with the child's output in the result.
template <class Body>
Expected<ChildResult> run_child_with(std::string_view input, const ChildLimits& limits, Body body) {
  MemoryFile input_file("tessera-input");
  MemoryFile output_file("tessera-output");
  MemoryFile log_file("tessera-log");
  if (!input_file.is_open() || !output_file.is_open() || !log_file.is_open() ||
      !input_file.fill(input)) {
    return Error{.message = std::string("cannot hold a process's input and output in memory: ") +
                            std::strerror(errno) + "; free some memory and try again"};
  }
  Expected<ChildResult> result = run_child(
      {input_file.descriptor(), output_file.descriptor(), log_file.descriptor()}, limits, body);
  if (!result) return result;
  result->output = output_file.read_head(limits.output_bytes);
  result->log = log_file.read_head(limits.log_bytes);
  return result;
}

int status_of(const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return kNoMemoryStatus;
  }
}

}  // namespace

Expected<ChildResult> run_program(const std::vector<std::string>& arguments, std::string_view input,
                                  const ChildLimits& limits) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  auto result = run_child_with(input, limits, [&argv] {
    execv(argv[0], argv.data());
    return 127;
  });
  if (result && result->end == ChildResult::End::exited && result->status == 127) {
    return Error{.file = arguments.front(), .message = "cannot be run"};
  }
  return result;
}

Expected<ChildResult> run_forked(const std::function<int()>& work, const ChildLimits& limits) {
  return run_child_with("", limits, [&work] { return status_of(work); });
}

Expected<ChildResult> run_forked_on(const ChildStreams& streams, const std::function<int()>& work,
                                    const ChildLimits& limits) {
  return run_child(streams, limits, [&work] { return status_of(work); });
}

}  // namespace tessera
