// Outputs with random errors, which no mistake explains: they must get no diagnosis.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/words.h"
#include "grader/judge/testing/spoilt_outputs.h"

namespace tessera {
namespace {

double some_products(const Spoilt& x, int row, int column) {
  double sum = 0;
  for (int p = 0; p < x.a.width(); ++p) {
    if (x.below(2) == 0) sum += x.a.value(row, p) * x.b.value(p, column);
  }
  return sum;
}

double stops_anywhere(const Spoilt& x, int row, int column) {
  return x.sum(row, column, 0, x.below(x.a.width()));
}

struct Way {
  const char* name;
  double (*spoil)(const Spoilt&, int row, int column);
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

constexpr Way kWays[] = {
    {"Noise",
     [](const Spoilt& x, int, int) { return static_cast<double>(x.below(20001) - 10000); }},
    {"NoiseHereAndThere",
     [](const Spoilt& x, int row, int column) {
       return x.right_at(row, column) + (x.below(20) == 0 ? 1 + x.below(100) : 0);
     }},
    {"SmallErrors",
     [](const Spoilt& x, int row, int column) { return x.right_at(row, column) + 1 + x.below(3); }},
    {"OneElement",
     [](const Spoilt& x, int row, int column) {
       return x.right_at(row, column) + (row == 1 && column == 2 ? 5 + x.below(90) : 0);
     }},
    {"OneColumn",
     [](const Spoilt& x, int row, int column) {
       return x.right_at(row, column) + (column == 1 ? 5 + x.below(90) : 0);
     }},
    {"ElementsFromAnywhere",
     [](const Spoilt& x, int, int) {
       return x.right_at(x.below(x.output.height()), x.below(x.output.width()));
     }},
    {"Factors", [](const Spoilt& x, int row,
                   int column) { return x.right_at(row, column) * (2 + x.below(5)); }},
    {"SomeProducts", some_products},
    {"SumsThatStopAnywhere", stops_anywhere},
    {"ZerosAndOnes", [](const Spoilt& x, int, int) { return static_cast<double>(x.below(2)); }},
    {"HolesAnywhere",
     [](const Spoilt& x, int row, int column) {
       const bool hole = x.below(4) == 0;
       return hole ? x.output.value(row, column) : x.right_at(row, column);
     }},
    {"NotANumberAnywhere",
     [](const Spoilt& x, int row, int column) {
       return x.below(4) == 0 ? std::nan("") : x.right_at(row, column);
     }},
};

constexpr const char* kCases[] = {
    R"(    - {m: 5, n: 7, k: 3, data: integers}
    - {m: 17, n: 19, k: 23, data: integers}
    - {m: 40, n: 37, k: 45, data: uniform}
)",
    R"(    - {m: 32, n: 48, k: 16, data: permutation}
    - {m: 33, n: 33, k: 33, data: integers, padding: 3}
)",
    R"(    - {m: 20, n: 30, k: 40, data: index}
)"};

class RandomOutputs : public SpoiltOutputs, public testing::WithParamInterface<Way> {};

TEST_P(RandomOutputs, GetNoDiagnosis) {
  for (const char* cases : kCases) {
    const Lab product = lab(cases);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<CaseOutcome> all = outcomes(product, GetParam().spoil);
      diagnose(product, all);
      for (const CaseOutcome& each : all) {
        for (const Finding& finding : each.findings)
          EXPECT_EQ(diagnosis_word(finding), "") << finding.message << "\n" << cases;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Product, RandomOutputs, testing::ValuesIn(kWays),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tessera
