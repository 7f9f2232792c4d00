// The reference of another lab, to be measured against.
#pragma once

#include <string>
#include <variant>

#include "grader/judge/judge.h"
#include "grader/judge/program.h"

namespace tessera {

struct Baseline {
  Lab lab;
  Program program;
  std::string module;  // for the GPU
};

/// The reference of the lab called `id`: solutions/ID/kernel.cu, or in a handout the PTX in
/// labs/ID/baseline.ptx. A string says why there is none.
std::variant<Baseline, std::string> find_baseline(const std::string& id,
                                                  const GradeOptions& options);

}  // namespace tessera
