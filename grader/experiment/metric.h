// What an experiment can measure: names, units and where the figures come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Where a figure comes from. Figures of two kinds never share a table, a plot or a ratio.
enum class Origin {
  measured,    // by a clock: on a GPU or on the host
  modelled,    // the simulator's model of time
  simulated,   // counted by the simulator
  calculated,  // from the launch and a device profile
  compiled,    // counted in the compiler's output
};

std::string_view to_string(Origin origin);

struct Metric {
  std::string name;
  Origin origin;
  std::string what;  // in words, with the unit
};

/// All metrics that `measure` of experiment.yaml knows, times first.
const std::vector<Metric>& experiment_metrics();

/// The metric called `name`; nullptr for another word. "ratio" and "efficiency", which follow from
/// others, are known too.
const Metric* find_metric(std::string_view name);

}  // namespace tessera
