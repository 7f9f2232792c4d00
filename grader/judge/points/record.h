// The record of a graded lab ("tessera.result/2"), from which everything that leaves the grader is
// written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "common/line_profile.h"
#include "common/metric.h"
#include "grader/judge/compare/result_map.h"

namespace tessera {

enum class Status {
  pass,
  partial,
  fail,
  error,
  timeout,
  skipped,
  deferred,
  review,  // the simulator cannot judge this kernel: 0 until a GPU or a person does
  infra
};

/// Every status, in the order of the enum.
inline constexpr std::array kAllStatuses = {Status::pass,     Status::partial, Status::fail,
                                            Status::error,    Status::timeout, Status::skipped,
                                            Status::deferred, Status::review,  Status::infra};

std::string_view to_string(Status status);

/// The least time that a launch can take on a device, by what it must do; the larger number counts.
struct Roof {
  double compute_ms = 0;  // its multiply-adds at the device's peak; 0 if it has none
  double memory_ms = 0;   // every operand moved once, at the datasheet's bandwidth

  bool operator==(const Roof&) const = default;
};

/// What an item asks of a metric: points that grow from `zero` to `full`, or all points within
/// `at_least` and `at_most`.
struct Goal {
  Metric metric{};
  std::string over;             // of a speedup: the lab whose reference is the baseline
  std::string device;           // for which `zero` and `full` are set; "": for every device
  std::optional<double> value;  // what was counted or measured
  std::optional<double> zero;
  std::optional<double> full;
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<double> naive;  // what the naive kernel has, and a good kernel
  std::optional<double> good;
  std::optional<Roof> roof;  // for a time that was measured or modelled

  bool operator==(const Goal&) const = default;
};

/// The instructions of the warp that had most in a case, and how many a warp may have before it
/// counts as endless.
struct StepUse {
  std::uint64_t used = 0;
  std::uint64_t limit = 0;
};

struct Item {
  std::string id;  // "correctness/2", "checks", "technique/1", "performance/1"
  std::string title;
  bool hidden = false;  // a case that students do not see
  Status status = Status::fail;
  double seconds = 0;  // wall time of what only this item needed; 0 if it was not taken
  double points = 0;
  double max_points = 0;
  Text message;
  Text hint;
  std::vector<Finding> findings;
  Metrics metrics;
  std::optional<ResultMap> map;  // of a wrong output; never of a hidden case
  std::optional<Goal> goal;      // of technique and performance
  std::optional<StepUse> steps;  // of a simulated case; for `lab check`, not in JSON
};

struct Record {
  std::string lab;     // "03-tiled"
  std::string title;   // "Tiled multiplication"
  std::string path;    // the submission's kernel.cu
  std::string sha256;  // of its bytes; "" if there is no file
  double score = 0;
  double max_score = 0;
  double deferred = 0;  // points that this machine cannot measure: items deferred or infra
  std::uint64_t seed = 0;
  std::string backend;   // "simulator", "gpu"
  std::string compiler;  // "nvrtc 13.0"
  std::string device;    // "simulated NVIDIA H200"
  /// How the kernel was confined: "seccomp" (a process that may only compute), and around the whole
  /// grading "limits" or "bubblewrap".
  std::string isolation = "none";
  double seconds = 0;               // wall time of the grading
  std::vector<std::string> source;  // the submission's lines, for quoting
  std::vector<LineAccess> lines;    // counters by line, of the largest case
  bool untouched = false;  // the kernel is not begun: every case ran, none wrote an element
  std::vector<Item> items;
};

/// Whether the item's points are neither won nor lost: deferred or infra.
bool not_measured(const Item& item);

/// The metric that a technique or performance item is about; nothing for another item.
std::optional<Metric> metric_of(const Item& item);

/// Sets score, max_score and deferred from the items.
void sum_points(Record& record);

/// The exit status of `tessera grade`: 0 all measurable points won, 1 some lost, 3 an item ended
/// `infra`.
int exit_status(const std::vector<Record>& records);

}  // namespace tessera
