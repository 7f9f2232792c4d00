#include "grader/compile/array_shapes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tessera {
namespace {

using Constants = std::map<std::string, std::uint64_t, std::less<>>;
using TokenSpan = std::span<const Token>;

std::optional<std::uint64_t> value_of_literal(std::string_view text) {
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

/// No extent that a person wrote has deeper brackets; each level takes a piece of this process's
/// stack.
constexpr int kMostNested = 64;

/// Evaluates sums, differences and products of numbers and known names.
class Expression {
 public:
  Expression(TokenSpan tokens, const Constants& constants)
      : tokens_(tokens), constants_(constants) {}

  /// The value; nothing if the expression contains anything else.
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
      if (nested_ == kMostNested) return std::nullopt;
      ++nested_;
      ++at_;
      const auto inner = sum();
      --nested_;
      if (!next_is(")")) return std::nullopt;
      ++at_;
      return inner;
    }
    const Token& token = tokens_[at_++];
    if (token.kind == Token::Kind::number) return value_of_literal(token.text);
    const auto found = constants_.find(token.text);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
  }

  TokenSpan tokens_;
  const Constants& constants_;
  std::size_t at_ = 0;
  int nested_ = 0;
};

/// The places of one token in a source. Searching for each place anew would take quadratic time.
class Places {
 public:
  Places(TokenSpan code, std::string_view text) : end_(code.size()) {
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (is(code[at], text)) places_.push_back(at);
    }
  }

  /// The first place at `at` or later; the end if there is none.
  std::size_t from(std::size_t at) const {
    const auto place = std::ranges::lower_bound(places_, at);
    return place == places_.end() ? end_ : *place;
  }

 private:
  std::vector<std::size_t> places_;
  std::size_t end_;
};

/// The values of `#define NAME expression` and `constexpr TYPE NAME = expression;`.
Constants constants_of(const Source& source) {
  Constants constants;
  for (const Directive& directive : source.directives()) {
    if (directive.name != "define" || directive.tokens.size() < 2) continue;
    const TokenSpan value = TokenSpan(directive.tokens).subspan(1);
    if (const auto known = Expression(value, constants).value())
      constants[directive.tokens.front().text] = *known;
  }
  const TokenSpan code = source.code();
  const Places ends(code, ";");
  const Places assignments(code, "=");
  std::size_t last = 0;
  for (std::size_t at = 0; at + 3 < code.size(); ++at) {
    if (!is(code[at], "constexpr") && !is(code[at], "const")) continue;
    const std::size_t end = ends.from(at);
    const std::size_t equals = assignments.from(at);
    if (equals >= end || equals == std::exchange(last, equals)) continue;
    const TokenSpan value = code.subspan(equals + 1, end - equals - 1);
    if (const auto known = Expression(value, constants).value())
      constants[code[equals - 1].text] = *known;
  }
  return constants;
}

/// Bytes of a built-in type; 0 for another type.
std::uint32_t type_bytes(TokenSpan type) {
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

std::map<std::string, ArrayShape> array_shapes(const Source& source) {
  const Constants constants = constants_of(source);
  const TokenSpan code = source.code();
  std::map<std::string, ArrayShape> shapes;
  std::set<std::string> ambiguous;
  const Places ends(code, ";");
  const Places commas(code, ",");
  const Places opening(code, "[");
  const Places closing(code, "]");
  const Places brackets(code, "("), braces(code, "{");
  // Takes one array of each declaration. The declaration begins at `at`, and the next at `next`.
  const auto add = [&](std::size_t at, std::size_t next, bool may_be_function) {
    const std::size_t end = ends.from(at);
    std::size_t open = opening.from(at);
    if (end == code.size() || open >= end || open < at + 2 || commas.from(at) < open || next < open)
      return;
    if (may_be_function && std::min(brackets.from(at), braces.from(at)) < open) return;
    ArrayShape shape;
    shape.element_bytes = type_bytes(code.subspan(at + 1, open - at - 2));
    const std::string name = code[open - 1].text;
    while (open < end && is(code[open], "[")) {
      const std::size_t close = closing.from(open);
      const TokenSpan extent = code.subspan(open + 1, std::min(close, end) - open - 1);
      shape.extents.push_back(Expression(extent, constants).value().value_or(0));
      open = close + 1;
    }
    const auto [entry, fresh] = shapes.try_emplace(name, shape);
    if (!fresh && entry->second.extents != shape.extents) ambiguous.insert(name);
  };
  for (const std::string_view where : {"__shared__", "__device__", "__constant__"}) {
    const Places declarations(code, where);
    for (std::size_t at = declarations.from(0), next = 0; at < code.size(); at = next) {
      next = declarations.from(at + 1);
      add(at, next, where == "__device__");
    }
  }
  for (const std::string& name : ambiguous) shapes.erase(name);
  return shapes;
}

}  // namespace tessera
