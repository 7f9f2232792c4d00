// A kernel's source with what each line asks of memory beside it.
#pragma once

#include <string>
#include <vector>

#include "common/line_profile.h"
#include "grader/report/report.h"

namespace tessera {

/// The lines that touch memory and those around them; beside each its requests, passes a
/// request and the ideal, and below a bad one a sentence: what the warp does and what to try. ""
/// where no line touches memory.
std::string annotated_source(const std::vector<std::string>& source,
                             const std::vector<LineAccess>& lines, const TextOptions& options);

/// What is bad about the worst request and what to do; "" where nothing is.
std::string advice(const LineAccess& access);

}  // namespace tessera
