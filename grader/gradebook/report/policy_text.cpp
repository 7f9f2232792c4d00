#include <fmt/format.h>

#include "common/numbers.h"
#include "grader/gradebook/report/class_report.h"

namespace tessera {
namespace {

std::string attempt_sentence(AttemptPolicy policy) {
  switch (policy) {
    case AttemptPolicy::best:
      return "The attempt with the best mark after the penalty for lateness counts.";
    case AttemptPolicy::last:
      return "The last attempt counts.";
    case AttemptPolicy::active:
      break;
  }
  return "The last attempt of the newest download counts.";
}

std::string late_sentence(const LatePolicy& late) {
  std::string text = late.per_day > 0 ? fmt::format("Each day begun costs {} % of a lab's points",
                                                    short_number(100 * late.per_day))
                                      : "Late work costs nothing";
  if (late.per_day > 0 && late.cap < 1)
    text += fmt::format(", {} % at most", short_number(100 * late.cap));
  if (late.grace_minutes > 0)
    text += fmt::format("; {} minutes are forgiven", short_number(late.grace_minutes));
  if (late.budget_days > 0)
    text += fmt::format("; {} of each student are free", days_text(late.budget_days));
  if (late.closed_after_days > 0)
    text += fmt::format("; work that is more than {} late earns nothing",
                        days_text(late.closed_after_days));
  return text + ".";
}

/// What happens to work that is late by an unknown time, if lateness costs anything.
std::string unknown_sentence(const LatePolicy& late) {
  return late.unknown_days
             ? fmt::format("Work that is late by an unknown time is {}.",
                           lateness_text(*late.unknown_days))
             : "Work that is late by an unknown time costs nothing until the time is known.";
}

}  // namespace

std::vector<std::string> policy_text(const Course& course) {
  std::vector<std::string> sentences = {attempt_sentence(course.attempts),
                                        late_sentence(course.late)};
  if (course.late.costs()) sentences.push_back(unknown_sentence(course.late));
  return sentences;
}

}  // namespace tessera
