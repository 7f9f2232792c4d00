// What is counted, timed or modelled of a kernel: names, units, and what the grader knows of each.
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

/// What was found out of one kernel, sorted by name.
using Metrics = std::map<Metric, double>;

/// Where a number comes from. Numbers of two origins never share a table, a plot or a ratio.
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

/// The accesses that a counter is about; `none` for one that is about something else.
enum class Accesses {
  none,
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic
};

/// What of these accesses: a pass is a sector of global memory or a wavefront of shared memory, the
/// excess are the passes beyond the least.
enum class Quantity { requests, bytes, passes, excess, per_request };

/// Who may ask for a metric: technique items, thresholds, experiments.
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
  std::optional<Phrase> what{};   // of what technique items may ask for, with its unit
  std::optional<Phrase> words{};  // on pages, in place of the name
  Unit unit = Unit::count;
  Origin origin = Origin::simulated;
  unsigned asked_by = kTechnique | kExperiment;
  bool more_is_better = false;
  /// What a student should do where the lab asks for more, or for less; nothing: to have more, or
  /// fewer, of what it is.
  std::optional<Phrase> for_more{};
  std::optional<Phrase> for_less{};
};

const MetricFacts& about(Metric metric);

/// The metric's name.
std::string_view to_string(Metric metric);

std::optional<Metric> metric_named(std::string_view name);

/// The counter of that quantity, if there is one.
std::optional<Metric> counter_of(Accesses accesses, Quantity quantity);

/// The metrics that one of `who` may ask for, sorted by name.
std::vector<Metric> metrics_asked_by(unsigned who);

/// The counter of atomics on the same memory, in the same unit, as one of loads or of stores:
/// global_atomic_sectors of global_load_sectors. Atomics read and write, so a ceiling on loads or
/// stores is one on both.
std::optional<Metric> atomics_beside(Metric metric);

}  // namespace tessera
