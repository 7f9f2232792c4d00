#include <fmt/format.h>

#include <algorithm>

#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/report/class_sections.h"
#include "grader/report/html/words.h"

namespace tessera {
namespace {

std::string sentences(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += (text.empty() ? "" : " ") + line;
    if (!line.ends_with('.')) text += '.';
  }
  return text;
}

/// "Attempt 2 of 3 counts, handed in 2026-10-01T21:59:03Z."
std::string attempt_text(const MarkReport& mark) {
  if (mark.counted == 0) return "";
  std::string text = fmt::format("Attempt {} of {} counts", mark.counted, mark.attempts);
  if (!mark.submitted_at.empty()) text += ", handed in " + mark.submitted_at;
  return text + ".";
}

/// Items with the same outcome.
struct Alike {
  Status status;
  std::string points;  // "7.5 of 15" of a partly won item, or ""
  std::string reason;
  std::string items;  // "case 2, case 3"
};

std::vector<Alike> grouped_outcomes(const MarkReport& mark, const LabReport& lab) {
  std::vector<Alike> groups;
  for (const ItemOutcome& outcome : mark.items) {
    const ItemCounts& item = lab.items[outcome.item];
    if (outcome.status == Status::pass) continue;
    const std::string points =
        outcome.status == Status::partial
            ? fmt::format(" {} of {}", points_text(outcome.points), points_text(item.max_points))
            : "";
    const bool joins = !groups.empty() && groups.back().status == outcome.status &&
                       groups.back().points == points && groups.back().reason == outcome.reason;
    if (joins) {
      groups.back().items += ", " + item.name;
    } else {
      groups.push_back({outcome.status, points, outcome.reason, item.name});
    }
  }
  return groups;
}

/// "7 of 14 items pass; case 2, case 3 fail (race line 23); performance/1 partial 7.5 of 15."
Html items_text(const MarkReport& mark, const LabReport& lab) {
  if (mark.items.empty()) return {};
  const auto won = std::ranges::count(mark.items, Status::pass, &ItemOutcome::status);
  Html text = fmt::format(" {} of {} items ", won, mark.items.size());
  text += status_word(Status::pass);
  for (const Alike& group : grouped_outcomes(mark, lab)) {
    text += "; " + group.items + " ";
    text += status_word(group.status);
    text += group.points;
    if (group.reason.empty()) continue;
    text += " (";
    text += message_text(group.reason);
    text += ")";
  }
  text += ".";
  return text;
}

Html mark_entry(const ClassReport& report, const MarkReport& mark) {
  const LabReport& lab = report.labs[mark.lab];
  std::string text = fmt::format(" {}{}{}, {}.", mark.number, mark.letters.empty() ? "" : " ",
                                 mark.letters, to_string(mark.state));
  for (const std::string& part : {attempt_text(mark), sentences(mark.how)})
    if (!part.empty()) text += " " + part;
  return element("li", {}, element("b", {}, lab.id), message_text(text), items_text(mark, lab));
}

Html student_article(const ClassReport& report, std::size_t index) {
  const StudentReport& student = report.students[index];
  Html marks;
  for (const MarkReport& mark : student.marks) marks += mark_entry(report, mark);
  Html heading = element("bdi", {}, student.name);
  if (!student.section.empty()) heading += ", " + student.section;
  if (student.total) heading += fmt::format(", {:.1f} %", 100 * *student.total);
  return element("article", {{"class", "marks"}, {"id", student_anchor(index)}},
                 element("h3", {}, heading), element("ul", {}, marks));
}

}  // namespace

Html marks_section(const ClassReport& report) {
  Html content = element(
      "p", {},
      report.anonymous
          ? "Quoted from the records; readers with the gradebook see more with "
            "`tessera gradebook show`."
          : "Quoted from the records; `tessera gradebook show --student NAME` has messages, "
            "files and runs.");
  for (std::size_t i = 0; i < report.students.size(); ++i) content += student_article(report, i);
  return section("marks", "How each mark came about", content);
}

}  // namespace tessera
