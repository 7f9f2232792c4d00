// Proves that a release grades as it should.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct ReleaseProof {
  std::filesystem::path out;      // of the release: handout.zip and autograder.zip, or the folders
  std::filesystem::path program;  // tessera, if the release has none for this machine
  std::filesystem::path solutions;  // the references, solutions/NN-name/kernel.cu
  std::vector<std::string> labs;    // the requested ones
};

/// Unpacks the release, puts the references in place of the students' kernels, and grades them with
/// the release's labs, datasets and course.yaml; then has run_autograder grade them in folders as
/// on Gradescope. The Error says what a student would read: a mistake in the release, or what a
/// reference loses. What the simulator cannot grade is added to `notes`.
std::optional<Error> prove_release(const ReleaseProof& proof, std::vector<std::string>& notes);

}  // namespace tessera
