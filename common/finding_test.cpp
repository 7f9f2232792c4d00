#include "common/finding.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

TEST(FindingKind, EveryWordLeadsBackToItsKind) {
  std::set<std::string_view> words;
  for (const FindingKind kind : all_finding_kinds()) {
    EXPECT_EQ(finding_kind(to_string(kind)), kind);
    words.insert(to_string(kind));
  }
  EXPECT_EQ(words.size(), all_finding_kinds().size());
}

TEST(FindingKind, ListsEveryKindInTheOrderOfTheEnum) {
  const auto& kinds = all_finding_kinds();
  ASSERT_EQ(kinds.size(), static_cast<std::size_t>(FindingKind::grader_crash) + 1);
  EXPECT_EQ(kinds.front(), FindingKind::out_of_bounds);
  EXPECT_EQ(kinds.back(), FindingKind::grader_crash);
}

TEST(FindingKind, UsesTheWordsOfTheRecords) {
  EXPECT_EQ(to_string(FindingKind::out_of_bounds), "out-of-bounds");
  EXPECT_EQ(to_string(FindingKind::output_not_written), "output-not-written");
  EXPECT_EQ(to_string(FindingKind::does_not_compile), "does-not-compile");
}

TEST(FindingKind, AnUnknownWordIsNoKind) {
  EXPECT_EQ(finding_kind("out_of_bounds"), std::nullopt);
  EXPECT_EQ(finding_kind(""), std::nullopt);
}

TEST(Severity, UsesTheWordsOfTheRecords) {
  EXPECT_EQ(to_string(Severity::error), "error");
  EXPECT_EQ(to_string(Severity::warning), "warning");
  EXPECT_EQ(to_string(Severity::info), "info");
}

}  // namespace
}  // namespace tessera
