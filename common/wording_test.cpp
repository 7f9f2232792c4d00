#include "common/wording.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

Phrase phrase_at(std::size_t place) {
  return static_cast<Phrase>(place);
}

TEST(Wording, FillsTheValuesIn) {
  EXPECT_EQ(say(Phrase::freed_block, Phrase::reads, 4).str(),
            "reads 4 bytes of a heap block that has been freed");
  EXPECT_EQ(say(Phrase::wait_for_barrier, SourceLine{13}, 2).str(),
            "wait at line 13 for barrier 2");
  EXPECT_EQ(
      say(Phrase::reads_unwritten_shared, ArrayElement{"As", "[3][5]"}, Thread{"(3, 0, 0)", ""})
          .str(),
      "reads As[3][5] (thread (3, 0, 0)), which no thread has written");
  EXPECT_EQ((Text(Phrase::stores) + Text(" it ") + Text(Phrase::reads)).str(), "stores it reads");
  EXPECT_EQ(Text().str(), "");
  EXPECT_TRUE(Text("").empty());
}

TEST(Wording, CountsOneAndSeveral) {
  const auto bytes = [](std::uint64_t number) {
    return say(Phrase::has_bytes, Name{"A"}, Count{number, Phrase::byte}).str();
  };
  EXPECT_EQ(bytes(1), "A has 1 byte");
  EXPECT_EQ(bytes(0), "A has 0 bytes");
  EXPECT_EQ(bytes(1024), "A has 1,024 bytes");
}

TEST(Wording, EveryPhraseIsFoundByItsName) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kPhrases; ++i) {
    const Phrase phrase = phrase_at(i);
    EXPECT_TRUE(names.insert(to_string(phrase)).second) << to_string(phrase);
    EXPECT_EQ(phrase_called(to_string(phrase)), phrase);
    EXPECT_LE(values_of(phrase), 12u) << to_string(phrase);
    // A missing value leaves its place empty, and an extra value is ignored.
    EXPECT_NO_THROW(Text(std::vector{Statement{phrase, {Detail(1), Detail(2)}}}).str());
  }
  EXPECT_EQ(phrase_called("no such phrase"), std::nullopt);
  EXPECT_TRUE(is_noun(Phrase::byte));
  EXPECT_FALSE(is_noun(Phrase::verbatim));
}

TEST(WordingCause, IsThePhrasesAndTheNames) {
  const auto read = [](const std::string& array, const std::string& index, int thread) {
    return say(Phrase::reads_unwritten_shared, ArrayElement{array, index},
               Thread{"(" + std::to_string(thread) + ", 0, 0)", ""});
  };
  EXPECT_EQ(read("As", "[1]", 1).cause(), read("As", "[2][3]", 77).cause());
  EXPECT_NE(read("As", "[1]", 1).cause(), read("Bs", "[1]", 1).cause());
  EXPECT_NE(read("As", "[1]", 1).cause(), Text(read("As", "[1]", 1).str()).cause());
  EXPECT_EQ(say(Phrase::wait_for_barrier, SourceLine{3}, 1).cause(),
            say(Phrase::wait_for_barrier, SourceLine{4}, 2).cause());
  EXPECT_NE(Text(Phrase::stores).cause(), Text(Phrase::reads).cause());
  EXPECT_EQ((Text(Phrase::stores) + say(Phrase::has_bytes, Name{"A"}, 3)).cause(),
            Text(Phrase::stores).cause())
      << "a remark may be missing";
}

TEST(WordingCause, OfVerbatimWordsOmitsNumbersAndParentheses) {
  EXPECT_EQ(Text("C[3][5] is 1,024.5 (thread 3)").cause(), Text("C[3] is 0").cause());
  EXPECT_NE(Text("C[3] is 0").cause(), Text("D[3] is 0").cause());
}

}  // namespace
}  // namespace tessera
