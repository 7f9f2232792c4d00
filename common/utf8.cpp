#include "common/utf8.h"

#include <fmt/format.h>

#include <array>

namespace tessera {
namespace {

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

bool is_valid(Utf8Character c) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = c.value >= 0xd800 && c.value < 0xe000;
  return c.value >= kLeast[c.bytes] && c.value <= 0x10ffff && !surrogate;
}

}  // namespace

std::optional<Utf8Character> decode_utf8(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return std::nullopt;
  Utf8Character c{length == 1 ? lead : lead & (0x7fu >> length), length};
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0u) != 0x80u) return std::nullopt;
    c.value = c.value << 6 | (next & 0x3fu);
  }
  return is_valid(c) ? std::optional(c) : std::nullopt;
}

std::string_view prefix_of_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0u) == 0x80u) --bytes;
  return text.substr(0, bytes);
}

bool is_invisible(char32_t c) {
  const auto between = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const bool direction = between(0x202a, 0x202e) || between(0x2066, 0x2069);
  // Characters of zero width. Joiners of letters and variation selectors belong to names.
  const bool zero_width = c == 0xad || c == 0x34f || c == 0x61c || c == 0x180e || c == 0x200b ||
                          c == 0x200e || c == 0x200f || between(0x2060, 0x206f) || c == 0xfeff;
  const bool filler =
      between(0x115f, 0x1160) || c == 0x3164 || c == 0xffa0 || between(0xfff9, 0xfffb);
  const bool no_character = (c & 0xfffe) == 0xfffe || between(0xfdd0, 0xfdef);
  const bool tag = between(0xe0000, 0xe00ff);
  return c < 0x20 || between(0x7f, 0x9f) || between(0x2028, 0x2029) || direction || zero_width ||
         filler || no_character || tag;
}

std::string visible_json(std::string_view json) {
  std::string result;
  const auto escape = [&](std::uint32_t unit) { result += fmt::format("\\u{:04x}", unit); };
  for_each_character(json, [&](const std::optional<Utf8Character>& c, std::string_view bytes) {
    if (!c || !is_invisible(c->value) || c->value == '\n') {
      result += bytes;
    } else if (c->value < 0x10000) {
      escape(c->value);
    } else {  // as UTF-16
      const std::uint32_t rest = c->value - 0x10000;
      escape(0xd800 + (rest >> 10));
      escape(0xdc00 + (rest & 0x3ff));
    }
  });
  return result;
}

}  // namespace tessera
