#include "grader/interpreter/interpreter.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>

#include "grader/interpreter/reply_check.h"
#include "grader/process/allowance.h"
#include "grader/process/spawn_on_channel.h"
#include "grader/process/wire.h"

namespace tessera {
namespace {

pid_t spawn(const InterpreterOptions& options, const Channel& its) {
  // Between launches its threads must not keep processors busy.
  const pid_t process =
      spawn_on_channel({options.program.string(), std::to_string(options.threads)},
                       {"OMP_WAIT_POLICY=passive"}, its);
  if (process < 0) {
    throw std::system_error(
        -process, std::generic_category(),
        fmt::format("the interpreter {} cannot be started", options.program.string()));
  }
  return process;
}

/// Far more than the costliest step takes, in a launch that is run twice.
constexpr double kSecondsOfStep = 500e-9;

/// The process has used up its time for a request.
struct OutOfTime {
  double cpu_seconds;
};

Detail whole(double seconds) {
  return fmt::format("{:.0f}", seconds);
}

RunResult stopped_by(FindingKind kind, const RunRequest& request, Text message, Phrase hint) {
  Finding finding;
  finding.kind = kind;
  finding.file = request.source_file;
  finding.message = std::move(message);
  finding.hint = hint;
  RunResult result;
  result.status = RunStatus::stopped;
  result.findings = {std::move(finding)};
  return result;
}

RunResult stopped_by_time(const RunRequest& request, double cpu_seconds) {
  return stopped_by(FindingKind::step_limit, request,
                    say(Phrase::processor_time_used, whole(cpu_seconds)),
                    Phrase::processor_time_used_hint);
}

RunResult stopped_by_memory(const RunRequest& request) {
  return stopped_by(FindingKind::grader_crash, request, Phrase::simulator_memory_used,
                    Phrase::simulator_memory_used_hint);
}

Text how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return say(Phrase::ended_by_signal, WTERMSIG(status), Detail(strsignal(WTERMSIG(status))));
  }
  return say(Phrase::ended_with_status, WEXITSTATUS(status));
}

}  // namespace

std::filesystem::path interpreter_beside(const std::filesystem::path& tessera) {
  return tessera.parent_path() / "tessera-interpreter";
}

Interpreter::Interpreter(InterpreterOptions options) : options_(std::move(options)) {
  start();
}

Interpreter::~Interpreter() {
  stop();
}

void Interpreter::start() {
  auto [mine, its] = Channel::make_pair();
  process_ = spawn(options_, its);
  channel_ = std::move(mine);
}

void Interpreter::stop() {
  is_ready_ = is_loaded_ = false;
  channel_.reset();
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void Interpreter::crash(Text what) {
  int status = 0;
  // A process that closes its end gets a moment to end by itself, so that its status is known.
  for (int tries = 0; process_ >= 0 && tries < 200; ++tries) {
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
      process_ = -1;
      what += how_it_ended(status);
    } else {
      usleep(500);
    }
  }
  stop();
  throw ProcessCrash(std::move(what));
}

std::string Interpreter::ask(const std::string& bytes, std::span<const int> descriptors,
                             std::optional<double> cpu_seconds) {
  bool is_late = false;
  Channel::Patience patience;
  if (cpu_seconds) {
    patience = [&is_late, allowance = Allowance(process_, *cpu_seconds)] {
      is_late = !allowance.lasts();
      return !is_late;
    };
  }
  const bool sent = channel_->send(bytes, descriptors, patience);
  auto reply = sent ? channel_->receive(kMostReplyBytes, nullptr, patience) : std::nullopt;
  if (is_late) throw OutOfTime{*cpu_seconds};
  if (!sent) crash(Phrase::simulator_gone);
  if (!reply) crash(Phrase::simulator_silent);
  return std::move(*reply);
}

void Interpreter::require_ready() {
  if (!channel_) start();
  if (is_ready_) return;
  const Allowance allowance(process_, options_.cpu_seconds);
  const auto reply = channel_->receive(kMostReplyBytes, nullptr, [&] { return allowance.lasts(); });
  // It has not seen any part of a submission yet.
  if (!reply || decode_ready(*reply).version != channel_version()) {
    stop();
    throw NoProcess(fmt::format(
        "{} does not start, or is of another version: build it anew; `tessera doctor` says "
        "whether this machine can confine it",
        options_.program.string()));
  }
  is_ready_ = true;
}

Interpreter::Loaded Interpreter::load_now() {
  require_ready();
  try {
    LoadReply reply = decode_load_reply(ask(encode(LoadMessage{ptx_}), {}, options_.cpu_seconds));
    if (const auto* failed = std::get_if<FailedReply>(&reply))
      crash(say(Phrase::simulator_cannot_load, Detail(checked(*failed).message)));
    if (const auto* error = std::get_if<LoadError>(&reply)) return checked(*error);
    is_loaded_ = true;
    return checked(std::get<std::vector<KernelInfo>>(std::move(reply)));
  } catch (const OutOfTime& late) {
    crash(say(Phrase::simulator_slow_to_load, whole(late.cpu_seconds)));
  } catch (const wire::WireError& error) {
    crash(say(Phrase::simulator_nonsense, Detail(error.what())));
  }
}

Interpreter::Loaded Interpreter::load(std::string ptx) {
  const std::lock_guard lock(mutex_);
  is_loaded_ = false;
  ptx_ = std::move(ptx);
  auto loaded = load_now();
  if (loaded) kernels_ = *loaded;
  return loaded;
}

void Interpreter::require_loaded() {
  if (is_loaded_) return;
  if (!load_now()) crash(Phrase::simulator_refuses_again);
}

RunReply Interpreter::launch(const RunRequest& request, bool sample) {
  const std::lock_guard lock(mutex_);
  require_loaded();
  RunMessage message{.request = request, .buffers = {}, .sample = sample};
  message.request.memory = nullptr;
  std::vector<int> descriptors;
  for (const auto& allocation : request.memory->allocations()) {
    message.buffers.push_back({allocation->info, allocation->address, allocation->size});
    if (allocation->size == 0) continue;
    descriptors.push_back(std::get<SharedBuffer>(allocation->owner).descriptor());
  }
  std::optional<double> cpu_seconds;
  if (request.launch_step_limit != 0) {
    cpu_seconds =
        options_.cpu_seconds + kSecondsOfStep * static_cast<double>(request.launch_step_limit);
  }
  const auto stopped = [&](RunResult result) {
    stop();
    return sample ? RunReply(std::optional<LaunchCounters>()) : RunReply(std::move(result));
  };
  try {
    RunReply reply = decode_run_reply(ask(encode(message), descriptors, cpu_seconds));
    if (std::holds_alternative<OutOfMemoryReply>(reply)) return stopped(stopped_by_memory(request));
    if (const auto* failed = std::get_if<FailedReply>(&reply))
      crash(say(Phrase::simulator_cannot_run, Detail(checked(*failed).message)));
    check_reply(reply, message, kernels_);
    return reply;
  } catch (const OutOfTime& late) {
    return stopped(stopped_by_time(request, late.cpu_seconds));
  } catch (const wire::WireError& error) {
    crash(say(Phrase::simulator_nonsense, Detail(error.what())));
  }
}

RunResult Interpreter::run(const RunRequest& request) {
  return std::get<RunResult>(launch(request, false));
}

std::optional<LaunchCounters> Interpreter::sample_launch(const RunRequest& request) {
  return std::get<std::optional<LaunchCounters>>(launch(request, true));
}

struct InterpreterPool::Waiting {
  std::mutex mutex;
  std::multimap<int, std::shared_ptr<Interpreter>> by_threads;
};

InterpreterPool::InterpreterPool(std::filesystem::path program)
    : program_(std::move(program)), waiting_(std::make_shared<Waiting>()) {
}

InterpreterPool::~InterpreterPool() = default;

std::shared_ptr<Interpreter> InterpreterPool::take(int threads) {
  std::shared_ptr<Interpreter> taken;
  {
    const std::lock_guard lock(waiting_->mutex);
    if (auto waits = waiting_->by_threads.extract(threads)) taken = std::move(waits.mapped());
  }
  if (!taken) {
    taken =
        std::make_shared<Interpreter>(InterpreterOptions{.program = program_, .threads = threads});
  }
  const auto give_back = [threads, taken, pool = std::weak_ptr(waiting_)](Interpreter*) {
    if (const auto waiting = pool.lock()) {
      const std::lock_guard lock(waiting->mutex);
      waiting->by_threads.emplace(threads, taken);
    }
  };
  return {taken.get(), give_back};
}

void InterpreterPool::prepare(std::size_t count, int threads) {
  std::vector<std::shared_ptr<Interpreter>> started;
  try {
    while (started.size() < count) started.push_back(take(threads));
  } catch (const std::system_error&) {
  }
}

std::shared_ptr<InterpreterPool> InterpreterPool::apart() const {
  return std::make_shared<InterpreterPool>(program_);
}

}  // namespace tessera
