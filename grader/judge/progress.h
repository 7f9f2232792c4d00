// Reports on a grading that is still going on.
#pragma once

#include <vector>

#include "common/stopwatch.h"
#include "grader/judge/judge.h"
#include "grader/judge/points/weigh.h"

namespace tessera {

/// All items of a lab from the outcomes of its first cases. Items that the other cases decide are
/// `timeout`, worth nothing, and say that the grader was stopped before it came to them: a
/// submission that ends the grader early, or makes it run out of time, must not win by it.
std::vector<Item> items_so_far(const Lab& lab, const std::vector<CaseOutcome>& outcomes);

/// `items`, in which thresholds that are still to be measured on `machine` are `timeout`, as in
/// items_so_far().
std::vector<Item> with_unmeasured(const Lab& lab, std::vector<Item> items, const Machine& machine);

/// Reports a record to GradeOptions::on_progress, if that is set.
class Progress {
 public:
  Progress(const Record& record, const GradeOptions& options)
      : record_(record), options_(options) {}

  /// Reports what the record would be with `items`.
  void report(std::vector<Item> items) const;
  bool is_wanted() const { return static_cast<bool>(options_.on_progress); }

 private:
  const Record& record_;
  const GradeOptions& options_;
  Stopwatch stopwatch_;
};

}  // namespace tessera
