#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "grader/report/report.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonReport, HasTheKeysOfTheSchemaInOrder) {
  const Json json = Json::parse(json_report({failed_record()}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"schema", "lab", "title", "submission", "score", "max_score",
                                      "deferred", "seed", "backend", "compiler", "device",
                                      "isolation", "untouched", "items", "lines", "source"}));
  EXPECT_EQ(json["schema"], "tessera.result/2");
  EXPECT_EQ(json["submission"]["path"], "labs/03-tiled/kernel.cu");
  EXPECT_EQ(json["seed"], 1234);
  const Json& finding = json["items"][1]["findings"][0];
  EXPECT_EQ(finding["kind"], "race");
  EXPECT_EQ(finding["line"], 23);
  EXPECT_EQ(finding["count"], 1920);
  EXPECT_EQ(finding["example"]["element"], "As[3][5]");
}

TEST(JsonReport, IsAListForSeveralLabs) {
  EXPECT_TRUE(Json::parse(json_report({won_record()})).is_object());
  EXPECT_EQ(Json::parse(json_report({won_record(), won_record()})).size(), 2u);
  EXPECT_EQ(Json::parse(json_report(std::vector<Record>{})), Json::array());
}

TEST(JsonReport, WritesWhatIsNotFiniteAsNull) {
  Record record = won_record();
  record.items[0].metrics = {{Metric::time_ms, std::numeric_limits<double>::infinity()}};
  EXPECT_TRUE(Json::parse(json_report({record}))["items"][0]["metrics"]["time_ms"].is_null());
}

TEST(JsonReport, HasWhatPicturesNeed) {
  Record record = failed_record();
  record.items[1].map = result_map("C", 1, 4, [](int, int column) {
    return column == 3 ? ElementState::wrong : ElementState::right;
  });
  record.items[1].goal.emplace();
  record.items[1].goal->metric = Metric::time_ms;
  record.items[1].goal->value = 2;
  record.items[1].goal->roof = Roof{0.5, 0.25};
  const Json json = Json::parse(json_report({record}));
  EXPECT_EQ(json["source"].size(), 23u);
  EXPECT_EQ(json["source"][22], record.source[22]);
  EXPECT_EQ(
      json["items"][1]["map"],
      Json::parse(R"({"output": "C", "rows": 1, "columns": 4, "tile": {"rows": 0, "columns": 0},
                            "cell": {"rows": 1, "columns": 1}, "cells": ["...x"]})"));
  EXPECT_EQ(json["items"][1]["goal"], Json::parse(R"({"metric": "time_ms", "value": 2.0,
                            "roof": {"compute_ms": 0.5, "memory_ms": 0.25}})"));
  EXPECT_FALSE(json["items"][0].contains("map"));
  EXPECT_FALSE(json["items"][0].contains("goal"));
  EXPECT_FALSE(Json::parse(json_report({won_record()})).contains("source"));
}

TEST(JsonReport, SurvivesBrokenUtf8) {
  Record record = won_record();
  record.items[0].message = "\xff\xfe";
  EXPECT_TRUE(Json::accept(json_report({record})));
}

TEST(JsonReport, RoundsThirdsOfPoints) {
  Record record = won_record();
  record.items[0].points = 50.0 / 3;
  EXPECT_EQ(Json::parse(json_report({record}))["items"][0]["points"], 16.6667);
}

/// A load of a column of A at line 12, and a store of a row of As.
std::vector<LineAccess> json_lines() {
  LineAccess column;
  column.line = 12;
  column.requests = 256;
  column.passes = 4096;
  column.ideal = 1024;
  column.worst = {.variable = "A",
                  .lanes = 32,
                  .width = 4,
                  .passes = 16,
                  .ideal = 4,
                  .stride = 256,
                  .row_bytes = 256};
  LineAccess row;
  row.line = 13;
  row.memory = LineAccess::Memory::shared;
  row.store = true;
  row.requests = row.passes = row.ideal = 256;
  return {column, row};
}

void expect_sample_lines(const Json& lines) {
  ASSERT_EQ(lines.size(), 2u);
  std::vector<std::string> keys;
  for (const auto& [key, value] : lines[0].items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"line", "memory", "access", "requests", "sectors",
                                            "ideal", "worst", "advice"}));
  EXPECT_EQ(lines[0]["line"], 12);
  EXPECT_EQ(lines[0]["memory"], "global");
  EXPECT_EQ(lines[0]["access"], "load");
  EXPECT_EQ(lines[0]["requests"], 256);
  EXPECT_EQ(lines[0]["sectors"], 4096);
  EXPECT_EQ(lines[0]["ideal"], 1024);
  EXPECT_NE(lines[0]["advice"], "");
  EXPECT_EQ(lines[1]["memory"], "shared");
  EXPECT_EQ(lines[1]["access"], "store");
  EXPECT_EQ(lines[1]["wavefronts"], 256);
  EXPECT_FALSE(lines[1].contains("sectors"));
  EXPECT_EQ(lines[1]["advice"], "");
}

TEST(JsonReport, ListsWhatEachLineAskedOfMemory) {
  Record record = won_record();
  EXPECT_EQ(Json::parse(json_report({record}))["lines"], Json::array());
  record.lines = json_lines();
  expect_sample_lines(Json::parse(json_report({record}))["lines"]);
}

TEST(CheckJson, HasFindingsMetricsLinesAndSeconds) {
  CheckReport report;
  report.metrics = {{Metric::instructions, 12}};
  report.run_seconds = 0.25;
  report.lines = json_lines();
  const Json json = Json::parse(json_report(report));
  EXPECT_EQ(json["findings"], Json::array());
  EXPECT_EQ(json["metrics"]["instructions"], 12);
  expect_sample_lines(json["lines"]);
  EXPECT_EQ(json["seconds"]["run"], 0.25);
}

}  // namespace
}  // namespace tessera
