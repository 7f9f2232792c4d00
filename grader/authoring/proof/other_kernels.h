// Right kernels beside the reference, by which a lab is proved: those that ignore its lesson, and
// those that must win as the reference does.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/expectation.h"
#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

struct OtherKernel {
  std::string name;  // "ignores/naive.cu", "the reference of 01-naive"
  std::string source;
  Expectation expectation;   // of a file in ignores/: what its first line says
  bool of_this_lab = false;  // written for it, so it must be right
};

/// Where the kernels of a lab are found.
struct OtherKernelPlaces {
  std::filesystem::path solution;               // solutions/NN-name
  std::filesystem::path datasets;               // of the recipes of other labs
  std::map<std::string, std::string> accepted;  // other labs whose references are left out
};

/// Kernels that must win at most half, and nothing of technique: the files ignores/*.cu of the
/// solution, the references of earlier labs with the same signature, the kernels given in the lab's
/// skeleton, and what can be made of them (made_kernels.h). Errors: a file that cannot be read, has
/// no header, or names an item that the lab does not have.
Expected<std::vector<OtherKernel>> ignoring_kernels(const Lab& lab,
                                                    const OtherKernelPlaces& places);

/// Kernels that must win everything: the files right/*.cu of the solution, and the references of
/// later labs with the same signature where they are right here.
Expected<std::vector<OtherKernel>> winning_kernels(const Lab& lab, const OtherKernelPlaces& places);

/// What is wrong with what such a kernel got, or "".
std::string ignoring_fault(const OtherKernel& kernel, const Record& record);
std::string winning_fault(const OtherKernel& kernel, const Record& record);

}  // namespace tessera
