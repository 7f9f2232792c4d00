#include "grader/cli/bench_session.h"

#include <fmt/format.h>

#include <ostream>

#include "common/numbers.h"
#include "common/text.h"
#include "grader/experiment/plot.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBetweenLines{10};
constexpr std::chrono::milliseconds kBetweenRewrites{100};

}  // namespace

fs::path results_file(const fs::path& directory) {
  return directory / "results.csv";
}

std::optional<Error> make_directory(const fs::path& directory) {
  std::error_code failure;
  if (!directory.empty()) fs::create_directories(directory, failure);
  if (!failure) return std::nullopt;
  return Error{.file = directory.string(),
               .message = "cannot be made: " + failure.message() + "; --out names another folder"};
}

std::optional<Error> write_plots(const Experiment& experiment, const Results& results,
                                 const fs::path& file, const fs::path& directory,
                                 std::ostream& out) {
  if (experiment.plots.empty()) return std::nullopt;
  if (!can_plot()) {
    out << "No plots: gnuplot is not here. With it (./setup.sh installs it):\n"
        << "  tessera bench " << experiment.id << " --from " << file.string() << "\n";
    return std::nullopt;
  }
  for (const Plot& plot : experiment.plots) {
    const std::string program = gnuplot_program(experiment, plot, results);
    if (program.empty()) continue;
    const Expected<std::string> svg = draw(program);
    if (!svg) return svg.error();
    const fs::path picture = directory / (plot.name + ".svg");
    if (auto error = write_file(picture, *svg)) return error;
    out << "Plot: " << picture.string() << "\n";
  }
  return std::nullopt;
}

BenchProgress::BenchProgress(std::ostream& out, bool terminal, Clock::time_point start)
    : out_(out), terminal_(terminal), start_(start), printed_(start) {
}

void BenchProgress::step(const std::string& experiment, const RunSteps& steps,
                         Clock::time_point now) {
  if (now - printed_ < (terminal_ ? Clock::duration(kBetweenRewrites) : kBetweenLines)) return;
  printed_ = now;
  const std::string line =
      fmt::format("{}: {} of {}, {} ({})", experiment, steps.done + 1, steps.all, steps.what,
                  duration_text(std::chrono::duration<double>(now - start_).count()));
  if (terminal_) {
    out_ << "\r" << line << "\x1b[K" << std::flush;
    shown_ = true;
  } else {
    out_ << line << std::endl;
  }
}

void BenchProgress::clear() {
  if (shown_) out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

BenchSession::BenchSession(const Experiment& experiment, RunInfo info, fs::path directory)
    : experiment_(experiment), directory_(std::move(directory)), results_{std::move(info), {}} {
}

std::optional<Error> BenchSession::open() {
  if (auto error = make_directory(directory_)) return error;
  file_.open(results_file(directory_), std::ios::trunc);
  file_ << csv_heading() << std::flush;
  if (file_) return std::nullopt;
  return Error{.file = results_file(directory_).string(),
               .message = "cannot be written; --out names another folder"};
}

void BenchSession::add(const Value& value) {
  const std::lock_guard lock(mutex_);
  results_.values.push_back(value);
  file_ << csv_line(results_.info, value) << std::flush;
}

Results BenchSession::results() const {
  const std::lock_guard lock(mutex_);
  return results_;
}

bool BenchSession::written() const {
  const std::lock_guard lock(mutex_);
  return file_.good();
}

}  // namespace tessera
