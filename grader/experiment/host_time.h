// Time of a product on the host, by a clock, with its result verified.
#pragma once

#include <string>
#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"

namespace tessera {

/// "AMD EPYC 9654 (16 of its processors)": what runs here.
std::string host_name();

/// Threads that the setting `threads` means: a number, or "all". 1 for a product without it that
/// does not use threads.
int threads_of(const Variant& variant);

/// time_ms, end_to_end_ms and rates at `shape`, of what the experiment wants. A product that is
/// slow is run once, and has no interval. `operands` are those of the shape.
std::vector<Value> time_on_host(const Experiment& experiment, const Variant& variant, int shape,
                                const std::vector<OperandData>& operands,
                                const GradeOptions& options);

}  // namespace tessera
