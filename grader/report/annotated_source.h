// A kernel's source, with the memory accesses of each line beside it.
#pragma once

#include <string>

#include "grader/report/advice.h"
#include "grader/report/report.h"

namespace tessera {

/// The lines that touch memory and those around them; beside each line its requests, its passes a
/// request and their ideal, and below a bad one the advice. "" if no line touches memory.
std::string annotated_source(const CountedSource& source, const TextOptions& options);

}  // namespace tessera
