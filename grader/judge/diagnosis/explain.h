// The mistakes that explain one wrong output. Which of them it was, other cases decide
// (judge/diagnosis/diagnosis.h).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"
#include "grader/judge/diagnosis/product.h"

namespace tessera {

struct Explanation {
  Target target = kEveryFailure;  // the elements that it explains
  Rank rank = Rank::specific;
  std::string word;
  std::string variant;
  Text sentence;  // "C is right except in the last 3 columns, where k stops at 16 of 19"
  Text hint;
  double bits = 0;  // how improbable it is that it fits by chance, in powers of two
};

/// Inner steps of the operation above which nothing is tried.
inline constexpr double kMostDiagnosedWork = 0x1p25;

/// What one case suggests to look for in the others too.
struct Clues {
  std::set<ProductCounts> repeated_counts;
};

/// Adds what `output` suggests.
void gather_clues(const WrongOutput& output, Clues& clues);

/// Whether a mistake is still worth looking for.
using WorthTrying = std::function<bool(const std::string& word, const std::string& variant)>;

/// Every mistake worth trying that explains all elements that are not right; where these are of
/// several kinds (not written, no number, wrong), also what explains all of one kind. Nothing where
/// the output is right, or where the case is larger than kMostDiagnosedWork.
std::vector<Explanation> explanations_of(const WrongOutput& output, const Clues& clues,
                                         const WorthTrying& worth);

}  // namespace tessera
