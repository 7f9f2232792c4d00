#include "grader/report/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tessera {
namespace {

using nlohmann::json;

CheckReport report_with(std::vector<Finding> findings) {
  CheckReport report;
  report.path = "my kernels/scan.cu";
  report.kernel = "scan";
  report.source = {"// scan", "  s[i] += s[i - 1];  // here", ""};
  report.findings = std::move(findings);
  return report;
}

Finding race() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.file = "scan.cu";
  finding.line = 2;
  finding.message = Text("two threads \xff access s[3]");
  finding.hint = Text("Insert __syncthreads().");
  finding.count = 7;
  finding.example = {{"element", "s[3]"}};
  return finding;
}

json results(const CheckReport& report) {
  return json::parse(sarif_report(report, "1.2.3"))["runs"][0]["results"];
}

TEST(SarifReport, HasARuleForEachKind) {
  const json log = json::parse(sarif_report(report_with({}), "1.2.3"));
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_EQ(log["runs"].size(), 1u);
  const json& driver = log["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["name"], "Tessera");
  EXPECT_EQ(driver["version"], "1.2.3");
  ASSERT_EQ(driver["rules"].size(), kAllFindingKinds.size());
  for (const json& rule : driver["rules"]) {
    EXPECT_TRUE(finding_kind(rule["id"].get<std::string>()));
    EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty()) << rule["id"];
  }
  EXPECT_EQ(log["runs"][0]["results"], json::array());
}

TEST(SarifReport, QuotesNoPlaceholdersNorLinksNorWhatIsInvisible) {
  Finding finding = race();
  finding.hint = {};
  finding.message = Text("#error \\ [all is well](https://example.org) \u202e[3]");
  EXPECT_EQ(results(report_with({finding})).at(0)["message"]["text"],
            "#error \\\\ \\[all is well\\](https://example.org) ?\\[3\\]");
}

TEST(SarifReport, DoublesBracesAroundNumbersAlone) {
  const auto shown = [](const char* message) {
    Finding finding = race();
    finding.hint = {};
    finding.message = Text(message);
    return results(report_with({finding})).at(0)["message"]["text"].get<std::string>();
  };
  EXPECT_EQ(shown("#error {0} {x}"), "#error {{0}} {{x}}");
  EXPECT_EQ(shown("int a[] = {x}"), "int a[] = {x}");
}

TEST(SarifReport, SaysWhatAndWhere) {
  const json result = results(report_with({race()})).at(0);
  EXPECT_EQ(result["ruleId"], "race");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"], "two threads \uFFFD access s[3]\nInsert __syncthreads().");
  const json place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "my%20kernels/scan.cu");
  EXPECT_EQ(place["region"], json({{"startLine", 2}}));
  EXPECT_EQ(result["properties"]["count"], 7);
  EXPECT_EQ(result["properties"]["element"], "s[3]");
}

TEST(SarifReport, LevelsAndPlacesFollowTheFinding) {
  Finding warning = race();
  warning.severity = Severity::warning;
  warning.file = "cuda_fp16.h";
  warning.column = 4;
  Finding info;
  info.severity = Severity::info;
  const json all = results(report_with({warning, info}));
  EXPECT_EQ(all[0]["level"], "warning");
  const json place = all[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "cuda_fp16.h");
  EXPECT_EQ(place["region"], json({{"startLine", 2}, {"startColumn", 4}}));
  EXPECT_EQ(all[1]["level"], "note");
  const json whole = all[1]["locations"][0]["physicalLocation"];
  EXPECT_EQ(whole["artifactLocation"]["uri"], "my%20kernels/scan.cu");
  EXPECT_FALSE(whole.contains("region"));
}

TEST(SarifReport, AFingerprintOutlivesLinesThatMove) {
  const auto fingerprint = [](const CheckReport& report) {
    return results(report)[0]["partialFingerprints"]["kindAndLine/v1"].get<std::string>();
  };
  CheckReport report = report_with({race()});
  const std::string before = fingerprint(report);
  report.source.insert(report.source.begin(), "#include <tessera/lab.cuh>");
  report.findings[0].line = 3;
  EXPECT_EQ(fingerprint(report), before);
  report.source[2] = "s[i] += s[i - 2];";
  EXPECT_NE(fingerprint(report), before);
}

}  // namespace
}  // namespace tessera
