#include "common/wording.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Wording, FillsTheValuesIn) {
  EXPECT_EQ(say(Phrase::freed_block, Phrase::reads, 4).str(),
            "reads 4 bytes of a heap block that has been freed");
  EXPECT_EQ(say(Phrase::wait_for_barrier, SourceLine{13}, 2).str(),
            "wait at line 13 for barrier 2");
  EXPECT_EQ(
      say(Phrase::reads_unwritten_shared, ArrayElement{"As", "[3][5]"}, Thread{"(3, 0, 0)", ""})
          .str(),
      "reads As[3][5] (thread (3, 0, 0)), which nobody has written");
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

TEST(WordingCause, OfOtherWordsIsWhatStaysOfThem) {
  EXPECT_EQ(Text("C[3][5] is 1,024.5 (thread 3)").cause(), Text("C[3] is 0").cause());
  EXPECT_NE(Text("C[3] is 0").cause(), Text("D[3] is 0").cause());
}

}  // namespace
}  // namespace tessera
