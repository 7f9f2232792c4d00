// Grades one submission of one lab: compiles it, runs the cases, weighs what was found.
#pragma once

#include <filesystem>
#include <string>

#include "grader/compile/source.h"
#include "grader/judge/points/record.h"
#include "grader/judge/run/grade_options.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The record of a submission that nobody has looked at yet: every item is worth nothing and says
/// that the grader was stopped before it came there.
Record not_yet_graded(const Lab& lab, const std::filesystem::path& submission,
                      const GradeOptions& options);

/// Grades `submission` (a kernel.cu, which may not exist). Never throws for what a submission does.
Record grade(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& options);

/// The same of a kernel that is in no file; the record calls it `name`.
Record grade_source(const Lab& lab, const std::string& name, const Source& source,
                    const GradeOptions& options);

}  // namespace tessera
