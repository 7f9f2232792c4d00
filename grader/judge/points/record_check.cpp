#include "grader/judge/points/record_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/judge/points/technique.h"
#include "grader/judge/points/threshold.h"
#include "grader/judge/points/weigh.h"

namespace tessera {
namespace {

/// Points are rounded in JSON.
constexpr double kRounding = 0.006;

bool same_points(double a, double b) {
  return std::abs(a - b) <= kRounding;  // false for NaN
}

bool won_something(const Item& item) {
  return !same_points(item.points, 0);
}

bool status_fits_points(const Item& item) {
  if (!std::isfinite(item.points) || item.points < 0 || item.points > item.max_points + kRounding)
    return false;
  switch (item.status) {
    case Status::pass:
      return same_points(item.points, item.max_points);
    case Status::partial:
      return true;
    default:
      return !won_something(item);
  }
}

/// The lab's items with their maxima.
std::vector<Item> items_of(const Lab& lab) {
  return weigh_nothing(lab, Status::fail, "", "", {});
}

std::optional<std::string> other_items(const Record& record, const Lab& lab) {
  const std::vector<Item> expected = items_of(lab);
  if (record.items.size() != expected.size())
    return fmt::format("it has {} items, the lab {}", record.items.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Item& item = record.items[i];
    if (item.id != expected[i].id || !same_points(item.max_points, expected[i].max_points)) {
      return fmt::format("item {} is {} with {} points, in the lab {} with {}", i + 1, item.id,
                         item.max_points, expected[i].id, expected[i].max_points);
    }
    if (item.hidden != expected[i].hidden) {
      return fmt::format("{} is called {}, which it is not", item.id,
                         item.hidden ? "hidden" : "visible");
    }
    if (!status_fits_points(item)) {
      return fmt::format("{} has {} of {} points and the status {}", item.id, item.points,
                         item.max_points, to_string(item.status));
    }
  }
  return std::nullopt;
}

/// The items whose ids begin with `prefix`: "technique/" or "correctness/".
std::vector<const Item*> items_called(const Record& record, std::string_view prefix) {
  std::vector<const Item*> items;
  for (const Item& item : record.items) {
    if (item.id.starts_with(prefix)) items.push_back(&item);
  }
  return items;
}

/// The mistake if technique or time won points although a case is wrong or the checks failed, or
/// the checks won more than the share of the right cases.
std::optional<std::string> won_too_early(const Record& record) {
  const auto cases = items_called(record, "correctness/");
  const auto passes = std::ranges::count(cases, Status::pass, &Item::status);
  const double share = static_cast<double>(passes) / static_cast<double>(cases.size());
  const auto failed = [](const Item& item) {
    return item.id == "checks" && item.status == Status::fail;
  };
  const bool broke_rules = std::ranges::any_of(record.items, failed);
  for (const Item& item : record.items) {
    const double most = item.id.starts_with("correctness/") ? item.max_points
                        : item.id == "checks"               ? share * item.max_points
                        : share < 1 || broke_rules          ? 0
                                                            : item.max_points;
    if (item.points > most + kRounding)
      return fmt::format("{} has points although cases or checks failed", item.id);
  }
  return std::nullopt;
}

/// The mistake in points left out of the total: a grading leaves out those of correctness only if
/// infra.
std::optional<std::string> left_out(const Record& record) {
  for (const Item* item : items_called(record, "correctness/")) {
    if (item->status == Status::deferred)
      return fmt::format("{} is deferred although nothing that it needs is missing", item->id);
  }
  return std::nullopt;
}

bool misses_lesson(const Record& record, const Lab& lab) {
  const auto items = items_called(record, "technique/");
  bool missed = false;
  for (std::size_t i = 0; i < items.size(); ++i)
    missed |= misses_lesson(lab.technique[i], *items[i]);
  return missed;
}

std::optional<std::string> unearned_technique(const Record& record, const Lab& lab) {
  const auto items = items_called(record, "technique/");
  const bool lesson_missed = misses_lesson(record, lab);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = *items[i];
    if (won_something(item) &&
        (lesson_missed || technique_item(lab.technique[i], item.metrics).points != item.max_points))
      return fmt::format("{} has points that its counters do not earn", item.id);
  }
  return std::nullopt;
}

std::optional<std::string> unearned_time(const Item& item, const Threshold& threshold,
                                         const RecordOrigin& origin) {
  if (!won_something(item)) return std::nullopt;
  if (!threshold.is_modelled() && !origin.gpu)
    return fmt::format("{} has points for time without a GPU", item.id);
  const auto range = range_on(threshold, threshold.is_modelled() ? origin.device : *origin.gpu);
  const bool measured =
      item.goal && item.goal->value && std::isfinite(*item.goal->value) && *item.goal->value > 0;
  if (!range || !measured ||
      !same_points(item.points, share_of(*item.goal->value, *range) * item.max_points)) {
    return fmt::format("{} has points that its value does not earn", item.id);
  }
  return std::nullopt;
}

std::optional<std::string> other_sums(const Record& record) {
  Record summed = record;
  sum_points(summed);
  // Each item is rounded, so the sum may be off by as much for each.
  const double most = kRounding * static_cast<double>(record.items.size() + 1);
  const bool same = std::abs(summed.score - record.score) <= most &&
                    std::abs(summed.max_score - record.max_score) <= most &&
                    std::abs(summed.deferred - record.deferred) <= most;
  return same ? std::nullopt : std::optional<std::string>("its sums are not those of its items");
}

}  // namespace

std::optional<std::string> why_impossible(const Record& record, const Lab& lab,
                                          const RecordOrigin& origin) {
  if (record.lab != lab.id) return fmt::format("it is of the lab '{}'", record.lab);
  if (record.sha256 != origin.sha256) return "it is of another file";
  if (record.seed != origin.seed) return fmt::format("its seed is {}", record.seed);
  if (record.backend != "simulator" && !origin.gpu)
    return fmt::format("it was made by '{}' without a GPU", record.backend);
  if (auto reason = other_items(record, lab)) return reason;
  if (auto reason = left_out(record)) return reason;
  if (auto reason = won_too_early(record)) return reason;
  if (auto reason = unearned_technique(record, lab)) return reason;
  const auto times = items_called(record, "performance/");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (auto reason = unearned_time(*times[i], lab.thresholds[i], origin)) return reason;
    if (lab.thresholds[i].is_modelled() && won_something(*times[i]) && misses_lesson(record, lab))
      return fmt::format("{} has points without the lesson", times[i]->id);
  }
  return other_sums(record);
}

}  // namespace tessera
