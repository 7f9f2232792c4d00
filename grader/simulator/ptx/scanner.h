// PTX text as characters, names and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "grader/simulator/ptx/ptx.h"

namespace tessera::ptx {

struct SyntaxError {
  int line;
  std::string message;
  LoadFault fault = LoadFault::not_ptx;
  std::string symbol = "";  // of the variable or function at fault, if any
};

/// Reads a text from its start to its end. All functions but peek() skip white space and comments
/// first. Throws SyntaxError if the text is not as expected.
class Scanner {
 public:
  /// NUL characters may end the text, as some compilers write them; elsewhere they are refused.
  explicit Scanner(std::string_view text)
      : text_(text.substr(0, text.find_last_not_of('\0') + 1)) {}

  struct Place {
    std::size_t position = 0;
    int line = 1;
  };

  int line() const { return place_.line; }  // from 1
  bool at_end() const { return place_.position >= text_.size(); }
  Place place() const { return place_; }
  void return_to(Place place) { place_ = place; }

  /// Returns the text that stands here, quoted for a message: "'.foo (.param '".
  std::string found() const;

  [[noreturn]] void fail(std::string message) const {
    throw SyntaxError{place_.line, std::move(message)};
  }
  [[noreturn]] void fail_over_limit(std::string message, std::string symbol = "") const {
    throw SyntaxError{place_.line, std::move(message), LoadFault::over_limit, std::move(symbol)};
  }
  [[noreturn]] void fail_unknown(std::string message) const {
    throw SyntaxError{place_.line, std::move(message), LoadFault::unknown};
  }
  char peek(std::size_t ahead = 0) const {
    const std::size_t at = place_.position + ahead;
    return at < text_.size() ? text_[at] : '\0';
  }
  void skip_space();
  bool accept(char c);
  void expect(char c);
  /// Reads a name such as %r1, $L__BB0_2 or foo; returns "" if no name stands here.
  std::string try_name();
  std::string name();
  /// Reads ".word" and returns it without the dot; "" if no directive stands here.
  std::string try_directive();
  std::string quoted();
  /// Skips past the next `stop` outside of comments and strings, or to the end.
  void skip_until(char stop);
  bool number_here();
  /// Reads a literal: an integer in any base, a 0f or 0d bit pattern, or a decimal fraction.
  Operand number();
  std::int64_t integer();
  /// Reads an integer from 0 to `most`.
  std::int64_t integer_to(std::int64_t most);

 private:
  double decimal(std::string_view text) const;
  std::uint64_t digits(int base);

  void advance_in_comment();
  /// Moves past one character.
  void advance() {
    if (peek() == '\n') ++place_.line;
    ++place_.position;
  }
  /// Returns since(); throws if it is too long for a name.
  std::string checked_name(std::size_t start) const;
  std::string since(std::size_t start) const {
    return std::string(text_.substr(start, place_.position - start));
  }

  std::string_view text_;
  Place place_;
};

}  // namespace tessera::ptx
