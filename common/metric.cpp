#include "common/metric.h"

#include <algorithm>
#include <iterator>

#include "common/wording.h"

namespace tessera {
namespace {

constexpr auto kMetricFacts = [] {
  using enum Accesses;
  using enum Quantity;
  using enum Unit;
  using enum Origin;
  return std::to_array<MetricFacts>({
#define TESSERA_METRIC(metric, ...) {.name = #metric, __VA_ARGS__},
#include "common/metrics.def"
#undef TESSERA_METRIC
  });
}();

static_assert(std::ranges::is_sorted(kMetricFacts, {}, &MetricFacts::name),
              "Metrics are shown in order");

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

const MetricFacts& about(Metric metric) {
  return kMetricFacts[static_cast<std::size_t>(metric)];
}

std::string_view to_string(Metric metric) {
  return about(metric).name;
}

std::optional<Metric> metric_named(std::string_view name) {
  const auto* found =
      std::ranges::find(kAllMetrics, name, [](Metric metric) { return to_string(metric); });
  return found == kAllMetrics.end() ? std::nullopt : std::optional(*found);
}

std::optional<Metric> counter_of(Accesses accesses, Quantity quantity) {
  const auto* found = std::ranges::find_if(kAllMetrics, [&](Metric metric) {
    const auto& counts = about(metric).counts;
    return counts.accesses == accesses && counts.quantity == quantity;
  });
  return found == kAllMetrics.end() ? std::nullopt : std::optional(*found);
}

std::vector<Metric> metrics_asked_by(unsigned who) {
  std::vector<Metric> asked;
  std::ranges::copy_if(kAllMetrics, std::back_inserter(asked),
                       [&](Metric metric) { return (about(metric).asked_by & who) != 0; });
  return asked;
}

std::optional<Metric> atomics_beside(Metric metric) {
  const auto [accesses, quantity] = about(metric).counts;
  if (accesses == Accesses::global_load || accesses == Accesses::global_store)
    return counter_of(Accesses::global_atomic, quantity);
  if (accesses == Accesses::shared_load || accesses == Accesses::shared_store)
    return counter_of(Accesses::shared_atomic, quantity);
  return std::nullopt;
}

}  // namespace tessera
