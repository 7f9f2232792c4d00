// A C++ source as preprocessing tokens, for what must be known before a compiler may see it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/wording.h"

namespace tessera {

struct Token {
  enum class Kind { identifier, number, string, punctuator };
  Kind kind = Kind::punctuator;
  std::string text;  // with line splices taken out
  int line = 0;      // 1-based
  int column = 0;
  bool conditional = false;  // between #if and #endif
  bool alternative = false;  // behind an #else or #elif
};

inline bool is(const Token& token, std::string_view text) {
  return token.text == text;
}

/// One preprocessing directive: what follows "#", up to the end of its logical line.
struct Directive {
  std::string name;           // "include", "pragma"; "" for a lone "#"
  std::vector<Token> tokens;  // behind the name
  std::string rest;           // the text behind the name, comments and outer blanks cut off
  int line = 0;
  int column = 0;
  bool conditional = false;  // between #if and #endif
  bool skipped = false;      // no compiler of a kernel reads it
};

/// A place where the text cannot be told apart into tokens.
struct LexicalError {
  int line = 0;
  int column = 0;
  Text message;
  Text hint;
};

struct TokenizedSource {
  std::vector<Token> code;            // what is not part of a directive, and not skipped
  std::vector<Directive> directives;  // in source order
  std::vector<LexicalError> errors;
};

/// Splits `source` ("\n" line ends). Understands comments, raw strings, line splices and the
/// digraph "%:"; a trigraph "??=" that starts a line counts as "#". A character beyond ASCII that
/// is no letter is an error outside of comments and strings, where it is met first. Skipped is what
/// is so for each compiler of a kernel: between #if 0 and its #else or #endif, and where #ifdef,
/// #ifndef and `defined` ask for __CUDACC__, __CUDACC_RTC__ or an editor's macro
/// (__INTELLISENSE__). Other conditions are not computed.
TokenizedSource tokenize(std::string_view source);

}  // namespace tessera
