#include "grader/compile/compiler_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "common/memory_file.h"
#include "common/stopwatch.h"
#include "grader/process/channel.h"
#include "grader/process/spawn_on_channel.h"
#include "grader/process/wire.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// One server process, which does one request at a time.
class CompilerProcess {
 public:
  static Expected<std::unique_ptr<CompilerProcess>> start(const fs::path& program) {
    auto [mine, its] = Channel::make_pair();
    // Folders where the loader finds libraries of NVRTC or of Clang.
    std::vector<std::string> environment;
    const char* libraries = std::getenv("LD_LIBRARY_PATH");
    if (libraries != nullptr && *libraries != '\0')
      environment.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
    const pid_t process = spawn_on_channel({program.string()}, environment, its);
    if (process < 0) {
      return Error{.file = program.string(),
                   .message = fmt::format(
                       "cannot be started: {}; it runs the compilers: build it with `make`",
                       std::strerror(-process))};
    }
    return std::unique_ptr<CompilerProcess>(new CompilerProcess(program, process, std::move(mine)));
  }

  /// A working server ends by itself when its channel closes; a broken server is killed.
  ~CompilerProcess() {
    if (!is_broken_ || owner_ != getpid()) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  CompilerProcess(const CompilerProcess&) = delete;
  CompilerProcess& operator=(const CompilerProcess&) = delete;

  /// False in a forked child of the grader, which must not use its parent's server.
  bool is_of(const fs::path& program) const { return owner_ == getpid() && program_ == program; }

  /// The reply; nothing if the server died or sent an impossible reply.
  std::optional<CompilerReply> ask(const CompilerRequest& request,
                                   std::span<const int> descriptors) {
    is_broken_ = true;
    // The server ends a child that takes too long; this limit is for a server that does nothing.
    constexpr double kToSpare = 10;
    const double most = ChildLimits().idle_seconds + 2 * request.cpu_seconds + kToSpare;
    const Stopwatch stopwatch;
    const Channel::Patience patience = [&] { return stopwatch.seconds() <= most; };
    try {
      if (!channel_.send(encode(request), descriptors, patience)) return std::nullopt;
      const auto bytes = channel_.receive(kMostCompilerMessageBytes, nullptr, patience);
      if (!bytes) return std::nullopt;
      CompilerReply reply = decode_compiler_reply(*bytes);
      is_broken_ = false;
      return reply;
    } catch (const wire::WireError&) {
      return std::nullopt;
    }
  }

 private:
  CompilerProcess(fs::path program, pid_t process, Channel channel)
      : program_(std::move(program)), process_(process), channel_(std::move(channel)) {}

  fs::path program_;
  pid_t owner_ = getpid();
  pid_t process_;
  Channel channel_;
  bool is_broken_ = false;
};

/// Servers that have no request.
class IdleProcesses {
 public:
  std::unique_ptr<CompilerProcess> take(const fs::path& program) {
    const std::lock_guard lock(mutex_);
    std::erase_if(processes_, [&](const auto& process) { return !process->is_of(program); });
    if (processes_.empty()) return nullptr;
    auto process = std::move(processes_.back());
    processes_.pop_back();
    return process;
  }

  void give_back(std::unique_ptr<CompilerProcess> process) {
    const std::lock_guard lock(mutex_);
    processes_.push_back(std::move(process));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<CompilerProcess>> processes_;
};

IdleProcesses& idle_processes() {
  static IdleProcesses processes;
  return processes;
}

/// Removes whatever a server wrote before it died.
void empty(int file) {
  if (ftruncate(file, 0) == 0) lseek(file, 0, SEEK_SET);
}

Expected<CompilerReply> ask_a_server(const fs::path& program, const CompilerRequest& request,
                                     std::span<const int> descriptors) {
  auto process = idle_processes().take(program);
  for (int tries = 0; tries < 2; ++tries) {
    if (!process) {
      auto started = CompilerProcess::start(program);
      if (!started) return started.error();
      process = *std::move(started);
    }
    if (auto reply = process->ask(request, descriptors)) {
      idle_processes().give_back(std::move(process));
      return *std::move(reply);
    }
    process.reset();
    for (const int file : descriptors.last(2)) empty(file);
  }
  return Error{
      .file = program.string(),
      .message =
          "the process that runs the compilers ended twice, or answered nonsense: build it "
          "anew; `tessera doctor` shows whether this machine can confine it"};
}

}  // namespace

Expected<CompilerRun> run_compiler(const fs::path& program, const CompilerRequest& request,
                                   const CompilerTask& task) {
  if (program.empty()) {
    return Error{
        .message =
            "tessera-compiler is not named, and nothing is compiled without its confinement; "
            "build it with `make`"};
  }
  MemoryFile input("tessera-task");
  MemoryFile output("tessera-output");
  MemoryFile log("tessera-log");
  if (!input.is_open() || !output.is_open() || !log.is_open() || !input.fill(encode(task))) {
    return Error{.message = std::string("cannot hold a compiler's input and output in memory: ") +
                            std::strerror(errno) + "; free some memory and try again"};
  }
  const int descriptors[] = {input.descriptor(), output.descriptor(), log.descriptor()};
  auto reply = ask_a_server(program, request, descriptors);
  if (!reply) return reply.error();
  if (!reply->failure.empty()) return Error{.message = reply->failure};
  const ChildLimits limits;
  CompilerRun run;
  run.library = reply->library;
  run.child.end = reply->end;
  run.child.status = reply->status;
  run.child.output = output.read_head(limits.output_bytes);
  run.child.log = log.read_head(limits.log_bytes);
  if (run.child.end == ChildResult::End::exited && run.child.status == kNotConfined) {
    return Error{.message = fmt::format(
                     "a compiler could not be confined: {}; `tessera doctor` lists what is "
                     "missing",
                     run.child.log)};
  }
  return run;
}

}  // namespace tessera
