// One student: how every mark came about.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/report/causes.h"
#include "grader/report/made_with.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr int kStatusColumns = 10;
constexpr int kPointColumns = 15;
constexpr std::size_t kShortHash = 12;

std::string heading(const Identity& person, int width) {
  std::string text = printable(display_name(person));
  for (const std::string* known : {&person.login, &person.email, &person.sis_id, &person.canvas_id,
                                   &person.github, &person.section, &person.group}) {
    if (!known->empty() && *known != display_name(person)) text += ", " + printable(*known);
  }
  return wrapped(text, "", width);
}

class StudentPage {
 public:
  StudentPage(const Book& book, int width)
      : book_(book),
        width_(width),
        students_(book.students()),
        attempts_(book.attempts()),
        adjustments_(book.adjustments()),
        runs_(book.runs()),
        results_(book.accepted_results()) {}

  std::string lab(const Mark& mark) const {
    const std::string points = mark.has_score() ? fmt::format("{:.1f}", mark.score) : "-";
    std::string text =
        fmt::format("\n{}  {}  {} / {:.1f}, {}\n", mark.lab, printable(title_of(book_, mark.lab)),
                    points, mark.max_points, to_string(mark.state));
    text += sum(mark) + attempts(mark) + adjustments(mark) + result(mark);
    return text;
  }

 private:
  std::string wrap(const std::string& text) const { return wrapped(printable(text), "  ", width_); }

  std::string sum(const Mark& mark) const {
    if (mark.state != MarkState::graded) return mark.note.empty() ? "" : wrap(mark.note);
    std::string text = fmt::format("{:.1f} points", mark.raw);
    if (mark.penalty > 0) text += fmt::format(", -{:.1f} late", mark.penalty);
    if (mark.penalty_unknown) {
      text += ", late by an unknown time: no penalty taken";
    } else if (mark.late && mark.penalty <= 0) {
      text += ", late at no cost";
    }
    if (mark.review > 0) text += fmt::format(", {:.1f} to review", mark.review);
    if (mark.points_by_hand) text += fmt::format(", {:+.1f} by hand", mark.adjustment);
    if (mark.bonus != 0) text += fmt::format(", {:+.1f} bonus", mark.bonus);
    if (mark.deferred > 0) text += fmt::format(", {:.1f} could not be measured", mark.deferred);
    if (mark.stale) text += ", graded under an older version of the lab";
    return wrap(text);
  }

  std::string attempts(const Mark& mark) const {
    if (!mark.attempt) return "";
    const BookAttempt& counts = *mark.attempt;
    const auto mine = [&](const BookAttempt& attempt) {
      return attempt.lab == mark.lab && std::ranges::count(attempt.students, mark.student.id) > 0;
    };
    std::string text;
    int number = 0;
    for (const BookAttempt& attempt : attempts_) {
      if (!mine(attempt)) continue;
      ++number;
      std::string line = fmt::format("attempt {} of {}: {}", number, mark.attempts, attempt.origin);
      if (!attempt.submitted_at.empty()) line += ", " + attempt.submitted_at;
      if (!attempt.sha256.empty()) line += ", " + attempt.sha256.substr(0, kShortHash);
      if (!attempt.problem.empty()) line += ": " + attempt.problem;
      text += wrap(line + (attempt.id == counts.id ? "; this one counts" : ""));
    }
    return text + partners(counts, mark.student.id);
  }

  std::string partners(const BookAttempt& attempt, RowId student) const {
    std::vector<RowId> others = attempt.students;
    std::erase(others, student);
    return others.empty() ? "" : wrap("handed in together with " + names_of(others));
  }

  std::string adjustments(const Mark& mark) const {
    std::string text;
    for (const BookAdjustment& adjustment : adjustments_) {
      if (adjustment.student != mark.student.id || adjustment.lab != mark.lab) continue;
      const std::string what = adjustment.late_days
                                   ? lateness_text(*adjustment.late_days)
                                   : fmt::format("{:+.1f} points{}", adjustment.points,
                                                 adjustment.bonus ? " bonus" : "");
      const bool outdated = std::ranges::count(mark.outdated, adjustment.id) > 0;
      text += wrap(fmt::format("{} by {}, {}{}: {}", what, adjustment.author, adjustment.at,
                               outdated ? ", for an earlier grade: does not count" : "",
                               adjustment.reason));
    }
    return text;
  }

  std::string result(const Mark& mark) const {
    const std::optional<BookResult> result = result_of(book_, mark);
    if (!result) return "";
    std::string text = run(*result) + sharers(*result, mark.student.id);
    const Expected<std::optional<Record>> record = record_of(book_, mark);
    if (!record) return text + wrap(record.error().str());
    const Record& shown = **record;
    text += wrap(made_with(shown));
    std::set<std::string> said;
    for (const Item& item : shown.items) {
      text += row(item);
      if (said.insert(item.message).second) text += message(item);
    }
    return text;
  }

  std::string run(const BookResult& result) const {
    const auto run = std::ranges::find(runs_, result.run, &BookRun::id);
    if (run == runs_.end()) return "";
    return wrap(fmt::format("graded {} by tessera {} on {}; isolation: {}", result.ended_at,
                            run->version, run->machine, run->isolation));
  }

  /// The students whose kernel is the same for the compiler, so that one run stands for all.
  std::string sharers(const BookResult& result, RowId student) const {
    const std::string ran = result.shared_from.empty() ? result.sha256 : result.shared_from;
    std::set<std::string> sources = {ran};
    for (const BookResult& other : results_) {
      if (other.lab == result.lab && other.shared_from == ran) sources.insert(other.sha256);
    }
    std::vector<RowId> others;
    for (const BookAttempt& attempt : attempts_) {
      if (attempt.lab != result.lab || !sources.contains(attempt.sha256)) continue;
      for (const RowId id : attempt.students) {
        if (id != student && std::ranges::count(others, id) == 0) others.push_back(id);
      }
    }
    if (others.empty()) return "";
    return wrap(fmt::format("the same program as {}: one run ({}) stands for all", names_of(others),
                            ran.substr(0, kShortHash)));
  }

  std::string names_of(const std::vector<RowId>& ids) const {
    std::vector<std::string> names;
    for (const BookStudent& student : students_) {
      if (std::ranges::count(ids, student.id) > 0) names.push_back(display_name(student.identity));
    }
    return listed(names);
  }

  std::string row(const Item& item) const {
    const std::string points = not_measured(item) ? "-" : fmt::format("{:.1f}", item.points);
    const int title_columns = width_ - 4 - kStatusColumns - kPointColumns;
    const std::string label = printable(item_label(item));
    return fmt::format("    {:<{}}{}{:>{}}\n", to_string(item.status), kStatusColumns,
                       padded(std::string(prefix_of_width(label, title_columns)), title_columns),
                       fmt::format("{} / {:5.1f}", points, item.max_points), kPointColumns);
  }

  std::string message(const Item& item) const {
    const std::string indent(4 + static_cast<std::size_t>(kStatusColumns), ' ');
    return item.message.empty() ? "" : wrapped(printable(item.message.str()), indent, width_);
  }

  const Book& book_;
  int width_;
  std::vector<BookStudent> students_;
  std::vector<BookAttempt> attempts_;
  std::vector<BookAdjustment> adjustments_;
  std::vector<BookRun> runs_;
  std::vector<BookResult> results_;
};

}  // namespace

std::string show_student(const Book& book, const std::vector<Mark>& marks, RowId student,
                         int width) {
  const StudentPage page(book, width);
  std::string text;
  for (const Mark& mark : marks) {
    if (mark.student.id != student) continue;
    if (text.empty()) text = heading(mark.student.identity, width);
    text += page.lab(mark);
  }
  return text;
}

}  // namespace tessera
