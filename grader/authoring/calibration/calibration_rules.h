// From what was measured to the two ends of a threshold: the rules of README.md, "Calibrating".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/authoring/calibration/calibration.h"
#include "grader/lab/lab.h"

namespace tessera {

/// All runs together: the widest interval that any two of them span.
struct MeasuredSpan {
  double median = 0;
  double low = 0;
  double high = 0;
  std::size_t runs = 0;
};

/// A right kernel that must not win, or not all: the best value that was measured of it.
struct Rival {
  std::string name;  // "wrong/global-memory-only.cu"
  double value = 0;
};

struct RuleRequest {
  Metric metric{};
  MeasuredSpan span;
  bool every_gpu = false;  // the range is for all cards, not for the one that was measured
  /// The time of a baseline that must not win, ms; only for time_ms.
  std::optional<double> baseline_ms;
  std::string baseline;  // its lab
  /// The best of the kernels that must win nothing. Not for speedup, where that is the baseline.
  std::optional<Rival> rival;
};

/// The ends that the rules give, or nothing, and why.
struct RuleResult {
  std::optional<Threshold::Range> range;
  std::string why;
  bool may_tighten = true;     // nothing measured here can make the threshold harder
  bool holds_a_rival = false;  // an easier `zero` would let the rival win something
};

/// Whether a kernel is so much worse than the reference that a range which leaves every right
/// kernel its margin can also leave this one nothing.
bool is_told_apart(Metric metric, const MeasuredSpan& reference, double value);

/// Errors and instabilities are no business of a rule: `span` is sound.
RuleResult apply_rule(const RuleRequest& request);

/// What becomes of the ends that stand in a lab.
struct RangeDecision {
  Threshold::Range range;
  std::string word;  // "new", "easier", "harder", "kept: within 10 % of full 3.2, zero 6.4"
};

/// An end that is there becomes easier where the rule says so by more than 10 %, harder only with
/// `raise`. For speedup the tenth is of the gain over 1. A `zero` that lets a rival win something
/// is no matter of a tenth.
RangeDecision decide(Metric metric, const std::optional<Threshold::Range>& present,
                     const RuleResult& rule, bool raise);

/// As lab.yaml has it: "3.0", "12", "1.24", "0.048".
std::string range_number(double value);

/// "full 3.0, zero 6.0"
std::string ends_text(const Threshold::Range& range);

}  // namespace tessera
