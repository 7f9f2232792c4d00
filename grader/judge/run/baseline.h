// The reference of another lab, to be measured against.
#pragma once

#include <string>
#include <variant>

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"

namespace tessera {

struct Baseline {
  Lab lab;
  Program program;
  std::string compiler;  // "nvrtc 13.0"; "" where it came as PTX
};

/// The reference of the lab called `id`: solutions/ID/kernel.cu, or in a handout the PTX in
/// labs/ID/baseline.ptx. A Text says why there is none.
std::variant<Baseline, Text> find_baseline(const std::string& id, const GradeOptions& options);

/// The PTX that stands for the reference of the lab called `id` where its source must not be seen:
/// what labs/ID/baseline.ptx holds. The Error says why there is none.
Expected<std::string> baseline_ptx(const std::string& id, const GradeOptions& options);

}  // namespace tessera
