// Which of the mistakes that explain single cases is said of a kernel, and where.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/diagnosis/explain.h"
#include "grader/judge/points/weigh.h"

namespace tessera {

struct ExplainedCase {
  CaseOutcome* outcome = nullptr;
  bool may_contradict = true;
  std::vector<Explanation> explanations;
};

/// What the cases looked at so far leave to try.
class Candidates {
 public:
  /// Whether the mistake may still explain a kind of failure that the outcome has.
  bool contain(const CaseOutcome& outcome, const std::string& word,
               const std::string& variant) const;

  void narrow(const ExplainedCase& one);

 private:
  using WordAndVariant = std::pair<std::string, std::string>;

  bool left(FindingKind kind, const WordAndVariant& mistake) const;

  std::map<FindingKind, std::set<WordAndVariant>> left_;
};

/// Whether the case has a finding of the kind.
bool has_kind(const CaseOutcome& outcome, FindingKind kind);

/// Chooses a mistake for each kind of failure (written into the findings wrong-result, not-finite
/// and output-not-written, and into the outcome's own message where it is one of theirs), or none.
void settle(std::vector<ExplainedCase> cases);

}  // namespace tessera
