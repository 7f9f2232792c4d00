// What can be told of a grading that is still going on.
#pragma once

#include <vector>

#include "common/stopwatch.h"
#include "grader/judge/judge.h"
#include "grader/judge/points/weigh.h"

namespace tessera {

/// All items of a lab from the outcomes of its first cases. What the other cases decide is
/// `timeout`, worth nothing, and says that the grader was stopped before it came there: whoever
/// ends the grader early, or has it run out of time, must not win by it.
std::vector<Item> items_so_far(const Lab& lab, const std::vector<CaseOutcome>& outcomes);

/// `items` with those thresholds that `machine` is still to measure as items_so_far() has cases.
std::vector<Item> with_unmeasured(const Lab& lab, std::vector<Item> items, const Machine& machine);

/// Tells GradeOptions::on_progress, where there is one, what `record` would be with `items`.
class Progress {
 public:
  Progress(const Record& record, const GradeOptions& options)
      : record_(record), options_(options) {}

  void tell(std::vector<Item> items) const;
  bool is_wanted() const { return static_cast<bool>(options_.on_progress); }

 private:
  const Record& record_;
  const GradeOptions& options_;
  Stopwatch stopwatch_;
};

}  // namespace tessera
