#include "grader/judge/run/modelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "common/mixed.h"
#include "grader/judge/compare/element_findings.h"
#include "grader/judge/points/roof.h"
#include "grader/judge/points/threshold.h"
#include "grader/judge/points/weigh.h"
#include "grader/judge/run/launch_call.h"
#include "grader/judge/run/reference_kernel.h"
#include "grader/judge/run/resources.h"
#include "grader/judge/run/simulated_operands.h"
#include "grader/simulator/timing/sample.h"

namespace tessera {
namespace {

/// The steps that a warp may have. A warp of the naive product of n = 4096 executes 25,000
/// instructions.
constexpr std::uint64_t kModelledSteps = 20'000'000;
/// The steps that all warps of the sampled blocks may have together.
constexpr std::uint64_t kLaunchStepLimit = 20 * kModelledSteps;

/// How much of their share of the output the sampled blocks must write. Blocks inside of the grid
/// write no less than the mean.
constexpr double kLeastShare = 0.9;

/// About as many of the elements that they wrote are compared.
constexpr double kElementsToCompare = 4096;

/// `written`, or a part of it if that is much more than kElementsToCompare: what lies in rows and
/// columns that the key draws. What is right is computed for all pairs of these.
std::vector<SimulatedOperands::Written> to_compare(std::vector<SimulatedOperands::Written> written,
                                                   const Operand& output, std::uint64_t key) {
  const double parts = static_cast<double>(written.size()) / kElementsToCompare;
  const bool is_vector = output.height == 1 || output.width == 1;
  const auto one_in = static_cast<std::uint64_t>(is_vector ? parts : std::sqrt(parts));
  if (one_in < 2) return written;
  std::erase_if(written, [&](const SimulatedOperands::Written& each) {
    const auto is_drawn = [&](std::uint64_t draw, int index) {
      return drawn(draw, static_cast<std::uint64_t>(index)) % one_in == 0;
    };
    if (is_vector) return !is_drawn(key, each.element);
    return !is_drawn(key, each.element / output.width) ||
           !is_drawn(~key, each.element % output.width);
  });
  return written;
}

/// Models the time of the lab's performance shape once, for all thresholds.
class Model {
 public:
  Model(const Lab& lab, const Program& program, const GradeOptions& options)
      : lab_(lab), program_(program), options_(options) {}

  void decide(const Threshold& threshold, Item& item) {
    if (!range_on(threshold, options_.machine.device.name))
      return;  // it stays deferred, and says which device it needs
    if (!ran_) run_guarded();
    if (failure_) {
      item.findings = failure_->findings;
      return end_item(item, failure_->status, failure_->message, failure_->hint);
    }
    item.metrics = metrics_;
    item.message = message_;
    const std::optional<Roof> roof = roof_of(lab_, options_.machine.device);
    if (item.goal) item.goal->roof = roof;
    const double least = roof ? std::max(roof->compute_ms, roof->memory_ms) : 0;
    if (metrics_.at(Metric::modelled_time_ms) < least) {
      return end_item(
          item, Status::fail,
          message_ + say(Phrase::modelled_too_fast, Detail(fmt::format("{:.3g}", least))),
          Phrase::same_work_hint);
    }
    award(item, metrics_.at(Metric::modelled_time_ms), threshold, options_.machine.device.name);
  }

 private:
  void run_guarded() {
    ran_ = true;
    try {
      with_second_try([&] { run(); });
    } catch (const ProcessCrash& crash) {
      const Finding finding = crash_finding(crash);
      fail(Status::error, finding.message, finding.hint);
      failure_->findings = {finding};
    }
  }

  void run() {
    const Expected<Case> shape = performance_case(lab_, options_.kit.datasets);
    if (!shape) return fail(Status::infra, shape.error().str());
    const CaseContext context{lab_, program_, *shape, options_};
    SimulatedOperands operands(seed());
    if (const auto error = operands.make(lab_, *shape)) return fail(Status::infra, error->str());
    const auto launched = call_launch(context);
    const LaunchShape* launch = std::get_if<LaunchShape>(&launched);
    if (launch == nullptr) return fail(Status::fail, Phrase::no_launch_shape);
    const std::uint64_t static_bytes = program_.kernel.static_shared_bytes;
    const KernelNeeds needs{.static_shared_bytes = static_bytes,
                            .registers_per_thread = program_.registers.value_or(0),
                            .bounds = program_.kernel.bounds};
    const std::vector<Finding> bad = check_launch(*launch, needs, options_.machine.device);
    if (!bad.empty()) return fail(Status::fail, bad.front().message, bad.front().hint);
    metrics_[Metric::static_shared_bytes] = static_cast<double>(static_bytes);
    metrics_[Metric::dynamic_shared_bytes] = static_cast<double>(launch->shared_bytes);
    RunRequest request = operands.launch(context, *launch);
    request.step_limit = kModelledSteps;
    request.launch_step_limit = kLaunchStepLimit;
    message_ = add_modelled_time(metrics_, *program_.interpreter, request, program_.registers);
    if (message_.empty()) {
      fail(Status::fail, Phrase::no_modelled_time, Phrase::no_modelled_time_hint);
    } else if (const Text fault = fault_of_sample(context, *launch, operands); !fault.empty()) {
      fail(Status::fail, message_ + fault, Phrase::same_work_hint);
    }
  }

  DataSeed seed() const { return {options_.seed, kPerformanceNumber}; }

  /// What the sampled blocks did wrong, or nothing: the elements that they wrote must be right, and
  /// they must have written their share of the output.
  Text fault_of_sample(const CaseContext& context, const LaunchShape& launch,
                       SimulatedOperands& operands) const {
    std::vector<SimulatedOperands::Written> written = operands.written();
    const Operand& output = operands.output();
    const auto sampled = static_cast<double>(
        sim::blocks_to_sample(launch.grid, seed().number_for(Purpose::schedule)).size());
    const double share =
        1.0 * output.height * output.width * sampled / static_cast<double>(launch.grid.count());
    if (static_cast<double>(written.size()) < kLeastShare * share) {
      const auto whole = [](double number) { return Detail(fmt::format("{:.0f}", number)); };
      return say(Phrase::modelled_wrote_little, whole(sampled), written.size(), whole(share));
    }
    written = to_compare(std::move(written), output, seed().number_for(Purpose::product_check));
    std::vector<std::int32_t> elements;
    for (const auto& [element, value] : written) elements.push_back(element);
    const Reference right = reference_at(context, operands.take_inputs(), elements);
    for (std::size_t i = 0; i < written.size(); ++i) {
      const auto [element, got] = written[i];
      if (std::abs(got - right.value[i]) <= right.bound[i]) continue;
      const std::string index =
          fmt::format("[{}][{}]", element / output.width, element % output.width);
      return say(Phrase::modelled_wrong, ArrayElement{output.name, index},
                 Detail(value_text(lab_.element, got)),
                 Detail(value_text(lab_.element, right.value[i])));
    }
    return {};
  }

  void fail(Status status, Text message, Text hint = {}) {
    failure_.emplace();
    end_item(*failure_, status, std::move(message), std::move(hint));
  }

  const Lab& lab_;
  const Program& program_;
  const GradeOptions& options_;
  bool ran_ = false;
  std::optional<Item> failure_;
  Text message_;
  Metrics metrics_;
};

}  // namespace

void model_performance(const Lab& lab, const Program& program, const GradeOptions& options,
                       std::vector<Item>& items) {
  Model model(lab, program, options);
  for_each_waiting(lab, items, [&](const Threshold& threshold, Item& item) {
    if (threshold.is_modelled()) model.decide(threshold, item);
  });
}

}  // namespace tessera
