#include "grader/gradebook/export/mark_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/points.h"

namespace tessera {
namespace {

/// "+5", "-14".
std::string signed_points(double points) {
  return (points < 0 ? "" : "+") + points_cell(points);
}

const CourseLab* lab_of(const Course& course, const std::string& lab) {
  const auto found = std::ranges::find(course.labs, lab, &CourseLab::id);
  return found == course.labs.end() ? nullptr : &*found;
}

/// Why there is a penalty; both times in the time zone of the due date.
std::string lateness(const Mark& mark, const Course& course) {
  if (mark.late_days) return fmt::format("late ({})", lateness_text(*mark.late_days));
  const auto submitted = parse_time(mark.attempt ? mark.attempt->submitted_at : "");
  const CourseLab* const lab = lab_of(course, mark.lab);
  if (submitted && lab != nullptr && lab->due) {
    return fmt::format("late (handed in {}, due {})",
                       format_time(ZonedTime{*submitted, lab->due->offset}),
                       format_time(*lab->due));
  }
  if (!course.late.unknown_days) return "late";
  return fmt::format("late (by an unknown time, {})", lateness_text(*course.late.unknown_days));
}

std::string state_line(const Mark& mark) {
  switch (mark.state) {
    case MarkState::missing:
      return "Nothing was handed in.";
    case MarkState::waiting:
      return "Handed in, not graded yet.";
    case MarkState::infra:
      return "The grader failed; that is not your fault. It will be graded again.";
    case MarkState::ungradable:
      return "What was handed in cannot be graded.";
    case MarkState::graded:
      break;
  }
  return "";
}

}  // namespace

std::string_view to_string(MarkState state) {
  switch (state) {
    case MarkState::missing:
      return "missing";
    case MarkState::waiting:
      return "waiting";
    case MarkState::graded:
      return "graded";
    case MarkState::infra:
      return "infra";
    case MarkState::ungradable:
      break;
  }
  return "ungradable";
}

std::optional<double> exported_score(const Mark& mark) {
  return mark.has_score() ? std::optional(mark.score) : std::nullopt;
}

std::string points_cell(std::optional<double> points) {
  return points ? fmt::format("{}", rounded_points(*points) + 0.0) : "";
}

std::vector<std::string> mark_lines(const Mark& mark, const Course& course) {
  std::vector<std::string> lines;
  if (const auto score = exported_score(mark)) {
    lines.push_back(
        fmt::format("Mark: {} of {} points", points_cell(score), points_cell(mark.max_points)));
  }
  if (const std::string state = state_line(mark); !state.empty()) lines.push_back(state);
  if (mark.state == MarkState::graded) {
    lines.push_back(fmt::format("{} points won", points_cell(mark.raw)));
    if (mark.deferred > 0)
      lines.push_back(fmt::format("{} points could not be measured: neither won nor lost",
                                  points_cell(mark.deferred)));
    if (mark.review > 0)
      lines.push_back(fmt::format("{} points have to be judged by a GPU or a person: 0 until then",
                                  points_cell(mark.review)));
    if (mark.penalty > 0)
      lines.push_back(
          fmt::format("{} points: {}", signed_points(-mark.penalty), lateness(mark, course)));
    if (mark.penalty_unknown) {
      lines.push_back("Late, by an unknown time: no points were taken");
    } else if (mark.late && mark.penalty <= 0) {
      lines.push_back("Late, at no cost");
    }
    if (mark.stale) lines.push_back("Graded under an older version of the lab");
  }
  if (mark.points_by_hand)
    lines.push_back(fmt::format("{} points by hand", signed_points(mark.adjustment)));
  if (mark.bonus != 0)
    lines.push_back(fmt::format("{} points of bonus", signed_points(mark.bonus)));
  const bool said = mark.state == MarkState::waiting || mark.state == MarkState::infra;
  if (!mark.note.empty() && (!said || mark.points_by_hand)) lines.push_back("Note: " + mark.note);
  return lines;
}

std::string mark_text(const Mark& mark, const Course& course) {
  std::string text;
  for (const std::string& line : mark_lines(mark, course)) text += line + "\n";
  return text;
}

std::string due_date(const Course& course, const std::string& lab) {
  const CourseLab* const found = lab_of(course, lab);
  return found != nullptr && found->due ? format_time(found->due->time) : "";
}

std::string lab_number(const std::string& lab) {
  return lab.substr(0, lab.find('-'));
}

PersonName split_name(const std::string& name) {
  if (const std::size_t comma = name.find(','); comma != name.npos) {
    const std::size_t first = name.find_first_not_of(' ', comma + 1);
    return {first == name.npos ? "" : name.substr(first), name.substr(0, comma)};
  }
  const std::size_t blank = name.rfind(' ');
  if (blank == name.npos) return {"", name};
  return {name.substr(0, blank), name.substr(blank + 1)};
}

std::vector<StudentMarks> by_student(const std::vector<Mark>& marks) {
  std::vector<StudentMarks> students;
  for (const Mark& mark : marks) {
    const auto same = std::ranges::find(students, mark.student.id,
                                        [](const StudentMarks& known) { return known.student.id; });
    if (same == students.end()) {
      students.push_back({mark.student, {&mark}});
    } else {
      same->marks.push_back(&mark);
    }
  }
  return students;
}

std::vector<std::string> labs_of(const std::vector<Mark>& marks) {
  std::vector<std::string> labs;
  for (const Mark& mark : marks) {
    if (std::ranges::count(labs, mark.lab) == 0) labs.push_back(mark.lab);
  }
  return labs;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i == 0 ? "" : "; ") + names[i];
  }
  if (names.size() > most) text += fmt::format("; and {} more", names.size() - most);
  return text;
}

}  // namespace tessera
