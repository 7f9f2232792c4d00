// Figures, as they are written to a CSV file: a line each, so that an interrupted run keeps what it
// has.
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
  int shape = 0;  // 0: the value does not depend on it
  Metric metric{};
  Origin origin = Origin::measured;
  std::string device;            // "NVIDIA H200"; for a host its processor
  std::optional<double> number;  // if there is none, `text` says why
  std::string text;              // "wrong", "unstable"; for limited_by the answer
  std::optional<double> low;     // the interval of the median, at 97 % confidence
  std::optional<double> high;
  std::string note;  // the reason, in words
};

/// The part that every line of the file repeats.
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
  bool cut_off = false;  // the file ends within a line, which was left out
};

/// The heading, with its line end.
std::string csv_heading();

/// The line of a value, with its line end.
std::string csv_line(const RunInfo& info, const Value& value);

/// The heading and all values.
std::string csv_text(const Results& results);

/// Reads what csv_heading() and csv_line() wrote, even after a spreadsheet added a byte order mark
/// and Windows line ends. Errors carry `file` and the line: another heading, a row with other
/// columns, a field that is not the number or word it should be.
Expected<Results> read_results(std::string_view text, const std::string& file);

}  // namespace tessera
