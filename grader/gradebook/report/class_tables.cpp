#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/numbers.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/report/class_sections.h"
#include "grader/report/html/words.h"

namespace tessera {
namespace {

constexpr std::array kTroubles = {Trouble::no_gain, Trouble::same_again, Trouble::ungradable,
                                  Trouble::missing, Trouble::late};

/// The controls above a table, which only the script shows. `more` are further controls.
Html filters(const std::string& table, const Html& more, std::size_t rows) {
  const std::string search = table + "-name";
  return element(
      "form", {{"class", "filters"}, {"data-for", table}, {"hidden", ""}},
      element("label", {}, "Name ",
              opened("input", {{"id", search}, {"type", "search"}, {"autocomplete", "off"}})),
      more,
      element("output", {{"for", search}}, fmt::format("{} of {}", grouped(rows), grouped(rows))));
}

struct Choice {
  std::string value;  // text that a cell must contain
  std::string text;
};

/// `column`: the first column to search; `all`: also those after it.
Html selection(const std::string& id, const std::string& label, std::size_t column, bool all,
               const std::vector<Choice>& choices) {
  Html options = element("option", {{"value", ""}}, "all");
  for (const Choice& choice : choices)
    options += element("option", {{"value", choice.value}}, choice.text);
  return element(
      "label", {}, label + " ",
      element(
          "select",
          {{"id", id}, {"data-column", std::to_string(column)}, {"data-all", all ? "yes" : "no"}},
          options));
}

Html overview_row(const LabReport& lab, std::size_t index) {
  const auto count = [&](MarkState state) {
    return count_cell(lab.states[static_cast<std::size_t>(state)]);
  };
  Html cells = element("th", {{"scope", "row"}}, link_to(lab_anchor(index), lab.id));
  cells += element("td", {}, lab.due.empty() ? "-" : lab.due);
  cells += number_cell(points_text(lab.max_points));
  for (const MarkState state : {MarkState::graded, MarkState::waiting, MarkState::infra,
                                MarkState::ungradable, MarkState::missing})
    cells += count(state);
  for (const int number : {lab.late, lab.stale, lab.deferred, lab.review})
    cells += count_cell(number);
  cells += number_cell(lab.scores ? points_text(lab.scores->mean) : "-");
  cells += number_cell(lab.scores ? points_text(lab.scores->median) : "-");
  return element("tr", {}, cells);
}

Html trouble_row(const ClassReport& report, const TroubledMark& troubled) {
  const StudentReport& student = report.students[troubled.student];
  const MarkReport& mark = student.marks[troubled.mark];
  const Standing& standing = mark.standing;
  std::string troubles;
  for (const Trouble trouble : standing.troubles)
    troubles += fmt::format("{}{}", troubles.empty() ? "" : ", ", to_string(trouble));
  Html cells =
      element("th", {{"scope", "row"}}, link_to(student_anchor(troubled.student), student.name));
  cells += element("td", {}, report.labs[mark.lab].id);
  cells += element("td", {}, troubles);
  cells += number_cell(std::to_string(mark.attempts));
  cells += number_cell(std::to_string(standing.without_gain));
  cells += number_cell(std::to_string(standing.same));
  cells += number_cell(standing.attempts > 0 ? points_text(standing.best) : "-");
  if (!report.anonymous) cells += element("td", {}, mark.submitted_at);
  return element("tr", {}, cells);
}

Html student_row(const ClassReport& report, std::size_t index, bool sections) {
  const StudentReport& student = report.students[index];
  Html cells = element("th", {{"scope", "row"}}, link_to(student_anchor(index), student.name));
  if (sections) cells += element("td", {}, student.section);
  cells += number_cell(student.total ? fmt::format("{:.1f} %", 100 * *student.total) : "-");
  for (const MarkReport& mark : student.marks)
    cells += number_cell(mark.letters.empty() ? mark.number : mark.number + " " + mark.letters);
  return element("tr", {}, cells);
}

std::vector<Choice> sections_of(const ClassReport& report) {
  std::vector<std::string> names;
  for (const StudentReport& student : report.students) {
    if (!student.section.empty()) names.push_back(student.section);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Choice> choices;
  for (const std::string& name : names) choices.push_back({name, name});
  return choices;
}

Html legend(const ClassReport& report) {
  Html entries;
  for (const auto& [letter, meaning] : report.letters) {
    entries += element("dt", {}, std::string(1, letter));
    entries += element("dd", {}, meaning);
  }
  return entries.empty() ? entries : element("dl", {{"class", "facts"}}, entries);
}

}  // namespace

Html overview_section(const ClassReport& report) {
  Html rows;
  for (std::size_t i = 0; i < report.labs.size(); ++i) rows += overview_row(report.labs[i], i);
  if (report.labs.empty())
    return section("labs", "Labs", element("p", {}, "The gradebook has no lab of the course."));
  return section("labs", "Labs",
                 scrolled_table("Labs", {{"class", "counts"}},
                                {{"lab"},
                                 {"due"},
                                 {"points", true},
                                 {"graded", true},
                                 {"waiting", true},
                                 {"infra", true},
                                 {"ungradable", true},
                                 {"missing", true},
                                 {"late", true},
                                 {"stale", true},
                                 {"deferred", true},
                                 {"review", true},
                                 {"mean", true},
                                 {"median", true}},
                                element("tbody", {}, rows)));
}

Html trouble_section(const ClassReport& report) {
  if (report.troubled.empty())
    return section("stuck", "Who is stuck", element("p", {}, "No student."));
  std::vector<Choice> kinds;
  std::vector<Choice> labs;
  std::string counts;
  for (const Trouble trouble : kTroubles) {
    const int count = report.troubles[static_cast<std::size_t>(trouble)];
    const std::string word(to_string(trouble));
    if (count == 0) continue;
    kinds.push_back({word, word});
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ",
                          grouped(static_cast<std::uint64_t>(count)), word);
  }
  for (const LabReport& lab : report.labs) labs.push_back({lab.id, lab.id});
  std::vector<Column> columns = {{"student"},
                                 {"lab"},
                                 {"trouble"},
                                 {"attempts", true},
                                 {"no gain", true, "last attempts that won nothing more"},
                                 {"same", true, "last attempts that are one program"},
                                 {"best", true, "points of the best attempt"}};
  if (!report.anonymous) columns.push_back({"handed in"});
  Html rows;
  for (const TroubledMark& troubled : report.troubled) rows += trouble_row(report, troubled);
  Html content = element(
      "p", {},
      fmt::format("No progress: {} attempts or more without another point, and points still open. "
                  "Same again: the last attempts are one program. Marks with trouble: {}.",
                  kAttemptsWithoutGain, counts));
  Html controls = selection("stuck-why", "Trouble", 2, false, kinds);
  controls += selection("stuck-lab", "Lab", 1, false, labs);
  content += filters("stuck-table", controls, report.troubled.size());
  content +=
      scrolled_table("Who is stuck", {{"class", "long sortable troubles"}, {"id", "stuck-table"}},
                     columns, element("tbody", {}, rows));
  return section("stuck", "Who is stuck", content);
}

Html students_section(const ClassReport& report) {
  if (report.students.empty())
    return section("students", "Students", element("p", {}, "The gradebook has no students."));
  const std::vector<Choice> sections = sections_of(report);
  std::vector<Column> columns = {{"student"}};
  if (!sections.empty()) columns.push_back({"section"});
  columns.push_back({"total", true, "share of what could be won, by weights"});
  for (const LabReport& lab : report.labs)
    columns.push_back({lab_number(lab.id), true,
                       fmt::format("{}, of {} points", lab.id, points_text(lab.max_points))});
  Html rows;
  for (std::size_t i = 0; i < report.students.size(); ++i)
    rows += student_row(report, i, !sections.empty());
  std::vector<Choice> letters;
  for (const auto& [letter, meaning] : report.letters)
    letters.push_back(
        {std::string(1, letter),
         fmt::format("{}  {}", letter, meaning.substr(0, meaning.find_first_of(":;")))});
  Html controls;
  if (!sections.empty()) controls += selection("students-section", "Section", 1, false, sections);
  if (!letters.empty())
    controls += selection("students-letter", "With", sections.empty() ? 2 : 3, true, letters);
  Html content = element("p", {}, "A name leads to what decided each mark.");
  content += filters("students-table", controls, report.students.size());
  content +=
      scrolled_table("Students",
                     {{"class", sections.empty() ? "long sortable" : "long sortable sections"},
                      {"id", "students-table"},
                      {"style", fmt::format("--labs:{}", report.labs.size())}},
                     columns, element("tbody", {}, rows));
  content += legend(report);
  return section("students", "Students", content);
}

}  // namespace tessera
