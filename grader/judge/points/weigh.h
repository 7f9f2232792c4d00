// What the cases showed -> items with statuses and points. Knows no backend.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"
#include "grader/simulator/check/extra_order.h"

namespace tessera {

struct FailedRun;
struct ProcessCrash;

/// Whether every access of a case was looked at.
enum class AccessChecks {
  done,
  left_out,    // it ran on a GPU
  limited,     // by ExtraOrder: not every race is found
  assembly,    // the source has asm(), which a GPU may read otherwise than the simulator
  impossible,  // the simulator lacks what the kernel uses
};

/// What became of one case, whatever ran it.
struct CaseOutcome {
  Status status = Status::pass;
  double seconds = 0;  // wall time; 0 where it was not taken
  Text message;        // why it is not a pass
  Text hint;
  std::vector<Finding> findings;  // causes first
  Metrics metrics;
  std::optional<StepUse> steps;  // where it was simulated
  /// Of all warps together, in the run that had most: RunResult::launch_steps.
  std::uint64_t launch_steps = 0;
  bool cut_short = false;  // by Patience::most_steps; a grading would have let it run on
  std::vector<LineAccess> lines;
  std::optional<ResultMap> map;  // where the output is wrong
  bool unwritten = false;        // it ran to its end, and no element of the output was written
  AccessChecks checks = AccessChecks::done;
  ExtraOrder extra_order;                   // why they are limited
  std::shared_ptr<const FailedRun> failed;  // where the output is wrong: what a diagnosis needs
};

/// Items of a lab from one outcome a case, in the order of Lab::cases.
std::vector<Item> weigh(const Lab& lab, const std::vector<CaseOutcome>& outcomes);

/// Items where nothing could run: every correctness item has `status` and `message`, the first one
/// carries the findings, the others are skipped (or infra or review too).
std::vector<Item> weigh_nothing(const Lab& lab, Status status, const Text& message,
                                const Text& hint, const std::vector<Finding>& findings);

/// What a kernel gets on which a process broke a second time (process/second_try.h).
Finding crash_finding(const ProcessCrash& crash);
CaseOutcome crash_outcome(const ProcessCrash& crash);
std::vector<Item> weigh_crash(const Lab& lab, const ProcessCrash& crash);

}  // namespace tessera
