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
  std::string symbol = "";  // of the variable or function that it is about; "" where there is none
};

/// Reads a text from its start to its end. Everything but peek() passes over white space and
/// comments first. What is not as expected is a SyntaxError, thrown.
class Scanner {
 public:
  /// A compiler may end its text with characters of the value 0; elsewhere they are refused.
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

  /// "'.foo (.param ': what stands here, quoted for a message.
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
  /// A name such as %r1, $L__BB0_2 or foo; empty where none stands here.
  std::string try_name();
  std::string name();
  /// ".word" with its dot removed; empty where no directive stands here.
  std::string try_directive();
  std::string quoted();
  /// To behind the next `stop` that stands in no comment or string, or to the end.
  void skip_until(char stop);
  bool number_here();
  /// A literal: integer in any base, 0f and 0d bit patterns, or a decimal fraction.
  Operand number();
  std::int64_t integer();
  /// An integer from 0 to `most`.
  std::int64_t integer_to(std::int64_t most);

 private:
  double decimal(std::string_view text) const;
  std::uint64_t digits(int base);

  void advance_in_comment();
  /// Over one character.
  void advance() {
    if (peek() == '\n') ++place_.line;
    ++place_.position;
  }
  /// since(), refused where it is too long for a name.
  std::string checked_name(std::size_t start) const;
  std::string since(std::size_t start) const {
    return std::string(text_.substr(start, place_.position - start));
  }

  std::string_view text_;
  Place place_;
};

}  // namespace tessera::ptx
