// A kernel's source with what each line asks of memory beside it.
#pragma once

#include <string>

#include "grader/report/advice.h"
#include "grader/report/report.h"

namespace tessera {

/// The lines that touch memory and those around them; beside each its requests, passes a
/// request and the ideal, and below a bad one its advice. "" where no line touches memory.
std::string annotated_source(const CountedSource& source, const TextOptions& options);

}  // namespace tessera
