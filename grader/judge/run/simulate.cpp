#include "grader/judge/run/simulate.h"

#include <algorithm>
#include <cmath>

#include "grader/judge/run/case_data.h"
#include "grader/judge/run/launch_call.h"
#include "grader/judge/run/resources.h"
#include "grader/judge/run/simulated_operands.h"

namespace tessera {
namespace {

/// The work of a case, with extents below kLeastExtent counted as kLeastExtent: a thread may
/// compute a tile of 8 x 8 elements even if the output has fewer.
double padded_work(const Lab& lab, Extents extents) {
  constexpr int kLeastExtent = 8;
  for (auto& [name, extent] : extents) extent = std::max(extent, kLeastExtent);
  return lab.operation->work(extents);
}

/// The steps that a warp may have. A correct kernel may do all the work in one thread, at some 20
/// instructions an inner step; twice that, and room for small shapes, still ends an endless loop.
/// Each case that did not end lowers the limit for the next cases: a kernel that spreads the work
/// over threads needs a small part of it.
std::uint64_t step_limit(double work, int timeouts) {
  return 100'000 + static_cast<std::uint64_t>(40 * std::max(work, 1.0) / std::pow(16, timeouts));
}

/// All warps of a launch together may have as many steps as this number of warps: work that is
/// spread over threads adds up to what one thread would do, and a little for each.
constexpr std::uint64_t kWarpsAtLimit = 16;
/// Noting a mistake counts as a step, for which small launches need room too.
constexpr std::uint64_t kStepsOfMistakes = 20'000'000;

/// The steps of a warp that waits for a flag while others have their turns, which are long in some
/// orders.
constexpr std::uint64_t kStepsOfWaiting = 4'000'000;

/// A launch of more steps does not run again with each lane by itself, which takes up to 32 times
/// as long: what is wrong then is wrong in small shapes too.
constexpr std::uint64_t kMostStepsOfLanesApart = 1'000'000;

const Finding* find_kind(const std::vector<Finding>& findings, FindingKind kind) {
  const auto found = std::ranges::find(findings, kind, &Finding::kind);
  return found == findings.end() ? nullptr : &*found;
}

/// The status of a run that did not complete, and the finding that ended it.
std::pair<Status, const Finding*> stop_reason(const RunResult& result) {
  using enum FindingKind;
  const std::pair<FindingKind, Status> reasons[] = {{unsupported_instruction, Status::review},
                                                    {step_limit, Status::timeout},
                                                    {trap, Status::error},
                                                    {read_only_write, Status::error},
                                                    {bad_launch, Status::fail},
                                                    {divergent_barrier, Status::fail},
                                                    {barrier_deadlock, Status::fail}};
  for (const auto& [kind, status] : reasons) {
    if (const Finding* finding = find_kind(result.findings, kind)) return {status, finding};
  }
  const auto error = std::ranges::find(result.findings, Severity::error, &Finding::severity);
  const Status status = result.status == RunStatus::unsupported ? Status::review : Status::error;
  return {status, error == result.findings.end() ? nullptr : &*error};
}

CaseOutcome infra_outcome(Text message) {
  CaseOutcome outcome;
  outcome.status = Status::infra;
  outcome.message = std::move(message);
  return outcome;
}

/// A way to run a launch, and what to report if the kernel is wrong in this way alone.
struct Way {
  Turns turns = Turns::usual;
  std::optional<Turns> instead = std::nullopt;  // if it does not end
  std::uint32_t launches_before = 0;
  Phrase right_otherwise = Phrase::verbatim;  // begins the message
  Phrase hint = Phrase::verbatim;
};

Way of_warps(const OtherOrder& order) {
  const auto& [turns, instead] = order;
  return {.turns = turns,
          .instead = instead,
          .right_otherwise = turns == Turns::single  ? Phrase::not_side_by_side
                             : turns == Turns::drawn ? Phrase::not_held_up
                                                     : Phrase::not_reversed,
          .hint = Phrase::any_order_of_warps_hint};
}
constexpr Way of_lanes(Turns turns) {
  return {.turns = turns,
          .right_otherwise = Phrase::not_lane_by_lane,
          .hint = Phrase::lanes_apart_hint};
}
constexpr Way kBlocksTogether{.turns = Turns::blocks,
                              .right_otherwise = Phrase::not_blocks_together,
                              .hint = Phrase::blocks_together_hint};
constexpr Way kSecondLaunch{.launches_before = 1,
                            .right_otherwise = Phrase::not_second_launch,
                            .hint = Phrase::second_launch_hint};

class CaseRun {
 public:
  CaseRun(const Lab& lab, const Program& program, std::size_t number, const Patience& patience,
          const GradeOptions& options)
      : context_{lab, program, lab.cases.at(number - 1), options},
        number_(number),
        patience_(patience) {}

  CaseOutcome outcome() {
    auto launched = call_launch(context_);
    if (auto* stopped = std::get_if<RunResult>(&launched))
      return stopped_outcome(std::move(*stopped));
    const LaunchShape& shape = std::get<LaunchShape>(launched);
    CaseOutcome outcome = run_kernel(shape, {});
    if (context_.program.kernel.order_matters(shape)) {
      for (const OtherOrder& order : kOtherOrders) add_way(shape, of_warps(order), outcome);
    }
    if (context_.program.kernel.loads_talk && outcome.launch_steps <= kMostStepsOfLanesApart) {
      for (const Turns turns : {Turns::lanes, Turns::rising_lanes})
        add_way(shape, of_lanes(turns), outcome);
    }
    if (context_.program.kernel.blocks_talk && shape.grid.count() > 1)
      add_way(shape, kBlocksTogether, outcome);
    if (changed_variables_) add_way(shape, kSecondLaunch, outcome);
    return outcome;
  }

 private:
  /// Runs a kernel that is right so far in another way, and adds what it does wrong there to
  /// `outcome`. If it does not end, a person has to judge it: it may have recognised the order.
  void add_way(const LaunchShape& shape, Way way, CaseOutcome& outcome) {
    if (outcome.status != Status::pass) return;
    const auto run_in = [&](Turns turns) {
      way.turns = turns;
      CaseOutcome other = run_kernel(shape, way);
      outcome.launch_steps = std::max(outcome.launch_steps, other.launch_steps);
      outcome.cut_short = outcome.cut_short || other.cut_short;
      return other;
    };
    CaseOutcome other = run_in(way.turns);
    if (other.status == Status::timeout && way.instead) other = run_in(*way.instead);
    if (other.status == Status::timeout) {
      other.status = Status::review;
      other.findings.clear();
    }
    if (lanes_run_apart(way.turns)) other.findings.clear();  // its results alone count
    for (Finding& finding : other.findings) {
      if (finding.line != 0) continue;  // a line explains itself
      finding.message = way.right_otherwise + finding.message;
      finding.hint = way.hint;
    }
    if (other.status != Status::pass) {
      outcome.status = other.status;
      const bool unknown = way.launches_before > 0 && other.status == Status::review;
      outcome.message = unknown ? other.message : way.right_otherwise + other.message;
      outcome.hint = way.hint;
      outcome.map = std::move(other.map);  // without a diagnosis, since the order is to blame
    }
    add_unreported_errors(outcome.findings, std::move(other.findings));
  }

  CaseOutcome run_kernel(const LaunchShape& shape, const Way& way) {
    SimulatedOperands operands(DataSeed(context_.options.seed, number_));
    if (const auto error = operands.make(context_.lab, context_.test_case))
      return infra_outcome(error->str());
    RunResult result = run(shape, way, operands);
    changed_variables_ |= result.changed_variables;
    if (usual_steps_ == 0) usual_steps_ = longest_warp(result);
    const StepUse steps{.used = longest_warp(result), .limit = most_steps(way.turns)};
    const std::uint64_t launch_steps = result.launch_steps;
    const bool stopped_before = result.stopped_before;
    const bool cut_short =
        patience_.most_steps < most_launch_steps(way.turns) && launch_steps > patience_.most_steps;
    // A card ends a launch that stores to constant memory; the simulator goes on and finds more.
    const bool ended = result.status == RunStatus::completed &&
                       find_kind(result.findings, FindingKind::read_only_write) == nullptr;
    CaseOutcome outcome =
        ended ? compared(std::move(result), shape, operands) : stopped_outcome(std::move(result));
    outcome.steps = steps;
    outcome.launch_steps = launch_steps;
    outcome.cut_short = cut_short && outcome.status == Status::timeout;
    if (stopped_before) {  // the kernel may rely on the order of its inputs, or recognise that
      outcome.status = Status::review;
      outcome.message = Phrase::stopped_on_other_inputs + outcome.message;
      outcome.findings.clear();
    }
    return outcome;
  }

  std::uint64_t most_steps(Turns turns) const {
    const std::uint64_t together =
        step_limit(padded_work(context_.lab, context_.test_case.extents), patience_.timeouts);
    if (turns == Turns::usual) return together;
    constexpr std::uint64_t kLanes = 32;  // each runs the instructions of its warp by itself
    return (lanes_run_apart(turns) ? kLanes * together : together) + kStepsOfWaiting;
  }

  std::uint64_t most_launch_steps(Turns turns) const {
    return kWarpsAtLimit * most_steps(turns) + kStepsOfMistakes;
  }

  RunResult run(const LaunchShape& shape, const Way& way, SimulatedOperands& operands) {
    RunRequest request = operands.launch(context_, shape);
    request.step_limit = most_steps(way.turns);
    request.launch_step_limit = std::min(most_launch_steps(way.turns), patience_.most_steps);
    if (way.turns == Turns::usual && way.launches_before == 0) {
      request.shared_readers = shared_readers();
      request.cache_lines = std::ranges::any_of(context_.lab.technique, [](const auto& item) {
        return about(item.metric).counts.quantity == Quantity::cache_lines;
      });
      request.load_use = std::ranges::any_of(context_.lab.technique, [this](const auto& item) {
        return item.metric == Metric::load_use_distance && counts_here(item);
      });
    }
    request.turns = way.turns;
    request.launches_before = way.launches_before;
    request.hold = hold_beyond(usual_steps_);
    // A warp may spin for one that is held, and then does its own work.
    if (way.turns == Turns::drawn)
      request.step_limit = std::max(request.step_limit, 4 * (usual_steps_ + request.hold));
    return context_.program.interpreter->run(request);
  }

  CaseOutcome compared(RunResult result, const LaunchShape& shape, SimulatedOperands& operands) {
    // Without the kernel's registers it is not known how many blocks fit.
    if (context_.program.registers)
      add_occupancy(result.metrics, context_.options.machine.device, shape,
                    context_.program.registers);
    CaseOutcome outcome;
    outcome.extra_order = result.extra_order;
    if (result.extra_order.by != ExtraOrder::By::nothing) outcome.checks = AccessChecks::limited;
    if (context_.program.assembly) outcome.checks = AccessChecks::assembly;
    outcome.findings = std::move(result.findings);
    outcome.metrics = std::move(result.metrics);
    outcome.lines = std::move(result.lines);
    const auto [before, after] = operands.take();
    compare_case(context_, before, after, shape, outcome);
    return outcome;
  }

  /// The RunRequest::shared_readers that an item needs in this case, if any does.
  std::optional<std::uint32_t> shared_readers() const {
    std::optional<std::uint32_t> readers;
    for (const TechniqueItem& item : context_.lab.technique) {
      const bool is_followed = item.metric == Metric::results_through_shared;
      if (!is_followed && item.metric != Metric::global_load_repeated_bytes) continue;
      if (counts_here(item) && (is_followed || !readers)) readers = item.readers;
    }
    return readers;
  }

  /// Whether this case decides the item.
  bool counts_here(const TechniqueItem& item) const {
    return number_ - 1 == context_.lab.largest_case() ||
           std::ranges::count(context_.test_case.counted, item.metric) > 0;
  }

  CaseContext context_;
  std::size_t number_;
  const Patience& patience_;
  bool changed_variables_ = false;  // a launch of the kernel changed the module's variables
  std::uint64_t usual_steps_ = 0;   // of the warp with most, in the first launch
};

}  // namespace

CaseOutcome stopped_outcome(RunResult result) {
  const auto [status, reason] = stop_reason(result);
  CaseOutcome outcome;
  outcome.status = status;
  outcome.message = reason ? reason->message : Phrase::run_stopped;
  if (reason) outcome.hint = reason->hint;
  outcome.findings = std::move(result.findings);
  return outcome;
}

CaseOutcome simulate_case(const Lab& lab, const Program& program, std::size_t number,
                          const Patience& patience, const GradeOptions& options) {
  try {
    return with_second_try(
        [&] { return CaseRun(lab, program, number, patience, options).outcome(); });
  } catch (const ProcessCrash& crash) {
    return crash_outcome(crash);
  }
}

}  // namespace tessera
