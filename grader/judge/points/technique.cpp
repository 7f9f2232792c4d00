#include "grader/judge/points/technique.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/numbers.h"

namespace tessera {
namespace {

Detail number(double value) {
  return short_number(value);
}

Text requirement(const TechniqueItem& technique) {
  const std::optional<double>& least = technique.at_least;
  const std::optional<double>& most = technique.at_most;
  if (least && most) return say(Phrase::required_between, number(*least), number(*most));
  if (least) return say(Phrase::required_at_least, number(*least));
  return most ? say(Phrase::required_at_most, number(*most)) : Text();
}

/// " (naive 32, good 4)"
Text landmarks(const TechniqueItem& technique) {
  const std::optional<double>& naive = technique.naive;
  const std::optional<double>& good = technique.good;
  if (naive && good) return say(Phrase::landmarks, number(*naive), number(*good));
  if (naive) return say(Phrase::landmark_naive, number(*naive));
  return good ? say(Phrase::landmark_good, number(*good)) : Text();
}

Text hint_for(const TechniqueItem& technique, double value) {
  if (!technique.hint.empty()) return technique.hint;
  const MetricFacts& facts = about(technique.metric);
  const bool too_little = technique.at_least && value < *technique.at_least;
  if (const auto hint = too_little ? facts.for_more : facts.for_less) return *hint;
  return say(too_little ? Phrase::asks_for_more : Phrase::asks_for_fewer, facts.what.value());
}

/// "global load" for global_load_sectors_per_request.
Phrase request_of(Metric ratio) {
  return about(ratio).counts.accesses == Accesses::global_load ? Phrase::global_load
                                                               : Phrase::global_store;
}

Name name_of(Metric metric) {
  return {std::string(to_string(metric))};
}

bool met(const TechniqueItem& technique, double value) {
  return (!technique.at_least || value >= *technique.at_least) &&
         (!technique.at_most || value <= *technique.at_most);
}

std::optional<double> value_of(const Metrics& metrics, Metric metric) {
  const auto found = metrics.find(metric);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
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
  if (counted && about(technique.metric).counts.quantity == Quantity::per_request) {
    item.status = Status::fail;
    item.message = say(Phrase::no_request, request_of(technique.metric), name_of(technique.metric));
    item.hint = hint_for(technique, 0);
  } else {
    item.status = Status::deferred;
    item.message = say(Phrase::cannot_measure, name_of(technique.metric));
  }
}

/// Fails the item if the requirement is missed in another case than the item shows, and shows that
/// case. For a hidden case it shows no number and does not say which case it was.
void judge_elsewhere(const Lab& lab, const TechniqueItem& technique, const CountedCase& other,
                     Item& item) {
  const Case& test_case = lab.cases[other.index];
  if (std::ranges::count(test_case.counted, technique.metric) == 0) return;
  TechniqueItem scaled = lab.scaled(technique, test_case);
  scaled.naive = scaled.good = std::nullopt;  // those of the largest case
  const Item there = technique_item(scaled, *other.metrics);
  if (item.status != Status::pass || there.status == Status::pass) return;
  item.status = there.status;
  item.points = 0;
  item.hint = Phrase::every_size_hint + there.hint;
  if (test_case.hidden) {
    item.message = Phrase::missed_in_hidden + item.message;
    return;
  }
  item.message = say(Phrase::in_case, Detail(lab.case_title(test_case))) + there.message;
  item.metrics = there.metrics;
  item.goal = there.goal;
}

}  // namespace

std::string technique_title(const Goal& goal) {
  std::string title(to_string(goal.metric));
  if (goal.at_least) title += " at least " + short_number(*goal.at_least);
  if (goal.at_least && goal.at_most) title += " and";
  if (goal.at_most) title += " at most " + short_number(*goal.at_most);
  return title;
}

Item technique_item(const TechniqueItem& technique, const Metrics& metrics) {
  Item item;
  item.max_points = technique.points;
  item.goal = goal_of(technique);
  item.title = technique_title(*item.goal);
  const std::optional<double> counted = value_of(metrics, technique.metric);
  if (!counted) {
    judge_missing(technique, metrics.contains(Metric::instructions), item);
    return item;
  }
  item.metrics[technique.metric] = *counted;
  double value = *counted;
  Text with_atomics;
  // Each atomic reads and writes, so it counts against a ceiling.
  const auto atomics = technique.at_most ? atomics_beside(technique.metric) : std::nullopt;
  if (const double count = atomics ? value_of(metrics, *atomics).value_or(0) : 0; count > 0) {
    value += count;
    item.metrics[*atomics] = count;
    with_atomics = say(Phrase::with_atomics, number(count));
  }
  item.goal->value = value;
  item.message = say(Phrase::metric_is, name_of(technique.metric), number(value)) + with_atomics +
                 landmarks(technique) + requirement(technique);
  if (met(technique, value)) {
    item.status = Status::pass;
    item.points = item.max_points;
  } else {
    item.status = Status::fail;
    item.hint = hint_for(technique, value);
  }
  return item;
}

Text missed_lesson(const Lab& lab, std::span<const Item> items) {
  Text missed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!misses_lesson(lab.technique[i], items[i])) continue;
    missed += say(missed.empty() ? Phrase::counts_only_with : Phrase::counts_also_with,
                  Name{items[i].title});
  }
  return missed;
}

void hold_back(std::span<Item> items, const Text& missing) {
  if (missing.empty()) return;
  for (Item& item : items) {
    if (item.status != Status::pass) continue;
    item.status = Status::skipped;
    item.points = 0;
    item.message += missing;
  }
}

std::vector<Item> technique_items(const Lab& lab, const std::vector<CountedCase>& cases) {
  std::vector<Item> items;
  for (const TechniqueItem& technique : lab.technique) {
    Item item = technique_item(technique, *cases.front().metrics);
    for (std::size_t i = 1; i < cases.size(); ++i) judge_elsewhere(lab, technique, cases[i], item);
    item.id = fmt::format("technique/{}", items.size() + 1);
    items.push_back(std::move(item));
  }
  hold_back(items, missed_lesson(lab, items));
  return items;
}

}  // namespace tessera
