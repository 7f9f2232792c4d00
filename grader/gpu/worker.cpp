#include "grader/gpu/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <thread>

#include "common/memory_file.h"

namespace tessera {
namespace {

constexpr std::size_t kKeptOutput = 1 << 20;
constexpr std::uint64_t kMostOutput = std::uint64_t{256} << 20;

/// The driver takes its time to stop a kernel that never ends.
constexpr auto kPatience = std::chrono::seconds(60);

std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void enter_child(pid_t parent, int output, int log) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
  setpgid(0, 0);
  if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  // A flood of printf is cut off, and does not end the run.
  signal(SIGXFSZ, SIG_IGN);
  const rlimit file{kMostOutput, kMostOutput};
  setrlimit(RLIMIT_FSIZE, &file);
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
}

/// Ends the child without the destructors and exit handlers of the process it is a copy of.
[[noreturn]] void live(const std::function<int()>& work) {
  int status = 125;
  try {
    status = work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(stdout);
  std::fflush(stderr);
  _exit(status);
}

WorkerEnd wait_for(pid_t child, const Deadline& deadline) {
  WorkerEnd result;
  int status = 0;
  auto pause = std::chrono::microseconds(100);
  bool killed = false;
  auto killed_at = std::chrono::steady_clock::now();
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      result.end = WorkerEnd::End::crashed;  // reaped by somebody else: nothing is known of it
      return result;
    }
    if (!killed && deadline.is_over()) {
      killed = true;
      killed_at = std::chrono::steady_clock::now();
      kill(child, SIGKILL);
    }
    if (killed && std::chrono::steady_clock::now() - killed_at > kPatience) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 5 / 4, std::chrono::microseconds(2000));
  }
  if (killed) {
    result.end = WorkerEnd::End::overdue;
  } else if (WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  } else {
    result.end = WorkerEnd::End::crashed;
    result.status = WTERMSIG(status);
  }
  return result;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes) : size_(std::max<std::size_t>(bytes, 1)) {
  void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(mapped);
}

SharedMemory::~SharedMemory() {
  munmap(data_, size_);
}

void Deadline::set(double milliseconds) {
  nanoseconds_ = now() + static_cast<std::int64_t>(milliseconds * 1e6);
}

bool Deadline::is_over() const {
  return now() > nanoseconds_;
}

Expected<WorkerEnd> run_worker(const std::function<int()>& work, const Deadline& deadline) {
  const MemoryFile output("tessera-gpu-output");
  const MemoryFile log("tessera-gpu-log");
  const pid_t parent = getpid();
  std::fflush(nullptr);  // what waits in stdio is not written twice
  const pid_t child = output.is_open() && log.is_open() ? fork() : -1;
  if (child < 0) {
    return Error{"", 0, 0,
                 std::string("cannot start a process for the GPU: ") + std::strerror(errno) +
                     "; raise the limit on processes"};
  }
  if (child == 0) {
    enter_child(parent, output.descriptor(), log.descriptor());
    live(work);
  }
  WorkerEnd result = wait_for(child, deadline);
  result.output = output.read_head(kKeptOutput);
  result.log = log.read_head(kKeptOutput);
  return result;
}

std::string how_it_ended(const WorkerEnd& worker) {
  return fmt::format("the process on the GPU ended with {} {}{}{}",
                     worker.end == WorkerEnd::End::crashed ? "signal" : "status", worker.status,
                     worker.log.empty() ? "" : ": ", worker.log);
}

}  // namespace tessera
