// What `tessera lab check` prints and writes.
#pragma once

#include <string>
#include <vector>

#include "grader/authoring/proof/proof.h"

namespace tessera {

/// A few lines for the lab, and below them what is not proved: each fault, and each survivor with
/// its line before and after and the case that would catch it.
std::string proof_text(const LabProof& proof);

/// The mutants of several labs as a Markdown table.
std::string mutation_table(const std::vector<LabProof>& proofs);

/// {"schema": "tessera.lab-check/1", "labs": [...]}, with every mutant and its fate.
std::string proof_json(const std::vector<LabProof>& proofs);

}  // namespace tessera
