// What every step of running a case reads.
#pragma once

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"
#include "grader/lab/lab.h"

namespace tessera {

/// A case of a lab and the program that runs it; the four must outlive it.
struct CaseContext {
  const Lab& lab;
  const Program& program;
  const Case& test_case;
  const GradeOptions& options;
};

}  // namespace tessera
