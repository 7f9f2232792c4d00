#include "grader/authoring/calibration/calibration_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/numbers.h"

namespace tessera {
namespace {

// A correct kernel may differ from the reference in block size, compiler or order of loops: the
// kit's own kernels differ by up to 1.4 at the same tile size.
constexpr double kFullFactor = 1.5;
constexpr double kZeroFactor = 3.0;
// A time's `full` stays this far below the baseline, unless it would be too near to the reference.
constexpr double kBelowBaseline = 0.95;
constexpr double kLeastFactor = 1.2;

// A ratio over a baseline asks for half of the gain; a gain of less than a tenth is not graded.
constexpr double kShareOfGain = 0.5;
constexpr double kLeastRatio = 1.1;

constexpr double kTolerance = 0.1;

/// What a step gains on any card, from measurements on five generations: if a ratio of at least
/// `measured` is seen on a card, every correct kernel reaches `full` on every card.
struct Step {
  double measured;
  double full;
};
constexpr Step kSteps[] = {{4.6, 3.0}, {1.9, 1.5}, {1.45, 1.2}};

/// `value` rounded up or down to a multiple of `unit`.
double rounded(double value, bool up, double unit) {
  constexpr double kNoise = 1e-9;
  const double steps = value / unit;
  return (up ? std::ceil(steps - kNoise) : std::floor(steps + kNoise)) * unit;
}

double two_digits(double value, bool up) {
  return rounded(value, up, std::pow(10.0, std::floor(std::log10(value)) - 1));
}

const Step* step_of(double ratio) {
  const auto found =
      std::ranges::find_if(kSteps, [&](const Step& step) { return ratio >= step.measured; });
  return found == std::end(kSteps) ? nullptr : &*found;
}

RuleResult speedup_rule(const RuleRequest& request) {
  const double low = request.span.low;
  RuleResult result;
  if (low < kLeastRatio) {
    result.why = fmt::format(
        "the reference gains too little for a ratio (at least {:g} is needed): take the threshold "
        "out and grade by counters, or time another shape",
        kLeastRatio);
    return result;
  }
  double full = rounded(1 + kShareOfGain * (low - 1), false, 0.01);
  result.why = "full is half of the gain";
  if (request.every_gpu) {
    const Step* step = step_of(low);
    const double most = step != nullptr ? step->full : kSteps[std::size(kSteps) - 1].full;
    if (full >= most) {
      full = most;
      result.why = fmt::format("full is {:g}, which every card reaches if one card reaches {}",
                               most, short_number(low));
    }
    result.may_tighten = step != nullptr;
  }
  result.why += "; zero is the baseline's own speed";
  result.range = Threshold::Range{.zero = 1.0, .full = full};
  return result;
}

bool less_is_better(Metric metric) {
  return !about(metric).more_is_better;
}

/// A value of the metric rounded to two digits, in the student's favour or against it.
double rounded_for(Metric metric, double value, bool easier) {
  return two_digits(value, less_is_better(metric) == easier);
}

/// A value that is `factor` times worse.
double worse_by(Metric metric, double factor, double value) {
  return less_is_better(metric) ? factor * value : value / factor;
}

bool is_worse(Metric metric, double value, double other) {
  return less_is_better(metric) ? value > other : value < other;
}

/// The end of the span from which a right kernel must have room.
double worst_of(Metric metric, const MeasuredSpan& span) {
  return less_is_better(metric) ? span.high : span.low;
}

/// "1.5 times" for a time, "1/1.5 of" for a rate.
std::string times_text(Metric metric, double factor) {
  return fmt::format(fmt::runtime(less_is_better(metric) ? "{:g} times" : "1/{:g} of"), factor);
}

/// The rule without baseline and rival.
RuleResult plain_rule(const RuleRequest& request) {
  const Metric metric = request.metric;
  const double worst = worst_of(metric, request.span);
  RuleResult result;
  result.range =
      Threshold::Range{.zero = rounded_for(metric, worse_by(metric, kZeroFactor, worst), true),
                       .full = rounded_for(metric, worse_by(metric, kFullFactor, worst), true)};
  result.why =
      fmt::format("full is {}, zero {} the {}", times_text(metric, kFullFactor),
                  times_text(metric, kZeroFactor), less_is_better(metric) ? "slowest" : "lowest");
  return result;
}

void keep_baseline_from_winning(const RuleRequest& request, RuleResult& result) {
  const double high = request.span.high;
  if (!request.baseline_ms || result.range->full <= kBelowBaseline * *request.baseline_ms) return;
  const double below = two_digits(kBelowBaseline * *request.baseline_ms, false);
  const double least = two_digits(kLeastFactor * high, true);
  result.range->full = std::max(below, least);
  result.why = fmt::format("zero is {:g} times the slowest; full is ", kZeroFactor);
  result.why += below >= least
                    ? fmt::format("below the {} ms of {}", short_number(*request.baseline_ms),
                                  request.baseline)
                    : fmt::format("{:g} times it, and {} with {} ms wins too", kLeastFactor,
                                  request.baseline, short_number(*request.baseline_ms));
}

/// Sets `zero` to at most what the rival has, and `full` half-way between that and the least that a
/// right kernel must have.
void keep_rival_from_winning(const RuleRequest& request, RuleResult& result) {
  const Metric metric = request.metric;
  const Rival& rival = *request.rival;
  const double zero = rounded_for(metric, rival.value, false);
  if (!is_worse(metric, result.range->zero, zero)) return;
  const double worst = worst_of(metric, request.span);
  const double least = worse_by(metric, kLeastFactor, worst);
  const double nearest = rounded_for(metric, least, true);
  if (!is_worse(metric, zero, nearest)) {
    result.range.reset();
    result.why = fmt::format(
        "{} has {}, too near to the reference's {}: take the performance item out "
        "of its first line, or time another shape",
        rival.name, short_number(rival.value), short_number(worst));
    return;
  }
  result.holds_a_rival = true;
  result.range->zero = zero;
  result.why = fmt::format("zero is what {} has, {}", rival.name, short_number(rival.value));
  const double half_way = rounded_for(metric, std::sqrt(least * rival.value), false);
  if (!is_worse(metric, result.range->full, half_way)) {
    result.why += fmt::format("; full is {} the reference's", times_text(metric, kFullFactor));
    return;
  }
  result.range->full = is_worse(metric, nearest, half_way) ? nearest : half_way;
  result.why += fmt::format("; {} the reference's leaves no room, full is between the two",
                            times_text(metric, kFullFactor));
}

RuleResult time_or_rate_rule(const RuleRequest& request) {
  RuleResult result = plain_rule(request);
  keep_baseline_from_winning(request, result);
  if (request.rival) keep_rival_from_winning(request, result);
  return result;
}

/// The value that lab.yaml will hold.
double as_written(double value) {
  return std::stod(range_number(value));
}

bool near(Metric metric, double present, double ruled) {
  const double base = metric == Metric::speedup ? 1 : 0;
  return std::abs(ruled - present) <= kTolerance * std::abs(present - base) + 1e-9;
}

}  // namespace

bool is_distinguishable(Metric metric, const MeasuredSpan& reference, double value) {
  return is_worse(metric, value, worse_by(metric, kFullFactor, worst_of(metric, reference)));
}

RuleResult apply_rule(const RuleRequest& request) {
  const bool ratio = request.metric == Metric::speedup;
  RuleResult result = ratio ? speedup_rule(request) : time_or_rate_rule(request);
  if (result.range) result.range = {as_written(result.range->zero), as_written(result.range->full)};
  if (request.every_gpu && !ratio && about(request.metric).origin != Origin::modelled) {
    result.may_tighten = false;
    result.why += "; no other card is known, so it is never made harder";
  }
  return result;
}

RangeDecision decide(Metric metric, const std::optional<Threshold::Range>& present,
                     const RuleResult& rule, bool raise) {
  const Threshold::Range ruled = rule.range.value();
  if (!present) return {ruled, "new"};
  if (*present == ruled) return {ruled, "kept"};

  bool made_easier = false;
  bool made_harder = false;
  bool left_easier = false;
  const auto end = [&](double there, double asked, bool held) {
    if (near(metric, there, asked) && !(held && is_worse(metric, there, asked))) return there;
    if (is_worse(metric, asked, there)) {
      made_easier = true;
      return asked;
    }
    if (raise && rule.may_tighten) {
      made_harder = true;
      return asked;
    }
    left_easier = true;
    return there;
  };
  Threshold::Range range;
  range.full = end(present->full, ruled.full, false);
  range.zero = end(present->zero, ruled.zero, rule.holds_a_rival);
  // A `full` that is near enough to the rule's may still be beyond the `zero` for a rival.
  if (!is_worse(metric, range.zero, range.full)) return {ruled, "harder"};
  if (made_easier && made_harder) return {range, "one end easier, one harder"};
  if (made_easier) return {range, "easier"};
  if (made_harder) return {range, "harder"};
  if (left_easier)
    return {range, fmt::format("kept: easier than the rule's {}{}", ends_text(ruled),
                               rule.may_tighten ? ", which --raise sets" : "")};
  return {range, "kept: within 10 % of the rule's " + ends_text(ruled)};
}

std::string ends_text(const Threshold::Range& range) {
  return fmt::format("full {}, zero {}", range_number(range.full), range_number(range.zero));
}

std::string range_number(double value) {
  const std::string text =
      value < 1e6 ? fmt::format("{:.6g}", value) : fmt::format("{:.0f}", value);
  return value < 10 && text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace tessera
