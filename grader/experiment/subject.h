// A variant of an experiment, compiled and ready to run: a lab without points around its kernel.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grader/compile/compiler.h"
#include "grader/experiment/experiment.h"
#include "grader/judge/judge.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/program.h"

namespace tessera {

struct Subject {
  Lab lab;  // a reference's own, or one that only has what the experiment says
  Program program;
  CompileRequest request;  // of its source; of PTX in a handout there is none, and it is empty
  std::string compiler;    // "nvrtc 13.0"
};

/// The subject of a row that runs a kernel; the text says why there is none.
std::variant<Subject, std::string> build_subject(const Experiment& experiment,
                                                 const Variant& variant,
                                                 const GradeOptions& options);

/// The subject's machine code for `device`; "" where nothing here makes any.
std::string code_for(const DeviceProfile& device, const Subject& subject);

/// A lab that has the experiment's operation and nothing else: enough to make operands.
Lab plain_lab(const Experiment& experiment);

/// Every extent `shape`, inputs uniform in [-1, 1], of whole numbers where the elements are; a
/// lab's parameters as the variant sets them.
Case case_of(const Lab& lab, const Variant& variant, int shape);

/// With the seed it decides the inputs of a shape: those of all rows are the same.
std::uint64_t shape_number(int shape);

}  // namespace tessera
