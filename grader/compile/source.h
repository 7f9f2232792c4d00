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
  std::string text;  // without line splices; for a digraph the token that it stands for
  int line = 0;      // 1-based
  int column = 0;
  bool conditional = false;  // between #if and #endif
  bool alternative = false;  // behind an #else or #elif
};

inline bool is(const Token& token, std::string_view text) {
  return token.text == text;
}

/// A preprocessing directive: what follows "#" up to the end of its logical line.
struct Directive {
  std::string name;           // "include", "pragma"; "" for a lone "#"
  std::vector<Token> tokens;  // behind the name
  std::string rest;           // the text behind the name without comments and outer blanks
  int line = 0;
  int column = 0;
  bool takes_arguments = false;  // a #define of a macro with arguments
  bool conditional = false;      // between #if and #endif
  bool skipped = false;          // no compiler of a kernel reads it
};

/// A place where the text cannot be split into tokens.
struct LexicalError {
  int line = 0;
  int column = 0;
  Text message;
  Text hint;
};

/// The tokens and directives of a text.
struct Tokens {
  std::vector<Token> code;            // tokens outside directives that are not skipped
  std::vector<Directive> directives;  // in source order
  std::vector<LexicalError> errors;
  std::string visible;  // the text without comments and without what is skipped
};

/// Made once for each source and passed on; a copy shares the contents.
class Source {
 public:
  Source() : Source("") {}
  explicit Source(std::string as_read);
  Source(const char* as_read) : Source(std::string(as_read)) {}

  /// The source byte for byte, for hashes.
  const std::string& as_read() const { return content_->as_read; }
  /// The source without a byte-order mark and with "\n" line ends; line numbers are the same.
  const std::string& text() const { return content_->text; }
  /// The lines of text().
  const std::vector<std::string>& lines() const { return content_->lines; }

  /// Tokens by the longest match. Comments, raw strings, line splices and digraphs are understood;
  /// a trigraph "??=" that starts a line counts as "#" unless it is skipped. A part is skipped if
  /// every compiler of a kernel skips it: between #if 0 and its #else or #endif, and where #ifdef,
  /// #ifndef and `defined` ask for __CUDACC__, __CUDACC_RTC__ or an editor's macro
  /// (__INTELLISENSE__). Other conditions are not evaluated.
  const std::vector<Token>& code() const { return content_->tokens.code; }
  const std::vector<Directive>& directives() const { return content_->tokens.directives; }
  /// Among the errors: the first occurrence of each character beyond ASCII that is not a letter,
  /// outside comments and strings.
  const std::vector<LexicalError>& errors() const { return content_->tokens.errors; }

  /// What compilers get: text() with blanks in place of comments and of skipped parts, each token
  /// at its line and column. Code that the grader does not see is not compiled, however a compiler
  /// would have read it.
  const std::string& visible() const { return content_->tokens.visible; }

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
