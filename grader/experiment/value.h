// Figures, one by one, as they are written to a CSV file: a line each, so that a run that is
// interrupted keeps what it has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "common/metric.h"
#include "grader/experiment/experiment.h"

namespace tessera {

struct Value {
  std::string row;
  Settings settings;
  int shape = 0;  // 0: it does not depend on the shape
  Metric metric{};
  Origin origin = Origin::measured;
  std::string device;            // "NVIDIA H200"; of a host its processor
  std::optional<double> number;  // where there is none, `text` says why
  std::string text;              // "wrong", "unstable"; for limited_by the answer
  std::optional<double> low;     // the interval of the median, at 97 % confidence
  std::optional<double> high;
  std::string note;  // why, in words
};

/// What every line of the file repeats.
struct RunInfo {
  std::string experiment;
  std::string date;  // "2026-11-21"
  std::uint64_t seed = 0;
  std::string driver;    // "580.159.04, CUDA 13.0"; "" without a GPU
  std::string compiler;  // "nvrtc 13.0"
};

struct Results {
  RunInfo info;
  std::vector<Value> values;
  bool cut_off = false;  // the file ended within a line, which was left out
};

/// The heading, with its line end.
std::string csv_heading();

/// One value, with its line end.
std::string csv_line(const RunInfo& info, const Value& value);

/// The heading and all values.
std::string csv_text(const Results& results);

/// What csv_line() wrote, heading first; with the line ends of Windows and the mark that
/// spreadsheets put before a table too. Errors carry `file` and the line: another heading, a row
/// with other columns, a number or a word that is none.
Expected<Results> read_results(std::string_view text, const std::string& file);

}  // namespace tessera
