// The time of a product on the host, by a clock, with its result verified.
#pragma once

#include <string>
#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"

namespace tessera {

/// This machine's processor: "AMD EPYC 9654 (16 of its processors)".
std::string host_name();

/// The number of threads that the setting `threads` means, a number or "all"; 1 for a product
/// without the setting, which does not use threads.
int threads_of(const Variant& variant);

/// Those of time_ms, end_to_end_ms and the rates at `shape` that the experiment wants. A slow
/// product is run once and has no interval. `operands` are those of the shape.
std::vector<Value> time_on_host(const Experiment& experiment, const Variant& variant, int shape,
                                const std::vector<OperandData>& operands,
                                const GradeOptions& options);

}  // namespace tessera
