#include "grader/gradebook/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "common/text.h"
#include "grader/gradebook/display_name.h"
#include "grader/gradebook/intake/roster.h"

namespace tessera {
namespace {

constexpr double kSecondsPerDay = 24 * 3600;

/// An attempt with all that decides whether it is the one that counts.
struct Candidate {
  const BookAttempt* attempt = nullptr;
  MarkState state = MarkState::waiting;
  std::optional<UnixTime> submitted = {};
  const BookResult* result = nullptr;  // if the state is `graded`
  bool late = false;
  std::optional<double> seconds_late = {};  // if known
  double penalty = 0;
  double budget_days = 0;  // of the student's late days, spent on this attempt
  bool penalty_unknown = false;
  bool days_by_hand = false;
  std::optional<double> by_hand = {};  // points given by hand to this grade, or to none

  double points() const {
    return (result == nullptr ? 0 : result->score - penalty) + by_hand.value_or(0);
  }

  double open_points() const { return result == nullptr || by_hand ? 0 : result->review; }
};

/// What the book holds for one student and lab.
struct Entry {
  std::vector<const BookAttempt*> attempts;  // as they came
  std::vector<const BookAdjustment*> adjustments;
};

/// The book's tables, each read once, and indexes into them.
class Tables {
 public:
  explicit Tables(const Book& book) {
    book.snapshot([&] {
      assignments = book.assignments();
      students = book.students();
      attempts_ = book.attempts();
      results_ = book.accepted_results();
      adjustments_ = book.adjustments();
    });
    for (const BookAttempt& attempt : attempts_) {
      for (const RowId student : attempt.students) {
        entries_[{student, attempt.lab}].attempts.push_back(&attempt);
      }
    }
    for (const BookAdjustment& adjustment : adjustments_) {
      entries_[{adjustment.student, adjustment.lab}].adjustments.push_back(&adjustment);
    }
    for (const BookResult& result : results_) index_[{result.lab, result.sha256}] = &result;
  }

  const Entry& entry(RowId student, const std::string& lab) const {
    static const Entry nothing;
    const auto found = entries_.find({student, lab});
    return found == entries_.end() ? nothing : found->second;
  }

  /// The accepted result, or null.
  const BookResult* result(const BookAttempt& attempt) const {
    const auto found = index_.find({attempt.lab, attempt.sha256});
    return found == index_.end() ? nullptr : found->second;
  }

  std::vector<BookAssignment> assignments;
  std::vector<BookStudent> students;

 private:
  std::vector<BookAttempt> attempts_;
  std::vector<BookResult> results_;
  std::vector<BookAdjustment> adjustments_;
  std::map<std::pair<RowId, std::string>, Entry> entries_;
  std::map<std::pair<std::string, std::string>, const BookResult*> index_;
};

Candidate candidate_of(const BookAttempt& attempt, const BookResult* result, const CourseLab& lab) {
  Candidate candidate{.attempt = &attempt, .late = attempt.late};
  candidate.submitted = parse_time(attempt.submitted_at);
  if (candidate.submitted && lab.due) {
    candidate.seconds_late = static_cast<double>(*candidate.submitted - lab.due->time);
    candidate.late = *candidate.seconds_late > 0;
  }
  if (!attempt.problem.empty()) {
    candidate.state = MarkState::ungradable;
  } else if (result != nullptr) {
    candidate.state = result->infra ? MarkState::infra : MarkState::graded;
  }
  if (candidate.state == MarkState::graded) candidate.result = result;
  return candidate;
}

/// The last adjustment that says by how many days the work is late, or null.
const BookAdjustment* late_days_of(const std::vector<const BookAdjustment*>& adjustments) {
  const BookAdjustment* last = nullptr;
  for (const BookAdjustment* adjustment : adjustments) {
    if (adjustment->late_days) last = adjustment;
  }
  return last;
}

/// Days set by hand replace the system's, for the attempts that were there. An attempt in time
/// stays so if another one is late: the days are about the late one.
void set_lateness(std::vector<Candidate>& candidates, const BookAdjustment& said) {
  const auto was_there = [&](const Candidate& candidate) {
    return candidate.attempt->id <= said.last_attempt;
  };
  const bool some_late = std::ranges::any_of(candidates, [&](const Candidate& candidate) {
    return candidate.late && was_there(candidate);
  });
  for (Candidate& candidate : candidates) {
    if (!was_there(candidate) || (some_late && !candidate.late)) continue;
    candidate.late = *said.late_days > 0;
    candidate.seconds_late = *said.late_days * kSecondsPerDay;
    candidate.days_by_hand = true;
  }
}

/// Whether the points were given for what the candidate is now: this grade of it or, if it has
/// none, this attempt or whatever would be handed in.
bool is_about(const BookAdjustment& adjustment, const Candidate& candidate) {
  if (candidate.result == nullptr) {
    return adjustment.grades.empty() || candidate.attempt->id <= adjustment.last_attempt;
  }
  return std::ranges::any_of(adjustment.grades, [&](const AdjustedGrade& grade) {
    return grade.sha256 == candidate.result->sha256 && grade.score == candidate.result->score &&
           grade.review == candidate.result->review;
  });
}

bool gives_points(const BookAdjustment& adjustment) {
  return !adjustment.late_days && !adjustment.bonus;
}

void give_points(Candidate& candidate, const std::vector<const BookAdjustment*>& adjustments) {
  if (candidate.state == MarkState::waiting) return;
  for (const BookAdjustment* adjustment : adjustments) {
    if (gives_points(*adjustment) && is_about(*adjustment, candidate))
      candidate.by_hand = candidate.by_hand.value_or(0) + adjustment->points;
  }
}

/// `budget`: late days that the student has left.
void take_penalty(Candidate& candidate, const LatePolicy& policy, double budget) {
  if (candidate.result == nullptr || !candidate.late) return;
  std::optional<double> seconds = candidate.seconds_late;
  if (!seconds && policy.unknown_days) seconds = *policy.unknown_days * kSecondsPerDay;
  if (!seconds) {
    candidate.penalty_unknown = policy.costs() && candidate.result->score > 0;
    return;
  }
  const double max_score = candidate.result->max_score;
  if (policy.penalty(*seconds, max_score) > 0 && candidate.result->score > 0)
    candidate.budget_days = std::min(budget, policy.days_begun(*seconds));
  candidate.penalty =
      std::min(policy.penalty(*seconds, max_score, candidate.budget_days), candidate.result->score);
}

/// Keeps those that `wanted` holds for, if there are any.
template <class Wanted>
void prefer(std::vector<Candidate>& candidates, Wanted wanted) {
  if (std::ranges::any_of(candidates, wanted)) std::erase_if(candidates, std::not_fn(wanted));
}

/// The order in which attempts were handed in; `candidates` are as they came into the book.
void sort_by_time(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, {},
                           [](const Candidate& candidate) { return candidate.attempt->seen; });
  const auto timed = [](const Candidate& candidate) { return candidate.submitted.has_value(); };
  const auto counted = [](const Candidate& candidate) { return candidate.attempt->number > 0; };
  if (std::ranges::all_of(candidates, timed)) {
    std::ranges::stable_sort(candidates, {}, [](const Candidate& candidate) {
      return std::pair(*candidate.submitted, candidate.attempt->number);
    });
  } else if (std::ranges::all_of(candidates, counted)) {
    std::ranges::stable_sort(candidates, {},
                             [](const Candidate& candidate) { return candidate.attempt->number; });
  }
}

AttemptOutcome outcome_of(const Candidate& candidate) {
  AttemptOutcome outcome;
  outcome.attempt = candidate.attempt->id;
  outcome.submitted_at = candidate.attempt->submitted_at;
  outcome.state = candidate.state;
  outcome.program = candidate.attempt->sha256;
  if (candidate.result == nullptr) return outcome;
  outcome.raw = candidate.result->score;
  outcome.deferred = candidate.result->deferred;
  if (!candidate.result->shared_from.empty()) outcome.program = candidate.result->shared_from;
  return outcome;
}

/// The candidate that counts; `candidates` are not empty and in the order they were handed in.
Candidate chosen(std::vector<Candidate> candidates, AttemptPolicy policy) {
  prefer(candidates, [&](const Candidate& candidate) {
    const bool judged = policy == AttemptPolicy::best && candidate.by_hand;
    return candidate.state != MarkState::ungradable || judged;
  });
  if (policy == AttemptPolicy::active) {
    const auto download = [](const Candidate& candidate) { return candidate.attempt->download; };
    const std::int64_t newest = download(*std::ranges::max_element(candidates, {}, download));
    prefer(candidates, [&](const Candidate& candidate) { return download(candidate) == newest; });
  }
  if (policy == AttemptPolicy::best) {
    prefer(candidates, [](const Candidate& candidate) {
      return candidate.state == MarkState::graded || candidate.by_hand.has_value();
    });
    std::ranges::stable_sort(candidates, {}, &Candidate::points);
  }
  return candidates.back();
}

std::string reason_of(const Mark& mark) {
  switch (mark.state) {
    case MarkState::waiting:
      return "not graded yet";
    case MarkState::infra:
      return "the grader failed; grade again";
    case MarkState::ungradable:
      return mark.attempt->problem;
    case MarkState::missing:
    case MarkState::graded:
      break;
  }
  return "";
}

/// "one more attempt is not graded yet": another attempt may still become the best.
std::string open_attempts(const std::vector<Candidate>& candidates, const Mark& mark) {
  if (mark.state != MarkState::graded) return "";
  const auto open = std::ranges::count_if(candidates, [](const Candidate& candidate) {
    return candidate.state == MarkState::waiting || candidate.state == MarkState::infra;
  });
  if (open == 0) return "";
  return fmt::format("{} more {} not graded yet", open, open == 1 ? "attempt is" : "attempts are");
}

void add_note(Mark& mark, const std::string& text) {
  if (!text.empty()) mark.note += (mark.note.empty() ? "" : "; ") + text;
}

/// "2 more attempts have points to be judged": one of them may become the best by that.
std::string open_reviews(const std::vector<Candidate>& candidates, const Candidate& counted) {
  const auto open = std::ranges::count_if(candidates, [&](const Candidate& candidate) {
    return candidate.attempt != counted.attempt && candidate.open_points() > 0 &&
           candidate.points() + candidate.open_points() > counted.points();
  });
  if (open == 0) return "";
  return fmt::format("{} more {} points that a GPU or a person has to judge", open,
                     open == 1 ? "attempt has" : "attempts have");
}

/// Whether the change applies to what counts; `counted` is null if nothing was handed in.
bool is_in_force(const BookAdjustment& adjustment, const Candidate* counted) {
  if (adjustment.bonus || counted == nullptr) return true;
  if (adjustment.late_days) return counted->attempt->id <= adjustment.last_attempt;
  return is_about(adjustment, *counted);
}

void adjust(Mark& mark, const std::vector<const BookAdjustment*>& adjustments,
            const Candidate* counted) {
  for (const BookAdjustment* adjustment : adjustments) {
    const bool in_force = is_in_force(*adjustment, counted);
    if (!in_force) mark.outdated.push_back(adjustment->id);
    if (adjustment->bonus) mark.bonus += adjustment->points;
    if (gives_points(*adjustment) && in_force) {
      mark.adjustment += adjustment->points;
      mark.points_by_hand = true;
    }
    const std::string what = adjustment->late_days ? lateness_text(*adjustment->late_days)
                                                   : fmt::format("{:+}", adjustment->points);
    const std::string about = adjustment->late_days ? " for earlier work" : " for an earlier grade";
    add_note(mark, fmt::format("{}{} by {}{}: {}", what, adjustment->bonus ? " bonus" : "",
                               adjustment->author, in_force ? "" : about, adjustment->reason));
  }
}

double score_of(const Mark& mark) {
  const double won = mark.raw - mark.penalty;
  const double most = std::max(won, mark.max_points);
  return std::max(0.0, std::min(won + mark.adjustment, most) + mark.bonus);
}

void count_attempt(Mark& mark, const Candidate& candidate, const BookAssignment& assignment) {
  mark.attempt = *candidate.attempt;
  mark.state = candidate.state;
  mark.late = candidate.late;
  mark.penalty = candidate.penalty;
  mark.penalty_unknown = candidate.penalty_unknown;
  if (candidate.result == nullptr) return;
  mark.raw = candidate.result->score;
  mark.deferred = candidate.result->deferred;
  mark.review = candidate.open_points();
  mark.stale = candidate.result->lab_hash != assignment.lab_hash;
}

/// One lab of the course that the book has.
struct Column {
  CourseLab lab;
  BookAssignment assignment;
};

std::vector<Column> columns_of(const Course& course, const Tables& tables) {
  std::vector<Column> columns;
  for (const CourseLab& lab : course.labs) {
    const auto found = std::ranges::find(tables.assignments, lab.id, &BookAssignment::lab);
    if (found != tables.assignments.end()) columns.push_back({lab, *found});
  }
  return columns;
}

double weight_of(const Course& course, const std::string& lab) {
  const auto found = std::ranges::find(course.labs, lab, &CourseLab::id);
  return found == course.labs.end() ? 1 : found->weight;
}

bool has_number(const Identity& person, const std::string& word) {
  for (const std::string* number : {&person.email, &person.login, &person.sis_id, &person.canvas_id,
                                    &person.moodle_id, &person.github}) {
    if (!number->empty() && lower_case(*number) == lower_case(word)) return true;
  }
  return false;
}

bool has_name(const Identity& person, const std::string& word) {
  return !person.name.empty() && lower_case(person.name) == lower_case(word);
}

/// The students whom an extension may mean.
struct Meant {
  std::vector<const BookStudent*> students;
  bool by_name = false;
};

Meant meant(const std::vector<BookStudent>& students, const std::string& word) {
  Meant meant;
  for (const BookStudent& student : students) {
    if (has_number(student.identity, word)) meant.students.push_back(&student);
  }
  const bool is_name = std::ranges::any_of(
      students, [&](const BookStudent& student) { return has_name(student.identity, word); });
  meant.by_name = meant.students.empty() && is_name;
  if (!meant.by_name) return meant;
  const std::set<std::string> forms = name_forms(word);
  for (const BookStudent& student : students) {
    const std::set<std::string> others = name_forms(student.identity.name);
    const bool alike =
        std::ranges::any_of(others, [&](const std::string& form) { return forms.contains(form); });
    if (alike || has_name(student.identity, word)) meant.students.push_back(&student);
  }
  return meant;
}

/// Why the extension is not given to those whom it may mean; "" if it is.
std::string refusal(const Meant& meant, const std::string& word) {
  if (meant.students.empty()) return "";
  const BookStudent& first = *meant.students.front();
  if (meant.students.size() > 1) {
    return fmt::format(
        "the extension for '{}' may be of {} or of {}; write an email or a number in its place",
        word, distinct_name(first.identity), distinct_name(meant.students[1]->identity));
  }
  const Identity& person = first.identity;
  const bool name_is_all =
      (person.email + person.login + person.sis_id + person.canvas_id + person.github).empty();
  if (!meant.by_name || first.on_roster || name_is_all) return "";
  return fmt::format(
      "the extension for '{}' is by a name, which students can choose, and no roster has it: write "
      "an email or a number in its place, or run batch with --roster; the gradebook has {}",
      word, distinct_name(person));
}

/// Due dates of students' own, by student and lab.
using DueDates = std::map<std::pair<RowId, std::string>, ZonedTime>;

DueDates extended(const std::vector<BookStudent>& students, const Course& course) {
  DueDates dates;
  for (const Extension& extension : course.extensions) {
    const Meant whose = meant(students, extension.student);
    if (whose.students.empty() || !refusal(whose, extension.student).empty()) continue;
    dates.insert_or_assign({whose.students.front()->id, extension.lab}, extension.until);
  }
  return dates;
}

/// The lab as it is due for one student.
CourseLab lab_of(const DueDates& extended, RowId student, CourseLab lab) {
  const auto found = extended.find({student, lab.id});
  if (found != extended.end()) lab.due = found->second;
  return lab;
}

/// `budget`: late days that the student has left; what this lab spends is subtracted.
Mark mark_of(const Tables& tables, const Course& course, const DueDates& extended,
             const BookStudent& student, const Column& column, double& budget) {
  const CourseLab lab = lab_of(extended, student.id, column.lab);
  Mark mark{.student = student, .lab = column.lab.id, .max_points = column.assignment.max_points};
  const Entry& entry = tables.entry(student.id, mark.lab);
  mark.attempts = static_cast<int>(entry.attempts.size());
  std::vector<Candidate> candidates;
  for (const BookAttempt* attempt : entry.attempts) {
    candidates.push_back(candidate_of(*attempt, tables.result(*attempt), lab));
  }
  const BookAdjustment* const days = late_days_of(entry.adjustments);
  if (days != nullptr) set_lateness(candidates, *days);
  for (Candidate& candidate : candidates) {
    take_penalty(candidate, course.late, budget);
    give_points(candidate, entry.adjustments);
  }
  sort_by_time(candidates);
  std::ranges::transform(candidates, std::back_inserter(mark.history), outcome_of);
  std::optional<Candidate> counted;
  if (!candidates.empty()) {
    counted = chosen(candidates, course.attempts);
    count_attempt(mark, *counted, column.assignment);
    if (counted->days_by_hand) mark.late_days = days->late_days;
    budget -= counted->budget_days;
    if (counted->budget_days > 0)
      add_note(mark, fmt::format("{} taken from the budget", days_text(counted->budget_days)));
    add_note(mark, reason_of(mark));
    if (course.attempts == AttemptPolicy::best) {
      add_note(mark, open_attempts(candidates, mark));
      const std::string reviews = open_reviews(candidates, *counted);
      mark.other_review = !reviews.empty();
      add_note(mark, reviews);
    }
  }
  adjust(mark, entry.adjustments, counted ? &*counted : nullptr);
  mark.score = score_of(mark);
  return mark;
}

}  // namespace

std::vector<std::string> unknown_extensions(const Book& book, const Course& course) {
  const std::vector<BookStudent> students = book.students();
  std::vector<std::string> unknown;
  for (const Extension& extension : course.extensions) {
    if (meant(students, extension.student).students.empty()) unknown.push_back(extension.student);
  }
  return unknown;
}

std::vector<std::string> unclear_extensions(const Book& book, const Course& course) {
  const std::vector<BookStudent> students = book.students();
  std::vector<std::string> unclear;
  for (const Extension& extension : course.extensions) {
    const std::string why = refusal(meant(students, extension.student), extension.student);
    if (!why.empty()) unclear.push_back(why);
  }
  return unclear;
}

std::string days_text(double days) {
  return fmt::format("{} {}", days, days == 1 ? "day" : "days");
}

std::string lateness_text(double days) {
  return days > 0 ? fmt::format("counted as {} late", days_text(days)) : "counted as not late";
}

bool Mark::has_score() const {
  if (state == MarkState::graded || state == MarkState::ungradable) return true;
  return (state != MarkState::waiting && points_by_hand) ||
         (state == MarkState::missing && bonus != 0);
}

Mark scaled_to_measured(Mark mark) {
  const double measured = mark.max_points - mark.deferred;
  if (mark.deferred <= 0 || measured <= 0) return mark;
  const double factor = mark.max_points / measured;
  mark.raw *= factor;
  mark.penalty *= factor;
  mark.deferred = 0;
  mark.score = score_of(mark);
  return mark;
}

std::optional<double> course_total(const std::vector<const Mark*>& marks, const Course& course) {
  double won = 0;
  double possible = 0;
  for (const Mark* mark : marks) {
    const double measured = mark->max_points - mark->deferred;
    const bool counts = mark->has_score() || mark->state == MarkState::missing;
    if (!counts || measured <= 0) continue;
    const double weight = weight_of(course, mark->lab);
    won += weight * mark->score / measured;
    possible += weight;
  }
  return possible > 0 ? std::optional(won / possible) : std::nullopt;
}

std::vector<Mark> marks(const Book& book, const Course& course) {
  const Tables tables(book);
  const std::vector<Column> columns = columns_of(course, tables);
  const DueDates dates = extended(tables.students, course);
  std::vector<Mark> marks;
  marks.reserve(tables.students.size() * columns.size());
  for (const BookStudent& student : tables.students) {
    double budget = course.late.budget_days;
    for (const Column& column : columns) {
      marks.push_back(mark_of(tables, course, dates, student, column, budget));
    }
  }
  return marks;
}

}  // namespace tessera
