#include "grader/report/course_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr UnixTime kHour = 3600;
constexpr UnixTime kDay = 24 * kHour;

std::string time_left(UnixTime seconds) {
  if (seconds >= 2 * kDay) return fmt::format("in {} days", seconds / kDay);
  if (seconds >= 2 * kHour) return fmt::format("in {} hours", seconds / kHour);
  return fmt::format("in {} minutes", seconds / 60);
}

std::string total_text(const Course& course, const std::vector<Record>& records) {
  double won = 0;
  double weights = 0;
  for (const CourseLab& lab : course.labs) {
    const auto record = std::ranges::find(records, lab.id, &Record::lab);
    if (record == records.end()) continue;
    const double measurable = record->max_score - record->deferred;
    if (measurable <= 0) continue;
    won += lab.weight * record->score / measurable;
    weights += lab.weight;
  }
  if (weights <= 0) return "";
  return fmt::format(": {:.1f} % of what could be measured, by the weights of the course",
                     100 * won / weights);
}

std::string due_text(const Course& course, UnixTime now) {
  const CourseLab* next = nullptr;
  for (const CourseLab& lab : course.labs) {
    if (!lab.due || lab.due->time < now) continue;
    if (next == nullptr || lab.due->time < next->due->time) next = &lab;
  }
  if (next == nullptr) return "";
  return fmt::format("due next: {}, {} ({})\n", next->id, format_time(*next->due),
                     time_left(next->due->time - now));
}

}  // namespace

std::string course_text(const Course& course, const std::vector<Record>& records, UnixTime now) {
  if (course.title.empty()) return "";
  return printable(course.title) + total_text(course, records) + "\n" + due_text(course, now);
}

}  // namespace tessera
