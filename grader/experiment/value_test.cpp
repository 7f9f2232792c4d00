#include "grader/experiment/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/experiment/results_json.h"

namespace tessera {
namespace {

using testing::HasSubstr;

Results two_values() {
  Results results;
  results.info = {"storage", "2026-11-21", 7, "580.1, CUDA 13.0", "nvrtc 13.0"};
  Value time;
  time.row = "dynamic, size known";
  time.settings = {{"BLOCK", "16"}, {"carveout", "50"}};
  time.shape = 2048;
  time.metric = Metric::time_ms;
  time.device = "NVIDIA H200";
  time.number = 12.25;
  time.low = 12;
  time.high = 12.5;
  time.note = "21 samples of \"1\" launch";
  Value wrong;
  wrong.row = "RR";
  wrong.metric = Metric::modelled_time_ms;
  wrong.origin = Origin::modelled;
  wrong.text = "wrong";
  results.values = {time, wrong};
  return results;
}

TEST(Csv, HasALineAFigureWithCardDateAndSeed) {
  EXPECT_EQ(
      csv_text(two_values()),
      "experiment,row,settings,shape,metric,value,low,high,origin,device,note,date,seed,driver,"
      "compiler\n"
      "storage,\"dynamic, size known\",BLOCK=16 carveout=50,2048,time_ms,12.25,12,12.5,measured,"
      "NVIDIA H200,\"21 samples of \"\"1\"\" launch\",2026-11-21,7,\"580.1, CUDA 13.0\",nvrtc "
      "13.0\n"
      "storage,RR,,,modelled_time_ms,wrong,,,modelled,,,2026-11-21,7,\"580.1, CUDA 13.0\",nvrtc "
      "13.0\n");
}

TEST(Csv, ReadsWhatItWrote) {
  const std::string text = csv_text(two_values());
  const Expected<Results> results = read_results(text, "r.csv");
  ASSERT_TRUE(results) << results.error().str();
  EXPECT_EQ(csv_text(*results), text);
  EXPECT_EQ(results->values[0].settings, two_values().values[0].settings);
  EXPECT_EQ(results->values[1].text, "wrong");
  EXPECT_FALSE(results->values[1].number);
}

TEST(Csv, AnUnfinishedLastLineIsLeftOut) {
  const std::string text = csv_text(two_values());
  const Expected<Results> results = read_results(text.substr(0, text.size() - 40), "r.csv");
  ASSERT_TRUE(results) << results.error().str();
  EXPECT_EQ(results->values.size(), 1u);
  EXPECT_TRUE(results->cut_off);
  EXPECT_FALSE(read_results(text, "r.csv")->cut_off);
}

TEST(Csv, ReadsWhatASpreadsheetSavedOnWindows) {
  const std::string text = csv_text(two_values());
  std::string saved = "\xef\xbb\xbf";
  for (const char c : text) saved += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Expected<Results> results = read_results(saved, "r.csv");
  ASSERT_TRUE(results) << results.error().str();
  EXPECT_EQ(csv_text(*results), text);
}

TEST(Csv, KeepsALongSeed) {
  Results results = two_values();
  results.info.seed = 18446744073709551557u;
  EXPECT_EQ(read_results(csv_text(results), "r.csv")->info.seed, results.info.seed);
}

TEST(Csv, MistakesHaveALine) {
  const auto error = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const Expected<Results> results = read_results(text, "r.csv");
    return results ? std::string("none") : results.error().str();
  };
  const std::string text = csv_text(two_values());
  EXPECT_THAT(error(text, "experiment,row", "experiment,line"),
              HasSubstr("r.csv:1: is not the heading of a results.csv"));
  EXPECT_THAT(error(text, text, ""), HasSubstr("r.csv: is empty"));
  EXPECT_THAT(error(text, ",12,12.5,", ",twelve,12.5,"),
              HasSubstr("r.csv:2: 'twelve' is no end of an interval"));
  EXPECT_THAT(error(text, "2048", "many"), HasSubstr("r.csv:2: 'many' is no shape"));
  EXPECT_THAT(error(text, "time_ms,12.25", "time,12.25"),
              HasSubstr("r.csv:2: 'time' is no metric"));
  EXPECT_THAT(error(text, ",modelled,", ",guessed,"), HasSubstr("r.csv:3: 'guessed' is no origin"));
  EXPECT_THAT(error(text, "storage,RR,", "storage,"),
              HasSubstr("r.csv:3: has 14 columns, expected 15"));
  EXPECT_THAT(error(text, "storage,RR,", "transfer,RR,"), HasSubstr("r.csv:3: holds values of"));
}

TEST(ResultsJson, HoldsEveryFigure) {
  const auto json = nlohmann::json::parse(results_json({two_values()}));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["schema"], "tessera.bench/1");
  EXPECT_EQ(json[0]["experiment"], "storage");
  EXPECT_EQ(json[0]["seed"], 7);
  const auto& figures = json[0]["figures"];
  EXPECT_EQ(figures[0]["settings"]["BLOCK"], "16");
  EXPECT_EQ(figures[0]["value"], 12.25);
  EXPECT_EQ(figures[0]["origin"], "measured");
  EXPECT_TRUE(figures[1]["value"].is_null());
  EXPECT_EQ(figures[1]["text"], "wrong");
  EXPECT_EQ(results_json({}), "[]\n");
}

}  // namespace
}  // namespace tessera
