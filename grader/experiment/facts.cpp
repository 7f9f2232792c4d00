#include "grader/experiment/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/occupancy.h"
#include "grader/compile/cubin.h"
#include "grader/experiment/instruction_count.h"
#include "grader/judge/run/launch_call.h"

namespace tessera {
namespace {

/// Values of one variant, for the metrics that the experiment wants.
class Facts {
 public:
  Facts(const Experiment& experiment, Origin origin, std::string device)
      : experiment_(experiment), origin_(origin), device_(std::move(device)) {}

  Value* add(Metric metric, std::optional<double> number, std::string text = "") {
    if (!experiment_.measures(metric)) return nullptr;
    Value value;
    value.metric = metric;
    value.origin = origin_;
    value.device = device_;
    value.number = number;
    value.text = std::move(text);
    values_.push_back(std::move(value));
    return &values_.back();
  }

  void add(const Metrics& metrics) {
    for (const Metric metric : experiment_.measure) {
      const auto found = metrics.find(metric);
      if (found != metrics.end()) add(metric, found->second);
    }
  }

  std::vector<Value> take() { return std::move(values_); }

 private:
  const Experiment& experiment_;
  Origin origin_;
  std::string device_;
  std::vector<Value> values_;
};

std::vector<Value> occupancy_values(const Experiment& experiment, const Subject& subject,
                                    const DeviceProfile& device, const LaunchShape& launch) {
  Facts facts(experiment, Origin::calculated, device.name);
  const std::uint64_t fixed = subject.program.kernel.static_shared_bytes;
  facts.add(Metric::static_shared_bytes, static_cast<double>(fixed));
  facts.add(Metric::dynamic_shared_bytes, static_cast<double>(launch.shared_bytes));
  const bool wants_registers = experiment.measures(Metric::registers_per_thread) ||
                               experiment.measures(Metric::theoretical_occupancy);
  std::optional<int> registers;
  if (wants_registers)
    registers = cubin_registers(code_for(device, subject), subject.program.kernel.entry);
  if (registers) facts.add(Metric::registers_per_thread, *registers);
  const KernelNeeds needs{.static_shared_bytes = fixed,
                          .registers_per_thread = registers.value_or(0),
                          .bounds = subject.program.kernel.bounds};
  const std::vector<Finding> refused = check_launch(launch, needs, device);
  if (!refused.empty()) {
    if (Value* value = facts.add(Metric::theoretical_occupancy, std::nullopt, "no launch"))
      value->note = refused.front().message;
    return facts.take();
  }
  const Occupancy result = occupancy(device, static_cast<std::uint32_t>(launch.block.count()),
                                     registers.value_or(0), fixed + launch.shared_bytes);
  facts.add(Metric::blocks_per_sm, result.blocks_per_sm);
  facts.add(Metric::limited_by, std::nullopt, result.limited_by);
  Value* value = facts.add(Metric::theoretical_occupancy, result.percent);
  if (value != nullptr && !registers)
    value->note = "registers are not known here and taken not to limit";
  return facts.take();
}

}  // namespace

std::vector<Value> compiled_values(const Experiment& experiment, const Subject& subject,
                                   const DeviceProfile& device, const GradeOptions& options) {
  const std::string& entry = subject.program.kernel.entry;
  Facts ptx(experiment, Origin::compiled, "PTX of " + subject.compiler);
  ptx.add(count_ptx(subject.program.ptx, entry));
  std::vector<Value> values = ptx.take();
  const bool wants_sass = std::ranges::any_of(experiment.measure, is_of_sass);
  if (!wants_sass || options.compiler.kind == CompilerKind::clang) return values;
  const auto listing = disassemble(code_for(device, subject));
  if (!listing) return values;
  Facts facts(experiment, Origin::compiled,
              fmt::format("SASS for compute capability {}.{}", device.compute_capability / 10,
                          device.compute_capability % 10));
  facts.add(count_sass(*listing, entry));
  std::ranges::move(facts.take(), std::back_inserter(values));
  return values;
}

std::vector<Value> calculated_values(const Experiment& experiment, const Variant& variant,
                                     const Subject& subject,
                                     const std::vector<DeviceProfile>& devices,
                                     const GradeOptions& options) {
  const bool wanted = std::ranges::any_of(
      experiment.measure, [](Metric metric) { return about(metric).origin == Origin::calculated; });
  if (!wanted) return {};
  const Case test_case = case_of(subject.lab, variant, experiment.shapes.front());
  const auto launched = call_launch({subject.lab, subject.program, test_case, options});
  const LaunchShape* launch = std::get_if<LaunchShape>(&launched);
  if (launch == nullptr) return {};
  std::vector<Value> values;
  for (const DeviceProfile& device : devices) {
    std::ranges::move(occupancy_values(experiment, subject, device, *launch),
                      std::back_inserter(values));
  }
  return values;
}

Expected<std::vector<DeviceProfile>> load_devices(const Experiment& experiment,
                                                  const std::filesystem::path& profiles) {
  std::vector<DeviceProfile> devices;
  const std::filesystem::path own = experiment.directory / "devices";
  const std::vector<std::string> own_names = device_profile_names(own);
  for (const std::string& name : experiment.devices) {
    const bool here = std::ranges::count(own_names, name) > 0;
    Expected<DeviceProfile> device = load_device_profile(name, here ? own : profiles);
    if (!device) return device.error();
    devices.push_back(std::move(*device));
  }
  return devices;
}

}  // namespace tessera
