// Thresholds on time, measured on a GPU.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/judge.h"
#include "grader/judge/program.h"

namespace tessera {

/// Measures the performance items that are `deferred`, where `options.gpu` can: sets status,
/// points, message and metrics. The outputs of timed launches are verified; a wrong one fails the
/// item. What this card cannot tell (a time that is set for another) stays deferred; an unstable
/// clock makes it deferred with that word. `module` is what machine_code() gives.
void measure_performance(const Lab& lab, const Program& program, const std::string& module,
                         const GradeOptions& options, std::vector<Item>& items);

}  // namespace tessera
