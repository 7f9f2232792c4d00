// The autoresult that Autolab reads from the last line of what an autograder prints.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

/// {"scores":{...},"scoreboard":[...]} and a line end. One lab's problems are its groups of items
/// that are worth points: Correctness, Checks, Technique, Performance; the scoreboard is score and
/// GFLOP/s (0 where none were measured). Of several labs each is a problem ("03-tiled"); the
/// scoreboard is the sum and the score of each. The names depend on the lab.yaml alone, since a
/// name that Autolab does not know is an error there, and what has no score yet gets 0. A problem
/// of which nothing was measured (deferred, infra) is null and stays without a score; of one that
/// the grader failed on in part the rest counts.
std::string autolab_report(const std::vector<Record>& records);

}  // namespace tessera
