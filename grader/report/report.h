// Writes records for people and machines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/finding.h"
#include "common/line_profile.h"
#include "grader/judge/record.h"

namespace tessera {

struct TextOptions {
  bool color = false;
  int width = 100;
  bool explain = false;  // with the source and what each line asks of memory
};

/// One table a lab, then for what failed the message, the quoted line and the hint, and a total
/// line. A skeleton nobody has begun gets a few friendly lines instead.
std::string text_report(const Record& record, const TextOptions& options);

/// The closing line over several labs.
std::string text_total(const std::vector<Record>& records, const TextOptions& options);

/// One object ("tessera.result/1"); for several records a list.
std::string json_report(const std::vector<Record>& records);

/// What `tessera check` found out about one kernel.
struct CheckReport {
  std::string path;    // the file; findings call it by its name without folders
  std::string kernel;  // the name asked for
  std::string compiler;
  std::string device;
  std::uint64_t seed = 0;
  std::vector<Finding> findings;
  std::map<std::string, double> metrics;
  std::string occupancy;   // what limits it; "" where the kernel did not run
  std::string modelled;    // the modelled time and what limits it; "" where there is none
  bool time_only = false;  // a few blocks ran, for the modelled time: nothing was checked
  std::vector<LineAccess> lines;
  std::string output;  // device printf
  double compile_seconds = 0;
  double run_seconds = 0;
  std::vector<std::string> source;  // the file's lines
};

/// Findings with quoted source, what the kernel printed, and a table of metrics.
std::string text_report(const CheckReport& report, const TextOptions& options);

/// {"findings": [...], "metrics": {...}, "seconds": {"compile": ..., "run": ...}}
std::string json_report(const CheckReport& report);

}  // namespace tessera
