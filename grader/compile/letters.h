// Which characters beyond ASCII can stand in a program outside of comments and strings, and what to
// say of one that cannot.
#pragma once

#include <optional>
#include <string_view>

#include "common/wording.h"

namespace tessera {

/// Whether `c`, beyond ASCII, is a letter, digit or mark of some script, of which identifiers may
/// consist. Blanks, punctuation, symbols and what cannot be seen are not.
bool is_letter_beyond_ascii(char32_t c);

/// What a character is that stands in code, and what the student does about it.
struct StrangeCharacter {
  Text message;
  Phrase hint;
};

/// `c` is beyond ASCII and no letter; nothing for a byte that is not UTF-8.
StrangeCharacter strange_character(std::optional<char32_t> c, std::string_view bytes);

}  // namespace tessera
