// Walking through tokens by their brackets.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// A source with more of them is no kernel that a person wrote: what looks far ahead from each
/// place leaves it alone.
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

/// Where the block of braces that is open at `from` ends.
inline std::size_t end_of_block(const TokenRange& code, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < code.size(); ++at) {
    if (is(code, at, "{")) ++depth;
    if (is(code, at, "}") && --depth < 0) return at;
  }
  return code.size();
}

/// The place behind the bracket ( [ or { that closes the one at `open`; the end where none does.
inline std::size_t behind_bracket(const TokenRange& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (is_any(code, at, {"(", "[", "{"})) ++depth;
    if (is_any(code, at, {")", "]", "}"}) && --depth <= 0) return at + 1;
  }
  return code.size();
}

/// Whether the sign at `at` reads and changes what stands before it: += and its kin, ++ and --.
inline bool is_change(const TokenRange& code, std::size_t at) {
  return is_any(code, at,
                {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});
}

}  // namespace tessera
