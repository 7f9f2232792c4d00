#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/text.h"
#include "grader/report/report.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;
using nlohmann::literals::operator""_json_pointer;

Goal sample_goal() {
  Goal goal;
  goal.metric = Metric::speedup;
  goal.over = "01-naive";
  goal.device = "NVIDIA H200";
  goal.value = 1.5;
  goal.zero = 1;
  goal.full = 2;
  goal.at_least = 3;
  goal.at_most = 4;
  goal.naive = 5;
  goal.good = 6;
  goal.roof = Roof{0.25, 0.125};
  return goal;
}

/// A record in which no field has its default.
Record full_record() {
  Record record = failed_record();
  record.untouched = true;
  record.seed = std::numeric_limits<std::uint64_t>::max();
  Item& item = record.items[1];
  item.hint = "follow one element";
  item.metrics = {{Metric::instructions, 1e12}, {Metric::time_ms, 0.1}};
  item.map = result_map("C", 3, 130, [](int row, int column) {
    return row == 2 && column > 127 ? ElementState::unwritten : ElementState::right;
  });
  item.map->tile_rows = 2;
  item.map->tile_columns = 64;
  item.goal = sample_goal();
  item.findings[0].severity = Severity::warning;
  item.findings[0].example = {{"thread", "(3, 0, 0)"}, {"element", "As[3][5]"}};
  LineAccess access;
  access.line = 12;
  access.memory = LineAccess::Memory::shared;
  access.store = true;
  access.requests = 256;
  access.passes = 4096;
  access.ideal = 1024;
  access.worst = {.variable = "As",
                  .lanes = 32,
                  .width = 4,
                  .passes = 16,
                  .ideal = 1,
                  .stride = -256,
                  .row_bytes = 256};
  access.worst.offsets.resize(kWarpLanes);
  for (unsigned lane = 1; lane < kWarpLanes; ++lane)
    access.worst.offsets[lane] = 256 * (kWarpLanes - lane);
  record.lines = {access, LineAccess{}};
  record.lines[1].line = 13;
  return record;
}

Json full_json() {
  return Json::parse(json_report({full_record()}));
}

/// The error of reading the full record after `change`.
template <class Change>
std::string error_after(Change change) {
  Json json = full_json();
  change(json);
  const Expected<Record> record = read_record(json.dump());
  return record ? "no error" : record.error().message;
}

TEST(ReadRecord, WritingWhatWasReadGivesTheSameText) {
  for (const Record& record : {full_record(), failed_record(), won_record(), Record{}}) {
    const std::string text = json_report({record});
    const Expected<Record> read = read_record(text);
    ASSERT_TRUE(read) << read.error().str();
    EXPECT_EQ(json_report({*read}), text);
  }
}

Record typed_record() {
  Record record = failed_record();
  Finding& race = record.items[1].findings[0];
  race.message = Text(Phrase::race_no_barrier) +
                 say(Phrase::reads_unwritten_shared, ArrayElement{"As", "[3][5]"},
                     Thread{"(3, 0, 0)", "(1, 0, 0)"}) +
                 say(Phrase::has_bytes, Name{"As"}, Count{1024, Phrase::byte}) +
                 say(Phrase::wait_for_barrier, SourceLine{23}, 1) +
                 say(Phrase::freed_block, Phrase::reads, 4) + ", says the compiler";
  race.hint = Phrase::deadlock_hint;
  record.items[1].message = race.message;
  return record;
}

TEST(ReadRecord, SentencesComeBackAsWhatTheySay) {
  const Record wanted = typed_record();
  const Expected<Record> read = read_record(json_report({wanted}));
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->items[1].message, wanted.items[1].message);
  EXPECT_EQ(read->items[1].findings[0].message, wanted.items[1].findings[0].message);
  EXPECT_EQ(read->items[1].findings[0].hint, wanted.items[1].findings[0].hint);
}

TEST(ReadRecord, SentencesOfAnotherVersionAreReadAsEnglish) {
  const Json whole = Json::parse(json_report({typed_record()}));
  const Json::json_pointer message("/items/1/findings/0/said/message");
  const std::string english = typed_record().items[1].findings[0].message.str();
  const auto message_after = [&](const Json::json_pointer& at, const Json& value) {
    Json changed = whole;
    changed[at] = value;
    const Expected<Record> read = read_record(changed.dump());
    return read ? read->items[1].findings[0].message : Text(read.error().str());
  };
  EXPECT_EQ(message_after(message / 0 / "phrase", "race_in_a_dream"), Text(english));
  EXPECT_EQ(message_after(message / 0 / "values", Json::array({{{"name", "x"}}})), Text(english));
  EXPECT_EQ(message_after(message / 2 / "values" / 1 / "of", "race_no_barrier"), Text(english));
  EXPECT_EQ(message_after(message / 5 / "values" / 0, {{"name", "x"}}), Text(english))
      << "a name in place of a verbatim text";
  EXPECT_EQ(message_after(message / 4 / "values" / 0 / "phrase", "dreams"), Text(english));
  EXPECT_EQ(message_after(message / 0 / "phrase", 3).str(),
            "items[1].findings[0].said.message[0].phrase is number; expected text");
}

TEST(ReadRecord, ARecordOfAnEarlierVersionCanBeRead) {
  const auto text = read_file(std::filesystem::path(TESSERA_SOURCE_DIR) /
                              "grader/report/testing/record_of_schema_1.json");
  ASSERT_TRUE(text);
  const Expected<Record> read = read_record(*text);
  ASSERT_TRUE(read) << read.error().str();
  const Finding& race = read->items[1].findings[0];
  EXPECT_EQ(race.kind, FindingKind::race);
  EXPECT_EQ(race.message,
            Text("line 24 reads Bs[2][0] (another thread), line 20 stores it in the next pass of "
                 "the loop (thread (0, 2, 0)), no barrier between"));
  Json before = Json::parse(*text);
  Json now = Json::parse(json_report({*read}));
  before.erase("schema");
  now.erase("schema");
  EXPECT_EQ(now, before);
}

TEST(ReadRecord, HasEveryField) {
  const Record wanted = full_record();
  const Expected<Record> read = read_record(json_report({wanted}));
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->lab, wanted.lab);
  EXPECT_EQ(read->title, wanted.title);
  EXPECT_EQ(read->path, wanted.path);
  EXPECT_EQ(read->sha256, wanted.sha256);
  EXPECT_EQ(read->score, wanted.score);
  EXPECT_EQ(read->max_score, wanted.max_score);
  EXPECT_EQ(read->deferred, wanted.deferred);
  EXPECT_EQ(read->seed, wanted.seed);
  EXPECT_EQ(read->backend, wanted.backend);
  EXPECT_EQ(read->compiler, wanted.compiler);
  EXPECT_EQ(read->device, wanted.device);
  EXPECT_EQ(read->isolation, wanted.isolation);
  EXPECT_TRUE(read->untouched);
  ASSERT_EQ(read->items.size(), wanted.items.size());
  EXPECT_EQ(read->items[1].status, Status::fail);
  EXPECT_EQ(read->items[1].metrics, wanted.items[1].metrics);
  EXPECT_EQ(read->items[1].findings[0].severity, Severity::warning);
  EXPECT_EQ(read->items[1].findings[0].example, wanted.items[1].findings[0].example);
  ASSERT_EQ(read->lines.size(), 2u);
  EXPECT_EQ(read->lines[0].worst.stride, -256);
  EXPECT_EQ(read->lines[0].worst.offsets, wanted.lines[0].worst.offsets);
  EXPECT_EQ(read->lines[0].worst.offsets[0], std::nullopt);
  EXPECT_EQ(read->source, wanted.source);
  EXPECT_EQ(read->items[1].map, wanted.items[1].map);
  EXPECT_EQ(read->items[1].goal, wanted.items[1].goal);
  EXPECT_FALSE(read->items[0].map);
  EXPECT_FALSE(read->items[0].goal);
}

TEST(ReadRecord, EveryStatusComesBack) {
  for (const Status status : kAllStatuses) {
    Record record = sample_record();
    record.items = {sample_item("checks", "x", status, 0, 1)};
    const Expected<Record> read = read_record(json_report({record}));
    ASSERT_TRUE(read) << to_string(status);
    EXPECT_EQ(read->items[0].status, status);
  }
}

TEST(ReadRecord, AMetricThatWasNotFiniteIsNaN) {
  Record record = won_record();
  record.items[0].metrics = {{Metric::time_ms, std::numeric_limits<double>::infinity()}};
  const Expected<Record> read = read_record(json_report({record}));
  ASSERT_TRUE(read);
  EXPECT_TRUE(std::isnan(read->items[0].metrics.at(Metric::time_ms)));
}

TEST(ReadRecord, UnknownKeysAreLeftAlone) {
  EXPECT_EQ(error_after([](Json& json) { json["later"] = {1, 2}; }), "no error");
}

TEST(ReadRecord, UnknownMetricsAreLeftOut) {
  Json later = full_json();
  later["items"][1]["metrics"] = {{"instructions", 5}, {"of_tomorrow", 6}};
  later["items"][1]["goal"]["metric"] = "of_tomorrow";
  const Expected<Record> read = read_record(later.dump());
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->items[1].metrics, (Metrics{{Metric::instructions, 5}}));
  EXPECT_FALSE(read->items[1].goal);
}

TEST(ReadRecord, WhatOlderRecordsLackMayBeMissing) {
  Json old = full_json();
  old.erase("source");
  old["items"][1].erase("map");
  old["items"][1].erase("goal");
  old["lines"][0]["worst"].erase("offsets");
  const Expected<Record> read = read_record(old.dump());
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_TRUE(read->source.empty());
  EXPECT_FALSE(read->items[1].map);
  EXPECT_FALSE(read->items[1].goal);
  EXPECT_TRUE(read->lines[0].worst.offsets.empty());
}

TEST(ReadRecord, WhetherACaseIsHiddenIsAKeyOfItsOwn) {
  Record record = won_record();
  record.items[0].title = record.items[1].title = "a case";
  const Json json = Json::parse(json_report({record}));
  EXPECT_FALSE(json["items"][0].contains("hidden"));
  EXPECT_EQ(json["items"][1]["hidden"], true);
  const Expected<Record> read = read_record(json.dump());
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_FALSE(read->items[0].hidden);
  EXPECT_TRUE(read->items[1].hidden);
}

TEST(ReadRecord, OlderRecordsSayByTheTitleThatACaseIsHidden) {
  Json old = Json::parse(json_report({won_record()}));
  old["items"][1].erase("hidden");
  const Expected<Record> read = read_record(old.dump());
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_FALSE(read->items[0].hidden);
  EXPECT_TRUE(read->items[1].hidden);
}

TEST(ReadRecord, AMapMustBeWhole) {
  const auto error = [](const Json::json_pointer& key, const Json& value) {
    return error_after([&](Json& json) { json["items"][1]["map"][key] = value; });
  };
  const std::string kNotWhole = "items[1].map.cells is not 3 rows of 33 states";
  EXPECT_EQ(error("/rows"_json_pointer, 4), "items[1].map.cells is not 4 rows of 33 states");
  EXPECT_EQ(error("/rows"_json_pointer, 0), "items[1].map has no elements");
  EXPECT_EQ(error("/cell/columns"_json_pointer, 0), "items[1].map.cell has no elements");
  EXPECT_EQ(error("/cells/1"_json_pointer, "..."), kNotWhole);
  EXPECT_EQ(error("/cells/1"_json_pointer, std::string(33, '<')), kNotWhole);
  EXPECT_EQ(error("/cells/1"_json_pointer, 7), "items[1].map.cells[1] is number; expected text");
  const std::string kNoAmounts = "items[1].map.amounts is not 3 rows of 33 digits";
  EXPECT_EQ(error("/amounts/1"_json_pointer, "0"), kNoAmounts);
  EXPECT_EQ(error("/amounts/1"_json_pointer, std::string(33, 'x')), kNoAmounts);
}

TEST(ReadRecord, OffsetsAreThoseOfAWarp) {
  EXPECT_EQ(error_after([](Json& json) { json["lines"][0]["worst"]["offsets"].erase(31); }),
            "lines[0].worst.offsets is not a list of 32");
  EXPECT_THAT(error_after([](Json& json) { json["lines"][0]["worst"]["offsets"][2] = -1; }),
              HasSubstr("lines[0].worst.offsets[2] is number; expected a whole number"));
}

TEST(ReadRecord, EveryMissingKeyIsNamed) {
  Json whole = full_json();
  whole.erase("source");
  whole["items"][1].erase("map");
  whole["items"][1].erase("goal");
  for (const auto& [key, value] : whole.items()) {
    EXPECT_THAT(error_after([&](Json& json) { json.erase(key); }), HasSubstr(key));
  }
  for (const auto& [key, value] : whole["items"][1].items()) {
    EXPECT_EQ(error_after([&](Json& json) { json["items"][1].erase(key); }),
              "items[1]." + key + " is missing");
  }
  for (const auto& [key, value] : whole["items"][1]["findings"][0].items()) {
    EXPECT_EQ(error_after([&](Json& json) { json["items"][1]["findings"][0].erase(key); }),
              "items[1].findings[0]." + key + " is missing");
  }
}

TEST(ReadRecord, EveryWrongTypeIsNamed) {
  const Json whole = full_json();
  for (const Json& wrong : {Json(nullptr), Json(Json::array({1})), Json({{"x", -1.5}}), Json(-1.5),
                            Json("x"), Json(true)}) {
    for (const auto& [key, value] : whole.items()) {
      if (value.type() == wrong.type() || (value.is_number() && wrong.is_number())) continue;
      EXPECT_THAT(error_after([&](Json& json) { json[key] = wrong; }), HasSubstr(key)) << wrong;
    }
  }
  EXPECT_EQ(error_after([](Json& json) { json["items"][1]["points"] = "12"; }),
            "items[1].points is string; expected a number");
  EXPECT_EQ(error_after([](Json& json) { json["items"][1]["status"] = "won"; }),
            "items[1].status is not a known word");
  EXPECT_EQ(error_after([](Json& json) { json["lines"][0]["memory"] = "local"; }),
            "lines[0].memory is not a known word");
  EXPECT_EQ(error_after([](Json& json) { json["schema"] = "tessera.result/3"; }),
            "schema is neither tessera.result/2 nor tessera.result/1");
}

TEST(ReadRecord, NumbersThatDoNotFitAreErrors) {
  const auto line = [](const Json& value) {
    return error_after([&](Json& json) { json["items"][1]["findings"][0]["line"] = value; });
  };
  EXPECT_THAT(line(std::uint64_t{1} << 40), HasSubstr("findings[0].line is number; expected a wh"));
  EXPECT_THAT(line(2.5), HasSubstr("expected a whole number"));
  EXPECT_THAT(error_after([](Json& json) { json["seed"] = -1; }), HasSubstr("seed is number"));
  EXPECT_EQ(read_record(R"({"score": 1e999})").error().message,
            "not a record: a number is too large");
}

TEST(ReadRecord, EveryTruncatedTextIsAnError) {
  const std::string text = json_report({won_record()});
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    const Expected<Record> read = read_record(std::string_view(text).substr(0, length));
    ASSERT_FALSE(read) << length;
    EXPECT_THAT(read.error().message, HasSubstr("not JSON: broken at byte"));
  }
}

TEST(ReadRecord, AListOfRecordsIsNoRecord) {
  EXPECT_EQ(read_record(json_report({won_record(), won_record()})).error().message,
            "the record is array; expected an object");
}

TEST(ReadRecord, DeepNestingIsAnError) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(read_record(deep).error().message, "nested too deeply");
  EXPECT_FALSE(read_record(std::string(200'000, '[')));
  std::string objects;
  for (int i = 0; i < 50'000; ++i) objects += R"({"a":)";
  EXPECT_FALSE(read_record(objects + "1" + std::string(50'000, '}')));
}

TEST(ReadRecord, ManyKeysAreAnErrorAtOnce) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"" + std::to_string(i) + "\":1,";
  EXPECT_EQ(read_record(text + "\"x\":1}").error().message, "too many keys");
}

TEST(ReadRecord, BytesThatAreNoTextAreAnError) {
  EXPECT_FALSE(read_record("\xff\xfe{}"));
  EXPECT_FALSE(read_record(std::string("{\"lab\": \"\xff\"}")));
  EXPECT_FALSE(read_record(""));
}

}  // namespace
}  // namespace tessera
