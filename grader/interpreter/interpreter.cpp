#include "grader/interpreter/interpreter.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "grader/interpreter/reply_check.h"
#include "grader/process/spawn_on_channel.h"
#include "grader/process/wire.h"

namespace tessera {
namespace {

static_assert(kInterpreterDescriptor == kChannelDescriptor);

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

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("status {}", WEXITSTATUS(status));
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

void Interpreter::crash(const std::string& what) {
  int status = 0;
  std::string message = what;
  // A process that closes its end has a moment to end by itself: how is worth knowing.
  for (int tries = 0; process_ >= 0 && tries < 200; ++tries) {
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
      process_ = -1;
      message += ": it ended with " + how_it_ended(status);
    } else {
      usleep(500);
    }
  }
  stop();
  throw InterpreterCrash(message);
}

std::string Interpreter::ask(const std::string& bytes, std::span<const int> descriptors) {
  if (!channel_->send(bytes, descriptors)) crash("the simulator's process is gone");
  auto reply = channel_->receive(kMostReplyBytes);
  if (!reply) crash("the simulator's process gave no answer");
  return std::move(*reply);
}

void Interpreter::require_ready() {
  if (!channel_) start();
  if (is_ready_) return;
  const auto reply = channel_->receive(kMostReplyBytes);
  // Nothing of a submission has reached it yet.
  if (!reply || decode_ready(*reply).version != kChannelVersion) {
    stop();
    throw std::runtime_error(fmt::format(
        "{} does not start, or is of another version: build it anew; `tessera doctor` tells "
        "whether this machine can confine it",
        options_.program.string()));
  }
  is_ready_ = true;
}

Expected<std::vector<KernelInfo>> Interpreter::load_now() {
  require_ready();
  try {
    LoadReply reply = decode_load_reply(ask(encode(LoadMessage{ptx_}), {}));
    if (const auto* failed = std::get_if<FailedReply>(&reply))
      throw std::runtime_error("the simulator cannot load the PTX: " + failed->message);
    if (const Error* error = std::get_if<Error>(&reply)) return checked(*error);
    is_loaded_ = true;
    return checked(std::get<std::vector<KernelInfo>>(std::move(reply)));
  } catch (const wire::WireError& error) {
    crash(fmt::format("the simulator's process answered nonsense ({})", error.what()));
  }
}

Expected<std::vector<KernelInfo>> Interpreter::load(std::string ptx) {
  const std::lock_guard lock(mutex_);
  ptx_ = std::move(ptx);
  auto loaded = load_now();
  if (loaded) kernels_ = *loaded;
  return loaded;
}

void Interpreter::require_loaded() {
  if (is_loaded_) return;
  if (!load_now()) crash("the simulator's process refused PTX that it took before");
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
  try {
    RunReply reply = decode_run_reply(ask(encode(message), descriptors));
    if (const auto* failed = std::get_if<FailedReply>(&reply))
      throw std::runtime_error("the simulator cannot run the launch: " + failed->message);
    check_reply(reply, message, kernels_);
    return reply;
  } catch (const wire::WireError& error) {
    crash(fmt::format("the simulator's process answered nonsense ({})", error.what()));
  }
}

RunResult Interpreter::run(const RunRequest& request) {
  return std::get<RunResult>(launch(request, false));
}

std::optional<LaunchCounters> Interpreter::sample_launch(const RunRequest& request) {
  return std::get<std::optional<LaunchCounters>>(launch(request, true));
}

}  // namespace tessera
