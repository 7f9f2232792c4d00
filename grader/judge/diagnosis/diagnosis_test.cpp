#include "grader/judge/diagnosis/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/words.h"
#include "grader/judge/testing/spoilt_outputs.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class Diagnosis : public SpoiltOutputs {
 protected:
  static const Finding& wrong(const CaseOutcome& outcome) {
    static const Finding kNone;
    const auto found =
        std::ranges::find(outcome.findings, FindingKind::wrong_result, &Finding::kind);
    if (found == outcome.findings.end()) ADD_FAILURE() << "nothing is wrong";
    return found == outcome.findings.end() ? kNone : *found;
  }

  static std::vector<std::string> words(const std::vector<CaseOutcome>& outcomes) {
    std::vector<std::string> all;
    for (const CaseOutcome& outcome : outcomes) all.push_back(diagnosis_word(wrong(outcome)));
    return all;
  }

  /// A finding that the run itself had.
  static Finding found(FindingKind kind, const std::string& element) {
    Finding finding;
    finding.kind = kind;
    finding.example = {{"element", element}};
    return finding;
  }
};

constexpr const char* kThreeCases = R"(    - {m: 17, n: 19, k: 19, data: integers}
    - {m: 40, n: 37, k: 45, data: uniform}
    - {m: 20, n: 35, k: 70, data: integers, padding: 2}
)";

double without_last_part_of_a_tile(const Spoilt& x, int row, int column) {
  return x.sum(row, column, 0, x.a.width() / 16 * 16);
}

TEST_F(Diagnosis, SaysWhereAndWhatStandsThereBeforeTheExample) {
  const Lab product = lab("    - {m: 17, n: 19, k: 19, data: integers}\n");
  std::vector<CaseOutcome> all = outcomes(product, [](const Spoilt& x, int row, int column) {
    return column < 16 ? x.right_at(row, column) : without_last_part_of_a_tile(x, row, column);
  });
  diagnose(product, all);
  const Finding& finding = wrong(all[0]);
  EXPECT_THAT(
      finding.message,
      AllOf(StartsWith("C is right except in the last 3 columns, where the products from k = "
                       "16 on, of 19, are left out. C[0][16] is "),
            HasSubstr(", expected ")));
  EXPECT_EQ(diagnosis_word(finding), "sum-stops-early");
  EXPECT_EQ(all[0].message, finding.message);
  EXPECT_EQ(all[0].hint, finding.hint);
}

TEST_F(Diagnosis, ALoopsBoundIsNotBlamedForSomeColumnsOnly) {
  const Lab product = lab("    - {m: 17, n: 19, k: 23, data: integers}\n");
  const auto spoilt_from = [&](int first) {
    std::vector<CaseOutcome> all = outcomes(product, [first](const Spoilt& x, int row, int column) {
      return column < first ? x.right_at(row, column) : without_last_part_of_a_tile(x, row, column);
    });
    diagnose(product, all);
    return diagnosis_word(wrong(all[0]));
  };
  EXPECT_EQ(spoilt_from(0), "missing-last-phase");
  EXPECT_EQ(spoilt_from(7), "sum-stops-early");
}

TEST_F(Diagnosis, ThreadsThatStoreOneValueAreNoRaceThatSpoilsIt) {
  const Lab product = lab(kThreeCases);
  std::vector<CaseOutcome> all = outcomes(product, without_last_part_of_a_tile);
  all[1].findings.push_back(found(FindingKind::race, "C[3][5]"));
  all[1].findings.back().severity = Severity::info;
  diagnose(product, all);
  EXPECT_THAT(words(all), Each("missing-last-phase"));
}

TEST_F(Diagnosis, WhatOneCaseLeavesOpenAnotherDecides) {
  const std::string open = "    - {m: 16, n: 20, k: 32, data: integers}\n";
  const Spoil spoil = [](const Spoilt& x, int row, int column) {
    return x.sum(row, column, 0, std::min(x.a.height(), x.a.width()));
  };
  const Lab one_case = lab(open);  // 16 is m, and a tile
  std::vector<CaseOutcome> all = outcomes(one_case, spoil);
  diagnose(one_case, all);
  EXPECT_THAT(
      wrong(all[0]).message,
      StartsWith("In all of C, the products from k = 16 on, of 32, are left out. C[0][0] is "));
  const Lab two_cases = lab(open + "    - {m: 21, n: 20, k: 50, data: integers}\n");
  all = outcomes(two_cases, spoil);
  diagnose(two_cases, all);
  EXPECT_THAT(words(all), Each("wrong-inner-extent"));
}

TEST_F(Diagnosis, ACaseThatItDoesNotExplainContradictsIt) {
  const Lab product = lab(kThreeCases);
  std::vector<CaseOutcome> all = outcomes(product, without_last_part_of_a_tile);
  all[2] = outcome(product, 2, [](const Spoilt& x, int row, int column) {
    return x.right_at(row, column) + row + 3 * column + 1;
  });
  diagnose(product, all);
  EXPECT_THAT(words(all), AllOf(SizeIs(3), Each("")));
}

TEST_F(Diagnosis, ACaseThatAccessedWrongMemoryDoesNotContradictIt) {
  const Lab product = lab(kThreeCases);
  std::vector<CaseOutcome> all = outcomes(product, without_last_part_of_a_tile);
  all[2] = outcome(product, 2, [](const Spoilt& x, int row, int column) {
    return x.right_at(row, column) + row + 3 * column + 1;
  });
  all[2].findings.push_back(found(FindingKind::out_of_bounds, "A[20][0]"));
  diagnose(product, all);
  EXPECT_THAT(words(all), testing::ElementsAre("missing-last-phase", "missing-last-phase", ""));
}

TEST_F(Diagnosis, IsMissingIfThreadsRaced) {
  const Lab product = lab(kThreeCases);
  std::vector<CaseOutcome> all = outcomes(product, without_last_part_of_a_tile);
  all[1].findings.push_back(found(FindingKind::race, "As[3][5]"));
  diagnose(product, all);
  EXPECT_THAT(words(all), Each(""));
}

TEST_F(Diagnosis, HiddenCasesTakeNoPart) {
  const Lab product = lab("    - {m: 17, n: 19, k: 19, data: integers}\n",
                          "  - {m: 40, n: 37, k: 45, data: integers}\n");
  std::vector<CaseOutcome> all = outcomes(product, without_last_part_of_a_tile);
  all[1] = outcome(product, 1, [](const Spoilt& x, int row, int column) {
    return x.right_at(row, column) + row + 3 * column + 1;
  });
  diagnose(product, all);
  EXPECT_THAT(words(all), testing::ElementsAre("missing-last-phase", ""));
}

TEST_F(Diagnosis, ProductsInTheWrongOrderAreNamed) {
  const Lab square = lab("    - {m: 20, n: 20, k: 20, data: integers}\n");
  std::vector<CaseOutcome> all = outcomes(square, [](const Spoilt& x, int row, int column) {
    double sum = 0;
    for (int p = 0; p < 20; ++p) sum += x.b.value(row, p) * x.a.value(p, column);
    return sum;
  });
  diagnose(square, all);
  EXPECT_THAT(wrong(all[0]).message,
              StartsWith("In all of C, A and B are exchanged: the result is that of B A. C[0][0]"));
}

TEST_F(Diagnosis, ARightResultNeedsNone) {
  const Lab product = lab(kThreeCases);
  std::vector<CaseOutcome> all = outcomes(
      product, [](const Spoilt& x, int row, int column) { return x.right_at(row, column); });
  diagnose(product, all);
  for (const CaseOutcome& each : all) {
    EXPECT_EQ(each.status, Status::pass);
    EXPECT_THAT(each.findings, SizeIs(0));
  }
}

}  // namespace
}  // namespace tessera
