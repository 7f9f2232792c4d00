// One cause, said once: joins findings that differ in their numbers only.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"

namespace tessera {

/// Kind, line and message without its numbers and what stands in parentheses: equal for two
/// findings of one cause. A race inside a warp and one between warps have one cause.
std::string cause_of(const Finding& finding);

/// Joins two findings of one cause: the count is their sum, and the one whose remedy cures both
/// speaks for them, else `told`.
void join_finding(Finding& told, const Finding& finding);

/// Adds `finding` to `merged`, or joins it to the one of the same cause.
void merge_into(std::vector<Finding>& merged, const Finding& finding);

/// What may be told of a finding in a hidden case: its kind and line, neither shape nor values.
Finding redacted(const Finding& finding);

}  // namespace tessera
