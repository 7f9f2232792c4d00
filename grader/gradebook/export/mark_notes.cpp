#include "grader/gradebook/export/mark_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/gradebook/export/mark_text.h"

namespace tessera {
namespace {

/// "Doe, Jane 03" for each mark that `wanted` holds for.
template <class Wanted>
std::vector<std::string> names_of(const std::vector<Mark>& marks, Wanted wanted) {
  std::vector<std::string> names;
  for (const Mark& mark : marks) {
    if (wanted(mark))
      names.push_back(
          fmt::format("{} {}", display_name(mark.student.identity), lab_number(mark.lab)));
  }
  return names;
}

void add_deferred(const std::vector<Mark>& marks, std::vector<std::string>& notes) {
  const auto count =
      std::ranges::count_if(marks, [](const Mark& mark) { return mark.deferred > 0; });
  if (count == 0) return;
  notes.push_back(
      fmt::format("{} {} points that could not be measured (no GPU); --scale-deferred scales the "
                  "measured points up to the lab's maximum",
                  count, count == 1 ? "mark lacks" : "marks lack"));
}

void add_review(const std::vector<Mark>& marks, std::vector<std::string>& notes) {
  const auto names = names_of(marks, [](const Mark& mark) { return mark.needs_review(); });
  if (names.empty()) return;
  notes.push_back(fmt::format(
      "{} {} points that the simulator cannot judge, counted as 0 ({}): grade them on "
      "a machine with a GPU, or look at the kernel and give its points, perhaps 0, with "
      "`gradebook adjust`",
      names.size(), names.size() == 1 ? "mark has" : "marks have", listed(names)));
}

void add_outdated(const std::vector<Mark>& marks, std::vector<std::string>& notes) {
  const auto names = names_of(marks, [](const Mark& mark) { return !mark.outdated.empty(); });
  if (names.empty()) return;
  notes.push_back(fmt::format(
      "{} {} manual changes that were made for an earlier grade or submission and no longer "
      "count ({}): `gradebook show --student` lists them; make them again with `gradebook adjust` "
      "if they still hold",
      names.size(), names.size() == 1 ? "mark has" : "marks have", listed(names)));
}

void add_ungradable(const std::vector<Mark>& marks, std::vector<std::string>& notes) {
  const auto names =
      names_of(marks, [](const Mark& mark) { return mark.state == MarkState::ungradable; });
  if (names.empty()) return;
  notes.push_back(fmt::format(
      "{} {} 0 because nothing that was handed in can be graded ({}); `gradebook show --student` "
      "says why, `gradebook adjust` gives points",
      names.size(), names.size() == 1 ? "mark is" : "marks are", listed(names)));
}

}  // namespace

std::vector<std::string> late_notes(const std::vector<Mark>& marks) {
  const auto names = names_of(marks, [](const Mark& mark) { return mark.penalty_unknown; });
  if (names.empty()) return {};
  return {fmt::format(
      "{} {} late by an unknown time ({}): no penalty was taken. A download from Canvas says "
      "that work is late, but not by how much. Set it with `gradebook adjust STUDENT LAB "
      "--late-days 2 --reason ...`, or for all with `late: {{unknown_days: 1}}` in course.yaml",
      names.size(), names.size() == 1 ? "submission is" : "submissions are", listed(names))};
}

std::vector<std::string> mark_notes(const std::vector<Mark>& marks) {
  std::vector<std::string> notes = late_notes(marks);
  add_deferred(marks, notes);
  add_review(marks, notes);
  add_outdated(marks, notes);
  add_ungradable(marks, notes);
  return notes;
}

std::vector<std::string> without_note(std::size_t without, std::size_t all) {
  if (without == 0) return {};
  return {fmt::format("{} of {} marks are left out: missing or waiting", without, all)};
}

}  // namespace tessera
