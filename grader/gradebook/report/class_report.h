// Everything that a report on a class shows, as numbers and words in one struct, made from the book
// once.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/gradebook/book.h"
#include "grader/gradebook/distribution.h"
#include "grader/gradebook/item_tally.h"
#include "grader/gradebook/marks.h"
#include "grader/gradebook/report/mistakes.h"
#include "grader/gradebook/report/standing.h"
#include "grader/lab/course.h"
#include "grader/lab/lab.h"

namespace tessera {

constexpr int kHistogramParts = 10;

/// A mistake and the students whose marks have it.
struct CommonMistake {
  Mistake mistake;
  std::string quoted;                 // the line of the first student; "" if it must not be shown
  std::vector<std::size_t> students;  // indexes into ClassReport::students, rising
};

/// All mistakes with findings of one kind.
struct MistakeKind {
  FindingKind kind = FindingKind::wrong_result;
  std::size_t students = 0;             // who make at least one of them
  std::vector<CommonMistake> mistakes;  // the most frequent first
};

struct LabReport {
  std::string id;
  std::string title;
  double max_points = 0;
  std::string due;                 // "2026-10-01T21:59:03Z" or ""
  std::array<int, 5> states = {};  // by MarkState
  int late = 0;
  int stale = 0;
  int review = 0;                      // marks with points that a GPU or a person has to judge
  int deferred = 0;                    // marks that lack points which could not be measured
  std::optional<Distribution> scores;  // of marks that have one, after lateness and changes by hand
  std::vector<int> histogram;          // of these scores, in kHistogramParts
  std::vector<ItemCounts> items;       // of the attempts that count
  int kernels = 0;                     // records of these attempts
  std::vector<MistakeKind> mistakes;   // the most frequent first
};

/// How one item of a mark ended.
struct ItemOutcome {
  std::size_t item = 0;  // into LabReport::items
  Status status = Status::fail;
  double points = 0;
  std::string reason;  // "race line 23, wrong-result"; "" if it passed or there is nothing to say
};

struct MarkReport {
  std::size_t lab = 0;  // into ClassReport::labs
  MarkState state = MarkState::missing;
  std::string number;   // mark_number()
  std::string letters;  // mark_letters()
  int attempts = 0;
  int counted = 0;           // the number of the attempt that counts, from 1; 0 if there is none
  std::string submitted_at;  // of that attempt; or ""
  std::vector<std::string> how;  // mark_lines(); none if the score is just the record's
  std::vector<ItemOutcome> items;
  Standing standing;
};

struct StudentReport {
  std::string name;
  std::string section;
  std::optional<double> total;    // course_total() of the labs of this report
  std::vector<MarkReport> marks;  // one a lab
};

/// A mark with at least one Trouble.
struct TroubledMark {
  std::size_t student = 0;  // into ClassReport::students
  std::size_t mark = 0;     // into StudentReport::marks
};

struct ClassReport {
  std::string course;  // its title, or ""
  UnixTime made_at = 0;
  bool anonymous = false;
  std::vector<std::string> policy;  // sentences: which attempt counts, what late work costs
  std::vector<LabReport> labs;
  std::vector<StudentReport> students;
  std::vector<TroubledMark> troubled;                      // most attempts without gain first
  std::array<int, 5> troubles = {};                        // how many marks have it, by Trouble
  std::vector<std::pair<char, std::string_view>> letters;  // of marks, with what they mean
  std::vector<std::string> notes;  // what is missing from the report, and why
};

struct ClassReportRequest {
  std::vector<Lab> labs;   // as they are now, for their names; a lab that is missing here has none
  bool with_names = true;  // else `marks` are anonymised(), and nothing of a submission is shown
  UnixTime now = 0;
};

/// The report on `marks`, which have the same labs for every student. A record that cannot be read
/// is a note.
ClassReport class_report(const Book& book, const Course& course, const std::vector<Mark>& marks,
                         const ClassReportRequest& request);

/// Sentences on which attempt counts and what late work costs.
std::vector<std::string> policy_text(const Course& course);

}  // namespace tessera
