// Outcomes of cases -> items with statuses and points, whatever the backend.
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
  left_out,    // the case ran on a GPU
  limited,     // by ExtraOrder: some races may be missed
  assembly,    // the source has asm(), which a GPU may execute differently from the simulator
  impossible,  // the simulator lacks what the kernel uses
};

/// The outcome of a case, whatever ran it.
struct CaseOutcome {
  Status status = Status::pass;
  double seconds = 0;  // wall time; 0 if it was not taken
  Text message;        // why the case does not pass
  Text hint;
  std::vector<Finding> findings;  // causes first
  Metrics metrics;
  std::optional<StepUse> steps;  // if it was simulated
  /// The steps of all warps together, in the run that had most: RunResult::launch_steps.
  std::uint64_t launch_steps = 0;
  bool cut_short = false;  // by Patience::most_steps, although a grading would have let it run on
  std::vector<LineAccess> lines;
  std::optional<ResultMap> map;  // if the output is wrong
  bool unwritten = false;        // it ran to its end without writing any element of the output
  AccessChecks checks = AccessChecks::done;
  ExtraOrder extra_order;                   // why they are limited
  std::shared_ptr<const FailedRun> failed;  // if the output is wrong: what a diagnosis needs
};

/// The items of a lab from the outcomes of its cases, in the order of Lab::cases.
std::vector<Item> weigh(const Lab& lab, const std::vector<CaseOutcome>& outcomes);

/// The items if nothing could run: every correctness item has `status` and `message`, the first of
/// them the findings; the other items are skipped (or infra or review too).
std::vector<Item> weigh_nothing(const Lab& lab, Status status, const Text& message,
                                const Text& hint, const std::vector<Finding>& findings);

/// The finding for a kernel on which a process broke a second time (process/second_try.h).
Finding crash_finding(const ProcessCrash& crash);
CaseOutcome crash_outcome(const ProcessCrash& crash);
std::vector<Item> weigh_crash(const Lab& lab, const ProcessCrash& crash);

}  // namespace tessera
