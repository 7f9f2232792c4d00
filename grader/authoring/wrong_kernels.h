// The kernels of a lab that are wrong on purpose.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/expectation.h"
#include "grader/lab/lab.h"

namespace tessera {

struct WrongKernel {
  std::filesystem::path file;
  std::string source;
  Expectation expectation;

  /// "wrong/no-barrier.cu"
  std::string name() const { return "wrong/" + file.filename().string(); }
};

/// The files wrong/*.cu in `solution` (solutions/NN-name), by name; none where there is no such
/// folder. Errors: a file that cannot be read, has no header, or names an item that the lab does
/// not have.
Expected<std::vector<WrongKernel>> read_wrong_kernels(const Lab& lab,
                                                      const std::filesystem::path& solution);

}  // namespace tessera
