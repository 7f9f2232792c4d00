#include "grader/judge/run/data_seed.h"

#include <gtest/gtest.h>

#include <set>

#include "grader/judge/run/simulated_operands.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

TEST(DataSeed, EachDrawOfEachCaseIsANumberOfItsOwn) {
  constexpr Purpose kPurposes[] = {Purpose::input,    Purpose::addresses, Purpose::poison,
                                   Purpose::schedule, Purpose::readable,  Purpose::product_check};
  std::set<std::uint64_t> numbers;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {0, 1, 12}) {
    for (const std::uint64_t number : {0, 1, 21}) {
      for (const Purpose purpose : kPurposes) {
        for (const std::uint64_t index : {0, 1}) {
          numbers.insert(DataSeed(seed, number).number_for(purpose, index));
          ++drawn;
        }
      }
    }
  }
  EXPECT_EQ(numbers.size(), drawn);
  EXPECT_EQ(DataSeed(7, 2).number_for(Purpose::input, 1),
            DataSeed(7, 2).number_for(Purpose::input, 1));
}

TEST(DataSeed, ALaunchGetsTheNumbersOfItsCase) {
  const Lab lab = kit_lab("00-adjacent-difference");
  const Program program;
  const GradeOptions options;
  const CaseContext context{lab, program, lab.cases.front(), options};
  const DataSeed seed(7, 2);
  SimulatedOperands operands(seed);
  ASSERT_FALSE(operands.make(lab, context.test_case));
  const RunRequest request = operands.launch(context, {});
  EXPECT_EQ(request.key, seed.number_for(Purpose::schedule));
  EXPECT_EQ(request.readable_key, seed.number_for(Purpose::readable));
  EXPECT_EQ(request.poison, 0x7fc00000u | seed.number_for(Purpose::poison) >> 42);
}

}  // namespace
}  // namespace tessera
