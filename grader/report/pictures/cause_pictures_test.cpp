#include "grader/report/pictures/cause_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/text.h"
#include "grader/report/pictures/choice.h"
#include "grader/report/pictures/samples.h"
#include "grader/report/pictures/testing.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;
using Memory = LineAccess::Memory;
using Offset = std::optional<std::uint64_t>;

constexpr const char* kMap = "    C, 8 x 8\n";
constexpr const char* kSectors = "    line 23, global load of As: 32 sectors a request";
constexpr const char* kBanksLine = "    line 23, shared load of As: 32 wavefronts a request";
constexpr const char* kTime = "    time, shorter is better\n    your kernel ";

TEST(TextReport, DrawsWhatLostPoints) {
  const std::string text = text_report(pictured_record(), {});
  for (const char* picture : {kMap, kSectors, kBanksLine, kTime})
    EXPECT_THAT(text, HasSubstr(picture));
  EXPECT_LT(text.find("hint: follow C[0][45] by hand"), text.find(kMap));
  EXPECT_LT(text.find("shared_load_bank_conflicts is too large"), text.find(kBanksLine));
}

TEST(TextReport, DrawsNoMapOfWhatMayComeFromAnotherCause) {
  Record record = pictured_record();
  record.items[1].findings[1].example.clear();
  EXPECT_THAT(text_report(record, {}), Not(HasSubstr(kMap)));
}

TEST(TextReport, DrawsEachPictureOnce) {
  Record record = pictured_record();
  record.items[2].findings.push_back(record.items[1].findings[1]);
  record.items[2].findings.back().kind = FindingKind::not_finite;
  record.items[1].findings.push_back(record.items[2].findings.back());
  record.items.push_back(failing_technique(Metric::global_load_sectors));
  const std::string text = text_report(record, {});
  EXPECT_EQ(text.find(kMap), text.rfind(kMap));
  EXPECT_EQ(text.find(kSectors), text.rfind(kSectors));
}

TEST(TextReport, DrawsNothingOfWhatKeptItsPoints) {
  Record record = pictured_record();
  for (Item& item : record.items) {
    item.status = Status::pass;
    item.findings.clear();
  }
  const std::string text = text_report(record, {});
  for (const char* picture : {kMap, kSectors, kBanksLine, kTime})
    EXPECT_THAT(text, Not(HasSubstr(picture)));
}

TEST(TextReport, ARecordOfBeforePicturesHasNone) {
  Record record = pictured_record();
  for (Item& item : record.items) {
    item.map.reset();
    item.goal.reset();
  }
  for (LineAccess& access : record.lines) access.worst.offsets.clear();
  const std::string text = text_report(record, {});
  for (const char* picture : {kMap, kSectors, kBanksLine, kTime})
    EXPECT_THAT(text, Not(HasSubstr(picture)));
}

TEST(TextReport, PicturesComeFromTheJsonAlone) {
  const Record record = pictured_record();
  const Expected<Record> read = read_record(json_report({record}));
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(text_report(*read, {}), text_report(record, {}));
}

TEST(TextReport, PicturesAreAsciiWhereTheTerminalIs) {
  const Record record = pictured_record();
  std::string text;
  CausePictures pictures(record, ascii_options());
  for (const Cause& cause : causes_of(record)) text += pictures.of(cause);
  EXPECT_THAT(text, HasSubstr("XX"));
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << text;
}

TEST(MapOfACause, IsThatOfAFindingAboutElements) {
  const Record record = pictured_record();
  for (const Cause& cause : causes_of(record)) {
    const bool wrong = cause.finding.kind == FindingKind::wrong_result && cause.title.empty();
    EXPECT_EQ(map_of(cause, record) != nullptr, wrong) << to_string(cause.finding.kind);
  }
}

TEST(MapOfACause, IsNotDrawnWhereEveryElementIsWrong) {
  Record record = pictured_record();
  record.items[1].map = result_map("C", 8, 8, [](int, int) { return ElementState::wrong; });
  EXPECT_THAT(text_report(record, {}), Not(HasSubstr(kMap)));
}

TEST(MapOfACause, IsNeverThatOfAnotherCase) {
  Record record = pictured_record();
  record.items[1].map = result_map("C", 8, 8, [](int, int) { return ElementState::wrong; });
  record.items[2].findings = record.items[1].findings;
  record.items[2].map = last_columns();
  EXPECT_THAT(text_report(record, {}), Not(HasSubstr(kMap))) << "the message says: all of them";
}

TEST(MapOfACause, IsThatOfTheCaseWhoseDiagnosisIsShown) {
  Record record = pictured_record();
  record.items[1].findings[1].example.clear();
  record.items[2].status = Status::fail;
  record.items[2].findings = {record.items[1].findings[1]};
  record.items[2].findings[0].example = {{"diagnosis", "missing-last-phase"}};
  record.items[2].map = last_columns();
  const std::vector<Cause> causes = causes_of(record);
  ASSERT_EQ(causes[0].cases.front(), "case 3");
  EXPECT_EQ(map_of(causes[0], record), &*record.items[2].map);
}

TEST(AccessOfAnItem, IsTheWorstThatItsMetricCounts) {
  Record record = pictured_record();
  LineAccess mild =
      sample_access(Memory::global, 4, [](unsigned lane) -> Offset { return 8 * lane; });
  LineAccess store = record.lines[0];
  store.store = true;
  record.lines.insert(record.lines.begin(), {mild, store});
  EXPECT_EQ(access_of(failing_technique(Metric::global_load_sectors_per_request), record),
            &record.lines[2]);
  EXPECT_EQ(access_of(failing_technique(Metric::global_store_sectors_per_request), record),
            &record.lines[1]);
  EXPECT_EQ(access_of(failing_technique(Metric::shared_load_wavefronts), record), &record.lines[3]);
  EXPECT_EQ(access_of(failing_technique(Metric::shared_store_bank_conflicts), record), nullptr);
  EXPECT_EQ(access_of(failing_technique(Metric::barriers), record), nullptr);
}

}  // namespace
}  // namespace tessera
