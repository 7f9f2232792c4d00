// The rules of README.md, "Calibrating": from measurements to the two ends of a threshold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/authoring/calibration/calibration.h"
#include "grader/lab/lab.h"

namespace tessera {

/// All runs together, with the widest interval that any two of them span.
struct MeasuredSpan {
  double median = 0;
  double low = 0;
  double high = 0;
  std::size_t runs = 0;
};

/// A right kernel that must win nothing, or not everything, with its best measured value.
struct Rival {
  std::string name;  // "wrong/global-memory-only.cu"
  double value = 0;
};

struct RuleRequest {
  Metric metric{};
  MeasuredSpan span;
  bool every_gpu = false;  // the range is for all cards, not for the measured one
  /// The time in ms of a baseline that must not win; only for time_ms.
  std::optional<double> baseline_ms;
  std::string baseline;  // its lab
  /// The best of the kernels that must win nothing. Not for speedup, whose rival is the baseline.
  std::optional<Rival> rival;
};

/// The ends that the rules give, if any, and why.
struct RuleResult {
  std::optional<Threshold::Range> range;
  std::string why;
  bool may_tighten = true;     // false: these measurements must not make the threshold harder
  bool holds_a_rival = false;  // an easier `zero` would let the rival win something
};

/// Whether a kernel is so much worse than the reference that a range can give it nothing and still
/// leave every right kernel its margin.
bool is_distinguishable(Metric metric, const MeasuredSpan& reference, double value);

/// Applies the rules. `request.span` must come from stable runs without errors.
RuleResult apply_rule(const RuleRequest& request);

/// What becomes of the ends in a lab.
struct RangeDecision {
  Threshold::Range range;
  /// "new", "easier", "harder", "kept: within 10 % of the rule's full 3.2, zero 6.4".
  std::string word;
};

/// A present end becomes easier if the rule's is easier by more than 10 %, and harder only with
/// `raise`. For speedup the 10 % are of the gain over 1. They do not hold for a `zero` that lets a
/// rival win something.
RangeDecision decide(Metric metric, const std::optional<Threshold::Range>& present,
                     const RuleResult& rule, bool raise);

/// The number as in lab.yaml: "3.0", "12", "1.24", "0.048".
std::string range_number(double value);

/// "full 3.0, zero 6.0"
std::string ends_text(const Threshold::Range& range);

}  // namespace tessera
