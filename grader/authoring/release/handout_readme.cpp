#include "grader/authoring/release/handout_readme.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "grader/authoring/release/replace_all.h"

namespace tessera {
namespace {

/// What the course says about a lab; an empty CourseLab if it does not name the lab.
CourseLab in_course(const Course& course, const std::string& id) {
  const auto found = std::ranges::find(course.labs, id, &CourseLab::id);
  return found == course.labs.end() ? CourseLab{.id = id} : *found;
}

std::string link(const HandoutLab& lab) {
  return fmt::format("[{0}](labs/{0}/README.md)", lab.id);
}

std::string percent(double share) {
  return fmt::format("{} %", std::round(share * 1e4) / 100);
}

std::string count(double number, const std::string& unit) {
  return fmt::format("{} {}{}", number, unit, number == 1 ? "" : "s");
}

/// "Late work costs 10 % of a lab's points for every day begun, 50 % at most; ..."
std::string late_text(const LatePolicy& late) {
  if (!late.costs()) return "Late work costs nothing.\n";
  std::vector<std::string> rules;
  if (late.per_day > 0 && late.cap > 0) {
    rules.push_back(
        fmt::format("costs {} of the lab's points for every day begun{}", percent(late.per_day),
                    late.cap < 1 ? fmt::format(", {} at most", percent(late.cap)) : ""));
  }
  if (late.closed_after_days > 0)
    rules.push_back(fmt::format("earns nothing after {}", count(late.closed_after_days, "day")));
  const std::string grace =
      late.grace_minutes > 0
          ? fmt::format(" The first {} are free.", count(late.grace_minutes, "minute"))
          : "";
  const std::string budget = late.budget_days > 0
                                 ? fmt::format(" Of all labs together, {} cost nothing.",
                                               count(late.budget_days, "late day"))
                                 : "";
  return fmt::format("Late work {}.{}{}\n", fmt::join(rules, ", and "), grace, budget);
}

/// A table of the graded labs, without columns in which all labs are alike.
class Table {
 public:
  explicit Table(const HandoutReadme& readme) {
    for (const HandoutLab& lab : readme.labs) {
      if (!lab.graded) continue;
      labs_.push_back(lab);
      declared_.push_back(in_course(readme.course, lab.id));
    }
    const auto other = [&](const CourseLab& lab) { return lab.weight != declared_.front().weight; };
    due_ = std::ranges::any_of(declared_, [](const CourseLab& lab) { return lab.due.has_value(); });
    weighted_ = std::ranges::any_of(declared_, other);
  }

  bool due() const { return due_; }

  std::string text() const {
    std::string text = row({"lab", "", "due", "weight"}) + row({"---", "---", "---", "---"});
    for (std::size_t i = 0; i < labs_.size(); ++i) {
      text += row({link(labs_[i]), labs_[i].title,
                   declared_[i].due ? format_time(*declared_[i].due) : "",
                   fmt::format("{}", declared_[i].weight)});
    }
    return text;
  }

 private:
  /// A row; `cells` are lab, title, due date and weight.
  std::string row(std::vector<std::string> cells) const {
    if (!weighted_) cells.erase(cells.begin() + 3);
    if (!due_) cells.erase(cells.begin() + 2);
    return fmt::format("| {} |\n", fmt::join(cells, " | "));
  }

  std::vector<HandoutLab> labs_;
  std::vector<CourseLab> declared_;  // what the course says about each of labs_
  bool due_ = false;
  bool weighted_ = false;
};

/// Says which labs students need not solve: those that others are measured against.
std::string ungraded_text(const std::vector<HandoutLab>& labs) {
  std::vector<std::string> names;
  for (const HandoutLab& lab : labs) {
    if (!lab.graded) names.push_back(fmt::format("{} ({})", link(lab), lab.title));
  }
  if (names.empty()) return "";
  return fmt::format("\nHere to be compared with, not graded: {}.\n", fmt::join(names, ", "));
}

}  // namespace

std::string filled_in(std::string page, const HandoutReadme& readme) {
  const Table table(readme);
  const std::string late = table.due() ? "\n" + late_text(readme.course.late) : "";
  const std::string& first = readme.labs.front().id;
  replace_all(page, "@TITLE@", readme.title);
  replace_all(page, "@LABS@\n", table.text() + late + ungraded_text(readme.labs) + "\n");
  replace_all(page, "@NUMBER@", first.substr(0, first.find('-')));
  return page;
}

}  // namespace tessera
