// From interleaved samples to a verdict that is not flaky: order statistics, with no assumption of
// a normal distribution and no mean.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tessera {

/// The time of one launch, the mean of a sample, and the clock of the multiprocessors during it.
struct TimingSample {
  double milliseconds = 0;
  double clock_mhz = 0;  // 0: unknown
};

/// Candidate and baseline, measured one right after the other in either order.
struct TimingPair {
  TimingSample candidate;
  TimingSample baseline;  // 0 ms: there is none, and the quantity is the candidate's time
  bool shared = false;    // another process used the GPU just before, within or after the pair
};

/// The quantities that earn full points and none. The quantity is baseline / candidate time (larger
/// is better), or without a baseline the candidate's time in milliseconds (smaller is better).
struct TimingThreshold {
  double full = 0;
  double zero = 0;  // may equal `full`: all or nothing
};

enum class TimingVerdict {
  won,        // at `full` or better
  lost,       // at `zero` or worse
  between,    // points are continuous between the two
  unstable,   // clock or times moved too much for a verdict
  undecided,  // only while more samples may come
};

/// What made a measurement unstable.
enum class Instability {
  none,
  shared,  // another process used the GPU in more than a third of the pairs, or in any pair if the
           // times without a baseline spread too far
  clock,   // in more than a third of the pairs the clock moved or the GPU was shared
  times,   // there are too few, or there is no threshold and they spread too far
};

struct TimingStatistics {
  TimingVerdict verdict = TimingVerdict::unstable;
  Instability instability = Instability::times;  // meaningful if `verdict` is unstable
  double share = 0;   // of the points: 1 at full, 0 at zero, linear between
  double median = 0;  // of the quantity
  double low = 0;     // the median's interval, at 97 % confidence or more
  double high = 0;
  double deciding = 0;   // the quantity that is compared with the threshold
  bool close = false;    // a threshold lies within the interval, and the median decided
  bool erratic = false;  // times spread on an unshared GPU: the slower quartile decided
  std::size_t kept = 0;  // pairs that the statistics include
  std::size_t dropped = 0;
  std::size_t shared = 0;   // dropped pairs in which another process used the GPU
  double spread = 0;        // interquartile range of the candidate's cycles over their median
  double clock_mhz = 0;     // median over the candidate's samples
  double candidate_ms = 0;  // medians
  double baseline_ms = 0;   // 0 without a baseline
};

inline constexpr std::size_t kFirstPairs = 21;
inline constexpr std::size_t kMostPairs = 84;

/// The rank r, counted from 1, for which the r-th smallest and r-th largest of `count` values bound
/// the median with at least 97 % confidence; 0 if there are too few values. 21 -> 6, 42 -> 14.
std::size_t median_rank(std::size_t count);

/// The verdict on `pairs`. Pairs are dropped in which the GPU was shared, or in which the quotient
/// of the two clocks (without a baseline: the clock) differs by more than 5 % from its median. (The
/// clocks themselves may differ: tensor cores at work take so much power that a card runs slower.)
/// If more than a third are dropped, the verdict is `unstable`. So it is if times without a
/// baseline spread by more than 5 % and the GPU was shared in any pair: no baseline slows down with
/// them. If it never was, the spread is the kernel's own (other kernels stay below 1 %):
/// `undecided`, or with `final` the slower quartile decides, so that no kernel gains by times that
/// vary. Otherwise the interval decides if it contains no threshold; if it contains one,
/// `undecided`, or with `final` the median decides and the result is `close`. Without a threshold
/// the verdict is `won`, or `unstable` if times without a baseline spread.
TimingStatistics evaluate(std::span<const TimingPair> pairs,
                          const std::optional<TimingThreshold>& threshold, bool final);

/// Takes 21 pairs from `next`, then 42 and 84 in all while the verdict is `undecided` or
/// `unstable`. Returns all pairs taken. `next` returns nothing to stop early.
std::vector<TimingPair> sample_pairs(const std::function<std::optional<TimingPair>()>& next,
                                     const std::optional<TimingThreshold>& threshold);

}  // namespace tessera
