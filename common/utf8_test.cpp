#include "common/utf8.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace tessera {
namespace {

TEST(Utf8, DecodesOneToFourBytes) {
  EXPECT_EQ(decode_utf8("a")->value, U'a');
  EXPECT_EQ(decode_utf8("\xc3\xa9x")->value, U'\u00e9');
  EXPECT_EQ(decode_utf8("\xe2\x82\xac")->bytes, 3u);
  EXPECT_EQ(decode_utf8("\xf0\x9f\x98\x80")->value, U'\U0001f600');
}

TEST(Utf8, RefusesOtherBytes) {
  for (const char* text : {"\x80", "\xc3", "\xc3x", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                           "\xf4\x90\x80\x80", "\xff"}) {
    EXPECT_FALSE(decode_utf8(text)) << text;
  }
}

TEST(Utf8, ControlAndDirectionCharactersAreInvisible) {
  for (const char32_t c : {U'\0', U'\n', U'\x1b', U'\x7f', U'\u0085', U'\u2028', U'\u202e',
                           U'\u2066', U'\u200b', U'\u00ad', U'\ufeff', U'\u206a', U'\u180e',
                           U'\u3164', U'\u115f', U'\uffa0', U'\ufff9', U'\U000e0041'})
    EXPECT_TRUE(is_invisible(c)) << static_cast<unsigned>(c);
  EXPECT_FALSE(is_invisible(U' '));
  EXPECT_FALSE(is_invisible(U'\u00e9'));
  EXPECT_FALSE(is_invisible(U'\ufe0f'));  // makes an emoji of the character before
  EXPECT_FALSE(is_invisible(U'\u200c'));  // Persian needs it to separate letters
}

TEST(Utf8, JsonIsVisibleAndReadsTheSame) {
  const std::string text = "\u202ea\u0085\U000e0041\u00e9";
  const std::string json = "[\n  \"" + text + "\"\n]";
  const std::string visible = visible_json(json);
  EXPECT_EQ(visible, "[\n  \"\\u202ea\\u0085\\udb40\\udc41\u00e9\"\n]");
  EXPECT_EQ(nlohmann::json::parse(visible), nlohmann::json::parse(json));
}

TEST(Utf8, APrefixEndsWithAWholeCharacter) {
  EXPECT_EQ(prefix_of_bytes("a\xe2\x82\xac", 4), "a\xe2\x82\xac");
  EXPECT_EQ(prefix_of_bytes("a\xe2\x82\xac", 3), "a");
  EXPECT_EQ(prefix_of_bytes("\x80\x80", 1), "");
}

TEST(Utf8, BrokenTextIsVisitedByteByByte) {
  std::string seen;
  for_each_character("a\xff\xc3\xa9", [&](const auto& c, std::string_view bytes) {
    seen += c ? std::to_string(bytes.size()) : "?";
  });
  EXPECT_EQ(seen, "1?2");
}

}  // namespace
}  // namespace tessera
