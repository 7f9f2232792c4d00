#include "grader/gradebook/report/class_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_letters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/judge/diagnosis/words.h"

namespace tessera {
namespace {

constexpr std::size_t kReasons = 3;  // shown for an item; more would repeat the same

/// What a report needs of one record.
struct Digest {
  std::vector<Item> items;
  std::vector<std::string> reasons;  // of items
  std::vector<MadeMistake> mistakes;
};

std::string finding_reason(const Finding& finding) {
  std::string text(to_string(finding.kind));
  const auto diagnosis = diagnosis_word(finding);
  if (!diagnosis.empty()) text += " " + diagnosis;
  if (finding.line > 0) text += fmt::format(" line {}", finding.line);
  return text;
}

/// The kinds and lines of what cost points; else the grader's message. `with_text`: whether it may
/// hold words of a submission.
std::string reason_of(const Item& item, bool with_text) {
  if (item.status == Status::pass || item.status == Status::skipped) return "";
  std::vector<std::string> reasons;
  for (const Finding& finding : item.findings) {
    if (finding.severity != Severity::error) continue;
    const std::string reason =
        with_text ? finding_reason(finding) : std::string(to_string(finding.kind));
    if (std::ranges::count(reasons, reason) == 0) reasons.push_back(reason);
  }
  if (!reasons.empty()) return listed(reasons, kReasons);
  return with_text ? item.message : "";
}

bool is_just_the_records(const Mark& mark) {
  return mark.state == MarkState::graded && mark.penalty <= 0 && !mark.changed_by_hand() &&
         !mark.late && !mark.stale && mark.note.empty();
}

class Maker {
 public:
  Maker(const Book& book, const Course& course, const ClassReportRequest& request)
      : book_(book), course_(course), request_(request) {}

  ClassReport make(const std::vector<Mark>& marks) {
    report_.course = course_.title;
    report_.made_at = request_.now;
    report_.anonymous = !request_.with_names;
    report_.policy = policy_text(course_);
    for (const std::string& lab : labs_of(marks)) add_lab(lab);
    for (const StudentMarks& student : by_student(marks)) add_student(student);
    for (std::size_t i = 0; i < report_.labs.size(); ++i) finish(report_.labs[i], tallies_[i]);
    list_troubled();
    report_.letters = letters_of(marks);
    add_unreadable();
    return std::move(report_);
  }

 private:
  /// What is counted of one lab.
  struct Tally {
    ItemTally items;
    std::vector<double> scores;
    std::map<Mistake, CommonMistake> mistakes;
    std::vector<std::string> known;  // words of the lab
  };

  void add_lab(const std::string& id) {
    LabReport lab;
    lab.id = id;
    lab.title = title_of(book_, id);
    lab.due = due_date(course_, id);
    report_.labs.push_back(std::move(lab));
    const auto found = std::ranges::find(request_.labs, id, &Lab::id);
    const Lab* const known = found == request_.labs.end() ? nullptr : &*found;
    tallies_.push_back({.items = {},
                        .scores = {},
                        .mistakes = {},
                        .known = known == nullptr ? std::vector<std::string>() : words_of(*known)});
  }

  /// The words of a lab: "A.data" is the operand and a word that every kernel has.
  static std::vector<std::string> words_of(const Lab& lab) {
    std::vector<std::string> words = {lab.kernel};
    for (const std::string& argument : lab.arguments)
      words.push_back(argument.substr(0, argument.find('.')));
    return words;
  }

  void add_student(const StudentMarks& student) {
    StudentReport row;
    row.name = display_name(student.student.identity);
    row.section = student.student.identity.section;
    row.total = course_total(student.marks, course_);
    for (const Mark* mark : student.marks) row.marks.push_back(mark_report(*mark));
    report_.students.push_back(std::move(row));
  }

  MarkReport mark_report(const Mark& mark) {
    const auto found = std::ranges::find(report_.labs, mark.lab, &LabReport::id);
    const auto at = static_cast<std::size_t>(found - report_.labs.begin());
    MarkReport row;
    row.lab = at;
    row.state = mark.state;
    row.number = mark_number(mark);
    row.letters = mark_letters(mark);
    row.attempts = mark.attempts;
    if (!is_just_the_records(mark)) row.how = mark_lines(mark, course_);
    row.standing = standing_of(mark, parse_time(found->due), request_.now);
    if (mark.attempt) {
      row.submitted_at = mark.attempt->submitted_at;
      const auto counted =
          std::ranges::find(mark.history, mark.attempt->id, &AttemptOutcome::attempt);
      row.counted = static_cast<int>(counted - mark.history.begin()) + 1;
    }
    count(mark, *found, tallies_[at]);
    if (const Digest* digest = digest_of(mark, tallies_[at].known)) {
      ++found->kernels;
      row.items = add_record(*digest, tallies_[at]);
    }
    return row;
  }

  static void count(const Mark& mark, LabReport& lab, Tally& tally) {
    lab.max_points = mark.max_points;
    ++lab.states[static_cast<std::size_t>(mark.state)];
    lab.late += mark.late ? 1 : 0;
    lab.stale += mark.stale ? 1 : 0;
    lab.deferred += mark.deferred > 0 ? 1 : 0;
    lab.review += mark.needs_review() ? 1 : 0;
    if (mark.has_score()) tally.scores.push_back(mark.score);
  }

  /// Null if there is no record, or none that can be read. A record that several students share is
  /// read once.
  const Digest* digest_of(const Mark& mark, const std::vector<std::string>& known) {
    if (!mark.attempt || mark.attempt->sha256.empty()) return nullptr;
    const auto [entry, fresh] = digests_.try_emplace({mark.lab, mark.attempt->sha256});
    if (fresh) entry->second = read_digest(mark, known);
    return entry->second.get();
  }

  std::unique_ptr<Digest> read_digest(const Mark& mark, const std::vector<std::string>& known) {
    Expected<std::optional<Record>> record = record_of(book_, mark);
    if (!record) unreadable_.push_back(record.error().str());
    if (!record || !*record) return nullptr;
    auto digest = std::make_unique<Digest>();
    digest->mistakes = mistakes_of(**record, known);
    for (Item& item : (*record)->items) {
      digest->reasons.push_back(reason_of(item, request_.with_names));
      item.findings.clear();
      digest->items.push_back(std::move(item));
    }
    return digest;
  }

  std::vector<ItemOutcome> add_record(const Digest& digest, Tally& tally) {
    std::vector<ItemOutcome> outcomes;
    for (std::size_t i = 0; i < digest.items.size(); ++i) {
      const Item& item = digest.items[i];
      outcomes.push_back({tally.items.add(item), item.status, item.points, digest.reasons[i]});
    }
    add_mistakes(digest, tally);
    return outcomes;
  }

  /// Adds the mistakes of the student who is being added.
  void add_mistakes(const Digest& digest, Tally& tally) {
    const std::size_t student = report_.students.size();
    for (const MadeMistake& made : digest.mistakes) {
      Mistake mistake = made.mistake;
      if (!request_.with_names) mistake.pattern.clear();
      CommonMistake& common = tally.mistakes[mistake];
      common.mistake = mistake;
      if (common.quoted.empty() && request_.with_names) common.quoted = made.quoted;
      if (common.students.empty() || common.students.back() != student)
        common.students.push_back(student);
    }
  }

  static void finish(LabReport& lab, const Tally& tally) {
    lab.scores = distribution_of(tally.scores);
    if (lab.max_points > 0)
      lab.histogram = histogram(tally.scores, lab.max_points, kHistogramParts);
    lab.items = tally.items.items();
    lab.mistakes = by_kind(tally.mistakes);
  }

  static std::vector<MistakeKind> by_kind(const std::map<Mistake, CommonMistake>& mistakes) {
    std::vector<MistakeKind> kinds;
    std::map<FindingKind, std::set<std::size_t>> students;
    for (const auto& [mistake, common] : mistakes) {  // by kind first
      if (kinds.empty() || kinds.back().kind != mistake.kind)
        kinds.push_back({.kind = mistake.kind, .mistakes = {}});
      kinds.back().mistakes.push_back(common);
      students[mistake.kind].insert(common.students.begin(), common.students.end());
    }
    for (MistakeKind& kind : kinds) {
      kind.students = students[kind.kind].size();
      std::ranges::stable_sort(kind.mistakes, std::greater<>(), [](const CommonMistake& mistake) {
        return mistake.students.size();
      });
    }
    std::ranges::stable_sort(kinds, std::greater<>(), &MistakeKind::students);
    return kinds;
  }

  void list_troubled() {
    for (std::size_t s = 0; s < report_.students.size(); ++s) {
      const std::vector<MarkReport>& marks = report_.students[s].marks;
      for (std::size_t m = 0; m < marks.size(); ++m) {
        const std::vector<Trouble>& troubles = marks[m].standing.troubles;
        for (const Trouble trouble : troubles)
          ++report_.troubles[static_cast<std::size_t>(trouble)];
        if (!troubles.empty()) report_.troubled.push_back({s, m});
      }
    }
    std::ranges::stable_sort(report_.troubled, {}, [&](const TroubledMark& troubled) {
      const Standing& standing = report_.students[troubled.student].marks[troubled.mark].standing;
      const Trouble worst = standing.troubles.front();
      return std::tuple(worst, worst == Trouble::no_gain ? -standing.without_gain : 0,
                        worst == Trouble::same_again ? -standing.same : 0);
    });
  }

  void add_unreadable() {
    if (unreadable_.empty()) return;
    if (request_.with_names) {
      std::ranges::move(unreadable_, std::back_inserter(report_.notes));
    } else {
      report_.notes.push_back(fmt::format(
          "{} records cannot be read; a report with names says which", unreadable_.size()));
    }
  }

  const Book& book_;
  const Course& course_;
  const ClassReportRequest& request_;
  ClassReport report_;
  std::vector<Tally> tallies_;  // of report_.labs
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Digest>> digests_;
  std::vector<std::string> unreadable_;
};

}  // namespace

ClassReport class_report(const Book& book, const Course& course, const std::vector<Mark>& marks,
                         const ClassReportRequest& request) {
  return Maker(book, course, request).make(marks);
}

}  // namespace tessera
