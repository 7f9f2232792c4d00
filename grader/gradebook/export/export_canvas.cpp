// Canvas' gradebook CSV: the teacher's export filled in, or a new table.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/gradebook/export/csv_template.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/lab_title.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

constexpr std::string_view kPointsPossible = "Points Possible";
constexpr std::string_view kTestStudent = "Student, Test";
constexpr std::size_t kCanvasDecisive = 2;  // ID and SIS User ID distinguish people

/// Canvas' own number; anonymous submissions have none.
std::string canvas_number(const Identity& person) {
  const bool number =
      std::ranges::all_of(person.canvas_id, [](unsigned char c) { return c >= '0' && c <= '9'; });
  return number ? person.canvas_id : "";
}

/// "Lab 3" of "Lab 3 (45678)"; nothing if the heading is not an assignment's.
std::optional<std::string> assignment_title(const std::string& heading) {
  const std::size_t open = heading.rfind(" (");
  if (open == heading.npos || open + 3 >= heading.size() || heading.back() != ')')
    return std::nullopt;
  const std::string number = heading.substr(open + 2, heading.size() - open - 3);
  if (number.find_first_not_of("0123456789") != number.npos) return std::nullopt;
  return heading.substr(0, open);
}

// ---- without a template

/// The column's title. A title that ended like `Title (number)` would name another assignment.
std::string column_title(const Book& book, const std::string& lab) {
  const std::string title = title_of(book, lab);
  return assignment_title(title) ? lab : title;
}

std::vector<std::string> new_row(const StudentMarks& student,
                                 const std::vector<std::string>& labs) {
  const Identity& person = student.student.identity;
  std::vector<std::string> cells = {guarded_cell(display_name(person)), canvas_number(person),
                                    guarded_cell(person.sis_id), guarded_cell(person.login),
                                    guarded_cell(person.section)};
  for (const std::string& lab : labs) {
    const auto mark = std::ranges::find(student.marks, lab, [](const Mark* m) { return m->lab; });
    cells.push_back(mark == student.marks.end() ? "" : points_cell(exported_score(**mark)));
  }
  return cells;
}

Exported new_table(const ExportContext& context) {
  const std::vector<std::string> labs = labs_of(context.marks);
  std::vector<std::string> heading = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
  std::vector<std::string> possible = {fmt::format("    {}", kPointsPossible), "", "", "", ""};
  for (const std::string& lab : labs) {
    heading.push_back(guarded_cell(column_title(context.book, lab)));
    const auto mark = std::ranges::find(context.marks, lab, &Mark::lab);
    possible.push_back(points_cell(mark->max_points));
  }
  Exported exported{csv_row(heading) + csv_row(possible), {}};
  for (const StudentMarks& student : by_student(context.marks))
    exported.text += csv_row(new_row(student, labs));
  return exported;
}

// ---- with the teacher's export

class Filling {
 public:
  Filling(const ExportContext& context, CsvTemplate table)
      : context_(context), table_(std::move(table)), students_(by_student(context.marks)) {
    for (const StudentMarks& student : students_) {
      const Identity& person = student.student.identity;
      keys_.push_back({canvas_number(person), person.sis_id, person.login, person.email,
                       name_key(person.name)});
    }
  }

  std::optional<Error> find_columns() {
    for (const char* name : {"Student", "ID"}) {
      if (!table_.column(name))
        return table_.error(0, 0,
                            fmt::format("no column \"{}\"; expected Canvas' gradebook: Grades, "
                                        "Export, Export Entire Gradebook",
                                        name));
    }
    const auto possible = std::ranges::find_if(table_.rows(), [](const CsvRow& row) {
      return trimmed(row.cells.front()) == kPointsPossible;
    });
    if (possible == table_.rows().end())
      return table_.error(0, 0, "no row \"Points Possible\"; Canvas' gradebook has one");
    possible_ = static_cast<std::size_t>(possible - table_.rows().begin());
    for (const std::string& lab : labs_of(context_.marks)) {
      Expected<std::size_t> column = column_of(lab);
      if (!column) return column.error();
      if (const auto other = lab_of_column(*column))
        return table_.error(0, *column,
                            fmt::format("could be lab {} and lab {}; name one column for each in "
                                        "Canvas, or export labs one by one with --lab",
                                        *other, lab));
      columns_[lab] = *column;
    }
    return std::nullopt;
  }

  Exported fill() {
    for (const auto& [lab, column] : columns_) compare_points(lab, column);
    std::vector<std::string> unknown;
    std::set<std::size_t> found;
    for (std::size_t row = possible_ + 1; row < table_.rows().size(); ++row) {
      const std::string name(trimmed(table_.cell(row, table_.column("Student"))));
      if (const auto student = find_person(keys_of(row), keys_, kCanvasDecisive)) {
        found.insert(*student);
        fill_row(row, students_[*student]);
      } else if (name != kTestStudent) {
        unknown.push_back(name);
      }
    }
    for (std::string& note : template_notes(unknown, left_over(found)))
      notes_.push_back(std::move(note));
    return {table_.text(), std::move(notes_)};
  }

 private:
  PersonKeys keys_of(std::size_t row) const {
    const auto cell = [&](const char* name) { return table_.cell(row, table_.column(name)); };
    const std::string login = cell("SIS Login ID");
    return {cell("ID"), cell("SIS User ID"), login, login, name_key(cell("Student"))};
  }

  void fill_row(std::size_t row, const StudentMarks& student) {
    for (const Mark* mark : student.marks) {
      const std::size_t column = columns_.at(mark->lab);
      const std::optional<double> score = exported_score(*mark);
      if (score && table_.cell(row, column) != "EX") table_.set(row, column, points_cell(score));
    }
  }

  std::vector<std::string> left_over(const std::set<std::size_t>& found) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < students_.size(); ++i) {
      const bool marked = std::ranges::any_of(
          students_[i].marks, [](const Mark* mark) { return exported_score(*mark).has_value(); });
      if (marked && !found.contains(i))
        names.push_back(display_name(students_[i].student.identity));
    }
    return names;
  }

  void compare_points(const std::string& lab, std::size_t column) {
    const std::string possible = table_.cell(possible_, column);
    const auto mark = std::ranges::find(context_.marks, lab, &Mark::lab);
    if (std::strtod(possible.c_str(), nullptr) == mark->max_points) return;
    notes_.push_back(fmt::format("{} has {} points, Canvas' column \"{}\" {}: nothing is scaled",
                                 lab, points_cell(mark->max_points), table_.cell(0, column),
                                 trimmed(possible)));
  }

  std::optional<std::string> lab_of_column(std::size_t column) const {
    const auto found = std::ranges::find(columns_, column,
                                         &std::map<std::string, std::size_t>::value_type::second);
    return found == columns_.end() ? std::nullopt : std::optional(found->first);
  }

  /// The columns of assignments whose title `fits`.
  template <class Fits>
  std::vector<std::size_t> assignments(Fits fits) const {
    std::vector<std::size_t> columns;
    const std::vector<std::string>& heading = table_.rows().front().cells;
    for (std::size_t column = 0; column < heading.size(); ++column) {
      const auto title = assignment_title(heading[column]);
      if (title && fits(*title)) columns.push_back(column);
    }
    return columns;
  }

  /// "Lab 3 (1)", "Lab 03 (2)"
  std::string headings(const std::vector<std::size_t>& columns) const {
    std::vector<std::string> quoted;
    for (const std::size_t column : columns)
      quoted.push_back(fmt::format("\"{}\"", table_.cell(0, column)));
    return listed(quoted);
  }

  Expected<std::size_t> column_of(const std::string& lab) const {
    const LabTitle wanted(lab, title_of(context_.book, lab));
    std::vector<std::size_t> columns;
    for (const TitleMatch match : {TitleMatch::alone, TitleMatch::inside, TitleMatch::perhaps}) {
      if (columns.empty())
        columns = assignments([&](const std::string& t) { return wanted.match(t) == match; });
    }
    const auto all = assignments([](const std::string&) { return true; });
    if (columns.empty() && context_.request.lab && all.size() == 1) columns = all;
    if (columns.size() == 1) return columns.front();
    return no_column(lab, columns, all);
  }

  /// The error that there is no column, or that several `candidates` could be the lab's.
  Error no_column(const std::string& lab, const std::vector<std::size_t>& candidates,
                  const std::vector<std::size_t>& all) const {
    const bool none = candidates.empty();
    const std::string what =
        none ? fmt::format("no assignment is lab {} (there are: {})", lab, headings(all))
             : fmt::format("more than one assignment could be lab {}: {}", lab,
                           headings(candidates));
    return table_.error(
        0, none ? 0 : candidates[1],
        fmt::format("{}; name exactly one \"{}\" or \"{}\" in Canvas, or export labs one by one "
                    "with --lab",
                    what, lab, title_of(context_.book, lab)));
  }

  const ExportContext& context_;
  CsvTemplate table_;
  std::vector<StudentMarks> students_;
  std::vector<PersonKeys> keys_;  // of students_
  std::size_t possible_ = 0;      // the row of points possible; students stand below
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string> notes_;
};

}  // namespace

Expected<Exported> export_canvas(const ExportContext& context) {
  if (context.request.template_file.empty()) return new_table(context);
  Expected<CsvTemplate> table = CsvTemplate::load(context.request.template_file);
  if (!table) return table.error();
  Filling filling(context, std::move(*table));
  if (const auto error = filling.find_columns()) return *error;
  return filling.fill();
}

}  // namespace tessera
