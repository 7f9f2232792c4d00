// The kernels of a lab whose first line says what they lose: kernels that are wrong on purpose, and
// right ones that ignore the lesson.
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
  std::string name() const {
    return (file.parent_path().filename() / file.filename()).generic_string();
  }
};

/// Reads the files *.cu in `folder`, "wrong" or "ignores", of `solution` (solutions/NN-name),
/// sorted by name; none if there is no such folder. Errors: a file that cannot be read, has no
/// header, or names an item that the lab does not have.
Expected<std::vector<WrongKernel>> read_wrong_kernels(const Lab& lab,
                                                      const std::filesystem::path& solution,
                                                      const std::string& folder = "wrong");

/// The files *.cu in `folder`, sorted by name; none if there is no such folder.
std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& folder);

}  // namespace tessera
