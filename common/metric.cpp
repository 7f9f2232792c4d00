#include "common/metric.h"

#include <algorithm>
#include <iterator>

namespace tessera {
namespace {

constexpr const char* kThirdOfLaunch = "the third value of `launch` makes these bytes";
constexpr const char* kMoreThreads =
    "more threads should share the work: one for each element, or for a few of them, and no thread "
    "that does much more than others";
constexpr const char* kIntoShared =
    "copy what several threads of a block need into a __shared__ array, and read it from there";
constexpr const char* kThisPattern =
    "the lab asks for this access pattern: which element does a thread have by the task?";
constexpr const char* kLessOften =
    "load or store less often, and let neighbouring lanes (threadIdx.x) touch neighbouring "
    "addresses. --explain shows which line touches most";
constexpr const char* kFewerAtomics =
    "fewer atomics: sum up in registers or shared memory first. --explain shows the lines";
constexpr const char* kNeighbours =
    "neighbouring lanes (threadIdx.x) should touch neighbouring addresses: columns of a row-major "
    "matrix";
constexpr const char* kOtherBanks =
    "lanes of a warp should touch words in different banks: word address modulo 32";
constexpr const char* kFromRegister =
    "use a value that was loaded for several results, from a register. --explain shows which line "
    "asks most often";

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
