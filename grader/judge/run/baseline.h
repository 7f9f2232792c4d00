// The reference of another lab, against which speedups are measured.
#pragma once

#include <string>
#include <variant>

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"

namespace tessera {

struct Baseline {
  Lab lab;
  Program program;
  std::string compiler;  // "nvrtc 13.0"; "" if it came as PTX
};

/// The reference of the lab called `id`: solutions/ID/kernel.cu, or in a handout the PTX in
/// labs/ID/baseline.ptx. A Text says why there is none.
std::variant<Baseline, Text> find_baseline(const std::string& id, const GradeOptions& options);

/// Compiles the reference of the lab called `id` to PTX: the contents of a handout's
/// labs/ID/baseline.ptx, which does not show the source. The Error says why there is none.
Expected<std::string> baseline_ptx(const std::string& id, const GradeOptions& options);

}  // namespace tessera
