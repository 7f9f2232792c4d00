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
  Lab lab;  // of the reference, or one with only what the experiment says
  Program program;
  CompileRequest request;  // for its source; empty for PTX in a handout, which has no source
  std::string compiler;    // "nvrtc 13.0"
};

/// The subject of a row that runs a kernel, or a text that says why there is none.
std::variant<Subject, std::string> build_subject(const Experiment& experiment,
                                                 const Variant& variant,
                                                 const GradeOptions& options);

/// The subject's machine code for `device`; "" if nothing here can make it.
std::string code_for(const DeviceProfile& device, const Subject& subject);

/// A lab with nothing but the experiment's operation, enough to make operands.
Lab plain_lab(const Experiment& experiment);

/// A case with every extent `shape` and the lab's parameters as the variant sets them. Its inputs
/// are uniform in [-1, 1], or whole numbers if the elements are integers.
Case case_of(const Lab& lab, const Variant& variant, int shape);

/// Decides the inputs of a shape, which are the same for all rows.
DataSeed data_seed(const GradeOptions& options, int shape);

}  // namespace tessera
