// All students and labs in one table.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "grader/gradebook/export/export.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr int kMaxNameColumns = 28;
constexpr int kNumberColumns = 7;  // " 100.0"
constexpr int kTotalColumns = 9;   // "  73.2 %"

struct Marker {
  char letter;
  std::string_view meaning;
  bool (*applies)(const Mark&);
};

/// In place of a number, and behind one.
constexpr std::array kStates = {
    Marker{'-', "nothing handed in; counts 0 in the total",
           [](const Mark& mark) { return mark.state == MarkState::missing; }},
    Marker{'?', "waiting to be graded; left out of the total",
           [](const Mark& mark) { return mark.state == MarkState::waiting; }},
    Marker{'!', "infra: the grader failed, grade again; left out of the total",
           [](const Mark& mark) { return mark.state == MarkState::infra; }},
};
constexpr std::array kMarkers = {
    Marker{'L', "late", [](const Mark& mark) { return mark.late && !mark.penalty_unknown; }},
    Marker{'U', "late by an unknown time: no penalty taken; `gradebook adjust --late-days` says it",
           [](const Mark& mark) { return mark.penalty_unknown; }},
    Marker{'S', "stale: graded under an older version of the lab",
           [](const Mark& mark) { return mark.stale; }},
    Marker{'D', "deferred: points that could not be measured; left out of the total",
           [](const Mark& mark) { return mark.deferred > 0; }},
    Marker{'H', "changed by hand", [](const Mark& mark) { return mark.changed_by_hand(); }},
    Marker{'X', "ungradable: handed in, but nothing that can be graded",
           [](const Mark& mark) { return mark.state == MarkState::ungradable; }},
};

std::string number_text(const Mark& mark) {
  if (mark.has_score()) return fmt::format("{:.1f}", mark.score);
  const auto state =
      std::ranges::find_if(kStates, [&](const Marker& one) { return one.applies(mark); });
  return {state->letter};
}

std::string markers_text(const Mark& mark) {
  std::string letters;
  for (const Marker& marker : kMarkers) {
    if (marker.applies(mark)) letters += marker.letter;
  }
  return letters;
}

double weight_of(const Course& course, const std::string& lab) {
  const auto found = std::ranges::find(course.labs, lab, &CourseLab::id);
  return found == course.labs.end() ? 1 : found->weight;
}

std::string total_text(const std::vector<const Mark*>& marks, const Course& course) {
  double won = 0;
  double possible = 0;
  for (const Mark* mark : marks) {
    const double measured = mark->max_points - mark->deferred;
    const bool counts = mark->has_score() || mark->state == MarkState::missing;
    if (!counts || measured <= 0) continue;
    const double weight = weight_of(course, mark->lab);
    won += weight * mark->score / measured;
    possible += weight;
  }
  return possible > 0 ? fmt::format("{:.1f} %", 100 * won / possible) : "-";
}

class Table {
 public:
  Table(const std::vector<Mark>& marks, const Course& course, int width)
      : marks_(marks), course_(course), students_(by_student(marks)), labs_(labs_of(marks)) {
    for (const StudentMarks& one : students_)
      name_columns_ = std::max(name_columns_, display_width(name_of(one)));
    name_columns_ = std::min(name_columns_, kMaxNameColumns);
    for (const Mark& mark : marks)
      marker_columns_ = std::max(marker_columns_, static_cast<int>(markers_text(mark).size()));
    const int room = (width - name_columns_ - kTotalColumns) / cell_columns();
    labs_a_block_ = static_cast<std::size_t>(std::max(room, 1));
  }

  std::string text() const {
    std::string text;
    for (std::size_t first = 0; first < labs_.size(); first += labs_a_block_) {
      const std::size_t end = std::min(first + labs_a_block_, labs_.size());
      text += (first == 0 ? "" : "\n") + block({labs_.begin() + static_cast<std::ptrdiff_t>(first),
                                                labs_.begin() + static_cast<std::ptrdiff_t>(end)},
                                               end == labs_.size());
    }
    return text + legend();
  }

 private:
  static std::string name_of(const StudentMarks& one) {
    return printable(display_name(one.student.identity));
  }

  int cell_columns() const { return kNumberColumns + marker_columns_; }

  std::string block(const std::vector<std::string>& labs, bool last) const {
    std::string numbers = padded("Student", name_columns_);
    std::string points = padded("", name_columns_);
    for (const std::string& lab : labs) {
      const auto mark = std::ranges::find(marks_, lab, &Mark::lab);
      numbers += cell(std::string(prefix_of_width(lab_number(lab), kNumberColumns - 1)), "");
      points += cell(fmt::format("/{:.0f}", mark->max_points), "");
    }
    if (last) numbers += fmt::format("{:>{}}", "total", kTotalColumns);
    std::string text = line(numbers) + line(points);
    for (const StudentMarks& student : students_) text += line(row(student, labs, last));
    return text;
  }

  std::string row(const StudentMarks& student, const std::vector<std::string>& labs,
                  bool last) const {
    std::string text =
        padded(std::string(prefix_of_width(name_of(student), name_columns_)), name_columns_);
    for (const std::string& lab : labs) {
      const auto found =
          std::ranges::find(student.marks, lab, [](const Mark* mark) { return mark->lab; });
      const bool known = found != student.marks.end();
      text += known ? cell(number_text(**found), markers_text(**found)) : cell("", "");
    }
    if (last) text += fmt::format("{:>{}}", total_text(student.marks, course_), kTotalColumns);
    return text;
  }

  std::string cell(const std::string& number, const std::string& markers) const {
    return fmt::format("{:>{}}{:<{}}", number, kNumberColumns, markers, marker_columns_);
  }

  static std::string line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::string legend() const {
    std::string text;
    const auto explain = [&](const Marker& marker, bool instead_of_number) {
      const bool used = std::ranges::any_of(marks_, [&](const Mark& mark) {
        return marker.applies(mark) && !(instead_of_number && mark.has_score());
      });
      if (used) text += fmt::format("{}  {}\n", marker.letter, marker.meaning);
    };
    for (const Marker& state : kStates) explain(state, true);
    for (const Marker& marker : kMarkers) explain(marker, false);
    return text.empty() ? "" : "\n" + text;
  }

  const std::vector<Mark>& marks_;
  const Course& course_;
  std::vector<StudentMarks> students_;
  std::vector<std::string> labs_;
  int name_columns_ = 7;
  int marker_columns_ = 1;
  std::size_t labs_a_block_ = 1;
};

}  // namespace

std::string show_class(const std::vector<Mark>& marks, const Course& course, int width) {
  if (marks.empty()) return "The gradebook has no marks: no students, or no lab of the course.\n";
  return Table(marks, course, width).text();
}

}  // namespace tessera
