// Cases that a lab does not have, made from those that it has: where a mutant that loses nothing in
// the lab may still be told from the reference.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/lab.h"

namespace tessera {

/// Shapes of 1, primes, multiples of what divides all of an extent's values, one more and one less,
/// larger ones, with the extents of a case in other places, on the data that the lab uses. Always
/// the same ones, each once. Not all of them need be in the lab's domain: whoever uses one asks the
/// reference first.
std::vector<Case> further_cases(const Lab& lab);

/// "{m: 3, n: 17, k: 5, data: integers, pitch: 3}", as it stands under `cases`.
std::string case_yaml(const Lab& lab, const Case& one);

}  // namespace tessera
