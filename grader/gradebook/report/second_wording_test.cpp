// Grades the same kernels in two wordings: only printed sentences may differ.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "common/wording.h"
#include "grader/gradebook/code_key.h"
#include "grader/gradebook/report/mistakes.h"
#include "grader/judge/testing/kit_grading.h"
#include "grader/report/causes.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool in_english = true;

constexpr std::string_view kEnglish[] = {
#define TESSERA_PHRASE(name, text) text,
#include "common/wording/catalogue.def"
};

/// "@reads_unwritten_shared {} {}": the phrase's name and a place for each value.
std::string reworded(Phrase phrase) {
  const std::string name = "@" + std::string(to_string(phrase));
  const std::string_view english = kEnglish[static_cast<std::size_t>(phrase)];
  if (phrase == Phrase::verbatim) return std::string(english);
  if (english.find('|') != english.npos) return name + "|" + name + "s";
  std::string text = name;
  for (std::size_t at = 0; (at = english.find("{}", at)) != english.npos; at += 2) text += " {}";
  return text + " ";
}

}  // namespace

/// Replaces wording/english.cpp.
std::string_view sentence(Phrase phrase) {
  static const std::vector<std::string> kReworded = [] {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < kPhrases; ++i) all.push_back(reworded(static_cast<Phrase>(i)));
    return all;
  }();
  const auto at = static_cast<std::size_t>(phrase);
  return in_english ? kEnglish[at] : kReworded[at];
}

namespace {

class SecondWording : public testing::TestWithParam<std::string> {
 protected:
  SecondWording() : lab_(small_kit_lab(GetParam())), options_(kit_options(11)) {
    options_.kit.labs = kRoot / "labs";
  }
  void TearDown() override { in_english = true; }

  Record graded(const fs::path& file, bool english) {
    in_english = english;
    Record record = grade(lab_, file, options_);
    record.seconds = 0;
    for (Item& item : record.items) item.seconds = 0;
    return record;
  }

  Lab lab_;
  GradeOptions options_;
};

/// Words of the catalogue that stand in the text; of a compiler's own, and of names, there are none
/// that are as long.
std::string english_in(const std::string& text) {
  constexpr std::size_t kLong = 16;
  for (const std::string_view english : kEnglish) {
    for (std::size_t start = 0; start < english.size();) {
      const std::size_t end = std::min(english.find("{}", start), english.size());
      const std::string_view words = english.substr(start, end - start);
      if (words.size() >= kLong && text.find(words) != text.npos) return std::string(words);
      start = end + 2;
    }
  }
  return "";
}

void expect_no_english(const Record& record) {
  const auto expect = [](const Text& text) { EXPECT_EQ(english_in(text.str()), "") << text; };
  for (const Item& item : record.items) {
    expect(item.message);
    expect(item.hint);
    for (const Finding& finding : item.findings) {
      expect(finding.message);
      expect(finding.hint);
    }
  }
}

using Json = nlohmann::ordered_json;

void erase_printed(Json& json) {
  json.erase("message");
  json.erase("hint");
}

/// The record without its printed sentences; the phrases with their values stay.
Json facts_of(const Record& record) {
  Json json = Json::parse(json_report({record}));
  for (Json& item : json["items"]) {
    erase_printed(item);
    for (Json& finding : item["findings"]) erase_printed(finding);
  }
  return json;
}

/// The identity of each cause, and which cause comes after which.
std::vector<std::string> causes_in(const Record& record) {
  std::vector<std::string> all;
  for (const Cause& cause : causes_of(record)) {
    all.push_back(fmt::format("{} {} of {} in {} after {}", finding_name(cause.finding),
                              cause.finding.count, to_string(cause.status),
                              fmt::join(cause.cases, ", "), cause.after ? *cause.after + 1 : 0));
  }
  return all;
}

std::vector<std::string> mistakes_in(const Record& record) {
  std::vector<std::string> all;
  for (const MadeMistake& made : mistakes_of(record, {"A", "B", "C", "m", "n", "k"})) {
    all.push_back(
        fmt::format("{} {} {}", to_string(made.mistake.kind), made.line, made.mistake.diagnosis));
  }
  return all;
}

TEST_P(SecondWording, ChangesNothingButWhatIsPrinted) {
  const TemporaryDirectory folder;
  const fs::path copy = folder.path() / "kernel.cu";
  int printed_otherwise = 0, kernels = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "solutions" / GetParam() / "wrong")) {
    const std::string source = *read_file(entry.path());
    if (source.find("expect: step-limit") != source.npos) continue;  // takes seconds
    SCOPED_TRACE(entry.path().filename().string());
    ++kernels;
    const Record english = graded(entry.path(), true);
    const std::string english_json = json_report({english});
    const std::vector<std::string> english_causes = causes_in(english);
    const std::vector<std::string> english_mistakes = mistakes_in(english);
    const Record second = graded(entry.path(), false);
    expect_no_english(second);
    EXPECT_EQ(facts_of(second), facts_of(english)) << "marks, merges";
    EXPECT_EQ(causes_in(second), english_causes);
    EXPECT_EQ(mistakes_in(second), english_mistakes);
    printed_otherwise += json_report({second}) != english_json ? 1 : 0;

    // A gradebook written in English, read by a grader with another wording.
    const Expected<Record> stored = read_record(english_json);
    ASSERT_TRUE(stored) << stored.error().str();
    EXPECT_EQ(json_report({*stored}), json_report({second}));
    const Source moved("// another student's\n\n" + source);
    if (code_key(moved) != code_key(Source(source))) continue;
    ASSERT_FALSE(write_file(copy, moved.as_read()));
    EXPECT_EQ(json_report({copied_record(*stored, Source(source), moved, copy.string())}),
              json_report({graded(copy, false)}))
        << "regrades";
  }
  EXPECT_GT(kernels, 5);
  EXPECT_EQ(printed_otherwise, kernels);
}

INSTANTIATE_TEST_SUITE_P(Kit, SecondWording,
                         testing::Values("00-adjacent-difference", "06-dynamic-shared"),
                         [](const auto& info) { return "lab_" + info.param.substr(0, 2); });

}  // namespace
}  // namespace tessera
