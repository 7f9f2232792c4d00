#include "grader/process/wire_text.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

using wire::WireError;

TEST(WireText, ATextArrivesAsItWas) {
  const Text text = Text("ptxas: no such opcode") +
                    say(Phrase::has_bytes, Name{"tile"}, Count{3, Phrase::byte}) +
                    say(Phrase::extra_order_in_line, Phrase::by_fence, SourceLine{7});
  EXPECT_EQ(decode_text(encode(text)), text);
  EXPECT_EQ(decode_text(encode(Text())), Text());
}

TEST(WireText, StatementsWithOtherValuesAreRefused) {
  const Text without_words(std::vector{Statement{Phrase::verbatim, {Name{"x"}}}});
  const Text counts_nothing = say(Phrase::has_bytes, Name{"x"}, Count{3, Phrase::reads});
  const Text in_no_line = say(Phrase::extra_order_in_line, Phrase::by_fence, SourceLine{-1});
  for (const Text& text :
       {say(Phrase::reads, Name{"x"}), without_words, counts_nothing, in_no_line})
    EXPECT_THROW(decode_text(encode(text)), WireError);
  EXPECT_THROW(decode_text("no text"), WireError);
}

TEST(WireText, ControlCharactersAreReplaced) {
  EXPECT_EQ(decode_text(encode(Text("\x1b[31mred\n"))).str(), "?[31mred\n");
}

TEST(WireText, TextsThatAreTooLongToReadAreRefused) {
  EXPECT_THROW(decode_text(encode(Text(std::string(1 << 20, 'x')))), WireError);
  Text many;
  for (int i = 0; i < 1000; ++i) many += Phrase::reads;
  EXPECT_THROW(decode_text(encode(many)), WireError);
}

TEST(WireText, EveryStatementAndValueCounts) {
  const std::string words(1000, 'x');
  const Text text = say(Phrase::has_bytes, Name{words}, Detail(words)) + Text(words) +
                    say(Phrase::no_buffer, ArrayElement{words, words}, Thread{words, words});
  EXPECT_GT(bytes_of(text), 7 * words.size());
  Text empty;
  for (int i = 0; i < 10; ++i) empty += Phrase::reads;
  EXPECT_GE(bytes_of(empty), 10 * sizeof(Statement));
}

}  // namespace
}  // namespace tessera
