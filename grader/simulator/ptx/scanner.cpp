#include "grader/simulator/ptx/scanner.h"

#include <charconv>
#include <cstring>

#include "grader/simulator/ptx/limits.h"

namespace tessera::ptx {
namespace {

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string Scanner::found() const {
  return "'" + std::string(text_.substr(place_.position, 12)) + "'";
}

void Scanner::skip_space() {
  while (!at_end()) {
    const char c = peek();
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
      advance();
    } else if (c == '/' && peek(1) == '/') {
      while (!at_end() && peek() != '\n') advance_in_comment();
    } else if (c == '/' && peek(1) == '*') {
      const int first_line = line();
      place_.position += 2;
      while (!at_end() && !(peek() == '*' && peek(1) == '/')) advance_in_comment();
      if (at_end()) throw SyntaxError{first_line, "a comment without end"};
      place_.position += 2;
    } else {
      return;
    }
  }
}

void Scanner::advance_in_comment() {
  if (peek() == '\0') fail("a character of the value 0");  // ptxas stops reading here
  advance();
}

bool Scanner::accept(char c) {
  skip_space();
  if (peek() != c) return false;
  ++place_.position;
  return true;
}

void Scanner::expect(char c) {
  if (!accept(c)) fail(std::string("expected '") + c + "', found " + found());
}

std::string Scanner::try_name() {
  skip_space();
  if (!is_name_start(peek())) return {};
  const std::size_t start = place_.position;
  while (is_name_part(peek())) ++place_.position;
  return checked_name(start);
}

std::string Scanner::checked_name(std::size_t start) const {
  if (place_.position - start > kMaxNameBytes)
    fail_over_limit("a name has more than " + std::to_string(kMaxNameBytes) + " characters");
  return since(start);
}

std::string Scanner::name() {
  std::string result = try_name();
  if (result.empty()) fail("expected a name, found " + found());
  return result;
}

std::string Scanner::try_directive() {
  skip_space();
  if (peek() != '.' || !is_name_part(peek(1))) return {};  // .2d
  const std::size_t start = ++place_.position;
  while (is_name_part(peek()) || (peek() == ':' && peek(1) == ':'))
    place_.position += peek() == ':' ? 2 : 1;
  return checked_name(start);
}

std::string Scanner::quoted() {
  expect('"');
  const std::size_t start = place_.position;
  while (!at_end() && peek() != '"') ++place_.position;
  std::string result = checked_name(start);
  expect('"');
  return result;
}

void Scanner::skip_until(char stop) {
  while (skip_space(), !at_end() && peek() != stop) {
    if (peek() == '"') {
      quoted();
    } else {
      advance();
    }
  }
  if (!at_end()) advance();
}

bool Scanner::number_here() {
  skip_space();
  return is_digit(peek()) || (peek() == '-' && is_digit(peek(1)));
}

Operand Scanner::number() {
  skip_space();
  Operand result;
  result.kind = Operand::Kind::integer;
  const bool negative = accept('-');
  skip_space();
  if (peek() == '0' && (peek(1) == 'f' || peek(1) == 'F' || peek(1) == 'd' || peek(1) == 'D')) {
    const bool single = peek(1) == 'f' || peek(1) == 'F';
    place_.position += 2;
    result.kind = single ? Operand::Kind::float32 : Operand::Kind::float64;
    const std::size_t start = place_.position;
    result.value = static_cast<std::int64_t>(digits(16));
    if (place_.position - start != (single ? 8u : 16u))
      fail("a float's bit pattern has 8 digits after 0f, 16 after 0d");
    return result;
  }
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    place_.position += 2;
    result.value = static_cast<std::int64_t>(digits(16));
  } else if (peek() == '0' && (peek(1) == 'b' || peek(1) == 'B')) {
    place_.position += 2;
    result.value = static_cast<std::int64_t>(digits(2));
  } else {
    const std::size_t start = place_.position;
    while (is_digit(peek())) ++place_.position;
    if (peek() == '.') {
      ++place_.position;
      while (is_digit(peek())) ++place_.position;
      if (peek() == 'e' || peek() == 'E') {
        place_.position += peek(1) == '-' || peek(1) == '+' ? 2 : 1;
        while (is_digit(peek())) ++place_.position;
      }
      const double value = decimal(text_.substr(start, place_.position - start));
      const double with_sign = negative ? -value : value;
      result.kind = Operand::Kind::float64;
      std::memcpy(&result.value, &with_sign, sizeof with_sign);
      return result;
    }
    const bool octal = place_.position - start > 1 && text_[start] == '0';
    place_.position = start;
    result.value = static_cast<std::int64_t>(digits(octal ? 8 : 10));
  }
  if (peek() == 'U') ++place_.position;
  if (negative)
    result.value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(result.value));
  return result;
}

double Scanner::decimal(std::string_view text) const {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail("expected a number");
  return value;
}

std::uint64_t Scanner::digits(int base) {
  std::uint64_t value = 0;
  const char* begin = text_.data() + place_.position;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value, base);
  if (error != std::errc{}) fail("expected a number");
  place_.position += static_cast<std::size_t>(end - begin);
  return value;
}

std::int64_t Scanner::integer() {
  const Operand operand = number();
  if (operand.kind != Operand::Kind::integer) fail("expected a whole number");
  return operand.value;
}

std::int64_t Scanner::integer_to(std::int64_t most) {
  const std::int64_t value = integer();
  if (value < 0 || value > most)
    fail(std::to_string(value) + " is not between 0 and " + std::to_string(most));
  return value;
}

}  // namespace tessera::ptx
