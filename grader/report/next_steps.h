// What to try next: a record's most useful repairs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"

namespace tessera {

struct NextStep {
  std::string goal;                  // "race in line 20", "barriers at most 1,024"
  std::string advice;                // what to do
  int line = 0;                      // of the submission; 0 if none is known
  std::optional<std::size_t> cause;  // which of `causes` it repairs
};

/// At most three steps in the order to take them: errors that do not come `after` another, then
/// counters that miss their goal, then times, then lines that cost more than they need to but no
/// points. Empty if nothing is left to do or the grader failed.
std::vector<NextStep> next_steps(const Record& record, const std::vector<Cause>& causes);

}  // namespace tessera
