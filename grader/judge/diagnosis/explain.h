// Finds the mistakes that explain one wrong output. The other cases decide which of them it was
// (judge/diagnosis/settlement.h).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"
#include "grader/judge/diagnosis/product.h"

namespace tessera {

/// A mistake that explains an output.
struct Explanation {
  Target target = kEveryFailure;  // the elements that it explains
  Rank rank = Rank::specific;
  std::string word;
  std::string variant;
  Text sentence;  // "C is right except in the last 3 columns, where k stops at 16 of 19"
  Text hint;
  double bits = 0;  // it fits by chance with a probability of 2^-bits
};

/// No mistake is tried on a case whose operation takes more inner steps.
inline constexpr double kMostDiagnosedWork = 0x1p25;

/// What single cases suggest looking for in all of them.
struct Clues {
  std::set<ProductCounts> repeated_counts;
};

/// Adds what `output` suggests.
void gather_clues(const WrongOutput& output, Clues& clues);

/// Whether a mistake is still worth looking for.
using WorthTrying = std::function<bool(const std::string& word, const std::string& variant)>;

/// Every mistake worth trying that explains all elements that are not right; if these are of
/// several kinds (not written, not finite, wrong), also every mistake that explains all of one
/// kind. None if the output is right, or if the case is larger than kMostDiagnosedWork.
std::vector<Explanation> explanations_of(const WrongOutput& output, const Clues& clues,
                                         const WorthTrying& worth);

}  // namespace tessera
