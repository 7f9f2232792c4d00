// Does what was released grade as it should?
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct ReleaseProof {
  std::filesystem::path out;        // of a release: handout.zip and autograder.zip, or the folders
  std::filesystem::path program;    // tessera, where the release brings none for this machine
  std::filesystem::path solutions;  // the references, solutions/NN-name/kernel.cu
  std::vector<std::string> labs;    // those that were asked for
};

/// Unpacks the release, puts the references where a student writes, and grades them with the
/// release's labs, datasets and course.yaml; then hands them in to run_autograder, in folders as
/// Gradescope has them. The Error says what a student would read: a mistake in the release, or what
/// a reference loses. What no simulator can grade is added to `notes`.
std::optional<Error> prove_release(const ReleaseProof& proof, std::vector<std::string>& notes);

}  // namespace tessera
