#include "grader/authoring/calibration/calibration_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::HasSubstr;
using Range = Threshold::Range;

RuleRequest request_for(Metric metric, double low, double high) {
  RuleRequest request;
  request.metric = metric;
  request.span = {(low + high) / 2, low, high, 5};
  return request;
}

RuleRequest ratio(double low) {
  RuleRequest request = request_for(Metric::speedup, low, low + 0.01);
  request.every_gpu = true;
  return request;
}

Range ruled(const RuleRequest& request) {
  return apply_rule(request).range.value_or(Range{});
}

Range decided(Metric metric, Range present, Range rule, bool raise = false,
              bool may_tighten = true) {
  return decide(metric, present, {rule, "", may_tighten}, raise).range;
}

MATCHER_P2(IsRange, full, zero, "") {
  *result_listener << ends_text(arg);
  return arg.full == full && arg.zero == zero;
}

TEST(TimeRule, LeavesRoomAboveTheSlowestRun) {
  EXPECT_THAT(ruled(request_for(Metric::time_ms, 2.10, 2.12)), IsRange(3.2, 6.4));
  EXPECT_THAT(ruled(request_for(Metric::time_ms, 0.0311, 0.0315)), IsRange(0.048, 0.095));
  EXPECT_THAT(ruled(request_for(Metric::modelled_time_ms, 400, 400)), IsRange(600, 1200));
}

TEST(TimeRule, KeepsTheBaselineFromWinning) {
  RuleRequest request = request_for(Metric::time_ms, 2.10, 2.12);
  request.baseline = "01-naive";
  request.baseline_ms = 3.14;
  EXPECT_THAT(ruled(request), IsRange(2.9, 6.4));
  EXPECT_THAT(apply_rule(request).why, HasSubstr("below the 3.14 ms of 01-naive"));
  request.baseline_ms = 12.0;
  EXPECT_THAT(ruled(request), IsRange(3.2, 6.4));
}

TEST(TimeRule, KeepsTheReferenceWinningWhereTheBaselineIsNear) {
  RuleRequest request = request_for(Metric::time_ms, 2.10, 2.12);
  request.baseline = "01-naive";
  request.baseline_ms = 2.2;
  EXPECT_THAT(ruled(request), IsRange(2.6, 6.4));
  EXPECT_THAT(apply_rule(request).why, HasSubstr("01-naive with 2.2 ms wins too"));
}

TEST(RateRule, IsTheTimeRuleTurnedRound) {
  EXPECT_THAT(ruled(request_for(Metric::gflops, 8000, 8100)), IsRange(5300, 2600));
  EXPECT_THAT(ruled(request_for(Metric::fraction_of_cublas, 0.9, 0.91)), IsRange(0.6, 0.3));
}

RuleRequest with_rival(Metric metric, double value, double rival) {
  RuleRequest request = request_for(metric, value, value);
  request.rival = Rival{"wrong/naive.cu", rival};
  return request;
}

TEST(RivalRule, ZeroIsWhatTheRivalTakes) {
  EXPECT_THAT(ruled(with_rival(Metric::modelled_time_ms, 0.013, 0.0304)), IsRange(0.02, 0.03));
  EXPECT_THAT(apply_rule(with_rival(Metric::modelled_time_ms, 0.013, 0.0304)).why,
              "zero is what wrong/naive.cu has, 0.0304; full is 1.5 times the reference's");
  EXPECT_THAT(ruled(with_rival(Metric::modelled_time_ms, 0.013, 0.0904)), IsRange(0.02, 0.039));
}

TEST(RivalRule, FullIsBetweenTheTwoWhereTheMarginLeavesNoRoom) {
  EXPECT_THAT(ruled(with_rival(Metric::modelled_time_ms, 0.0082, 0.0124)), IsRange(0.011, 0.012));
  EXPECT_THAT(ruled(with_rival(Metric::modelled_time_ms, 0.013, 0.0204)), IsRange(0.017, 0.02));
  EXPECT_THAT(apply_rule(with_rival(Metric::modelled_time_ms, 0.013, 0.0204)).why,
              HasSubstr("1.5 times the reference's leaves no room, full is between the two"));
}

TEST(RivalRule, ProposesNothingWhereTheRivalIsTooNear) {
  const RuleResult result = apply_rule(with_rival(Metric::time_ms, 2.0, 2.3));
  EXPECT_FALSE(result.range);
  EXPECT_THAT(result.why, HasSubstr("wrong/naive.cu has 2.3, too near to the reference's 2"));
}

TEST(RivalRule, IsTurnedRoundForRates) {
  EXPECT_THAT(ruled(with_rival(Metric::gflops, 8000, 4000)), IsRange(5300, 4000));
  EXPECT_THAT(ruled(with_rival(Metric::gflops, 8000, 1000)), IsRange(5300, 2600));
  EXPECT_THAT(ruled(with_rival(Metric::gflops, 8000, 5000)), IsRange(5800, 5000));
  EXPECT_FALSE(apply_rule(with_rival(Metric::gflops, 8000, 7000)).range);
}

TEST(RivalRule, AKernelIsDistinguishedBeyondTheMargin) {
  const MeasuredSpan span{2, 1.9, 2.1, 5};
  EXPECT_TRUE(is_distinguishable(Metric::time_ms, span, 3.2));
  EXPECT_FALSE(is_distinguishable(Metric::time_ms, span, 3.1));
  EXPECT_TRUE(is_distinguishable(Metric::gflops, span, 1.2));
  EXPECT_FALSE(is_distinguishable(Metric::gflops, span, 1.3));
}

TEST(RateRule, NeverMakesARangeForEveryCardHarder) {
  RuleRequest request = request_for(Metric::gflops, 8000, 8100);
  EXPECT_TRUE(apply_rule(request).may_tighten);
  request.every_gpu = true;
  EXPECT_FALSE(apply_rule(request).may_tighten);
}

TEST(SpeedupRule, AsksForNoMoreThanEveryCardGains) {
  EXPECT_THAT(ruled(ratio(5.2)), IsRange(3.0, 1.0));
  EXPECT_THAT(ruled(ratio(3.3)), IsRange(1.5, 1.0));
  EXPECT_THAT(ruled(ratio(1.86)), IsRange(1.2, 1.0));
  EXPECT_THAT(ruled(ratio(1.45)), IsRange(1.2, 1.0));
}

TEST(SpeedupRule, AsksForHalfOfASmallGain) {
  EXPECT_THAT(ruled(ratio(1.30)), IsRange(1.15, 1.0));
  EXPECT_FALSE(apply_rule(ratio(1.30)).may_tighten);
  EXPECT_TRUE(apply_rule(ratio(1.45)).may_tighten);
}

TEST(SpeedupRule, OfOneCardAsksForHalfOfTheGain) {
  EXPECT_THAT(ruled(request_for(Metric::speedup, 5.0, 5.1)), IsRange(3.0, 1.0));
  EXPECT_THAT(ruled(request_for(Metric::speedup, 1.6, 1.7)), IsRange(1.3, 1.0));
}

TEST(SpeedupRule, ProposesNothingWhereThereIsHardlyAGain) {
  EXPECT_FALSE(apply_rule(ratio(1.09)).range);
  EXPECT_THAT(apply_rule(ratio(0.9)).why, HasSubstr("grade by counters"));
}

TEST(Decide, AnEndIsMadeEasierAndNotHarder) {
  EXPECT_THAT(decided(Metric::time_ms, {.zero = 6, .full = 2.2}, {.zero = 6.4, .full = 3.2}),
              IsRange(3.2, 6));
  EXPECT_THAT(decided(Metric::time_ms, {.zero = 20, .full = 2.2}, {.zero = 6.4, .full = 3.2}),
              IsRange(3.2, 20));
  EXPECT_THAT(decided(Metric::speedup, {.zero = 1, .full = 2.0}, {.zero = 1, .full = 1.5}),
              IsRange(1.5, 1));
  EXPECT_THAT(decided(Metric::speedup, {.zero = 1, .full = 1.1}, {.zero = 1, .full = 1.5}),
              IsRange(1.1, 1));
}

TEST(Decide, RaiseMakesHarderWhatOneCardCanDecide) {
  const Range easy{.zero = 20, .full = 9};
  EXPECT_THAT(decided(Metric::time_ms, easy, {.zero = 6.4, .full = 3.2}, true), IsRange(3.2, 6.4));
  EXPECT_THAT(decided(Metric::time_ms, easy, {.zero = 6.4, .full = 3.2}, true, false),
              IsRange(9, 20));
}

TEST(Decide, ATenthIsLeftAlone) {
  EXPECT_THAT(decided(Metric::time_ms, {.zero = 6, .full = 3}, {.zero = 6.4, .full = 3.2}, true),
              IsRange(3, 6));
  // For a ratio it is a tenth of the gain.
  EXPECT_THAT(decided(Metric::speedup, {.zero = 1, .full = 1.2}, {.zero = 1, .full = 1.18}),
              IsRange(1.2, 1));
  EXPECT_THAT(decided(Metric::speedup, {.zero = 1, .full = 1.2}, {.zero = 1, .full = 1.15}),
              IsRange(1.15, 1));
}

TEST(Decide, ARivalIsHeldToTheDigit) {
  const Range present{.zero = 0.021, .full = 0.016};
  RuleResult rule{Range{.zero = 0.02, .full = 0.017}, "", true, true};
  EXPECT_THAT(decide(Metric::time_ms, present, rule, true).range, IsRange(0.016, 0.02));
  EXPECT_THAT(decide(Metric::time_ms, present, rule, false).range, IsRange(0.016, 0.021));
  rule.holds_a_rival = false;
  EXPECT_THAT(decide(Metric::time_ms, present, rule, true).range, IsRange(0.016, 0.021));
}

TEST(Decide, FullStaysBelowTheZeroOfARival) {
  const RuleResult rule{Range{.zero = 2.8, .full = 2.7}, "", true, true};
  EXPECT_THAT(decide(Metric::time_ms, Range{.zero = 6, .full = 3}, rule, true).range,
              IsRange(2.7, 2.8));
}

TEST(Decide, SaysWhatItDid) {
  const RuleResult rule{Range{.zero = 6.4, .full = 3.2}, "", true};
  EXPECT_EQ(decide(Metric::time_ms, std::nullopt, rule, false).word, "new");
  EXPECT_EQ(decide(Metric::time_ms, Range{.zero = 6, .full = 3}, rule, false).word,
            "kept: within 10 % of the rule's full 3.2, zero 6.4");
  EXPECT_EQ(decide(Metric::time_ms, Range{.zero = 9, .full = 5}, rule, false).word,
            "kept: easier than the rule's full 3.2, zero 6.4, which --raise sets");
  EXPECT_EQ(decide(Metric::time_ms, Range{.zero = 9, .full = 5}, rule, true).word, "harder");
  EXPECT_EQ(decide(Metric::time_ms, Range{.zero = 4, .full = 2}, rule, false).word, "easier");
  EXPECT_EQ(decide(Metric::time_ms, Range{.zero = 9, .full = 2}, rule, true).word,
            "one end easier, one harder");
}

TEST(RangeNumber, IsWrittenAsAPersonWould) {
  EXPECT_EQ(range_number(3), "3.0");
  EXPECT_EQ(range_number(12), "12");
  EXPECT_EQ(range_number(1.24), "1.24");
  EXPECT_EQ(range_number(0.048), "0.048");
  EXPECT_EQ(range_number(5300), "5300");
  EXPECT_EQ(range_number(1200000), "1200000");
}

}  // namespace
}  // namespace tessera
