// The autoresult, which Autolab reads from the last line that an autograder prints.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

/// {"scores":{...},"scoreboard":[...]} and a line end. A single lab's problems are its groups of
/// items that are worth points (Correctness, Checks, Technique, Performance), and the scoreboard is
/// score and GFLOP/s (0 if not measured). If there are several labs, each is a problem
/// ("03-tiled"), and the scoreboard is the sum and each score. The names depend on the lab.yaml
/// alone, since Autolab rejects a name that it does not know. What has no score yet gets 0; a
/// problem of which nothing was measured (deferred, infra) is null and stays without a score; if
/// the grader failed on part of a problem, the rest counts.
std::string autolab_report(const std::vector<Record>& records);

}  // namespace tessera
