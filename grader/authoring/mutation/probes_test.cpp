#include "grader/authoring/mutation/probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tessera {
namespace {

Case product_case(int m, int n, int k) {
  Case test_case;
  test_case.extents = {{"m", m}, {"n", n}, {"k", k}};
  test_case.data = {{"A", Recipe{"integers"}}, {"B", Recipe{"integers"}}};
  test_case.data_name = "integers";
  return test_case;
}

Lab product_lab(std::vector<Case> cases) {
  Lab lab;
  lab.operation = find_operation("matmul");
  lab.cases = std::move(cases);
  return lab;
}

TEST(FurtherCases, AreOtherShapesThanTheLabs) {
  const Lab lab = product_lab({product_case(5, 7, 9), product_case(20, 21, 22)});
  std::set<std::string> titles;
  for (const Case& test_case : lab.cases) titles.insert(lab.case_title(test_case));
  const std::vector<Case> further = further_cases(lab);
  EXPECT_GT(further.size(), 20u);
  for (const Case& test_case : further)
    EXPECT_TRUE(titles.insert(lab.case_title(test_case)).second);
}

TEST(FurtherCases, AreTheSameAtEveryCall) {
  const Lab lab = product_lab({product_case(5, 7, 9)});
  const std::vector<Case> once = further_cases(lab);
  const std::vector<Case> again = further_cases(lab);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].extents, again[i].extents);
}

bool is_whole(const Case& test_case) {
  return std::ranges::all_of(test_case.extents,
                             [](const auto& entry) { return entry.second % 16 == 0; });
}

TEST(FurtherCases, AreMultiplesOfATileAndRagged) {
  const Lab lab = product_lab({product_case(16, 48, 32), product_case(32, 16, 64)});
  const std::vector<Case> further = further_cases(lab);
  const auto whole = std::ranges::count_if(further, is_whole);
  EXPECT_GT(whole, 15);
  EXPECT_GT(static_cast<std::ptrdiff_t>(further.size()) - whole, 15);
}

/// A product that the lab computes in its reference.cu, at an unknown cost.
class CostlyProduct : public Operation {
 public:
  std::string_view name() const override { return product_.name(); }
  const std::vector<std::string>& extents() const override { return product_.extents(); }
  std::vector<Operand> operands(const Extents& extents) const override {
    return product_.operands(extents);
  }
  double work(const Extents& extents) const override { return product_.work(extents); }
  bool has_host_reference() const override { return false; }
  Reference reference(std::span<const HostMatrix>) const override { return {}; }

 private:
  const Operation& product_ = *find_operation("matmul");
};

TEST(FurtherCases, CostNoMoreThanAFewTimesTheCasesOfACostlyLab) {
  const CostlyProduct operation;
  Lab lab = product_lab({product_case(64, 48, 32), product_case(1, 2, 3)});
  lab.operation = &operation;
  const double own = 64 * 48 * 32 + 6;
  double all = 0;
  for (const Case& test_case : further_cases(lab)) {
    const double work = lab.operation->work(test_case.extents);
    EXPECT_LE(work, 64 * 48 * 32) << "the largest case";
    all += work;
  }
  EXPECT_LE(all, 4 * own);
  EXPECT_GT(all, own);
}

TEST(FurtherCases, BeginWithExtentsInOtherPlaces) {
  const Lab lab = product_lab({product_case(5, 7, 9)});
  EXPECT_EQ(further_cases(lab).front().extents, (Extents{{"m", 7}, {"n", 9}, {"k", 5}}));
}

TEST(CaseYaml, ReadsAsUnderCases) {
  Lab lab = product_lab({product_case(5, 7, 9)});
  EXPECT_EQ(case_yaml(lab, lab.cases[0]), "{m: 5, n: 7, k: 9, data: integers}");
  lab.cases[0].data_name = "A=hilbert B=identity";
  lab.cases[0].padding = {{"A", 3}, {"B", 3}, {"C", 3}};
  EXPECT_EQ(case_yaml(lab, lab.cases[0]),
            "{m: 5, n: 7, k: 9, data: {A: hilbert, B: identity}, padding: 3}");
  lab.cases[0].padding = {{"B", 3}, {"C", 5}};
  EXPECT_THAT(case_yaml(lab, lab.cases[0]), testing::EndsWith(", padding: {B: 3, C: 5}}"));
}

}  // namespace
}  // namespace tessera
