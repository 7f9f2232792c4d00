// A source file: as it was read, as compilers get it, and as preprocessing tokens.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/wording.h"

namespace tessera {

struct Token {
  enum class Kind { identifier, number, string, punctuator };
  Kind kind = Kind::punctuator;
  std::string text;  // with line splices taken out; for a digraph what it stands for
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
  bool takes_arguments = false;  // a #define whose macro does
  bool conditional = false;      // between #if and #endif
  bool skipped = false;          // no compiler of a kernel reads it
};

/// A place where the text cannot be told apart into tokens.
struct LexicalError {
  int line = 0;
  int column = 0;
  Text message;
  Text hint;
};

/// What a text consists of.
struct Tokens {
  std::vector<Token> code;            // what is not part of a directive, and not skipped
  std::vector<Directive> directives;  // in source order
  std::vector<LexicalError> errors;
};

/// Made once for a source and passed on; a copy shares what it holds.
class Source {
 public:
  Source() : Source("") {}
  explicit Source(std::string as_read);
  Source(const char* as_read) : Source(std::string(as_read)) {}

  /// Byte for byte, as hashes have it.
  const std::string& as_read() const { return content_->as_read; }
  /// Without a byte-order mark and with "\n" line ends; line numbers are the same.
  const std::string& text() const { return content_->text; }
  /// Of the text.
  const std::vector<std::string>& lines() const { return content_->lines; }

  /// Tokens by the longest match. Comments, raw strings, line splices and digraphs are understood;
  /// a trigraph "??=" that starts a line counts as "#". Skipped is what is so for each compiler of
  /// a kernel: between #if 0 and its #else or #endif, and where #ifdef, #ifndef and `defined` ask
  /// for
  /// __CUDACC__, __CUDACC_RTC__ or an editor's macro (__INTELLISENSE__). Other conditions are not
  /// computed.
  const std::vector<Token>& code() const { return content_->tokens.code; }
  const std::vector<Directive>& directives() const { return content_->tokens.directives; }
  /// A character beyond ASCII that is no letter is an error outside of comments and strings, where
  /// it is met first.
  const std::vector<LexicalError>& errors() const { return content_->tokens.errors; }

 private:
  struct Content {
    std::string as_read;
    std::string text;
    std::vector<std::string> lines;
    Tokens tokens;
  };

  std::shared_ptr<const Content> content_;
};

}  // namespace tessera
