// One run of an experiment: values are kept in a file as they come, progress is shown, and at the
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

/// Where an experiment's values and plots go: DIRECTORY/results.csv and DIRECTORY/PLOT.svg.
std::filesystem::path results_file(const std::filesystem::path& directory);

/// Creates the folder if it is missing. The Error says why it cannot be created.
std::optional<Error> make_directory(const std::filesystem::path& directory);

/// Draws into `directory` all plots of the experiment for which the results have values. Prints on
/// `out` what was written, or why nothing was and how to draw the results' `file` later. The Error
/// is gnuplot's, or that of a plot's file.
std::optional<Error> write_plots(const Experiment& experiment, const Results& results,
                                 const std::filesystem::path& file,
                                 const std::filesystem::path& directory, std::ostream& out);

/// Shows how far a run has come: on a terminal one line that is rewritten, elsewhere a line every
/// ten seconds.
class BenchProgress {
 public:
  using Clock = std::chrono::steady_clock;

  BenchProgress(std::ostream& out, bool terminal, Clock::time_point start);

  void step(const std::string& experiment, const RunSteps& steps, Clock::time_point now);

  /// Clears the line that is rewritten.
  void clear();

 private:
  std::ostream& out_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point printed_;
};

/// Collects the values of one run. May be called from several threads.
class BenchSession {
 public:
  BenchSession(const Experiment& experiment, RunInfo info, std::filesystem::path directory);

  /// Starts a new file. The Error says why it cannot be written.
  std::optional<Error> open();

  void add(const Value& value);

  /// The results so far.
  Results results() const;

  /// Whether all values were written to the file.
  bool written() const;

 private:
  const Experiment& experiment_;
  std::filesystem::path directory_;
  mutable std::mutex mutex_;
  Results results_;
  std::ofstream file_;
};

}  // namespace tessera
