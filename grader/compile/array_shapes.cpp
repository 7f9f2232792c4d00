#include "grader/compile/array_shapes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>

#include "grader/compile/lexer.h"

namespace tessera {
namespace {

using Constants = std::map<std::string, std::uint64_t, std::less<>>;
using Tokens = std::span<const Token>;

bool is(const Token& token, std::string_view text) {
  return token.text == text;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  const auto [stop, status] =
      std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  const std::string_view rest(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  if (status != std::errc() || rest.find_first_not_of("uUlL") != std::string_view::npos)
    return std::nullopt;
  return value;
}

/// Sums, differences and products of numbers and known names.
class Expression {
 public:
  Expression(Tokens tokens, const Constants& constants) : tokens_(tokens), constants_(constants) {}

  /// Nothing where there is anything else.
  std::optional<std::uint64_t> value() {
    const auto result = sum();
    return at_ == tokens_.size() ? result : std::nullopt;
  }

 private:
  bool next_is(std::string_view text) const {
    return at_ < tokens_.size() && is(tokens_[at_], text);
  }

  std::optional<std::uint64_t> sum() {
    auto total = product();
    while (total && (next_is("+") || next_is("-"))) {
      const bool plus = next_is("+");
      ++at_;
      const auto term = product();
      if (!term) return std::nullopt;
      total = plus ? *total + *term : *total - *term;
    }
    return total;
  }

  std::optional<std::uint64_t> product() {
    auto total = factor();
    while (total && next_is("*")) {
      ++at_;
      const auto next = factor();
      if (!next) return std::nullopt;
      *total *= *next;
    }
    return total;
  }

  std::optional<std::uint64_t> factor() {
    if (at_ == tokens_.size()) return std::nullopt;
    if (next_is("(")) {
      ++at_;
      const auto inner = sum();
      if (!next_is(")")) return std::nullopt;
      ++at_;
      return inner;
    }
    const Token& token = tokens_[at_++];
    if (token.kind == Token::Kind::number) return number(token.text);
    const auto found = constants_.find(token.text);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
  }

  Tokens tokens_;
  const Constants& constants_;
  std::size_t at_ = 0;
};

/// Index of the first `text` from `at` on, or the end.
std::size_t find(Tokens code, std::size_t at, std::string_view text) {
  while (at < code.size() && !is(code[at], text)) ++at;
  return at;
}

/// `#define NAME expression` and `constexpr TYPE NAME = expression;` in source order.
Constants constants_of(const TokenizedSource& source) {
  Constants constants;
  for (const Directive& directive : source.directives) {
    if (directive.name != "define" || directive.tokens.size() < 2) continue;
    const Tokens value = Tokens(directive.tokens).subspan(1);
    if (const auto known = Expression(value, constants).value())
      constants[directive.tokens.front().text] = *known;
  }
  const Tokens code = source.code;
  for (std::size_t at = 0; at + 3 < code.size(); ++at) {
    if (!is(code[at], "constexpr") && !is(code[at], "const")) continue;
    const std::size_t end = find(code, at, ";");
    const std::size_t equals = find(code, at, "=");
    if (equals >= end) continue;
    const Tokens value = code.subspan(equals + 1, end - equals - 1);
    if (const auto known = Expression(value, constants).value())
      constants[code[equals - 1].text] = *known;
  }
  return constants;
}

/// Bytes of a type that is built in; 0 for another.
std::uint32_t type_bytes(Tokens type) {
  static const std::map<std::string, std::uint32_t, std::less<>> kBytes = {
      {"char", 1},    {"bool", 1},     {"int8_t", 1},   {"uint8_t", 1}, {"short", 2},
      {"int16_t", 2}, {"uint16_t", 2}, {"__half", 2},   {"int", 4},     {"unsigned", 4},
      {"float", 4},   {"int32_t", 4},  {"uint32_t", 4}, {"double", 8},  {"int64_t", 8},
      {"size_t", 8},  {"float2", 8},   {"uint64_t", 8}, {"int2", 8},    {"float4", 16},
      {"int4", 16},   {"double2", 16}};
  std::uint32_t bytes = 0;
  int longs = 0;
  for (const Token& token : type) {
    if (is(token, "*")) return 8;
    if (is(token, "long")) ++longs;
    const auto found = kBytes.find(token.text);
    // "unsigned char" is a char, "short int" is short.
    const bool adds = is(token, "unsigned") || is(token, "int");
    if (found != kBytes.end() && (bytes == 0 || !adds)) bytes = found->second;
  }
  return longs > 0 ? 8 : bytes;
}

}  // namespace

std::map<std::string, ArrayShape> shared_array_shapes(std::string_view source) {
  const TokenizedSource tokens = tokenize(source);
  const Constants constants = constants_of(tokens);
  const Tokens code = tokens.code;
  std::map<std::string, ArrayShape> shapes;
  std::set<std::string> ambiguous;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!is(code[at], "__shared__")) continue;
    const std::size_t end = find(code, at, ";");
    std::size_t open = find(code, at, "[");
    // One array a declaration; commas would start others.
    if (end == code.size() || open >= end || open < at + 2 || find(code, at, ",") < open) continue;
    ArrayShape shape;
    shape.element_bytes = type_bytes(code.subspan(at + 1, open - at - 2));
    const std::string name = code[open - 1].text;
    while (open < end && is(code[open], "[")) {
      const std::size_t close = find(code, open, "]");
      const Tokens extent = code.subspan(open + 1, std::min(close, end) - open - 1);
      shape.extents.push_back(Expression(extent, constants).value().value_or(0));
      open = close + 1;
    }
    const auto [entry, fresh] = shapes.try_emplace(name, shape);
    if (!fresh && entry->second.extents != shape.extents) ambiguous.insert(name);
  }
  for (const std::string& name : ambiguous) shapes.erase(name);
  return shapes;
}

}  // namespace tessera
