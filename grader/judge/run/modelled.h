// Thresholds on the simulator's modelled time: the same on every machine, with or without a GPU.
#pragma once

#include <vector>

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"

namespace tessera {

/// Decides the performance items on modelled_time_ms that are `deferred`: sets status, points,
/// message and metrics. Ranges under `devices` count if `options.machine.device` is named there. If
/// a block of the launch stops, the model has no time, and the item fails.
void model_performance(const Lab& lab, const Program& program, const GradeOptions& options,
                       std::vector<Item>& items);

}  // namespace tessera
