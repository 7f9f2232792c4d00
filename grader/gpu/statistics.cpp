#include "grader/gpu/statistics.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

constexpr double kConfidence = 0.97;
constexpr double kClockTolerance = 0.05;
constexpr double kMostSpread = 0.05;

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool has_baseline(const TimingPair& pair) {
  return pair.baseline.milliseconds > 0;
}

/// Whether two clocks differ by at most the tolerance. An unknown clock agrees with every clock.
bool clocks_agree(double first, double second) {
  if (first <= 0 || second <= 0) return true;
  return std::abs(first - second) <= kClockTolerance * std::max(first, second);
}

/// What stays the same while the card's clock drifts: of a pair the quotient of its two clocks, of
/// a single sample its clock; 0: unknown.
double steady_clock_of(const TimingPair& pair) {
  if (!has_baseline(pair)) return pair.candidate.clock_mhz;
  return pair.baseline.clock_mhz > 0 ? pair.candidate.clock_mhz / pair.baseline.clock_mhz : 0;
}

std::vector<TimingPair> keep_steady(std::span<const TimingPair> pairs) {
  std::vector<double> clocks;
  clocks.reserve(pairs.size());
  for (const TimingPair& pair : pairs) clocks.push_back(steady_clock_of(pair));
  const double typical = median_of(std::move(clocks));
  std::vector<TimingPair> kept;
  for (const TimingPair& pair : pairs) {
    if (!pair.shared && clocks_agree(steady_clock_of(pair), typical)) kept.push_back(pair);
  }
  return kept;
}

template <class Projection>
double median_over(const std::vector<TimingPair>& pairs, Projection projection) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const TimingPair& pair : pairs) values.push_back(projection(pair));
  return median_of(std::move(values));
}

/// Interquartile range over median of the candidate's times in cycles, which a drifting clock does
/// not change.
double spread_of(const std::vector<TimingPair>& pairs) {
  std::vector<double> times;
  times.reserve(pairs.size());
  for (const TimingPair& pair : pairs) {
    const double clock = pair.candidate.clock_mhz;
    times.push_back(pair.candidate.milliseconds * (clock > 0 ? clock : 1));
  }
  std::ranges::sort(times);
  const double range = times[times.size() * 3 / 4] - times[times.size() / 4];
  return range / median_of(std::move(times));
}

double quantity(const TimingPair& pair) {
  return has_baseline(pair) ? pair.baseline.milliseconds / pair.candidate.milliseconds
                            : pair.candidate.milliseconds;
}

/// A threshold turned so that larger values are better.
struct Scale {
  double sign;
  double full;
  double zero;

  Scale(const TimingThreshold& threshold, bool larger_is_better)
      : sign(larger_is_better ? 1 : -1), full(sign * threshold.full), zero(sign * threshold.zero) {}

  double share(double value) const {
    const double turned = sign * value;
    if (turned >= full) return 1;
    if (turned <= zero) return 0;
    return (turned - zero) / (full - zero);
  }

  TimingVerdict verdict(double value) const {
    const double points = share(value);
    if (points >= 1) return TimingVerdict::won;
    return points > 0 ? TimingVerdict::between : TimingVerdict::lost;
  }
};

void decide(TimingStatistics& result, const Scale& scale, bool final) {
  const TimingVerdict at_low = scale.verdict(result.low);
  const TimingVerdict at_high = scale.verdict(result.high);
  result.close = !result.erratic && at_low != at_high;
  result.share = scale.share(result.deciding);
  const bool decided = final || !(result.close || result.erratic);
  result.verdict = decided ? scale.verdict(result.deciding) : TimingVerdict::undecided;
}

}  // namespace

std::size_t median_rank(std::size_t count) {
  // A value is below the median with probability 1/2: the r-th smallest lies above the median if
  // fewer than r values are below it, and likewise from the other side.
  const double n = static_cast<double>(count);
  double below = std::exp2(-n);  // of exactly r values
  double tail = 0;
  std::size_t rank = 0;
  for (std::size_t r = 0; 2 * r < count; ++r) {
    tail += below;
    if (1 - 2 * tail < kConfidence) break;
    rank = r + 1;
    below *= (n - static_cast<double>(r)) / static_cast<double>(r + 1);
  }
  return rank;
}

TimingStatistics evaluate(std::span<const TimingPair> pairs,
                          const std::optional<TimingThreshold>& threshold, bool final) {
  const std::vector<TimingPair> kept = keep_steady(pairs);
  TimingStatistics result;
  result.kept = kept.size();
  result.dropped = pairs.size() - kept.size();
  result.shared = static_cast<std::size_t>(std::ranges::count(pairs, true, &TimingPair::shared));
  const std::size_t rank = median_rank(kept.size());
  if (!kept.empty()) result.spread = spread_of(kept);
  const auto more_than_a_third = [&](std::size_t count) { return 3 * count > pairs.size(); };
  if (more_than_a_third(result.dropped)) {
    result.instability =
        more_than_a_third(result.shared) ? Instability::shared : Instability::clock;
    return result;
  }
  if (rank == 0) return result;
  const bool spreads = !has_baseline(kept.front()) && result.spread > kMostSpread;
  if (spreads && !threshold) return result;
  if (spreads && result.shared > 0) {
    result.instability = Instability::shared;
    return result;
  }

  result.instability = Instability::none;
  std::vector<double> values;
  values.reserve(kept.size());
  for (const TimingPair& pair : kept) values.push_back(quantity(pair));
  std::ranges::sort(values);
  result.median = median_of(values);
  result.low = values[rank - 1];
  result.high = values[values.size() - rank];
  result.erratic = spreads;
  result.deciding = spreads ? values[values.size() * 3 / 4] : result.median;
  result.clock_mhz = median_over(kept, [](const auto& pair) { return pair.candidate.clock_mhz; });
  result.candidate_ms =
      median_over(kept, [](const auto& pair) { return pair.candidate.milliseconds; });
  result.baseline_ms =
      median_over(kept, [](const auto& pair) { return pair.baseline.milliseconds; });
  if (threshold) {
    decide(result, Scale(*threshold, has_baseline(kept.front())), final);
  } else {
    result.verdict = TimingVerdict::won;
    result.share = 1;
  }
  return result;
}

std::vector<TimingPair> sample_pairs(const std::function<std::optional<TimingPair>()>& next,
                                     const std::optional<TimingThreshold>& threshold) {
  std::vector<TimingPair> pairs;
  for (std::size_t wanted = kFirstPairs; wanted <= kMostPairs; wanted *= 2) {
    while (pairs.size() < wanted) {
      const auto pair = next();
      if (!pair) return pairs;
      pairs.push_back(*pair);
    }
    const TimingVerdict verdict = evaluate(pairs, threshold, false).verdict;
    if (verdict != TimingVerdict::undecided && verdict != TimingVerdict::unstable) break;
  }
  return pairs;
}

}  // namespace tessera
