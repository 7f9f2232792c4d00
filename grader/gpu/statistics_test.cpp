#include "grader/gpu/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tessera {
namespace {

constexpr double kClock = 1980;

std::vector<TimingPair> pairs_with(const std::vector<double>& ratios) {
  std::vector<TimingPair> pairs;
  for (const double ratio : ratios) {
    pairs.push_back(
        {{.milliseconds = 1, .clock_mhz = kClock}, {.milliseconds = ratio, .clock_mhz = kClock}});
  }
  return pairs;
}

/// Pairs with `count` ratios evenly spread over [low, high].
std::vector<TimingPair> spread(std::size_t count, double low, double high) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < count; ++i) {
    ratios.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return pairs_with(ratios);
}

TEST(MedianRank, IsTheSixthOfTwentyOne) {
  EXPECT_EQ(median_rank(21), 6u);
  EXPECT_EQ(median_rank(42), 14u);
  EXPECT_EQ(median_rank(84), 32u);
}

TEST(MedianRank, TooFewValuesBoundNothing) {
  EXPECT_EQ(median_rank(0), 0u);
  EXPECT_EQ(median_rank(5), 0u);
  EXPECT_EQ(median_rank(7), 1u);
}

TEST(MedianRank, BoundsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {14u, 21u, 42u, 84u}) {
    const std::size_t rank = median_rank(count);
    int held = 0;
    constexpr int kTrials = 20000;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::size_t below = 0;
      for (std::size_t i = 0; i < count; ++i) below += random() & 1;
      held += below >= rank && below <= count - rank ? 1 : 0;
    }
    EXPECT_GT(held, 0.965 * kTrials) << count;
  }
}

TEST(Evaluate, AnIntervalAboveTheThresholdWins) {
  const auto result = evaluate(spread(21, 1.3, 1.5), TimingThreshold{1.2, 1.0}, false);
  EXPECT_EQ(result.verdict, TimingVerdict::won);
  EXPECT_EQ(result.share, 1);
  EXPECT_NEAR(result.median, 1.4, 1e-12);
  EXPECT_NEAR(result.low, 1.35, 1e-12);
  EXPECT_NEAR(result.high, 1.45, 1e-12);
  EXPECT_FALSE(result.close);
  EXPECT_EQ(result.kept, 21u);
  EXPECT_EQ(result.clock_mhz, kClock);
}

TEST(Evaluate, AnIntervalBelowLoses) {
  const auto result = evaluate(spread(21, 0.8, 0.95), TimingThreshold{1.2, 1.0}, false);
  EXPECT_EQ(result.verdict, TimingVerdict::lost);
  EXPECT_EQ(result.share, 0);
}

TEST(Evaluate, BetweenTheThresholdsPointsAreContinuous) {
  const auto result = evaluate(spread(21, 1.09, 1.11), TimingThreshold{1.2, 1.0}, false);
  EXPECT_EQ(result.verdict, TimingVerdict::between);
  EXPECT_NEAR(result.share, 0.5, 1e-9);
}

TEST(Evaluate, AThresholdInsideTheIntervalAsksForMoreAndThenIsClose) {
  const auto pairs = spread(21, 1.1, 1.32);
  EXPECT_EQ(evaluate(pairs, TimingThreshold{1.2, 1.2}, false).verdict, TimingVerdict::undecided);
  const auto result = evaluate(pairs, TimingThreshold{1.2, 1.2}, true);
  EXPECT_EQ(result.verdict, TimingVerdict::won);
  EXPECT_TRUE(result.close);
}

TEST(Evaluate, TimesAloneAreBetterWhenSmaller) {
  std::vector<TimingPair> pairs;
  for (int i = 0; i < 21; ++i) {
    pairs.push_back({{.milliseconds = 4 + 0.01 * i, .clock_mhz = kClock}, {}});
  }
  const TimingThreshold threshold{.full = 3, .zero = 6};
  const auto result = evaluate(pairs, threshold, false);
  EXPECT_EQ(result.verdict, TimingVerdict::between);
  EXPECT_NEAR(result.share, (6 - 4.1) / 3, 1e-9);
  EXPECT_EQ(result.baseline_ms, 0);
  for (TimingPair& pair : pairs) pair.candidate.milliseconds -= 2;
  EXPECT_EQ(evaluate(pairs, threshold, false).verdict, TimingVerdict::won);
  for (TimingPair& pair : pairs) pair.candidate.milliseconds += 5;
  EXPECT_EQ(evaluate(pairs, threshold, false).verdict, TimingVerdict::lost);
}

TEST(Evaluate, PairsWhoseClocksDifferAreDropped) {
  auto pairs = spread(21, 1.39, 1.41);
  for (std::size_t i = 0; i < 7; ++i) {
    pairs[i].baseline.clock_mhz = 0.9 * kClock;
    pairs[i].baseline.milliseconds = 9;
  }
  const auto result = evaluate(pairs, TimingThreshold{1.2, 1.0}, true);
  EXPECT_EQ(result.verdict, TimingVerdict::won);
  EXPECT_EQ(result.dropped, 7u);
  EXPECT_LT(result.high, 1.5);
}

TEST(Evaluate, ABaselineMayRunAtALowerClock) {
  // Tensor cores at work: the card's power decides the clock.
  auto pairs = spread(21, 0.219, 0.221);
  for (TimingPair& pair : pairs) pair.baseline.clock_mhz = 0.75 * kClock;
  const auto result = evaluate(pairs, TimingThreshold{0.2, 0.17}, true);
  EXPECT_EQ(result.verdict, TimingVerdict::won);
  EXPECT_EQ(result.dropped, 0u);
}

TEST(Evaluate, MoreThanAThirdDroppedIsUnstable) {
  auto pairs = spread(21, 1.39, 1.41);
  for (std::size_t i = 0; i < 8; ++i) pairs[i].candidate.clock_mhz = 0.9 * kClock;
  EXPECT_EQ(evaluate(pairs, TimingThreshold{1.2, 1.0}, true).verdict, TimingVerdict::unstable);
}

TEST(Evaluate, WithoutABaselineTheClockIsHeldAgainstTheMedianClock) {
  std::vector<TimingPair> pairs(21, {{.milliseconds = 2, .clock_mhz = kClock}, {}});
  pairs[3].candidate.clock_mhz = 0.9 * kClock;
  EXPECT_EQ(evaluate(pairs, std::nullopt, true).dropped, 1u);
}

/// `count` samples of a kernel without a baseline; every second sample takes a fifth longer.
std::vector<TimingPair> varying(std::size_t count, double milliseconds) {
  std::vector<TimingPair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double factor = i % 2 == 0 ? 1.0 : 1.2;
    pairs.push_back({{.milliseconds = milliseconds * factor, .clock_mhz = kClock}, {}});
  }
  return pairs;
}

TEST(Evaluate, TimesThatVaryOnASharedGpuAreUnstable) {
  auto pairs = varying(21, 4);
  pairs[5].shared = true;
  const auto result = evaluate(pairs, TimingThreshold{.full = 3, .zero = 6}, true);
  EXPECT_EQ(result.verdict, TimingVerdict::unstable);
  EXPECT_EQ(result.instability, Instability::shared);
  EXPECT_NEAR(result.spread, 0.2, 0.01);
}

TEST(Evaluate, TimesThatVaryOnTheirOwnAreDecidedByTheSlowerQuartile) {
  const auto result = evaluate(varying(84, 4), TimingThreshold{.full = 3, .zero = 6}, true);
  EXPECT_EQ(result.verdict, TimingVerdict::between);
  EXPECT_TRUE(result.erratic);
  EXPECT_FALSE(result.close);
  EXPECT_NEAR(result.deciding, 4.8, 1e-9);
  EXPECT_NEAR(result.share, 0.4, 1e-9);
}

TEST(Evaluate, ASlowKernelThatMakesItsTimesVaryHasLost) {
  const TimingThreshold threshold{.full = 5.5, .zero = 9};
  EXPECT_EQ(evaluate(varying(84, 20), threshold, true).verdict, TimingVerdict::lost);
  EXPECT_EQ(evaluate(varying(84, 8), threshold, true).verdict, TimingVerdict::lost);
  EXPECT_EQ(evaluate(varying(84, 4), threshold, true).verdict, TimingVerdict::won);
}

TEST(Evaluate, TimesThatVaryAskForMoreFirst) {
  const TimingThreshold threshold{.full = 5.5, .zero = 9};
  EXPECT_EQ(evaluate(varying(21, 4), threshold, false).verdict, TimingVerdict::undecided);
}

TEST(Evaluate, WithoutAThresholdTimesThatVaryAreUnstable) {
  const auto result = evaluate(varying(21, 4), std::nullopt, true);
  EXPECT_EQ(result.verdict, TimingVerdict::unstable);
  EXPECT_EQ(result.instability, Instability::times);
}

TEST(Evaluate, OtherwiseTheMedianDecides) {
  const auto result = evaluate(spread(21, 1.3, 1.5), TimingThreshold{1.2, 1.0}, true);
  EXPECT_EQ(result.deciding, result.median);
  EXPECT_FALSE(result.erratic);
}

TEST(Evaluate, PairsOfASharedGpuAreDropped) {
  std::vector<TimingPair> pairs = pairs_with(std::vector<double>(21, 1.5));
  for (std::size_t i = 0; i < 7; ++i) {
    pairs[i].shared = true;
    pairs[i].baseline.milliseconds = 1.1;  // a slice of time is the same for both
  }
  const auto some = evaluate(pairs, TimingThreshold{1.4, 1.2}, true);
  EXPECT_EQ(some.verdict, TimingVerdict::won);
  EXPECT_EQ(some.shared, 7u);
  pairs[7].shared = true;
  const auto most = evaluate(pairs, TimingThreshold{1.4, 1.2}, true);
  EXPECT_EQ(most.verdict, TimingVerdict::unstable);
  EXPECT_EQ(most.instability, Instability::shared);
}

TEST(Evaluate, ADriftingClockIsNoUnsteadiness) {
  std::vector<TimingPair> pairs;
  for (int i = 0; i < 21; ++i) {
    const double clock = kClock * (1 - 0.004 * i);
    const TimingSample sample{.milliseconds = kClock / clock, .clock_mhz = clock};
    pairs.push_back({sample, sample});
  }
  EXPECT_EQ(evaluate(pairs, TimingThreshold{0.9, 0.5}, true).verdict, TimingVerdict::won);
}

TEST(Evaluate, NothingMeasuredIsUnstable) {
  EXPECT_EQ(evaluate({}, TimingThreshold{1.2, 1.0}, true).verdict, TimingVerdict::unstable);
}

TEST(SamplePairs, DoublesUpToEightyFour) {
  std::size_t taken = 0;
  const auto next = [&]() -> std::optional<TimingPair> {
    return pairs_with({++taken % 2 == 0 ? 1.3 : 1.1}).front();
  };
  EXPECT_EQ(sample_pairs(next, TimingThreshold{1.2, 1.2}).size(), kMostPairs);
  EXPECT_EQ(sample_pairs(next, TimingThreshold{1.05, 1.05}).size(), kFirstPairs);
  EXPECT_EQ(sample_pairs(next, std::nullopt).size(), kFirstPairs);
}

TEST(SamplePairs, StopsWhenThereAreNoMore) {
  int left = 5;
  const auto next = [&]() -> std::optional<TimingPair> {
    if (left-- == 0) return std::nullopt;
    return pairs_with({1.1}).front();
  };
  EXPECT_EQ(sample_pairs(next, TimingThreshold{1.2, 1.2}).size(), 5u);
}

/// A card whose clock falls by a tenth while it warms up, with noise on every sample, now and then
/// a sample that something delayed, and under `load` a time slice of another process in every
/// tenth.
class Card {
 public:
  Card(std::uint64_t seed, double true_ratio, bool load)
      : random_(seed), ratio_(true_ratio), load_(load) {}

  TimingPair next() {
    TimingPair pair;
    const bool candidate_first = random_() % 2 == 0;
    (candidate_first ? pair.candidate : pair.baseline) = sample(candidate_first ? 1 : ratio_);
    (candidate_first ? pair.baseline : pair.candidate) = sample(candidate_first ? ratio_ : 1);
    return pair;
  }

 private:
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }

  TimingSample sample(double work) {
    warmth_ += 0.01;
    const double clock = kClock * (0.9 + 0.1 * std::exp(-warmth_)) * uniform(0.995, 1.005);
    double held_up = random_() % 20 == 0 ? uniform(1.0, 1.3) : 1.0;
    if (load_ && random_() % 10 == 0) held_up *= uniform(1.0, 2.0);
    return {.milliseconds = work * kClock / clock * uniform(0.985, 1.015) * held_up,
            .clock_mhz = clock};
  }

  std::mt19937_64 random_;
  double ratio_;
  double warmth_ = 0;
  bool load_;
};

TimingVerdict graded(std::uint64_t seed, double true_ratio, bool load) {
  Card card(seed, true_ratio, load);
  const TimingThreshold threshold{1.2, 1.2};
  const auto pairs = sample_pairs([&] { return std::optional(card.next()); }, threshold);
  return evaluate(pairs, threshold, true).verdict;
}

TEST(Flakes, AHundredGradingsOfAKernelFivePercentBetterAllWin) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(graded(seed, 1.2 * 1.05, seed % 2 == 1), TimingVerdict::won) << seed;
  }
}

TEST(Flakes, AHundredGradingsOfAKernelFivePercentWorseAllLose) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(graded(seed, 1.2 / 1.05, seed % 2 == 1), TimingVerdict::lost) << seed;
  }
}

TEST(Flakes, AClockThatJumpsIsUnstableAndNeverAWrongVerdict) {
  std::mt19937_64 random(7);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Card card(seed, 1.2 * 1.05, false);
    const auto next = [&]() -> std::optional<TimingPair> {
      TimingPair pair = card.next();
      for (TimingSample* sample : {&pair.candidate, &pair.baseline}) {
        if (random() % 2 == 0) continue;
        sample->clock_mhz *= 0.8;
        sample->milliseconds /= 0.8;
      }
      return pair;
    };
    const TimingThreshold threshold{1.2, 1.2};
    const TimingVerdict verdict = evaluate(sample_pairs(next, threshold), threshold, true).verdict;
    EXPECT_TRUE(verdict == TimingVerdict::unstable || verdict == TimingVerdict::won) << seed;
  }
}

}  // namespace
}  // namespace tessera
