// The message and the hint for a race.
#include "grader/simulator/check/race_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tessera::sim {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Race race_of(Phrase first, int first_line, Phrase second, int second_line) {
  Race race;
  race.variable = "As";
  race.element = {"As", "[2][0]"};
  race.first = {first, "(0, 2, 0)", "(0, 0, 0)", first_line};
  race.second = {second, "(0, 1, 0)", "(1, 0, 0)", second_line};
  return race;
}

std::string message_of(const Race& race) {
  return race_message(race).str();
}

RaceHull hull_of(const Race& race) {
  RaceHull all;
  all.common = all.hull = std::minmax({race.first.line, race.second.line});
  all.stores_only = race.stores_only();
  all.next_pass = race.next_pass;
  all.unheld = race.unheld;
  all.subjects = {race.variable};
  return all;
}

std::string hint_of(const Race& race) {
  return race_hint(race, hull_of(race)).str();
}

TEST(RaceMessage, NamesTheEarlierLineFirst) {
  const std::string expected =
      "line 13 stores As[2][0] (thread (0, 2, 0)), line 15 reads it (thread (0, 1, 0)), no barrier "
      "between";
  EXPECT_EQ(message_of(
                in_program_order(race_of(Phrase::stores, 13, Phrase::reads, 15), Between::nothing)),
            expected);
  Race noticed_last = race_of(Phrase::stores, 13, Phrase::reads, 15);
  std::swap(noticed_last.first, noticed_last.second);
  EXPECT_EQ(message_of(in_program_order(noticed_last, Between::nothing)), expected);
}

TEST(RaceMessage, AFunctionStandsWhereItIsCalled) {
  Race race = race_of(Phrase::reads, 8, Phrase::stores, 20);
  race.first.caller = 24;
  race = in_program_order(race, Between::nothing);
  EXPECT_EQ(message_of(race),
            "line 20 stores As[2][0] (thread (0, 1, 0)), line 8 reads it (thread (0, 2, 0)), no "
            "barrier between (line 8 is called in line 24)");
}

TEST(RaceMessage, InsideOneCallTheFunctionsOwnLinesCount) {
  Race race = race_of(Phrase::reads, 8, Phrase::stores, 5);
  race.first.caller = race.second.caller = 24;
  EXPECT_TRUE(race.in_one_call());
  race = in_program_order(race, Between::nothing);
  EXPECT_EQ(message_of(race),
            "line 5 stores As[2][0] (thread (0, 1, 0)), line 8 reads it (thread (0, 2, 0)), no "
            "barrier between");
}

TEST(RaceMessage, PastABarrierTheNextPassStores) {
  const Race race =
      in_program_order(race_of(Phrase::stores, 12, Phrase::reads, 15), Between::barrier_in_loop);
  EXPECT_EQ(message_of(race),
            "line 15 reads As[2][0] (thread (0, 1, 0)), line 12 stores it in the next pass of the "
            "loop (thread (0, 2, 0)), no barrier between");
  EXPECT_EQ(hint_of(race), "__syncthreads() is missing after line 15, before line 12 runs again.");
}

TEST(RaceMessage, WithoutALoopThereIsNoNextPass) {
  const Race race =
      in_program_order(race_of(Phrase::stores, 12, Phrase::reads, 15), Between::barrier);
  EXPECT_EQ(message_of(race),
            "line 12 stores As[2][0] (thread (0, 2, 0)), line 15 reads it (thread (0, 1, 0)), and "
            "the barrier between does not order them");
  EXPECT_THAT(hint_of(race), HasSubstr("does it stand under a condition?"));
}

TEST(RaceMessage, OfOneLineNamesTheReadFirst) {
  EXPECT_EQ(
      message_of(
          in_program_order(race_of(Phrase::stores, 20, Phrase::reads, 20), Between::nothing)),
      "line 20 reads As[2][0] (thread (0, 1, 0)) and stores it (thread (0, 2, 0)), no barrier "
      "between");
  EXPECT_EQ(
      message_of(
          in_program_order(race_of(Phrase::stores, 20, Phrase::stores, 20), Between::nothing)),
      "line 20 stores As[2][0] twice (thread (0, 2, 0), thread (0, 1, 0)), no barrier between");
}

TEST(RaceMessage, NamesTheBlocksIfTheyDiffer) {
  Race race = race_of(Phrase::stores, 20, Phrase::reads, 24);
  race.scope = RaceScope::grid;
  EXPECT_EQ(message_of(in_program_order(race, Between::barrier_in_loop)),
            "line 20 stores As[2][0] (thread (0, 2, 0) of block (0, 0, 0)), line 24 reads it "
            "(thread (0, 1, 0) of block (1, 0, 0)), and blocks run in any order");
  race.block_atomic = true;
  EXPECT_THAT(message_of(race), EndsWith("with _block is atomic only within its block"));
}

TEST(RaceMessage, AnUnknownThreadIsAnotherThread) {
  Race race = race_of(Phrase::reads, 15, Phrase::stores, 18);
  race.first.thread.clear();
  EXPECT_EQ(message_of(race),
            "line 15 reads As[2][0] (another thread), line 18 stores it (thread (0, 1, 0)), no "
            "barrier between");
  for (const auto& [name, value] : race_example(race)) EXPECT_NE(name, "other thread");
}

TEST(RaceMessage, OneValueAndAnUnknownLine) {
  Race race = race_of(Phrase::stores, 0, Phrase::stores, 24);
  race.same_value = true;
  race.scope = RaceScope::warp;
  EXPECT_EQ(message_of(race),
            "an unknown line stores As[2][0] (thread (0, 2, 0)), line 24 stores the same "
            "value there (thread (0, 1, 0)), no __syncwarp() between");
  EXPECT_EQ(hint_of(race), "Put __syncwarp() between the two accesses.");
}

TEST(RaceHint, NamesTheOtherVariables) {
  const Race race = race_of(Phrase::stores, 13, Phrase::reads, 15);
  RaceHull all = hull_of(race);
  all.subjects = {"As", "Bs"};
  EXPECT_EQ(race_hint(race, all).str(),
            "__syncthreads() is missing between line 13 and line 15. It is missing for Bs too.");
}

TEST(RaceHint, ABarrierRepairsTwoStoresOnlyInOneArray) {
  Race race = race_of(Phrase::stores, 11, Phrase::stores, 12);
  EXPECT_EQ(hint_of(race),
            "Both line 11 and line 12 store into the same element of As: which of the two values "
            "is meant? "
            "If both, one of the indices is wrong. If the later one: __syncthreads() is missing "
            "between line 11 and line 12.");
  race.dynamic = true;
  EXPECT_EQ(
      hint_of(race),
      "Both line 11 and line 12 store into the same element of As: do two arrays overlap? Look at "
      "where each of them starts. Only if both lines mean the same array: "
      "__syncthreads() is missing between line 11 and line 12.");
}

TEST(RaceHint, AReadAmongTheRacesMeansAMissingBarrier) {
  Race race = race_of(Phrase::stores, 11, Phrase::stores, 12);
  race.dynamic = true;
  RaceHull all = hull_of(race);
  all.stores_only = false;
  EXPECT_EQ(race_hint(race, all).str(), "__syncthreads() is missing between line 11 and line 12.");
}

TEST(RaceHint, DifferentThreadsOfTwoBlocksDoNotLackBlockIdx) {
  Race race = race_of(Phrase::stores, 8, Phrase::stores, 8);
  race.scope = RaceScope::grid;
  EXPECT_THAT(hint_of(race), HasSubstr("is the index different for them (row and column, the row "
                                       "length)?"));
  race.second.thread = race.first.thread;
  EXPECT_THAT(hint_of(race), HasSubstr("is blockIdx missing in the index?"));
}

TEST(RaceHint, APlainReadOfAnUpdatedElementMayBeIntended) {
  Race race = race_of(Phrase::reads, 3, Phrase::updates, 5);
  EXPECT_THAT(hint_of(race), EndsWith("before a loop with atomicCAS, read through a pointer to "
                                      "volatile."));
  race.scope = RaceScope::grid;
  EXPECT_THAT(hint_of(race), HasSubstr("read through a pointer to volatile"));
  EXPECT_THAT(hint_of(race_of(Phrase::stores, 3, Phrase::updates, 5)), Not(HasSubstr("volatile")));
}

TEST(RaceHint, WhereThreadsMeetAtNamedBarriersOneOfTheseMayBeMeant) {
  Race race = race_of(Phrase::stores, 3, Phrase::reads, 5);
  race.has_meetings = true;
  EXPECT_THAT(hint_of(race), HasSubstr("which one is to order line 3 and line 5?"));
  EXPECT_THAT(hint_of(race), Not(HasSubstr("__syncthreads()")));
  race.scope = RaceScope::warp;
  EXPECT_THAT(hint_of(race), HasSubstr("__syncwarp() is missing"));
}

TEST(RaceHint, BlocksThatUseFlagsAreAskedForTheFlag) {
  Race race = race_of(Phrase::stores, 3, Phrase::reads, 5);
  race.scope = RaceScope::grid;
  EXPECT_THAT(hint_of(race), HasSubstr("Blocks cannot wait for each other"));
  race.has_flags = true;
  EXPECT_THAT(hint_of(race), HasSubstr("__threadfence() stands before the flag is set"));
}

}  // namespace
}  // namespace tessera::sim
