#include "grader/experiment/metric.h"

#include <algorithm>

#include "grader/experiment/instruction_count.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

std::vector<Metric> all_metrics() {
  using enum Origin;
  std::vector<Metric> metrics = {
      {"time_ms", measured,
       "median time of one launch, or of one product on the host, milliseconds"},
      {"gflops", measured, "10^9 floating-point operations a second"},
      {"gb_per_s", measured, "10^9 bytes of operands a second, each counted once"},
      {"to_device_ms", measured, "bringing the inputs to the GPU, milliseconds"},
      {"launch_ms", measured, "the kernel between such copies, and pages it waits for"},
      {"to_host_ms", measured, "bringing the result back, milliseconds"},
      {"end_to_end_ms", measured, "from the host's inputs to the host's result, milliseconds"},
      {"efficiency", measured, "ratio divided by threads"},
      {"modelled_time_ms", modelled, "the simulator's model of the time of one launch"},
      {"blocks_per_sm", calculated, "blocks that a multiprocessor holds at a time"},
      {"limited_by", calculated, "what keeps a multiprocessor from holding more"},
  };
  for (const auto& [name, what] : counter_metrics()) {
    if (name == kResultsThroughShared) continue;  // of a graded case alone
    const bool resource = name.ends_with("_shared_bytes") || name == "registers_per_thread" ||
                          name == "theoretical_occupancy";
    metrics.push_back({name, resource ? calculated : simulated, what});
  }
  for (const std::string& name : instruction_metrics())
    metrics.push_back({name, compiled, "instructions in the kernel's text"});
  metrics.push_back({"ratio", measured, "time of the baseline divided by the row's"});
  return metrics;
}

}  // namespace

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::modelled:
      return "modelled";
    case Origin::simulated:
      return "simulated";
    case Origin::calculated:
      return "calculated";
    case Origin::compiled:
      return "compiled";
  }
  return "";
}

const std::vector<Metric>& experiment_metrics() {
  static const std::vector<Metric> metrics = all_metrics();
  return metrics;
}

const Metric* find_metric(std::string_view name) {
  const auto found = std::ranges::find(experiment_metrics(), name, &Metric::name);
  return found == experiment_metrics().end() ? nullptr : &*found;
}

}  // namespace tessera
