// One cause, said once: joins findings that differ in their numbers only.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/finding.h"

namespace tessera {

/// Kind, place and the cause of the message: equal for two findings of one cause. A race inside a
/// warp and one between warps have one cause.
std::string cause_of(const Finding& finding);

/// Joins two findings of one cause: the count is their sum, and the one whose remedy cures both
/// speaks for them, else `told`.
void join_finding(Finding& told, const Finding& finding);

/// Findings, each cause once, in the order in which the causes came.
class FindingMerger {
 public:
  /// Adds `finding`, or joins it to the one of the same cause.
  void add(const Finding& finding);

  std::vector<Finding>& findings() { return merged_; }

 private:
  std::vector<Finding> merged_;
  std::unordered_map<std::string, std::size_t> at_;  // by cause: the place in `merged_`
};

/// What a report says of a finding in a hidden case: its kind, nothing that depends on the case's
/// shape or values.
Finding redacted(const Finding& finding);

}  // namespace tessera
