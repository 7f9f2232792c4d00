// Cases that a lab does not have, made from those that it has, on which a mutant that loses nothing
// in the lab may still differ from the reference.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/lab.h"

namespace tessera {

/// Cases with extents of 1, primes, multiples of what divides all values of an extent, one more and
/// one less, larger ones, and the extents of a case in other places, on the data that the lab uses.
/// Always the same cases, each once. Some may be outside the lab's domain: the caller must try the
/// reference on a case first.
std::vector<Case> further_cases(const Lab& lab);

/// The case as under `cases` in lab.yaml: "{m: 3, n: 17, k: 5, data: integers, padding: 3}".
std::string case_yaml(const Lab& lab, const Case& test_case);

}  // namespace tessera
