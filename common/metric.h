// Everything that is counted, timed or modelled of a kernel: names, units and further facts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera {

enum class Phrase : std::uint16_t;

enum class Metric {
#define TESSERA_METRIC(name, ...) name,
#include "common/metrics.def"
#undef TESSERA_METRIC
};

/// Every metric, sorted by name.
inline constexpr std::array kAllMetrics = {
#define TESSERA_METRIC(name, ...) Metric::name,
#include "common/metrics.def"
#undef TESSERA_METRIC
};

/// The metrics of one kernel, sorted by name.
using Metrics = std::map<Metric, double>;

/// The origin of a number. Numbers of two origins never share a table, a plot or a ratio.
enum class Origin {
  measured,    // by a clock: on a GPU or on the host
  modelled,    // the simulator's model of time
  simulated,   // counted by the simulator
  calculated,  // from the launch, the assembler and a device profile
  compiled,    // counted in the compiler's output
};

inline constexpr std::array kAllOrigins = {Origin::measured, Origin::modelled, Origin::simulated,
                                           Origin::calculated, Origin::compiled};

std::string_view to_string(Origin origin);

enum class Unit { count, percent, milliseconds, megahertz, times, rate, word };

/// The accesses that a counter counts; `none` for a metric that counts something else.
enum class Accesses {
  none,
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic,
  async_copy  // from global to shared memory; counted where it writes
};

/// What a counter counts of its accesses. A pass is a sector of global memory or a wavefront of
/// shared memory; `excess` are the passes beyond the least possible.
enum class Quantity { requests, bytes, passes, excess, cache_lines, per_request };

/// What may ask for a metric: technique items, thresholds, experiments.
inline constexpr unsigned kTechnique = 1;
inline constexpr unsigned kThreshold = 2;
inline constexpr unsigned kExperiment = 4;

/// A metric's row of the table.
struct MetricFacts {
  struct Counts {
    Accesses accesses = Accesses::none;
    Quantity quantity = Quantity::requests;
  };

  std::string_view name;  // in lab.yaml, experiment.yaml and records
  Counts counts{};
  std::optional<Phrase> what{};   // with its unit; only if technique items may ask for it
  std::optional<Phrase> words{};  // on pages, in place of the name
  Unit unit = Unit::count;
  Origin origin = Origin::simulated;
  unsigned asked_by = kTechnique | kExperiment;
  bool more_is_better = false;
  /// What a student should do if the lab asks for more, or for less. Without a phrase the message
  /// asks for more or fewer of the metric itself.
  std::optional<Phrase> for_more{};
  std::optional<Phrase> for_less{};
};

const MetricFacts& about(Metric metric);

/// The metric's name.
std::string_view to_string(Metric metric);

std::optional<Metric> metric_named(std::string_view name);

/// The counter that counts `quantity` of `accesses`, if there is one.
std::optional<Metric> counter_of(Accesses accesses, Quantity quantity);

/// The metrics that any of `who` may ask for, sorted by name.
std::vector<Metric> metrics_asked_by(unsigned who);

/// The counter of atomics for a counter of loads or of stores, on the same memory and in the same
/// unit: global_atomic_sectors for global_load_sectors. Atomics read and write, so a ceiling on
/// loads or stores includes them.
std::optional<Metric> atomics_beside(Metric metric);

}  // namespace tessera
