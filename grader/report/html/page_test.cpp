#include "grader/report/html/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/html/source.h"
#include "grader/report/pictures/samples.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

LineAccess column_walk(int line) {
  LineAccess access;
  access.line = line;
  access.requests = 3840;
  access.passes = 61440;
  access.ideal = 15360;
  access.worst = {.variable = "A",
                  .lanes = 32,
                  .width = 4,
                  .passes = 16,
                  .ideal = 4,
                  .stride = 640,
                  .row_bytes = 640};
  return access;
}

std::string listing(const Record& record) {
  return source_listing(record, causes_of(record), Anchors(1)).str();
}

TEST(HtmlReport, StartsWithTheScoreAndWhatIsDeferred) {
  const std::string page = html_report({won_record()});
  EXPECT_THAT(page, HasSubstr("<title>Feedback on 03-tiled</title>"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "<h2 id=\"lab1-title\">Tiled multiplication <span class=\"lab\">03-tiled</span></h2>"));
  EXPECT_THAT(page, HasSubstr("<p class=\"score\">70 of 70 points</p>"));
  EXPECT_THAT(
      page,
      HasSubstr("<strong>20 points deferred</strong>, neither won nor lost here: needs a GPU"));
  EXPECT_THAT(page, HasSubstr("<dt>Seed</dt><dd>1234</dd><dt>Compiler</dt><dd>nvrtc 13.0</dd>"));
  EXPECT_THAT(page, HasSubstr("<code>make grade LAB=03 ARGS=&#39;--seed 1234&#39;</code>"));
  EXPECT_THAT(page, HasSubstr("Nothing: every point that was measured is won."));
  EXPECT_THAT(page, Not(HasSubstr("What was found")));
  EXPECT_THAT(page, Not(HasSubstr("class=\"lost\"")));
}

TEST(HtmlReport, LoadsAndRunsNothing) {
  const std::string page = html_report({failed_record()});
  EXPECT_THAT(page,
              HasSubstr("content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"));
  for (const char* word : {"<script", "http://", "https://", "<img", "url("})
    EXPECT_THAT(page, Not(HasSubstr(word))) << word;
}

TEST(HtmlReport, AnItemHasStatusPointsMessageAndItsCauses) {
  EXPECT_THAT(
      html_report({failed_record()}),
      HasSubstr("<tr id=\"lab1-item2\" class=\"item open\"><th scope=\"row\">case 2: m=64 n=48 "
                "k=32 integers padding=8</th>"
                "<td><span class=\"status fail\">fail</span></td>"
                "<td class=\"points\">0<span class=\"of\"> of 20</span></td></tr>"
                "<tr class=\"details\"><td colspan=\"3\"><p>C: 192 of 3,072 elements are wrong"));
}

TEST(HtmlReport, LongNamesMayBreakAfterUnderscores) {
  EXPECT_THAT(
      html_report({won_record()}),
      HasSubstr("<th scope=\"row\">sectors per global load at most 4.5 (global_<wbr>load_<wbr>"
                "sectors_<wbr>per_<wbr>request)"));
}

TEST(HtmlReport, WhatDoesNotCompileIsOneRow) {
  Record record = sample_record();
  Finding error;
  error.kind = FindingKind::does_not_compile;
  error.message = "expected ';'";
  for (int number = 1; number <= 9; ++number) {
    record.items.push_back(sample_item("correctness/" + std::to_string(number), "m=1 n=1 k=1 ones",
                                       Status::error, 0, 10));
    record.items.back().message = error.message;
    record.items.back().findings = {error};
  }
  const std::string page = html_report({record});
  EXPECT_THAT(page, HasSubstr("nothing was run: all 9 items wait for a kernel that compiles"));
  EXPECT_EQ(page.find("m=1 n=1 k=1 ones"), std::string::npos);
}

TEST(HtmlReport, ACauseLinksToItsLineAndBack) {
  const std::string page = html_report({failed_record()});
  EXPECT_THAT(page, HasSubstr("<h4 id=\"lab1-cause1\">race</h4><p class=\"where\"><a "
                              "href=\"#lab1-line23\">kernel.cu, line 23</a>"
                              " \u00b7 in case 2, also in case 3 \u00b7 3,840 times</p>"));
  EXPECT_THAT(page, HasSubstr("<li id=\"lab1-line23\" class=\"line error\">"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#lab1-cause1\">what to do</a>"));
  EXPECT_THAT(
      page, HasSubstr("<li><strong>race in line 23</strong>: put __syncthreads() between the two"));
}

TEST(HtmlReport, SeveralLabsHaveATableAndASectionEach) {
  const std::string page = html_report({won_record(), failed_record()});
  EXPECT_THAT(page, HasSubstr("<h1>Feedback on 2 labs</h1>"));
  EXPECT_THAT(
      page,
      HasSubstr("<th scope=\"row\"><a href=\"#lab2\">03-tiled</a> Tiled multiplication</th>"));
  EXPECT_THAT(page, HasSubstr("<section id=\"lab2\""));
}

TEST(HtmlReport, ASkeletonGetsAFewFriendlyLines) {
  Record record = failed_record();
  record.untouched = true;
  const std::string page = html_report({record});
  EXPECT_THAT(page, HasSubstr("Nothing written yet: open <code>labs/03-tiled/README.md</code>"));
  EXPECT_THAT(page, Not(HasSubstr("<table")));
}

TEST(HtmlReport, WhatTheGraderFailedAtCostsNothing) {
  Record record = won_record();
  record.items[0].status = Status::infra;
  record.items[0].points = 0;
  record.items[0].message = "the worker was killed";
  sum_points(record);
  const std::string page = html_report({record});
  EXPECT_THAT(
      page,
      HasSubstr(
          "<strong>25 points not graded</strong>: the grader failed, which is not your fault"));
  EXPECT_THAT(page, HasSubstr("Nothing for you to do"));
}

TEST(HtmlReport, WhateverAStudentWritesIsText) {
  Record record = failed_record();
  const std::string hostile = "</code><script>alert(1)</script>\xe2\x80\xae\xff";
  record.source[22] = hostile;
  record.path = record.title = record.compiler = record.device = hostile;
  for (Item& item : record.items) {
    item.title = item.message = item.hint = hostile;
    for (Finding& finding : item.findings) finding.message = finding.hint = hostile;
  }
  const std::string page =
      html_page({hostile, {{"x\"><script>", hostile, hostile, {hostile}, record}}});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
}

TEST(HtmlReport, PicturesStandWithWhatTheyExplain) {
  const std::string page = html_report({pictured_record()});
  const std::size_t map = page.find("class=\"picture result-map\"");
  const std::size_t sectors = page.find("class=\"picture sectors\"");
  const std::size_t banks = page.find("class=\"picture banks\"");
  const std::size_t times = page.find("class=\"picture times\"");
  EXPECT_LT(page.find(">wrong-result</h4>"), map);
  EXPECT_LT(map, times);
  EXPECT_LT(times, page.find("id=\"lab1-source\""));
  EXPECT_LT(page.find("id=\"lab1-line23\""), sectors);
  EXPECT_LT(sectors, banks);
  EXPECT_LT(banks, page.size());
  EXPECT_THAT(page, HasSubstr("<details class=\"lanes\" open=\"\"><summary>How the lanes of a warp "
                              "lie: global load</summary>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#lab1-line23\">how the lanes lie in line 23</a>"));
}

TEST(HtmlReport, WithoutSourceTheLanesStandWithTheItem) {
  Record record = pictured_record();
  record.source.clear();
  const std::string page = html_report({record});
  EXPECT_THAT(page, HasSubstr("class=\"picture sectors\""));
  EXPECT_THAT(page, Not(HasSubstr("how the lanes lie in line")));
}

TEST(HtmlReport, AMapStandsWithOneCause) {
  Record record = pictured_record();
  record.items[1].findings.push_back(record.items[1].findings.back());
  record.items[1].findings.back().kind = FindingKind::output_not_written;
  const std::string page = html_report({record});
  const std::string map = "class=\"picture result-map\"";
  EXPECT_THAT(page, HasSubstr(map));
  EXPECT_EQ(page.find(map), page.rfind(map));
}

TEST(HtmlReport, ARecordOfBeforePicturesHasNone) {
  Record record = pictured_record();
  for (Item& item : record.items) {
    item.map.reset();
    item.goal.reset();
  }
  for (LineAccess& access : record.lines) access.worst.offsets.clear();
  EXPECT_THAT(html_report({record}), Not(HasSubstr("<svg")));
}

TEST(SourceListing, CostsStandBesideTheLineAndAdviceBelow) {
  Record record = sample_record();
  record.source = {"a", "As[y][x] = A(x, y);"};
  record.lines = {column_walk(2)};
  EXPECT_EQ(listing(record),
            "<ol class=\"source\">"
            "<li id=\"lab1-line1\" class=\"line\"><a class=\"number\" href=\"#lab1-line1\">"
            "<span class=\"heard\">Line </span>1</a><code dir=\"ltr\">a</code>\n</li>"
            "<li id=\"lab1-line2\" class=\"line\"><a class=\"number\" href=\"#lab1-line2\">"
            "<span class=\"heard\">Line </span>2</a><code dir=\"ltr\">As[y][x] = A(x, y);</code>"
            "<ul class=\"cost\"><li class=\"bad\">global load: 3,840 \u00d7 <strong>16 "
            "sectors</strong>, 4 would do</li></ul>"
            "<p class=\"note costly\"><strong>global load</strong> neighbouring lanes walk down a "
            "column of A, 640 "
            "bytes apart: 16 sectors a request where 4 would do. Let threadIdx.x run along the "
            "row.</p>\n</li></ol>");
}

TEST(SourceListing, MarksTheWordThatAFindingPointsAt) {
  EXPECT_EQ(code_line("\tAs[ty] = 1;", 2).str(), "\t<mark>As</mark>[ty] = 1;");
  EXPECT_EQ(code_line("a + b", 3).str(), "a <mark>+</mark> b");
  EXPECT_EQ(code_line("é", 1).str(), "<mark>é</mark>");
  EXPECT_EQ(code_line("ab", 9).str(), "ab");
}

TEST(SourceListing, SaysWhatIsLeftOutOfALongLine) {
  const std::string code = code_line(std::string(1000, 'x'), 0).str();
  EXPECT_EQ(code, std::string(300, 'x') + "<i> ... and 700 bytes more</i>");
}

TEST(SourceListing, AHugeFileKeepsTheLinesThatSomethingIsSaidOf) {
  Record record = failed_record();
  record.source.assign(400'000, "// line");
  for (Item& item : record.items) {
    for (Finding& finding : item.findings) finding.line = 300'000;
  }
  const std::string lines = listing(record);
  EXPECT_LT(lines.size(), 450'000u);
  EXPECT_THAT(lines, HasSubstr("<li id=\"lab1-line300000\" class=\"line error\">"));
  EXPECT_THAT(lines, HasSubstr("lines 300,005 to 400,000 are left out"));
}

TEST(SourceListing, LinesThatTheFileDoesNotHaveAreNoLines) {
  Record record = failed_record();
  record.source.resize(3);
  record.lines = {column_walk(0), column_walk(-1), column_walk(4)};
  EXPECT_THAT(listing(record), Not(HasSubstr("note")));
  EXPECT_EQ(listing(sample_record()), "");
}

}  // namespace
}  // namespace tessera
