// Right kernels beside the reference that help prove a lab: those that ignore its lesson, and those
// that must win as the reference does.
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
  Expectation expectation;   // the first line, of a file in ignores/
  bool of_this_lab = false;  // written for this lab, so it must be right
};

/// The places where the kernels of a lab are found.
struct OtherKernelPlaces {
  std::filesystem::path solution;               // solutions/NN-name
  std::filesystem::path datasets;               // for the recipes of other labs
  std::map<std::string, std::string> accepted;  // other labs whose references are left out
};

/// Kernels that must win at most half of the points, and none for technique: the files ignores/*.cu
/// of the solution, the references of earlier labs with the same signature, the kernels given in
/// the lab's skeleton, and what can be made from them (made_kernels.h). Errors: a file that cannot
/// be read, lacks its "// expect:" line, or names an item that the lab does not have.
Expected<std::vector<OtherKernel>> ignoring_kernels(const Lab& lab,
                                                    const OtherKernelPlaces& places);

/// Kernels that must win everything: the files right/*.cu of the solution, and the references of
/// later labs with the same signature if they are right here.
Expected<std::vector<OtherKernel>> winning_kernels(const Lab& lab, const OtherKernelPlaces& places);

/// What is wrong with the record of such a kernel, or "".
std::string ignoring_fault(const OtherKernel& kernel, const Record& record);
std::string winning_fault(const OtherKernel& kernel, const Record& record);

}  // namespace tessera
