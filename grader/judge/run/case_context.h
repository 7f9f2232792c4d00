// What every step of running a case reads.
#pragma once

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"
#include "grader/lab/lab.h"

namespace tessera {

/// A case of a lab and the kernel that is run on it; refers to all of them.
struct CaseContext {
  const Lab& lab;
  const Program& program;
  const Case& test_case;
  const GradeOptions& options;
};

}  // namespace tessera
