// From interleaved samples to a verdict that does not flake: order statistics, no normal
// distribution, no mean.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tessera {

/// The time of one launch, as one sample gave it, and the clock that the multiprocessors ran at.
struct TimingSample {
  double milliseconds = 0;
  double clock_mhz = 0;  // 0: unknown
};

/// Candidate and baseline, measured one right after the other in either order.
struct TimingPair {
  TimingSample candidate;
  TimingSample baseline;  // 0 ms: there is none, and the candidate's time itself is the quantity
  bool shared = false;    // another process had the GPU at times, before or after
};

/// What full and no points ask for. The quantity is baseline / candidate time (larger is better),
/// or without a baseline the candidate's time in milliseconds (smaller is better).
struct TimingThreshold {
  double full = 0;
  double zero = 0;  // may equal `full`: all or nothing
};

enum class TimingVerdict {
  won,        // at `full` or better
  lost,       // at `zero` or worse
  between,    // points are continuous between the two
  unstable,   // clock or times moved too much: nothing can be said
  undecided,  // only while more samples may come
};

/// What made a measurement unstable.
enum class Instability {
  none,
  shared,  // another process had the GPU in more than a third of the pairs, or in some of a kernel
           // whose times spread too far
  clock,   // it moved, or the GPU was shared, in more than a third of them
  times,   // there are too few, or without a threshold: they spread too far
};

struct TimingStatistics {
  TimingVerdict verdict = TimingVerdict::unstable;
  Instability instability = Instability::times;  // while `verdict` is unstable
  double share = 0;   // of the points: 1 at full, 0 at zero, linear between
  double median = 0;  // of the quantity
  double low = 0;     // the median's interval, at 97 % confidence or more
  double high = 0;
  double deciding = 0;   // the quantity that is held against the threshold
  bool close = false;    // a threshold lies within the interval, and the median decided
  bool erratic = false;  // times spread with the GPU to themselves: the slower quartile decided
  std::size_t kept = 0;  // pairs that entered
  std::size_t dropped = 0;
  std::size_t shared = 0;   // of the dropped: another process had the GPU
  double spread = 0;        // interquartile range of the candidate's cycles over their median
  double clock_mhz = 0;     // median over the candidate's samples
  double candidate_ms = 0;  // medians
  double baseline_ms = 0;   // 0 without a baseline
};

inline constexpr std::size_t kFirstPairs = 21;
inline constexpr std::size_t kMostPairs = 84;

/// The rank r, counted from 1, for which the r-th smallest and r-th largest of `count` values bound
/// the median with at least 97 % confidence; 0 where there are too few. 21 -> 6, 42 -> 14.
std::size_t median_rank(std::size_t count);

/// Drops the pairs in which the GPU was shared, and those whose two clocks differ by more than 5 %
/// (without a baseline: the samples whose clock is that far from the median clock); more than a
/// third of them: unstable. Times without a baseline that spread by more than 5 % are unstable too
/// if the GPU was shared in any pair: no baseline slows down with them. If it never was, the spread
/// is the kernel's own (others stay below 1 %): `undecided`, and with `final` the slower quartile
/// decides, so that no kernel gains by times that vary. Otherwise the interval decides if it holds
/// no threshold; if it holds one, `undecided`, or with `final` the median decides and the result is
/// `close`. Without a threshold the verdict is won, or unstable if times without a baseline spread.
TimingStatistics evaluate(std::span<const TimingPair> pairs,
                          const std::optional<TimingThreshold>& threshold, bool final);

/// Takes 21 pairs from `next`, then 42 and 84 in all while `undecided` or `unstable`; all that were
/// taken. `next` gives nothing to stop early.
std::vector<TimingPair> sample_pairs(const std::function<std::optional<TimingPair>()>& next,
                                     const std::optional<TimingThreshold>& threshold);

}  // namespace tessera
