#include "grader/report/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "grader/lab/test_folder.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Has xmllint check it against testing/junit.rng, which says where its rules come from.
void expect_valid(const std::string& xml) {
  const TestFolder folder;
  folder.write("report.xml", xml);
  const std::string command = "cd '" + folder.path().string() + "' && xmllint --noout --relaxng '" +
                              TESSERA_SOURCE_DIR "/grader/report/testing/junit.rng' report.xml";
  EXPECT_EQ(std::system((command + " >log 2>&1 || { cat log; false; }").c_str()), 0) << xml;
}

/// A record with every status.
Record every_status() {
  Record record = sample_record();
  int number = 0;
  for (const Status status : kAllStatuses) {
    const std::string word(to_string(status));
    Item item = sample_item("correctness/" + std::to_string(++number), "m=" + word, status,
                            status == Status::pass      ? 10
                            : status == Status::partial ? 10.0 / 3
                                                        : 0,
                            10);
    item.message = status == Status::pass ? "" : "because of " + word;
    item.seconds = 0.0123;
    record.items.push_back(item);
  }
  sum_points(record);
  record.seconds = 1.5;
  return record;
}

TEST(JunitReport, HasOneSuitePerLabAndOneCasePerItem) {
  Record record = won_record();
  record.items.resize(2);
  record.items[0].seconds = 0.25;
  record.seconds = 1;
  EXPECT_EQ(junit_report({record}), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tessera" tests="2" failures="0" errors="0" time="1.000">
  <testsuite name="03-tiled" tests="2" failures="0" errors="0" skipped="0" time="1.000">
    <properties>
      <property name="title" value="Tiled multiplication"/>
      <property name="submission" value="labs/03-tiled/kernel.cu"/>
      <property name="sha256" value="0123"/>
      <property name="device" value="simulated NVIDIA H200"/>
      <property name="compiler" value="nvrtc 13.0"/>
      <property name="seed" value="1234"/>
      <property name="score" value="70"/>
      <property name="max_score" value="90"/>
      <property name="deferred" value="20"/>
      <property name="points.correctness/1" value="25"/>
      <property name="max_points.correctness/1" value="25"/>
      <property name="points.correctness/2" value="25"/>
      <property name="max_points.correctness/2" value="25"/>
    </properties>
    <testcase classname="03-tiled" name="case 1: m=16 n=16 k=16 identity" time="0.250"/>
    <testcase classname="03-tiled" name="hidden case 1" time="0.000"/>
  </testsuite>
</testsuites>
)");
}

TEST(JunitReport, FailAndPartialAreFailuresDeferredIsSkippedOtherLossesAreErrors) {
  const std::string xml = junit_report({every_status()});
  EXPECT_THAT(xml,
              HasSubstr("tests=\"9\" failures=\"2\" errors=\"4\" skipped=\"2\" time=\"1.500\""));
  EXPECT_THAT(xml,
              HasSubstr("<failure message=\"partial, 3.3333 of 10 points: because of partial\" "
                        "type=\"partial\">because of partial\n</failure>"));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"fail: because of fail\" type=\"fail\">"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"error: because of error\" type=\"error\">"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"timeout: because of timeout\" type=\"timeout\">"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"review: because of review\" type=\"review\">"
                             "The simulator cannot judge this"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"infra: because of infra\" type=\"infra\">"
                             "The grader failed here, not you"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"skipped: because of skipped\">"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"deferred: because of deferred\">"
                             "These 10 points are neither won nor lost here."));
}

TEST(JunitReport, AFailureShowsItsFindingsWithTheQuotedSource) {
  const std::string xml = junit_report({failed_record()});
  EXPECT_THAT(xml, HasSubstr("type=\"race\">  race  kernel.cu:23:2  1,920 times\n"));
  EXPECT_THAT(xml, HasSubstr("       23 |     As[ty][tx] = A(row, col);  // 행렬\n"));
}

TEST(JunitReport, NamesAreTheSameWhateverIsCounted) {
  Record record = won_record();
  const auto name_of_the_counter = [&](double counted) {
    record.items[3].metrics = {{Metric::global_load_sectors_per_request, counted}};
    const std::string xml = junit_report({record});
    const std::size_t begin = xml.find("name=\"global_load");
    return xml.substr(begin, xml.find(" time", begin) - begin);
  };
  EXPECT_EQ(name_of_the_counter(4), name_of_the_counter(32));
}

TEST(JunitReport, TextOfASubmissionIsDisarmed) {
  Record record = failed_record();
  record.items[1].findings.clear();
  record.items[1].message = "]]></failure><x a=\"'&\n\x1b[2J\xff\x01\xef\xbf\xbe \xed\xa0\x80 \t";
  const std::string xml = junit_report({record});
  EXPECT_THAT(xml, HasSubstr("message=\"fail: ]]&gt;&lt;/failure&gt;&lt;x a=&quot;'&amp;&#10;"
                             "?[2J??? ???     \""));
  EXPECT_THAT(xml, Not(HasSubstr("<x")));
}

TEST(JunitReport, IsValidForItsReaders) {
  if (std::system("xmllint --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "xmllint is not installed (./setup.sh installs it)";
  Record hostile = every_status();
  hostile.lab = "04-<&\">";
  std::string every_character;
  for (int c = 0; c < 256; ++c) every_character += static_cast<char>(c);
  hostile.items[2].message = every_character;
  hostile.items[3].message = "\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80\xf4\x90\x80\x80\xc0\x80";
  hostile.path = hostile.items[2].message;
  expect_valid(junit_report({won_record(), failed_record(), hostile}));
  expect_valid(junit_report({}));
  expect_valid(junit_report({sample_record()}));
}

}  // namespace
}  // namespace tessera
