#include "grader/process/sandbox.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "common/memory_file.h"
#include "grader/process/bubblewrap.h"
#include "grader/process/captured_pipe.h"
#include "grader/process/find_program.h"
#include "grader/process/process_group.h"
#include "grader/process/spawn_on_channel.h"
#include "grader/process/supervisor.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;
using End = SandboxResult::End;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kFirstWatch{5};
constexpr Milliseconds kWatchEvery{50};

/// A GPU's driver may take long to release a process.
constexpr std::chrono::seconds kPatience{60};

constexpr const char* kNoBubblewrap =
    "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)";
constexpr const char* kAllowNamespaces =
    "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu "
    "kernel.apparmor_restrict_unprivileged_userns=0; Docker: --security-opt seccomp=unconfined)";

/// bwrap's own processes: one outside and the first one inside.
constexpr int kRoomProcesses = 2;

std::optional<Error> missing_path(const fs::path& path) {
  std::error_code unused;
  if (!path.is_absolute()) {
    return Error{.file = path, .message = "a sandbox needs absolute paths; make this one absolute"};
  }
  if (fs::exists(path, unused)) return std::nullopt;
  return Error{.file = path,
               .message = "is to be part of a sandbox but does not exist or cannot be reached"};
}

std::optional<Error> mistake_in(const SandboxRequest& request) {
  if (request.command.empty() || !fs::path(request.command.front()).is_absolute()) {
    return Error{.file = request.command.empty() ? "" : request.command.front(),
                 .message = "a sandbox needs a program to run, with its absolute path"};
  }
  for (const auto* paths : {&request.readable, &request.writable, &request.hidden}) {
    for (const fs::path& path : *paths) {
      if (auto error = missing_path(path)) return error;
    }
  }
  for (const auto& [from, to] : request.mounted) {
    if (auto error = missing_path(from)) return error;
    if (!to.is_absolute()) {
      return Error{.file = to,
                   .message = "is where a sandbox shows a file; make this path absolute"};
    }
  }
  return std::nullopt;
}

Expected<std::vector<std::string>> command_of(const SandboxRequest& request, IsolationTier tier) {
  if (tier == IsolationTier::limits) return request.command;
  const std::string bubblewrap = find_program("bwrap");
  if (bubblewrap.empty()) {
    return Error{.message = kNoBubblewrap};
  }
  return bubblewrap_command(bubblewrap, request, kRoomDescriptor, kFilterDescriptor);
}

std::vector<std::string> environment_of(const SandboxRequest& request) {
  std::vector<std::string> environment{"PATH=/usr/bin:/bin"};
  for (const auto& [name, value] : request.environment) {
    if (name == "PATH") environment.erase(environment.begin());
    environment.push_back(fmt::format("{}={}", name, value));
  }
  return environment;
}

/// Forks with all signals blocked: the child is not interrupted by this process's handlers.
pid_t fork_supervisor(const SupervisorPlan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child == 0) supervise(plan);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

/// One sandbox from start to end, for the thread that waits for it.
class Watch {
 public:
  Watch(const SandboxLimits& limits, IsolationTier tier, const std::atomic<bool>& stop)
      : limits_(limits),
        tier_(tier),
        stop_(stop),
        output_(limits.output_bytes),
        log_(limits.log_bytes) {}

  Expected<SandboxResult> run(std::vector<std::string> command,
                              std::vector<std::string> environment);

 private:
  bool start(std::vector<std::string>& command, std::vector<std::string>& environment);
  void wait_for_something() const;
  void take_all();
  bool is_gone();
  std::optional<End> passed_limit();
  std::optional<End> passed_by_processes();
  void end_if_necessary();
  std::optional<SupervisorReport> report(SupervisorReport::Kind kind) const;
  Expected<SandboxResult> result() const;
  std::optional<Error> why_not_started() const;

  const SandboxLimits& limits_;
  const IsolationTier tier_;
  const std::atomic<bool>& stop_;
  CapturedPipe output_;
  CapturedPipe log_;
  CapturedPipe reports_{1024};
  CapturedPipe room_{4096};  // what bwrap writes about its sandbox, in JSON
  MemoryFile filter_{"tessera-filter"};
  ProcessTree tree_;
  pid_t supervisor_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_watch_ = start_ + kFirstWatch;
  Milliseconds watch_interval_ = kFirstWatch;
  std::optional<End> ended_by_us_;
  Clock::time_point ended_at_;
  double seconds_ = 0;
  double cpu_seconds_ = 0;
};

bool Watch::start(std::vector<std::string>& command, std::vector<std::string>& environment) {
  if (!output_.is_open() || !log_.is_open() || !reports_.is_open() || !room_.is_open() ||
      !filter_.is_open() || !filter_.fill(process_group_filter())) {
    return false;
  }
  const bool has_room = tier_ == IsolationTier::bubblewrap;
  const auto arguments = pointers_to(command);
  const auto variables = pointers_to(environment);
  SupervisorPlan plan{};
  plan.arguments = arguments.data();
  plan.environment = variables.data();
  plan.output = output_.write_end();
  plan.log = log_.write_end();
  plan.reports = reports_.write_end();
  plan.room = has_room ? room_.write_end() : -1;
  plan.filter = has_room ? filter_.descriptor() : -1;
  plan.parent = getpid();
  plan.file_bytes = limits_.scratch_bytes;
  plan.tree = &tree_;
  supervisor_ = fork_supervisor(plan);
  for (CapturedPipe* pipe : {&output_, &log_, &reports_, &room_}) pipe->close_write_end();
  return supervisor_ > 0;
}

void Watch::wait_for_something() const {
  pollfd ends[] = {{output_.read_end(), POLLIN, 0},
                   {log_.read_end(), POLLIN, 0},
                   {reports_.read_end(), POLLIN, 0},
                   {room_.read_end(), POLLIN, 0}};
  const auto left = std::chrono::ceil<Milliseconds>(next_watch_ - Clock::now());
  const auto timeout = std::clamp(left, Milliseconds{1}, kWatchEvery);
  poll(ends, std::size(ends), static_cast<int>(timeout.count()));
}

void Watch::take_all() {
  for (CapturedPipe* pipe : {&output_, &log_, &reports_, &room_}) pipe->take();
}

/// Whether the supervisor has ended, and has been reaped.
bool Watch::is_gone() {
  const bool is_last_moment = report(SupervisorReport::Kind::ended).has_value();
  const pid_t ended = waitpid(supervisor_, nullptr, is_last_moment ? 0 : WNOHANG);
  return ended > 0 || (ended < 0 && errno != EINTR);
}

std::optional<End> Watch::passed_by_processes() {
  const auto now = Clock::now();
  // Until it executes the program, a process is a copy of this one and looks as large.
  if (now < next_watch_ || !report(SupervisorReport::Kind::started)) return std::nullopt;
  watch_interval_ = std::min(watch_interval_ * 3 / 2, kWatchEvery);
  next_watch_ = now + watch_interval_;
  const std::size_t most = static_cast<std::size_t>(limits_.processes) +
                           (tier_ == IsolationTier::bubblewrap ? kRoomProcesses : 0);
  const std::vector<Process>& processes = tree_.read(supervisor_, most);
  std::uint64_t bytes = 0;
  for (const Process& process : processes) bytes += process.resident_bytes;
  if (processes.size() > most) return End::out_of_processes;
  if (bytes > limits_.memory_bytes) return End::out_of_memory;
  return std::nullopt;
}

std::optional<End> Watch::passed_limit() {
  if (output_.has_overflown()) return End::out_of_output;
  if (stop_) return End::stopped;
  if (std::chrono::duration<double>(Clock::now() - start_).count() > limits_.wall_seconds) {
    return End::out_of_time;
  }
  return passed_by_processes();
}

/// Ends the sandbox if it must not go on, and the supervisor too if it does not manage to.
void Watch::end_if_necessary() {
  if (!ended_by_us_) {
    ended_by_us_ = passed_limit();
    if (!ended_by_us_) return;
    ended_at_ = Clock::now();
    // Killed from here: among many processes, the supervisor may wait long for its turn.
    const std::vector<Process>& processes = tree_.read(supervisor_, kKilledAtOnce);
    for (const Process& process : processes) cpu_seconds_ += process.processor_seconds;
    kill_with_groups(processes, supervisor_);
    kill(supervisor_, SIGTERM);
  } else if (Clock::now() - ended_at_ > kPatience) {
    kill(supervisor_, SIGKILL);
  }
}

std::optional<SupervisorReport> Watch::report(SupervisorReport::Kind kind) const {
  const std::string& text = reports_.text();
  for (std::size_t at = 0; at + sizeof(SupervisorReport) <= text.size();
       at += sizeof(SupervisorReport)) {
    SupervisorReport report;
    std::memcpy(&report, text.data() + at, sizeof report);
    if (report.kind == kind) return report;
  }
  return std::nullopt;
}

std::optional<Error> Watch::why_not_started() const {
  if (const auto failed = report(SupervisorReport::Kind::failed)) {
    return Error{.message = fmt::format("a sandbox cannot run its program: {}",
                                        std::strerror(failed->value))};
  }
  const auto ended = report(SupervisorReport::Kind::ended);
  const bool has_failed = ended && WIFEXITED(ended->value) && WEXITSTATUS(ended->value) == 1;
  // bwrap gives the program's exit code only if it came as far as executing it.
  if (tier_ == IsolationTier::bubblewrap && !ended_by_us_ && has_failed &&
      room_.text().find("\"exit-code\"") == std::string::npos) {
    return Error{.message = "bubblewrap cannot make a sandbox: " +
                            log_.text().substr(0, log_.text().find('\n'))};
  }
  return std::nullopt;
}

Expected<SandboxResult> Watch::result() const {
  if (auto error = why_not_started()) return *error;
  SandboxResult result;
  result.output = output_.text();
  result.log = log_.text();
  result.seconds = seconds_;
  result.cpu_seconds = cpu_seconds_;
  // Without a report, the supervisor was killed: by the program, if bwrap does not run it.
  const auto ended = report(SupervisorReport::Kind::ended);
  const int status = ended ? ended->value : SIGKILL;
  constexpr int kSignalled = 128;  // and the signal: bwrap's exit status for a signal
  if (WIFSIGNALED(status)) {
    result.end = End::killed;
    result.status = WTERMSIG(status);
  } else if (tier_ == IsolationTier::bubblewrap && WEXITSTATUS(status) > kSignalled &&
             WEXITSTATUS(status) < kSignalled + NSIG) {
    result.end = End::killed;
    result.status = WEXITSTATUS(status) - kSignalled;
  } else {
    result.status = WEXITSTATUS(status);
  }
  if (ended_by_us_) {
    result.end = *ended_by_us_;
    result.status = SIGKILL;
  }
  if (output_.has_overflown()) result.end = End::out_of_output;
  return result;
}

Expected<SandboxResult> Watch::run(std::vector<std::string> command,
                                   std::vector<std::string> environment) {
  if (!start(command, environment)) {
    return Error{.message =
                     fmt::format("cannot start a process for a sandbox: {}; raise the limits on "
                                 "processes and open files",
                                 std::strerror(errno))};
  }
  do {
    wait_for_something();
    take_all();
    end_if_necessary();
  } while (!is_gone());
  seconds_ = std::chrono::duration<double>(Clock::now() - start_).count();
  take_all();  // what was written last
  return result();
}

}  // namespace

std::string_view to_string(IsolationTier tier) {
  return tier == IsolationTier::bubblewrap ? "bubblewrap" : "limits";
}

Isolation available_isolation() {
  if (find_program("bwrap").empty()) return {IsolationTier::limits, kNoBubblewrap};
  SandboxRequest request;
  request.command = {"/bin/true"};
  request.limits.wall_seconds = 10;
  const std::atomic<bool> never = false;
  const auto made = run_sandboxed(request, IsolationTier::bubblewrap, never);
  if (made && made->end == End::exited && made->status == 0) return {IsolationTier::bubblewrap, ""};
  return {IsolationTier::limits,
          fmt::format("{}; {}", made ? made->log : made.error().str(), kAllowNamespaces)};
}

Expected<SandboxResult> run_sandboxed(const SandboxRequest& request, IsolationTier tier,
                                      const std::atomic<bool>& stop) {
  if (const auto mistake = mistake_in(request)) return *mistake;
  auto command = command_of(request, tier);
  if (!command) return command.error();
  return Watch(request.limits, tier, stop).run(std::move(*command), environment_of(request));
}

}  // namespace tessera
