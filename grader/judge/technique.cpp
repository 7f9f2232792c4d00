#include "grader/judge/technique.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "common/numbers.h"

namespace tessera {
namespace {

std::string requirement(const TechniqueItem& technique) {
  std::string text;
  if (technique.at_least) text += " at least " + short_number(*technique.at_least);
  if (technique.at_least && technique.at_most) text += " and";
  if (technique.at_most) text += " at most " + short_number(*technique.at_most);
  return text;
}

/// " (naive 32, good 4)"
std::string landmarks(const TechniqueItem& technique) {
  std::string text;
  if (technique.naive) text += "naive " + short_number(*technique.naive);
  if (technique.naive && technique.good) text += ", ";
  if (technique.good) text += "good " + short_number(*technique.good);
  return text.empty() ? text : " (" + text + ")";
}

/// What to do about too little.
std::string hint_for_more(const std::string& metric) {
  if (metric == kResultsThroughShared) {
    return "what several threads of a block need belongs in a __shared__ array, from which they "
           "all read it; what a thread stored itself counts only if other threads read it too, and "
           "a result only if all that it needs came that way";
  }
  if (metric == "parallel_warps") {
    return "more threads should share the work: one for each element, or for a few of them, and "
           "no thread that does much more than others";
  }
  if (metric.starts_with("shared_") || metric == "static_shared_bytes") {
    return "copy what several threads of a block need into a __shared__ array, and read it from "
           "there";
  }
  if (metric.ends_with("_per_request") || metric.ends_with("_excess_sectors"))
    return "the lab asks for this access pattern: which element does a thread have by the task?";
  if (metric == "theoretical_occupancy") {
    return "a block that needs fewer registers or less shared memory, or has another size, leaves "
           "room for more of them";
  }
  return "the lab asks for more of them: " + counter_metrics().at(metric);
}

/// What to do about too much.
std::string hint_for_less(const std::string& metric) {
  if (metric == "global_load_requests") {
    return "fewer loads: what several threads of a block read belongs in shared memory. --explain "
           "shows which line asks most often";
  }
  if (metric == "global_store_requests") {
    return "fewer stores: sum up in a register, store a result once. --explain shows which line "
           "asks most often";
  }
  if (metric == "global_load_bytes") {
    return "load each element once: who needs it too gets it from shared memory or a register. "
           "--explain shows which line asks most often";
  }
  if (metric == "global_load_sectors" || metric == "global_store_sectors") {
    return "load or store less often, and let neighbouring lanes (threadIdx.x) touch neighbouring "
           "addresses. --explain shows which line touches most";
  }
  if (metric.find("_atomic_") != std::string::npos)
    return "fewer atomics: sum up in registers or shared memory first. --explain shows the lines";
  if (metric.starts_with("global_") || metric == "worst_load_excess_sectors") {
    return "neighbouring lanes (threadIdx.x) should touch neighbouring addresses: columns of a "
           "row-major matrix";
  }
  if (metric.ends_with("_bank_conflicts") || metric.ends_with("_wavefronts")) {
    return "lanes of a warp should touch words in different banks: word address modulo 32";
  }
  if (metric.starts_with("shared_")) {
    return "use a value that was loaded for several results, from a register. --explain shows "
           "which line asks most often";
  }
  if (metric == "barriers") {
    return "fewer barriers: one where threads of different warps wait for each other's data, none "
           "elsewhere";
  }
  if (metric == "registers_per_thread")
    return "fewer registers: variables and unrolled loops whose values live at once take them";
  if (metric == "static_shared_bytes") return "__shared__ variables make these bytes";
  return "the lab asks for fewer: " + counter_metrics().at(metric);
}

std::string hint_for(const TechniqueItem& technique, double value) {
  if (!technique.hint.empty()) return technique.hint;
  if (technique.metric == "dynamic_shared_bytes")
    return "the third value of `launch` makes these bytes";
  const bool too_little = technique.at_least && value < *technique.at_least;
  return too_little ? hint_for_more(technique.metric) : hint_for_less(technique.metric);
}

/// A ratio is absent where nothing was counted: "global load" of global_load_sectors_per_request.
bool is_ratio(const std::string& metric) {
  return metric.ends_with("_per_request");
}

std::string request_of(const std::string& metric) {
  const bool global = metric.starts_with("global_");
  const bool load = metric.find("_load_") != std::string::npos;
  return fmt::format("{} {}", global ? "global" : "shared", load ? "load" : "store");
}

bool met(const TechniqueItem& technique, double value) {
  return (!technique.at_least || value >= *technique.at_least) &&
         (!technique.at_most || value <= *technique.at_most);
}

std::optional<double> value_of(const Counters& metrics, const std::string& metric) {
  const auto found = metrics.find(metric);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

/// What a ceiling holds against atomics: each reads and writes.
struct Atomics {
  std::string metric;  // "" where the item has none
  double count = 0;
};

Atomics atomics_of(const TechniqueItem& technique, const Counters& metrics) {
  if (!technique.at_most) return {};
  const std::string metric = atomics_beside(technique.metric);
  return {metric, value_of(metrics, metric).value_or(0)};
}

Goal goal_of(const TechniqueItem& technique) {
  Goal goal;
  goal.metric = technique.metric;
  goal.at_least = technique.at_least;
  goal.at_most = technique.at_most;
  goal.naive = technique.naive;
  goal.good = technique.good;
  return goal;
}

void judge_missing(const TechniqueItem& technique, bool counted, Item& item) {
  if (counted && is_ratio(technique.metric)) {
    item.status = Status::fail;
    item.message = fmt::format("no {} was executed, so {} is not known",
                               request_of(technique.metric), technique.metric);
    item.hint = hint_for(technique, 0);
  } else {
    item.status = Status::deferred;
    item.message = fmt::format("this machine cannot measure {}", technique.metric);
  }
}

/// Fails the item where the requirement is missed in a case other than the one it shows, and shows
/// that one. Of a hidden case neither a number is told nor which it was.
void judge_elsewhere(const Lab& lab, const TechniqueItem& technique, const CountedCase& other,
                     Item& item) {
  const Case& one = lab.cases[other.index];
  if (std::ranges::count(one.counted, technique.metric) == 0) return;
  TechniqueItem scaled = lab.scaled(technique, one);
  scaled.naive = scaled.good = std::nullopt;  // those of the largest case
  const Item there = technique_item(scaled, *other.metrics);
  if (item.status != Status::pass || there.status == Status::pass) return;
  item.status = there.status;
  item.points = 0;
  item.hint = "it holds in shapes of every size, ragged ones too: " + there.hint;
  if (one.hidden) {
    item.message.insert(0, "missed in a hidden case; in the visible one ");
    return;
  }
  item.message = fmt::format("in {}: {}", lab.case_title(one), there.message);
  item.metrics = there.metrics;
  item.goal = there.goal;
}

/// Takes what was won beside a lesson that was missed.
void hold_to_the_lesson(const Lab& lab, std::vector<Item>& items) {
  std::vector<std::string> missed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (lab.technique[i].lesson && items[i].status == Status::fail)
      missed.push_back(items[i].title);
  }
  if (missed.empty()) return;
  for (Item& item : items) {
    if (item.status != Status::pass) continue;
    item.status = Status::skipped;
    item.points = 0;
    item.message += fmt::format("; it counts only with {}", fmt::join(missed, " and "));
  }
}

}  // namespace

Item technique_item(const TechniqueItem& technique, const Counters& metrics) {
  Item item;
  item.title = technique.metric + requirement(technique);
  item.max_points = technique.points;
  item.goal = goal_of(technique);
  const std::optional<double> counted = value_of(metrics, technique.metric);
  if (!counted) {
    judge_missing(technique, metrics.contains("instructions"), item);
    return item;
  }
  const Atomics atomics = atomics_of(technique, metrics);
  const double value = *counted + atomics.count;
  item.metrics[technique.metric] = *counted;
  if (atomics.count > 0) item.metrics[atomics.metric] = atomics.count;
  item.goal->value = value;
  const std::string with_atomics =
      atomics.count > 0 ? fmt::format(", {} of atomics among them", short_number(atomics.count))
                        : "";
  item.message = fmt::format("{} is {}{}{}; required:{}", technique.metric, short_number(value),
                             with_atomics, landmarks(technique), requirement(technique));
  if (met(technique, value)) {
    item.status = Status::pass;
    item.points = item.max_points;
  } else {
    item.status = Status::fail;
    item.hint = hint_for(technique, value);
  }
  return item;
}

std::vector<Item> technique_items(const Lab& lab, const std::vector<CountedCase>& cases) {
  std::vector<Item> items;
  for (const TechniqueItem& technique : lab.technique) {
    Item item = technique_item(technique, *cases.front().metrics);
    for (std::size_t i = 1; i < cases.size(); ++i) judge_elsewhere(lab, technique, cases[i], item);
    item.id = fmt::format("technique/{}", items.size() + 1);
    items.push_back(std::move(item));
  }
  hold_to_the_lesson(lab, items);
  return items;
}

}  // namespace tessera
