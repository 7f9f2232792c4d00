// One row a student and lab, for a spreadsheet or the TA's own script.
#include <algorithm>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {
namespace {

const std::vector<std::string> kHeading = {
    "assignment", "due date",  "timestamp",    "student id", "last name", "first name",
    "email",      "raw score", "late penalty", "score",      "maximum",   "status",
    "adjustment", "deferred",  "review",       "flags",      "note"};

std::string student_id(const Identity& person) {
  for (const std::string* known :
       {&person.sis_id, &person.login, &person.canvas_id, &person.github, &person.moodle_id}) {
    if (!known->empty()) return *known;
  }
  return "";
}

std::string flags_of(const Mark& mark) {
  std::string flags;
  const auto add = [&](bool holds, const char* flag) {
    if (holds) flags += (flags.empty() ? "" : " ") + std::string(flag);
  };
  add(mark.late, "late");
  add(mark.penalty_unknown, "penalty-unknown");
  add(mark.stale, "stale");
  return flags;
}

std::vector<std::string> row_of(const Mark& mark, const Course& course) {
  const Identity& person = mark.student.identity;
  const PersonName name = split_name(person.name);
  const bool graded = mark.state == MarkState::graded;
  const auto if_graded = [&](double points) { return graded ? points_cell(points) : ""; };
  return {mark.lab,
          due_date(course, mark.lab),
          mark.attempt ? guarded_cell(mark.attempt->submitted_at) : "",
          guarded_cell(student_id(person)),
          guarded_cell(name.last),
          guarded_cell(name.first),
          guarded_cell(person.email),
          if_graded(mark.raw),
          if_graded(mark.penalty),
          points_cell(exported_score(mark)),
          points_cell(mark.max_points),
          std::string(to_string(mark.state)),
          points_cell(mark.adjustment + mark.bonus),
          if_graded(mark.deferred),
          if_graded(mark.review),
          flags_of(mark),
          guarded_cell(mark.note)};
}

}  // namespace

Expected<Exported> export_csv(const ExportContext& context) {
  Exported exported{csv_row(kHeading), {}};
  for (const Mark& mark : context.marks) exported.text += csv_row(row_of(mark, context.course));
  return exported;
}

}  // namespace tessera
