#include "common/finding.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

TEST(FindingKind, EveryKindIsFoundByItsWord) {
  std::set<std::string_view> words;
  for (const FindingKind kind : kAllFindingKinds) {
    EXPECT_EQ(finding_kind(to_string(kind)), kind);
    words.insert(to_string(kind));
  }
  EXPECT_EQ(words.size(), kAllFindingKinds.size());
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
