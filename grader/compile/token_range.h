// Walks through tokens by their brackets.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// No kernel that a person wrote has more tokens: functions that look far ahead from each place
/// skip such a source.
inline constexpr std::size_t kMostTokens = 10'000;

using TokenRange = std::span<const Token>;

inline bool is(const TokenRange& code, std::size_t at, std::string_view text) {
  return at < code.size() && code[at].text == text;
}

inline bool is_any(const TokenRange& code, std::size_t at,
                   std::initializer_list<std::string_view> texts) {
  return at < code.size() && std::ranges::find(texts, code[at].text) != texts.end();
}

inline bool is_name(const TokenRange& code, std::size_t at) {
  return at < code.size() && code[at].kind == Token::Kind::identifier;
}

/// The end of the block of braces that is open at `from`.
inline std::size_t end_of_block(const TokenRange& code, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < code.size(); ++at) {
    if (is(code, at, "{")) ++depth;
    if (is(code, at, "}") && --depth < 0) return at;
  }
  return code.size();
}

/// The place behind the bracket that closes the ( [ or { at `open`; the end if there is none.
inline std::size_t behind_bracket(const TokenRange& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (is_any(code, at, {"(", "[", "{"})) ++depth;
    if (is_any(code, at, {")", "]", "}"}) && --depth <= 0) return at + 1;
  }
  return code.size();
}

/// Whether the operator at `at` reads and changes its left operand: +=, -= and so on, ++ and --.
inline bool is_change(const TokenRange& code, std::size_t at) {
  return is_any(code, at,
                {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});
}

}  // namespace tessera
