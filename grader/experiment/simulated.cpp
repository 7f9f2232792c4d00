#include "grader/experiment/simulated.h"

#include <algorithm>

#include "grader/compile/cubin.h"
#include "grader/judge/run/launch_call.h"
#include "grader/judge/run/resources.h"
#include "grader/judge/run/simulate.h"

namespace tessera {
namespace {

/// The most instructions of a warp in the blocks that are modelled.
constexpr std::uint64_t kStepLimit = 50'000'000;

/// What is wrong with the outcome, or "".
std::string mistake_in(const CaseOutcome& outcome) {
  if (outcome.status == Status::infra || outcome.status == Status::review) return "";
  if (outcome.status != Status::pass) return outcome.message;
  const auto found = std::ranges::find(outcome.findings, Severity::error, &Finding::severity);
  return found == outcome.findings.end() ? "" : found->message;
}

Value value_of(Metric metric, Origin origin, int shape, const GradeOptions& options) {
  Value value;
  value.metric = metric;
  value.origin = origin;
  value.shape = shape;
  value.device = options.machine.device.name;
  return value;
}

}  // namespace

SimulatedRun simulate_variant(const Experiment& experiment, const Variant& variant,
                              const Subject& subject, const GradeOptions& options) {
  SimulatedRun run;
  Lab lab = subject.lab;
  lab.cases.clear();
  for (const int shape : experiment.simulated_shapes)
    lab.cases.push_back(case_of(subject.lab, variant, shape));
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const int shape = experiment.simulated_shapes[i];
    const CaseOutcome outcome = simulate_case(lab, subject.program, i + 1, Patience(), options);
    const std::string mistake = mistake_in(outcome);
    if (run.wrong.empty()) run.wrong = mistake;
    for (const Metric metric : experiment.measure) {
      if (about(metric).origin != Origin::simulated) continue;
      const auto counted = outcome.metrics.find(metric);
      Value value = value_of(metric, Origin::simulated, shape, options);
      if (!mistake.empty()) {
        value.text = "wrong";
        value.note = mistake;
      } else if (counted != outcome.metrics.end()) {
        value.number = counted->second;
      } else {
        continue;
      }
      run.values.push_back(std::move(value));
    }
  }
  return run;
}

std::vector<Value> model_variant(const Experiment& experiment, const Variant& variant,
                                 const Subject& subject, int shape, SimulatedOperands& operands,
                                 const GradeOptions& options) {
  const Case test_case = case_of(subject.lab, variant, shape);
  const CaseContext context{subject.lab, subject.program, test_case, options};
  const auto launched = call_launch(context);
  const LaunchShape* launch = std::get_if<LaunchShape>(&launched);
  const std::uint64_t fixed = subject.program.kernel.static_shared_bytes;
  const KernelNeeds needs{.static_shared_bytes = fixed, .bounds = subject.program.kernel.bounds};
  if (launch == nullptr || !check_launch(*launch, needs, options.machine.device).empty()) return {};
  Metrics metrics = {{Metric::static_shared_bytes, static_cast<double>(fixed)},
                     {Metric::dynamic_shared_bytes, static_cast<double>(launch->shared_bytes)}};
  RunRequest request = operands.launch(context, *launch);
  request.step_limit = kStepLimit;
  std::optional<int> registers;
  if (!subject.request.source.text().empty())
    registers =
        cubin_registers(code_for(options.machine.device, subject), subject.program.kernel.entry);
  const std::string note =
      add_modelled_time(metrics, *subject.program.interpreter, request, registers);
  if (note.empty()) return {};
  Value time = value_of(Metric::modelled_time_ms, Origin::modelled, shape, options);
  time.number = metrics.at(Metric::modelled_time_ms);
  time.note = note;
  std::vector<Value> values = {time};
  add_rates(experiment, shape, time, values);
  return values;
}

double operand_bytes(const Experiment& experiment, int shape) {
  double bytes = 0;
  for (const Operand& operand : experiment.operation->operands(experiment.extents_of(shape))) {
    bytes += static_cast<double>(operand.height) * operand.width *
             static_cast<double>(element_size(experiment.element));
  }
  return bytes;
}

void add_rates(const Experiment& experiment, int shape, const Value& time,
               std::vector<Value>& values) {
  const double steps = experiment.work(shape);
  const double operations = experiment.operation->is_product() ? 2 * steps : steps;
  const auto add = [&](Metric metric, double amount) {
    if (!experiment.measures(metric) || !time.number || *time.number <= 0) return;
    Value rate = time;
    const auto at = [&](double milliseconds) { return amount / (milliseconds * 1e6); };
    rate.metric = metric;
    rate.number = at(*time.number);
    rate.low = time.high ? std::optional(at(*time.high)) : std::nullopt;
    rate.high = time.low ? std::optional(at(*time.low)) : std::nullopt;
    rate.note.clear();
    values.push_back(std::move(rate));
  };
  add(Metric::gflops, operations);
  add(Metric::gb_per_s, operand_bytes(experiment, shape));
}

}  // namespace tessera
