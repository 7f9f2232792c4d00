// Grades a submission of a lab: compiles it, runs the cases, and weighs what was found.
#pragma once

#include <filesystem>
#include <string>

#include "grader/compile/source.h"
#include "grader/judge/points/record.h"
#include "grader/judge/run/grade_options.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The record of a submission whose grading has not begun: every item is worth nothing and says
/// that the grader was stopped before it came to it.
Record not_yet_graded(const Lab& lab, const std::filesystem::path& submission,
                      const GradeOptions& options);

/// Grades `submission` (a kernel.cu, which may not exist). Never throws for what a submission does.
Record grade(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& options);

/// Grades a kernel that is in no file; the record calls it `name`.
Record grade_source(const Lab& lab, const std::string& name, const Source& source,
                    const GradeOptions& options);

}  // namespace tessera
