// Evaluates a submission's `launch`: it is pure device code, so the simulator runs it on any
// machine.
#pragma once

#include <variant>

#include "common/launch.h"
#include "grader/judge/run/case_context.h"
#include "grader/simulator/simulator.h"

namespace tessera {

/// What `launch` returns for the case; or its run, if that did not complete or made a mistake. If
/// the grid has more blocks than any kernel for this case needs, the run is `not_launched`, with
/// the finding.
std::variant<LaunchShape, RunResult> call_launch(const CaseContext& context);

}  // namespace tessera
