// Chooses which of the mistakes that explain single cases to report, and where.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/diagnosis/explain.h"
#include "grader/judge/points/weigh.h"

namespace tessera {

/// A case, and the mistakes that explain its output.
struct ExplainedCase {
  CaseOutcome* outcome = nullptr;
  bool may_contradict = true;
  std::vector<Explanation> explanations;
};

/// The mistakes that no case so far contradicts.
class Candidates {
 public:
  /// Whether the mistake may still explain a kind of failure that the outcome has.
  bool contain(const CaseOutcome& outcome, const std::string& word,
               const std::string& variant) const;

  /// Removes the mistakes that the case contradicts.
  void narrow(const ExplainedCase& explained);

 private:
  using WordAndVariant = std::pair<std::string, std::string>;

  bool left(FindingKind kind, const WordAndVariant& mistake) const;

  std::map<FindingKind, std::set<WordAndVariant>> left_;
};

/// Whether the case has a finding of the kind.
bool has_kind(const CaseOutcome& outcome, FindingKind kind);

/// Chooses a mistake, or none, for each kind of failure, and writes it into the findings
/// wrong-result, not-finite and output-not-written, and into the outcome's own message if that is
/// the message of one of them.
void settle(std::vector<ExplainedCase> cases);

}  // namespace tessera
