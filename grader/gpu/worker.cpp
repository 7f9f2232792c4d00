#include "grader/gpu/worker.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "common/memory_file.h"
#include "common/stopwatch.h"
#include "grader/process/spawn_on_channel.h"

namespace tessera {
namespace {

constexpr std::size_t kKeptOutput = 1 << 20;

/// The driver takes this long at most to stop a kernel that never ends.
constexpr auto kDeathPatience = std::chrono::seconds(60);

/// The environment variables that CUDA reads. HOME is not among them: the driver's cache of
/// translated PTX, in which one submission could leave code for the next, stays off.
std::vector<std::string> environment_for_cuda() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (variable.starts_with("CUDA_CACHE_")) continue;
    for (const std::string_view prefix : {"CUDA_", "NVIDIA_", "LD_LIBRARY_PATH="}) {
      if (variable.starts_with(prefix)) kept.emplace_back(variable);
    }
  }
  kept.emplace_back("CUDA_CACHE_DISABLE=1");
  return kept;
}

WorkerEnd wait_for(pid_t child, const Deadline& deadline, double most_ms) {
  const Stopwatch stopwatch;
  WorkerEnd result;
  int status = 0;
  auto pause = std::chrono::microseconds(100);
  bool killed = false;
  auto killed_at = std::chrono::steady_clock::now();
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      result.end = WorkerEnd::End::crashed;  // reaped elsewhere: its status is lost
      return result;
    }
    if (!killed && (deadline.is_over() || stopwatch.milliseconds() > most_ms)) {
      killed = true;
      killed_at = std::chrono::steady_clock::now();
      kill(-child, SIGKILL);
    }
    if (killed && std::chrono::steady_clock::now() - killed_at > kDeathPatience) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 5 / 4, std::chrono::microseconds(2000));
  }
  result.milliseconds = stopwatch.milliseconds();
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

Error cannot_start(const std::filesystem::path& program, int error) {
  return Error{
      .message = fmt::format("cannot start {} for the GPU: {}; build it with `make`, or raise the "
                             "limit on processes",
                             program.string(), std::strerror(error))};
}

std::vector<std::uint64_t> input_sizes(GpuJob& job) {
  std::vector<std::uint64_t> sizes;
  for (const GpuBuffer* buffer : buffers_of(job)) sizes.push_back(buffer->contents.size());
  return sizes;
}

}  // namespace

std::filesystem::path gpu_worker_beside(const std::filesystem::path& tessera) {
  return tessera.parent_path() / "tessera-gpu";
}

WorkerTask::WorkerTask(GpuJob job)
    : job_(std::move(job)), inputs_(input_sizes(job_)), results_(result_sizes(job_)) {
  std::size_t piece = 0;
  for (const GpuBuffer* buffer : buffers_of(job_))
    std::ranges::copy(buffer->contents, inputs_.piece(piece++).begin());
}

Expected<WorkerEnd> WorkerTask::run(const std::filesystem::path& program, double patience_ms,
                                    double most_ms) {
  const MemoryFile output("tessera-gpu-output");
  const MemoryFile log("tessera-gpu-log");
  if (!output.is_open() || !log.is_open()) return cannot_start(program, errno);
  deadline().set(patience_ms);
  // In shared memory too, so that sending a job never blocks, however long it is.
  const std::string words = encode(job_);
  const SharedBuffer request(words.size());
  std::memcpy(request.bytes().data(), words.data(), words.size());
  std::vector<int> descriptors = {request.descriptor()};
  for (const SharedArena* arena : {&inputs_, &results_}) {
    const std::vector<int> more = arena->descriptors();
    descriptors.insert(descriptors.end(), more.begin(), more.end());
  }
  auto [mine, its] = Channel::make_pair();
  const pid_t child = spawn_on_channel(
      {program.string()}, environment_for_cuda(), its,
      {.output = output.descriptor(), .log = log.descriptor(), .own_session = true});
  if (child < 0) return cannot_start(program, -child);
  { const Channel closed = std::move(its); }
  const std::uint64_t size = words.size();
  mine.send({reinterpret_cast<const char*>(&size), sizeof size}, descriptors);
  WorkerEnd result = wait_for(child, deadline(), most_ms);
  result.output = output.read_head(kKeptOutput);
  result.log = log.read_head(kKeptOutput);
  return result;
}

}  // namespace tessera
