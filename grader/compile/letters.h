// Which characters beyond ASCII may be in a program outside comments and strings, and the finding
// about those that may not.
#pragma once

#include <optional>
#include <string_view>

#include "common/wording.h"

namespace tessera {

/// Whether `c`, which is beyond ASCII, is a letter, digit or mark of a script, as in identifiers.
/// Blanks, punctuation, symbols and invisible characters are not.
bool is_letter_beyond_ascii(char32_t c);

/// What a character in code is, and what the student should do about it.
struct StrangeCharacter {
  Text message;
  Phrase hint;
};

/// `c` is beyond ASCII and not a letter; it is nothing for a byte that is not UTF-8.
StrangeCharacter strange_character(std::optional<char32_t> c, std::string_view bytes);

}  // namespace tessera
