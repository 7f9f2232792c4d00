// Joins findings that differ only in their numbers, so that each cause is reported once.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/finding.h"

namespace tessera {

/// A key of kind, place and the cause in the message: equal for findings with the same cause. A
/// race inside a warp and a race between warps have the same cause.
std::string cause_of(const Finding& finding);

/// Joins `finding` to `kept`, which has the same cause: the count is their sum, and the text is
/// that of the finding whose remedy cures both, else that of `kept`.
void join_finding(Finding& kept, const Finding& finding);

/// Merges findings; each cause remains once, in the order in which the causes came.
class FindingMerger {
 public:
  /// Adds `finding`, or joins it to the finding with the same cause.
  void add(const Finding& finding);

  std::vector<Finding>& findings() { return merged_; }

 private:
  std::vector<Finding> merged_;
  std::unordered_map<std::string, std::size_t> at_;  // the place in `merged_` by cause
};

/// What a report shows of a finding in a hidden case: its kind, and nothing that depends on the
/// case's shape or values.
Finding redacted(const Finding& finding);

}  // namespace tessera
