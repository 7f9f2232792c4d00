// All students and labs in one table.
#include <fmt/format.h>

#include <algorithm>

#include "grader/gradebook/export/export.h"
#include "grader/gradebook/export/mark_letters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr int kMaxNameColumns = 28;
constexpr int kNumberColumns = 7;  // " 100.0"
constexpr int kTotalColumns = 9;   // "  73.2 %"

std::string total_text(const std::vector<const Mark*>& marks, const Course& course) {
  const std::optional<double> total = course_total(marks, course);
  return total ? fmt::format("{:.1f} %", 100 * *total) : "-";
}

class Table {
 public:
  Table(const std::vector<Mark>& marks, const Course& course, int width)
      : marks_(marks), course_(course), students_(by_student(marks)), labs_(labs_of(marks)) {
    for (const StudentMarks& student : students_)
      name_columns_ = std::max(name_columns_, display_width(name_of(student)));
    name_columns_ = std::min(name_columns_, kMaxNameColumns);
    for (const Mark& mark : marks)
      marker_columns_ = std::max(marker_columns_, static_cast<int>(mark_letters(mark).size()));
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
  static std::string name_of(const StudentMarks& student) {
    return printable(display_name(student.student.identity));
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
      text += known ? cell(mark_number(**found), mark_letters(**found)) : cell("", "");
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
    for (const auto& [letter, meaning] : letters_of(marks_))
      text += fmt::format("{}  {}\n", letter, meaning);
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
