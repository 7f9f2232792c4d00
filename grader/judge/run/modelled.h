// Thresholds on the simulator's modelled time: the same on every machine, with or without a GPU.
#pragma once

#include <vector>

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"

namespace tessera {

/// Decides the performance items on modelled_time_ms that are `deferred`: sets status, points,
/// message and metrics. Ranges under `devices` count where `options.machine.device` is named there.
/// What the model cannot tell, a block of the launch that stops, is a fail.
void model_performance(const Lab& lab, const Program& program, const GradeOptions& options,
                       std::vector<Item>& items);

}  // namespace tessera
