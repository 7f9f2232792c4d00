// One experiment on its way: figures are kept in a file as they come, progress is told, and at the
// end there are tables and plots.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>

#include "common/expected.h"
#include "grader/experiment/run.h"
#include "grader/experiment/value.h"

namespace tessera {

/// Where an experiment's figures and plots go: DIRECTORY/results.csv and DIRECTORY/PLOT.svg.
std::filesystem::path results_file(const std::filesystem::path& directory);

/// Makes the folder where it is missing. The Error says why it cannot be made.
std::optional<Error> make_directory(const std::filesystem::path& directory);

/// Draws all plots of the experiment that the results have figures for into `directory`, and tells
/// on `out` what was written, or why nothing was and how to draw what is in the results' `file`
/// later. The Error is gnuplot's complaint or that of a plot's file.
std::optional<Error> write_plots(const Experiment& experiment, const Results& results,
                                 const std::filesystem::path& file,
                                 const std::filesystem::path& directory, std::ostream& out);

/// How far a run has come: on a terminal one line that is written over and over, elsewhere a line
/// every ten seconds.
class BenchProgress {
 public:
  using Clock = std::chrono::steady_clock;

  BenchProgress(std::ostream& out, bool terminal, Clock::time_point start);

  void step(const std::string& experiment, const RunSteps& steps, Clock::time_point now);

  /// Takes the line that is written over away.
  void clear();

 private:
  std::ostream& out_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point told_;
};

/// The figures of one run. Its functions may be called from several threads.
class BenchSession {
 public:
  BenchSession(const Experiment& experiment, RunInfo info, std::filesystem::path directory);

  /// Begins the file anew. The Error says why it cannot be written.
  std::optional<Error> open();

  void add(const Value& value);

  /// What there is by now.
  Results results() const;

  /// Whether every figure could be written to the file.
  bool written() const;

 private:
  const Experiment& experiment_;
  std::filesystem::path directory_;
  mutable std::mutex mutex_;
  Results results_;
  std::ofstream file_;
};

}  // namespace tessera
