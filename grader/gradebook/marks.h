// Attempts, results, lateness and adjustments -> one mark a student and lab.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/book.h"
#include "grader/lab/course.h"

namespace tessera {

enum class MarkState {
  missing,  // nothing was handed in
  waiting,  // handed in, not graded yet
  graded,
  infra,       // the grader failed: no mark, never a 0
  ungradable,  // handed in, but nothing that can be graded; `note` says why. Counts 0
};

/// What became of one attempt.
struct AttemptOutcome {
  RowId attempt = 0;
  std::string submitted_at = "";  // as BookAttempt
  MarkState state = MarkState::waiting;
  double raw = 0;            // points of the record, if it was graded
  double deferred = 0;       // of these, not measured
  std::string program = "";  // attempts with one program were one run; "" if there is no kernel
};

struct Mark {
  BookStudent student = {};
  std::string lab = "";
  double max_points = 0;
  MarkState state = MarkState::missing;
  std::optional<BookAttempt> attempt = {};   // the attempt that counts
  int attempts = 0;                          // how many there are
  std::vector<AttemptOutcome> history = {};  // all of them, as they were handed in
  double raw = 0;                            // points of the record
  double deferred = 0;                       // points of the record that were not measured
  double review = 0;            // points that a GPU or a person has to judge: 0 until one has
  bool other_review = false;    // another attempt has such points and may become the best
  double penalty = 0;           // for lateness, from 0 to raw
  double adjustment = 0;        // sum of the points given by hand to what counts
  double bonus = 0;             // sum of the bonuses: on top of all
  bool points_by_hand = false;  // a person gave points, perhaps 0, to what counts: that settles it
  /// Changes by hand that are about other work, or another grade of it, than what counts.
  std::vector<RowId> outdated = {};
  /// raw - penalty + adjustment, at most the lab's maximum if something is added; then the bonus.
  /// At least 0.
  double score = 0;
  bool late = false;  // after the due date, even if the grace makes it cost nothing
  std::optional<double> late_days = {};  // by how many days, if set by hand
  /// Late by an unknown time, and the course would take points for it: the penalty is 0 until the
  /// days are set by hand.
  bool penalty_unknown = false;
  bool stale = false;     // graded under an older version of the lab
  std::string note = "";  // why there is no mark; attempts that may still change it; reasons of
                          // adjustments

  /// Whether `score` is to be handed out: the lab was graded, cannot be, or points were given by
  /// hand for something that was not handed in or that the grader failed at.
  bool has_score() const;

  bool needs_review() const { return review > 0 || other_review; }

  bool changed_by_hand() const { return points_by_hand || bonus != 0 || late_days.has_value(); }
};

std::string days_text(double days);      // "1 day", "2.5 days"
std::string lateness_text(double days);  // "counted as 2 days late", "counted as not late"

/// The mark as it would be had the lab asked only for what could be measured: raw points and
/// penalty grow to the lab's maximum, what was changed by hand stays, nothing is deferred.
Mark scaled_to_measured(Mark mark);

/// Students of the course's extensions whom the book does not have.
std::vector<std::string> unknown_extensions(const Book& book, const Course& course);

/// Why extensions go to no student although the book has students of that name: sentences that say
/// what to write in course.yaml. An extension goes to the student whose number or address it names.
/// A name, which students can choose, is enough if only one student has it, in any spelling, and a
/// roster has it or nothing but the name is known of them.
std::vector<std::string> unclear_extensions(const Book& book, const Course& course);

/// One student's share of what could be won, 0 to 1 and more: labs by their weights. Missing counts
/// 0; waiting and infra are left out, and so are points that were not measured. Nothing if there is
/// nothing to count.
std::optional<double> course_total(const std::vector<const Mark*>& marks, const Course& course);

/// For every student and every lab of `course` that the book has, by student's name and the
/// course's order. An attempt of several students counts for each of them.
///
/// An attempt counts by the course's policy; `best` is by score after the penalty, the later of
/// equals, and any graded attempt before one that is not. Attempts that could not be graded count
/// only if there is no other. The later attempt is the one with the later submitted_at if all of a
/// student's attempts at the lab have one, else with the higher number if all have one, else the
/// one that came into the book later, or again.
///
/// Points by hand belong to the grade that was there when they were given, or to what had none
/// then: another attempt, or another grade of the same one, counts without them (`outdated`). A
/// bonus always counts. Late days by hand are those of the attempts that were there.
///
/// Lateness is from submitted_at and the due date, a student's own if there is an extension. The
/// budget's days go to the labs in the course's order, to the attempt that counts, as far as its
/// lateness would cost points. If either is unknown, the source's own flag counts as the course's
/// unknown_days. The last adjustment with late_days replaces the lateness of those of the student's
/// attempts at the lab that were there and late, or of all that were there if none was late. The
/// penalty is a share of the record's maximum.
std::vector<Mark> marks(const Book& book, const Course& course);

}  // namespace tessera
