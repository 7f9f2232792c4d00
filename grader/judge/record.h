// The record of one graded lab ("tessera.result/1"): everything that leaves the grader is written
// from it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "common/line_profile.h"

namespace tessera {

enum class Status { pass, partial, fail, error, timeout, skipped, deferred, infra };

std::string_view to_string(Status status);

struct Item {
  std::string id;  // "correctness/2", "checks", "technique/1", "performance/1"
  std::string title;
  Status status = Status::fail;
  double seconds = 0;  // wall time of what only this item needed; 0 where it was not taken
  double points = 0;
  double max_points = 0;
  std::string message;
  std::string hint;
  std::vector<Finding> findings;
  std::map<std::string, double> metrics;
};

struct Record {
  std::string lab;     // "03-tiled"
  std::string title;   // "Tiled multiplication"
  std::string path;    // the submission's kernel.cu
  std::string sha256;  // of its bytes; "" where there is no file
  double score = 0;
  double max_score = 0;
  double deferred = 0;  // points that this machine cannot measure: items deferred or infra
  std::uint64_t seed = 0;
  std::string backend;              // "simulator", "gpu"
  std::string compiler;             // "nvrtc 13.0"
  std::string device;               // "simulated NVIDIA H200"
  std::string isolation = "none";   // of the process that graded: "none", "limits", "bubblewrap"
  double seconds = 0;               // wall time of the grading
  std::vector<std::string> source;  // the submission's lines, for quoting
  std::vector<LineAccess> lines;    // counters by line, of the largest case
  bool untouched = false;           // every case ran, and none wrote a single element
  std::vector<Item> items;
};

/// Whether the item's points are neither won nor lost: deferred, infra.
bool not_measured(const Item& item);

/// Sets score, max_score and deferred from the items.
void sum_points(Record& record);

/// Exit status of `tessera grade`: 0 all measurable points won, 1 some lost, 3 an item ended
/// `infra`.
int exit_status(const std::vector<Record>& records);

}  // namespace tessera
