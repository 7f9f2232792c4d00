// Evaluates a submission's `launch`: it is pure device code, so the simulator runs it on any
// machine.
#pragma once

#include <variant>

#include "common/launch.h"
#include "grader/judge/run/case_context.h"
#include "grader/simulator/simulator.h"

namespace tessera {

/// What `launch` answers for the case; or the run that did not come to its end; or one not
/// launched, with the finding, where the grid has more blocks than any kernel for this case needs.
std::variant<LaunchShape, RunResult> call_launch(const CaseContext& context);

}  // namespace tessera
