#include "grader/cli/watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <iostream>
#include <memory>
#include <optional>

#include "grader/cli/watch_heading.h"
#include "grader/process/forked_work.h"
#include "grader/report/report.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using Clock = WatchedFiles::Clock;
using std::chrono::milliseconds;

/// The pause between two looks at the files is kPausePerLook times as long as the last look took
/// (which is long on a network file system), but at least kLeastPause and at most kMostPause.
constexpr milliseconds kLeastPause{30};
constexpr milliseconds kMostPause{1000};
constexpr int kPausePerLook = 20;

constexpr const char* kClearScreen = "\x1b[H\x1b[2J";
constexpr const char* kClearLine = "\r\x1b[K";

/// Delivers SIGINT, SIGTERM and the end of a child one by one, when asked for.
class SignalQueue {
 public:
  SignalQueue() {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&signals_, signal);
    sigprocmask(SIG_BLOCK, &signals_, &before_);
  }
  ~SignalQueue() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  /// Waits up to `most` for a signal; returns whether it asks this program to end.
  bool wait(Clock::duration most) const {
    const auto nanoseconds = std::chrono::nanoseconds(most).count();
    const timespec timeout{static_cast<time_t>(nanoseconds / 1'000'000'000),
                           static_cast<long>(nanoseconds % 1'000'000'000)};
    const int signal = sigtimedwait(&signals_, nullptr, &timeout);
    return signal == SIGINT || signal == SIGTERM;
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

/// A lab that is to be graded.
struct Turn {
  std::size_t lab = 0;
  bool in_full = true;  // else as one line
  bool first = true;    // of the labs graded for one save
};

std::string clock_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

class Session {
 public:
  explicit Session(const WatchRequest& request)
      : request_(request), terminal_(isatty(STDOUT_FILENO) == 1), before_(request.labs.size()) {
    std::vector<std::size_t> all;
    for (std::size_t lab = 0; lab < request.labs.size(); ++lab) all.push_back(lab);
    add_turns(all);
  }

  /// Puts the saved labs first; gradings of their earlier state are dropped.
  void saved(const std::vector<std::size_t>& labs) {
    if (work_) turns_.push_front(turn_);
    work_.reset();
    std::erase_if(turns_, [&](const Turn& turn) { return std::ranges::count(labs, turn.lab) > 0; });
    add_turns(labs);
  }

  /// Shows the grading that has ended and starts the next.
  void go_on() {
    if (work_) {
      const std::optional<ForkedResult> result = work_->result();
      if (!result) return;
      work_.reset();
      show(*result);
    }
    if (turns_.empty()) return;
    turn_ = turns_.front();
    turns_.pop_front();
    show_progress();
    work_ = std::make_unique<ForkedWork>(
        [this] { return json_report(request_.grade(request_.labs[turn_.lab].id)); });
  }

  void stop() {
    work_.reset();
    if (terminal_) std::cout << "\n" << std::flush;
  }

 private:
  void add_turns(const std::vector<std::size_t>& labs) {
    for (std::size_t i = labs.size(); i > 0; --i)
      turns_.push_front({labs[i - 1], labs.size() == 1, i == 1});
  }

  void show_progress() const {
    if (!terminal_) return;
    std::cout << kClearLine
              << painted(fmt::format("grading {} ...", request_.labs[turn_.lab].id), Color::dim,
                         request_.color)
              << std::flush;
  }

  void show(const ForkedResult& result) {
    const bool apart = turn_.in_full || turn_.first;
    if (terminal_) {
      std::cout << (apart ? kClearScreen : kClearLine);
    } else if (apart && shown_before_) {
      std::cout << "\n";
    }
    shown_before_ = true;
    const Expected<Record> record = read_answer(result);
    std::cout << clock_time() << "  "
              << painted(heading(result, record), Color::bold, request_.color) << "\n";
    if (turn_.in_full || !record) std::cout << (record ? "\n" : "") << result.printed;
    if (record) before_[turn_.lab] = *record;
    if (terminal_ && turns_.empty()) show_what_next();
    std::cout << std::flush;
  }

  Expected<Record> read_answer(const ForkedResult& result) const {
    if (!result.ok) return Error{.message = "the grader broke down"};
    return read_record(result.answer);
  }

  std::string heading(const ForkedResult& result, const Expected<Record>& record) const {
    const std::string& lab = request_.labs[turn_.lab].id;
    if (record) return watch_heading(*record, before_[turn_.lab]);
    if (result.ok) return lab + "  cannot be graded";
    const std::string how = result.signal == 0 ? "" : fmt::format(" (signal {})", result.signal);
    return fmt::format(
        "{}  the grader broke down{}; this is not the kernel's fault, please "
        "report it",
        lab, how);
  }

  void show_what_next() const {
    const std::string what = request_.labs.size() == 1
                                 ? request_.labs.front().files.kernels.front().string()
                                 : "a kernel";
    std::cout << "\n"
              << painted(fmt::format("save {} to grade it again; Ctrl-C ends", what), Color::dim,
                         request_.color)
              << "\n";
  }

  const WatchRequest& request_;
  bool terminal_;
  bool shown_before_ = false;
  std::vector<std::optional<Record>> before_;  // by lab
  std::deque<Turn> turns_;
  Turn turn_;  // of `work_`
  std::unique_ptr<ForkedWork> work_;
};

}  // namespace

ExitStatus watch(const WatchRequest& request) {
  const SignalQueue signals;
  std::vector<WatchedSet> sets;
  for (const WatchRequest::LabFiles& lab : request.labs) sets.push_back(lab.files);
  WatchedFiles files(std::move(sets), request.shared);
  Session session(request);
  for (;;) {
    const Clock::time_point start = Clock::now();
    const std::vector<std::size_t> changed = files.changed(start);
    const auto pause = kPausePerLook * (Clock::now() - start);
    if (!changed.empty()) session.saved(changed);
    session.go_on();
    if (signals.wait(std::clamp<Clock::duration>(pause, kLeastPause, kMostPause))) {
      session.stop();
      return kInterrupted;
    }
  }
}

}  // namespace tessera
