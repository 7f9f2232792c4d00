// Moodle's offline grading worksheet, filled in.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "grader/gradebook/export/csv_template.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/judge/points/record.h"
#include "grader/report/causes.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr std::string_view kParticipant = "Participant ";
constexpr std::string_view kAssignPart = "_assignsubmission_";
constexpr std::size_t kMoodleDecisive = 1;  // the participant's number distinguishes people

/// 17 of "Jane Doe_17_assignsubmission_file"; numbers differ from assignment to assignment.
std::string number_in(const std::string& folder) {
  const std::size_t end = folder.rfind(kAssignPart);
  if (end == folder.npos || end == 0) return "";
  const std::size_t start = folder.rfind('_', end - 1);
  return start == folder.npos ? "" : folder.substr(start + 1, end - start - 1);
}

/// The participant's number. `only_lab`: the book has no other lab, so the number that it knows is
/// of this assignment.
std::string participant_of(const Mark& mark, bool only_lab) {
  const std::string number = mark.attempt ? number_in(mark.attempt->feedback_name) : "";
  return number.empty() && only_lab ? mark.student.identity.moodle_id : number;
}

/// Escapes `text`: Moodle reads the cell as HTML.
std::string html(std::string_view text) {
  std::string result;
  for (const char letter : printable(text)) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '\n':
        result += "<br>";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

/// How the mark came about, and what the items that lost points say.
Expected<std::string> comments(const ExportContext& context, const Mark& mark) {
  const Expected<std::optional<Record>> record = record_of(context.book, mark);
  if (!record) return record.error();
  std::string text = mark_text(mark, context.course);
  if (!*record) return guarded_cell(html(text));
  for (const Item& item : (*record)->items) {
    if (not_measured(item) || item.status == Status::pass) continue;
    text += fmt::format("{}: {} ({} of {} points)", to_string(item.status), item_label(item),
                        points_cell(item.points), points_cell(item.max_points));
    if (!item.message.empty()) text += ". " + item.message;
    text += "\n";
  }
  return guarded_cell(html(text));
}

class Worksheet {
 public:
  Worksheet(const ExportContext& context, CsvTemplate table)
      : context_(context),
        table_(std::move(table)),
        identifier_(table_.column("Identifier")),
        grade_(table_.column("Grade")),
        feedback_(table_.column("Feedback comments")) {
    const bool only_lab = context.book.assignments().size() == 1;
    for (const Mark& mark : context.marks) {
      const Identity& person = mark.student.identity;
      keys_.push_back(
          {participant_of(mark, only_lab), person.email, person.sis_id, name_key(person.name)});
    }
  }

  std::optional<Error> check() const {
    if (identifier_ && grade_) return std::nullopt;
    return table_.error(0, 0,
                        fmt::format("no column \"{}\"; expected Moodle's grading worksheet of the "
                                    "assignment, downloaded with the language set to English",
                                    identifier_ ? "Grade" : "Identifier"));
  }

  Expected<Exported> fill() {
    std::vector<std::string> unknown;
    std::set<std::size_t> found;
    for (std::size_t row = 1; row < table_.rows().size(); ++row) {
      if (const auto person = find_person(keys_of(row), keys_, kMoodleDecisive)) {
        found.insert(*person);
        if (const auto error = fill_row(row, context_.marks[*person])) return *error;
      } else {
        unknown.push_back(cell(row, "Full name").empty() ? table_.cell(row, identifier_)
                                                         : cell(row, "Full name"));
      }
    }
    for (std::string& note : template_notes(unknown, left_over(found)))
      notes_.push_back(std::move(note));
    return Exported{table_.text(), std::move(notes_)};
  }

 private:
  std::string cell(std::size_t row, const char* name) const {
    return table_.cell(row, table_.column(name));
  }

  PersonKeys keys_of(std::size_t row) const {
    const std::string identifier = table_.cell(row, identifier_);
    const bool numbered = identifier.starts_with(kParticipant);
    return {numbered ? identifier.substr(kParticipant.size()) : "", cell(row, "Email address"),
            cell(row, "ID number"), name_key(cell(row, "Full name"))};
  }

  std::optional<Error> fill_row(std::size_t row, const Mark& mark) {
    const std::optional<double> score = exported_score(mark);
    if (!score) return std::nullopt;  // feedback without a grade would wipe the grade
    if (cell(row, "Grade can be changed") == "No") {
      notes_.push_back(fmt::format("{}: Moodle has locked the grade; the row stays as it is",
                                   display_name(mark.student.identity)));
      return std::nullopt;
    }
    compare_points(row, mark);
    table_.set(row, *grade_, points_cell(score));
    if (!feedback_) return std::nullopt;
    const Expected<std::string> text = comments(context_, mark);
    if (!text) return text.error();
    table_.set(row, *feedback_, *text);
    return std::nullopt;
  }

  void compare_points(std::size_t row, const Mark& mark) {
    const std::string maximum = cell(row, "Maximum Grade");
    const bool equal = std::strtod(maximum.c_str(), nullptr) == mark.max_points;
    if (maximum.empty() || equal || noted_maximum_) return;
    noted_maximum_ = true;
    notes_.push_back(fmt::format("{} has {} points, Moodle's assignment {}: nothing is scaled",
                                 mark.lab, points_cell(mark.max_points), maximum));
  }

  std::vector<std::string> left_over(const std::set<std::size_t>& found) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < context_.marks.size(); ++i) {
      const Mark& mark = context_.marks[i];
      if (exported_score(mark) && !found.contains(i))
        names.push_back(display_name(mark.student.identity));
    }
    return names;
  }

  const ExportContext& context_;
  CsvTemplate table_;
  std::optional<std::size_t> identifier_;
  std::optional<std::size_t> grade_;
  std::optional<std::size_t> feedback_;
  std::vector<PersonKeys> keys_;  // of the marks
  std::vector<std::string> notes_;
  bool noted_maximum_ = false;
};

}  // namespace

Expected<Exported> export_moodle(const ExportContext& context) {
  if (const auto labs = labs_of(context.marks); labs.size() > 1) {
    return Error{.message =
                     fmt::format("a worksheet is of one assignment; name its lab with --lab: "
                                 "{}",
                                 listed(labs))};
  }
  Expected<CsvTemplate> table = CsvTemplate::load(context.request.template_file);
  if (!table) return table.error();
  Worksheet worksheet(context, std::move(*table));
  if (const auto error = worksheet.check()) return *error;
  return worksheet.fill();
}

}  // namespace tessera
