#include "grader/authoring/calibration/yaml_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::HasSubstr;

const YamlPath kDevices = {"thresholds", "0", "devices"};
constexpr const char* kFast = "{full: 1.5, zero: 3.0}";

std::string with_value(const std::string& text, const YamlPath& path, const std::string& value) {
  const auto edited = replace_scalar(text, path, value);
  return edited ? *edited : "error: " + edited.error().str();
}

std::string appended(const std::string& text, const std::string& key,
                     const std::string& value = kFast) {
  const auto edited = append_entry(text, kDevices, key, value);
  return edited ? *edited : "error: " + edited.error().str();
}

TEST(ReplaceScalar, LeavesCommentsOrderAndLayout) {
  EXPECT_EQ(with_value("# zero: 1.0\n"
                       "list:\n"
                       "  - {zero: 1.0,   full: 1.2} # full: 1.2, as measured\n"
                       "  -   full:   1.2   # again\n",
                       {"list", "0", "full"}, "1.15"),
            "# zero: 1.0\n"
            "list:\n"
            "  - {zero: 1.0,   full: 1.15} # full: 1.2, as measured\n"
            "  -   full:   1.2   # again\n");
}

TEST(ReplaceScalar, CountsBytesBehindLettersOfSeveralBytes) {
  EXPECT_EQ(with_value("# für α\n{title: Größe, full: 3.0}\n", {"full"}, "12"),
            "# für α\n{title: Größe, full: 12}\n");
}

TEST(ReplaceScalar, KeepsLineEndsAndByteOrderMark) {
  EXPECT_EQ(with_value("\xef\xbb\xbf# first\r\na: 1\r\nfull: 3.0 # ms\r\nz: 2\r\n", {"full"}, "12"),
            "\xef\xbb\xbf# first\r\na: 1\r\nfull: 12 # ms\r\nz: 2\r\n");
}

TEST(ReplaceScalar, KeepsAMissingLastLineEnd) {
  EXPECT_EQ(with_value("a: 1\nfull: 3.0", {"full"}, "4"), "a: 1\nfull: 4");
}

TEST(ReplaceScalar, NamesThePlaceThatItCannotEdit) {
  EXPECT_EQ(with_value("a: 1\nfull: \"3.0\"\n", {"full"}, "4"),
            "error: line 2:7: full is not a plain value; edit it by hand");
  EXPECT_EQ(with_value("a: 1\n", {"full"}, "4"),
            "error: line 1:1: full is not there; edit it by hand");
  EXPECT_EQ(with_value("a: [1]\n", {"a"}, "4"),
            "error: line 1:4: a is not a plain value; edit it by hand");
  EXPECT_THAT(with_value("a: [1\n", {"a"}, "4"), HasSubstr("is not valid YAML"));
}

TEST(ReplaceScalar, RefusesWhatAnAliasShares) {
  EXPECT_THAT(with_value("a: &range {full: 3.0}\nb: *range\n", {"b", "full"}, "4"),
              HasSubstr("b.full cannot be changed without changing something else"));
}

TEST(AppendEntry, GoesBehindTheLastOfAFlowMapping) {
  EXPECT_EQ(appended("thresholds:\n"
                     "  - {devices: {NVIDIA H200: {full: 3.0, zero: 6.0}}} # one\n",
                     "Tesla T4"),
            "thresholds:\n"
            "  - {devices: {NVIDIA H200: {full: 3.0, zero: 6.0}, "
            "Tesla T4: {full: 1.5, zero: 3.0}}} # one\n");
}

TEST(AppendEntry, BreaksALineThatGetsTooLong) {
  EXPECT_EQ(appended("thresholds:\n"
                     "  - {metric: time_ms, devices: {NVIDIA H200: {full: 3.0, zero: 6.0}}, "
                     "points: 5}\n",
                     "NVIDIA GeForce RTX 4090"),
            "thresholds:\n"
            "  - {metric: time_ms, devices: {NVIDIA H200: {full: 3.0, zero: 6.0},\n"
            "                                NVIDIA GeForce RTX 4090: {full: 1.5, zero: 3.0}}, "
            "points: 5}\n");
}

TEST(AppendEntry, FollowsAFlowMappingThatIsSpreadOverLines) {
  EXPECT_EQ(appended("thresholds:\n"
                     "  - devices: {A: {full: 3.0, zero: 6.0}, # {the first}\n"
                     "              \"B}\": {full: 2.0, zero: 4.0} # the 'last\n"
                     "             }\n",
                     "C"),
            "thresholds:\n"
            "  - devices: {A: {full: 3.0, zero: 6.0}, # {the first}\n"
            "              \"B}\": {full: 2.0, zero: 4.0},\n"
            "              C: {full: 1.5, zero: 3.0} # the 'last\n"
            "             }\n");
}

TEST(AppendEntry, GetsALineOfItsOwnInABlockMapping) {
  EXPECT_EQ(appended("thresholds:\r\n"
                     "  - devices:\r\n"
                     "      # the big one\r\n"
                     "      NVIDIA H200: {full: 3.0, zero: 6.0} # tiles of 16\r\n"
                     "    points: 5\r\n",
                     "Tesla T4"),
            "thresholds:\r\n"
            "  - devices:\r\n"
            "      # the big one\r\n"
            "      NVIDIA H200: {full: 3.0, zero: 6.0} # tiles of 16\r\n"
            "      Tesla T4: {full: 1.5, zero: 3.0}\r\n"
            "    points: 5\r\n");
}

TEST(AppendEntry, FollowsABlockInABlockAtTheEndOfTheFile) {
  EXPECT_EQ(appended("thresholds:\n"
                     "  - devices:\n"
                     "      Tesla T4:\n"
                     "        full: 3.0\n"
                     "        zero: 6.0",
                     "O'Neil: #1"),
            "thresholds:\n"
            "  - devices:\n"
            "      Tesla T4:\n"
            "        full: 3.0\n"
            "        zero: 6.0\n"
            "      'O''Neil: #1': {full: 1.5, zero: 3.0}");
}

TEST(AppendEntry, RefusesAKeyThatIsThereAndAPlaceThatIsNoMapping) {
  EXPECT_EQ(appended("thresholds: [{devices: {A: {full: 1}}}]\n", "A"),
            "error: line 1:24: thresholds.0.devices has 'A' already; edit it by hand");
  EXPECT_EQ(
      appended("thresholds: [{devices: 4}]\n", "A"),
      "error: line 1:24: thresholds.0.devices is not a mapping with entries; edit it by hand");
}

TEST(AppendEntry, RefusesAMappingThatAnAliasShares) {
  EXPECT_THAT(appended("other: &all {A: {full: 1}}\nthresholds: [{devices: *all}]\n", "B"),
              HasSubstr("cannot be changed without changing something else"));
}

}  // namespace
}  // namespace tessera
