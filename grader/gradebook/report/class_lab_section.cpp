#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/gradebook/report/charts.h"
#include "grader/gradebook/report/class_sections.h"
#include "grader/judge/diagnosis/words.h"
#include "grader/report/html/words.h"

namespace tessera {
namespace {

constexpr std::size_t kMistakesShown = 12;  // of one kind
constexpr std::size_t kNamesShown = 5;      // of one mistake

std::string percent(std::size_t part, int all) {
  return all > 0 ? fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / all) : "-";
}

Html points_part(const LabReport& lab) {
  if (!lab.scores) return element("p", {}, "No student has a mark yet.");
  const Distribution& scores = *lab.scores;
  return element(
      "figure", {}, histogram_chart(lab.histogram, lab.max_points),
      element("figcaption", {},
              fmt::format("Points of {}, after lateness and changes by hand: mean {}, median {}, "
                          "quartiles {} and {}, from {} to {}.",
                          counted(scores.count, "student"), points_text(scores.mean),
                          points_text(scores.median), points_text(scores.lower_quartile),
                          points_text(scores.upper_quartile), points_text(scores.least),
                          points_text(scores.most))));
}

Html item_row(const ItemCounts& item) {
  // Kernels that could not win the item count as measured: if others are deferred, their mean says
  // nothing about the class.
  const bool measured = !item.points.empty() && item.deferred == 0;
  const bool spread = measured && item.max_points > 0;
  Html cells = element("th", {{"scope", "row"}}, name_text(item.label));
  cells += number_cell(points_text(item.max_points));
  for (const int count :
       {item.won, item.partly, item.lost, item.skipped, item.deferred, item.review, item.infra})
    cells += count_cell(count);
  cells += number_cell(measured ? points_text(item.mean_points()) : "-");
  cells +=
      element("td", {},
              spread ? small_histogram(histogram(item.points, item.max_points, kHistogramParts),
                                       item.max_points)
                     : Html("not measured"));
  return element("tr", {}, cells);
}

Html items_part(const LabReport& lab) {
  if (lab.items.empty()) return element("p", {}, "No kernel was graded.");
  Html rows;
  for (const ItemCounts& item : lab.items) rows += item_row(item);
  Html all = scrolled_table("Items of " + lab.id, {{"class", "counts"}},
                            {{"item"},
                             {"points", true},
                             {"won", true},
                             {"partly", true},
                             {"lost", true},
                             {"skipped", true},
                             {"deferred", true},
                             {"review", true},
                             {"infra", true},
                             {"mean", true},
                             {"points from none to all"}},
                            element("tbody", {}, rows));
  all +=
      element("p", {{"class", "legend"}},
              fmt::format("Of {} that count. Skipped: what the item depends on failed. Deferred: "
                          "nothing here could measure it; such an item has no mean. Review: a GPU "
                          "or a person has to judge it, 0 until then. Infra: the grader failed.",
                          counted(static_cast<std::uint64_t>(lab.kernels), "kernel")));
  return all;
}

Html names_of(const ClassReport& report, const std::vector<std::size_t>& students) {
  Html names;
  for (std::size_t i = 0; i < std::min(students.size(), kNamesShown); ++i) {
    if (i > 0) names += "; ";
    names +=
        link_to(student_anchor(students[i]), element("bdi", {}, report.students[students[i]].name));
  }
  if (students.size() > kNamesShown)
    names += fmt::format("; and {} more", grouped(students.size() - kNamesShown));
  return names;
}

/// "missing-last-phase: the last phase is left out", and the shape of the line.
Html mistake_text(const Mistake& mistake) {
  Html text;
  if (!mistake.diagnosis.empty()) {
    text += element("strong", {}, mistake.diagnosis);
    const auto& words = diagnosis_words();
    const auto known = std::ranges::find(words, mistake.diagnosis, &DiagnosisWord::word);
    if (known != words.end()) text += ": " + std::string(known->meaning);
  }
  if (!mistake.pattern.empty()) {
    if (!text.empty()) text += " ";
    text += element("code", {}, message_text(mistake.pattern));
  }
  if (text.empty()) text += "no diagnosis";
  if (mistake.severity == Severity::warning) text += " (a warning: costs nothing)";
  return text;
}

Html mistake_row(const ClassReport& report, const LabReport& lab, const CommonMistake& common) {
  const Mistake& mistake = common.mistake;
  Html cells = element("th", {{"scope", "row"}}, mistake_text(mistake));
  if (!report.anonymous)
    cells +=
        element("td", {},
                common.quoted.empty() ? Html() : element("code", {}, message_text(common.quoted)));
  cells += number_cell(grouped(common.students.size()));
  cells += number_cell(percent(common.students.size(), lab.kernels));
  cells += element("td", {}, names_of(report, common.students));
  return element("tr", {}, cells);
}

/// A group of rows: the kind, then its most frequent mistakes.
Html kind_rows(const ClassReport& report, const LabReport& lab, const MistakeKind& kind) {
  const std::string columns = report.anonymous ? "1" : "2";
  Html rows = element("tr", {{"class", "part"}},
                      element("th", {{"scope", "rowgroup"}, {"colspan", columns}},
                              std::string(to_string(kind.kind))),
                      number_cell(grouped(kind.students)),
                      number_cell(percent(kind.students, lab.kernels)), element("td", {}));
  const std::size_t shown = std::min(kind.mistakes.size(), kMistakesShown);
  for (std::size_t i = 0; i < shown; ++i) rows += mistake_row(report, lab, kind.mistakes[i]);
  if (shown < kind.mistakes.size()) {
    rows += element("tr", {},
                    element("td", {{"colspan", report.anonymous ? "4" : "5"}},
                            fmt::format("and {} that are less frequent",
                                        grouped(kind.mistakes.size() - shown))));
  }
  return element("tbody", {}, rows);
}

Html mistakes_part(const ClassReport& report, const LabReport& lab) {
  if (lab.mistakes.empty()) return element("p", {}, "No findings.");
  std::vector<Column> columns = {{"finding"}};
  if (!report.anonymous) columns.push_back({"for example"});
  columns.insert(columns.end(), {{"students", true}, {"share", true}, {"who"}});
  Html groups;
  for (const MistakeKind& kind : lab.mistakes) groups += kind_rows(report, lab, kind);
  return scrolled_table("Mistakes in " + lab.id, {{"class", "mistakes"}}, columns, groups);
}

}  // namespace

Html lab_section(const ClassReport& report, std::size_t index) {
  const LabReport& lab = report.labs[index];
  Html content = points_part(lab);
  content += element("h3", {}, "Items");
  content += items_part(lab);
  content += element("h3", {}, "Mistakes");
  content += mistakes_part(report, lab);
  Html heading = lab.title;
  if (lab.title != lab.id) heading += " ";
  if (lab.title != lab.id) heading += element("span", {{"class", "lab"}}, lab.id);
  return section(lab_anchor(index), heading, content);
}

}  // namespace tessera
