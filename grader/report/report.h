// Writes records for people and machines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "common/finding.h"
#include "common/line_profile.h"
#include "common/metric.h"
#include "grader/judge/points/record.h"
#include "grader/lab/course.h"

namespace tessera {

struct TextOptions {
  bool color = false;
  int width = 100;
  bool explain = false;      // with the source and the memory accesses of each line
  bool ascii = false;        // pictures without block characters
  bool one_of_many = false;  // there are several labs: an untouched one gets a single line
  bool makefile = true;      // `make grade` works here; else `tessera grade` is named
};

/// A table of the lab's items, then for what failed the message, the quoted line and the hint, and
/// a total line. An untouched skeleton gets a few friendly lines instead.
std::string text_report(const Record& record, const TextOptions& options);

/// The part of text_report() below its table: what failed and why, each cause once; "" if there
/// is nothing to report.
std::string causes_text(const Record& record, const TextOptions& options);

/// The closing line over several labs.
std::string text_total(const std::vector<Record>& records, const TextOptions& options);

/// An object ("tessera.result/2"); for several records a list of them.
std::string json_report(const std::vector<Record>& records);

/// Reads the record that json_report() wrote as a single object. `seconds` is not in the JSON; a
/// metric that was not finite is NaN; unknown keys are ignored, and an older record may lack
/// `source`, `map`, `goal`, `offsets` and `hidden`. The Error names the key that is missing or
/// wrong
/// ("items[2].status"), or the byte at which the text stops being JSON.
Expected<Record> read_record(std::string_view json);

/// A self-contained HTML page with a section for each record; the gradebook's pages come from
/// html/page.h.
std::string html_report(const std::vector<Record>& records);

struct GradescopeOptions {
  std::optional<double> score;  // in place of the sum of the items: after lateness, or by hand
  std::string note;             // printed before everything else: how `score` came about
  Visibility hidden_items = Visibility::visible;
};

/// results.json for Gradescope: a test for each item. A deferred item has no points there, so the
/// assignment's total must be what this grader can measure. An item that ended `infra` counts 0,
/// and the first line says that the mark is not final: a failure that a student can provoke must
/// not win points. If nothing else could be measured there is no score at all and Gradescope asks
/// the staff. A hidden case shows what the record holds, the status and one kind, when
/// `hidden_items` says so; while a case is not shown, Gradescope shows students no total either.
/// The leaderboard has the times of labs that pass every case.
std::string gradescope_report(const std::vector<Record>& records,
                              const GradescopeOptions& options = {});

/// What `tessera check` found out about a kernel.
struct CheckReport {
  std::string path;    // of the file; findings have its name without folders
  std::string kernel;  // the requested name
  std::string compiler;
  std::string device;
  std::uint64_t seed = 0;
  std::vector<Finding> findings;
  Metrics metrics;
  std::string occupancy;   // with what limits it; "" if the kernel did not run
  std::string modelled;    // the modelled time and what limits it; "" if there is none
  bool time_only = false;  // a few blocks ran, for the modelled time: nothing was checked
  std::vector<LineAccess> lines;
  std::string output;        // device printf
  bool output_cut = false;   // more was printed than `output`
  std::uint64_t prints = 0;  // calls of printf, counted by thread
  double compile_seconds = 0;
  double run_seconds = 0;
  std::vector<std::string> source;  // the file's lines
};

/// Findings with quoted source, what the kernel printed, and a table of metrics.
std::string text_report(const CheckReport& report, const TextOptions& options);

/// {"findings": [...], "metrics": {...}, "seconds": {"compile": ..., "run": ...}}
std::string json_report(const CheckReport& report);

}  // namespace tessera
