// Text that may or may not be UTF-8, such as names and sources from unknown people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

struct Utf8Character {
  char32_t value = 0;
  std::size_t bytes = 1;
};

/// The character at the start of `text`, which must not be empty; nothing if it is not UTF-8: a
/// broken or overlong sequence, a surrogate, or beyond U+10FFFF.
std::optional<Utf8Character> decode_utf8(std::string_view text);

/// Whether `c` is not displayed but has an effect: control characters, line separators, and
/// direction overrides, which change how text reads.
bool is_invisible(char32_t c);

/// The longest prefix of at most `bytes` bytes that does not cut a character.
std::string_view prefix_of_bytes(std::string_view text, std::size_t bytes);

/// Calls `take(character, bytes)` for each character of `text`; the character is nothing for a byte
/// that is not UTF-8.
template <class Take>
void for_each_character(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::optional<Utf8Character> c = decode_utf8(text);
    const std::size_t bytes = c ? c->bytes : 1;
    take(c, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

/// The text of a JSON document with escapes for invisible characters other than line feeds, all of
/// which stand in strings: programs read the same, and terminals show them.
std::string visible_json(std::string_view json);

}  // namespace tessera
