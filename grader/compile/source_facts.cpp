#include "grader/compile/source_facts.h"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "grader/compile/lexer.h"

namespace tessera {
namespace {

/// How much a token opens (+) or closes (-).
int depth_change(const Token& token) {
  if (token.kind != Token::Kind::punctuator) return 0;
  if (is(token, "(") || is(token, "[") || is(token, "{") || is(token, "<")) return 1;
  if (is(token, ")") || is(token, "]") || is(token, "}") || is(token, ">")) return -1;
  return is(token, ">>") ? -2 : 0;
}

/// The last identifier of a parameter's declaration, before its default value and its extents;
/// "" where it is the only one, a type.
std::string name_in(std::span<const Token> declaration) {
  std::string name;
  int identifiers = 0;
  int depth = 0;
  for (const Token& token : declaration) {
    if (depth == 0 && (is(token, "=") || is(token, "["))) break;
    depth += depth_change(token);
    if (depth > 0 || token.kind != Token::Kind::identifier) continue;
    name = token.text;
    ++identifiers;
  }
  return identifiers > 1 ? name : "";
}

/// The names between the parenthesis at `open` and its partner.
std::vector<std::string> names_from(std::span<const Token> code, std::size_t open) {
  std::vector<std::string> names;
  std::size_t start = open + 1;
  int depth = 1;
  for (std::size_t at = open + 1; at < code.size(); ++at) {
    const bool ends = depth == 1 && (is(code[at], ",") || is(code[at], ")"));
    if (ends && at > start) names.push_back(name_in(code.subspan(start, at - start)));
    if (ends) start = at + 1;
    depth += depth_change(code[at]);
    if (depth == 0) break;
  }
  return names;
}

/// Behind a closing parenthesis or brace; the end where it is not closed.
std::size_t behind_partner(std::span<const Token> code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (is(code[at], code[open].text)) ++depth;
    if (is(code[at], is(code[open], "(") ? ")" : "}") && --depth == 0) return at + 1;
  }
  return code.size();
}

/// Where the parameters of the __global__ functions called `kernel` begin. None lies in another.
std::vector<std::size_t> parameter_lists(std::span<const Token> code, std::string_view kernel) {
  std::vector<std::size_t> lists;
  bool global = false;
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (is(code[at], "__global__")) global = true;
    if (is(code[at], ";") || is(code[at], "}")) global = false;
    if (!global || !is(code[at], kernel) || !is(code[at + 1], "(")) continue;
    lists.push_back(at + 1);
    at = behind_partner(code, at + 1) - 1;
  }
  return lists;
}

bool does_something(std::span<const Token> body) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    const bool calls = at > 0 && is(body[at], "(") && body[at - 1].kind == Token::Kind::identifier;
    if (calls || is(body[at], "[") || is(body[at], "do")) return true;
  }
  return false;
}

bool is_any(const Token& token, std::initializer_list<std::string_view> texts) {
  return std::ranges::any_of(texts, [&](std::string_view text) { return is(token, text); });
}

/// Whether the identifier at `at` follows a type, as in `int tile[256]`.
bool is_declared(std::span<const Token> code, std::size_t at) {
  if (at == 0) return false;
  const Token& before = code[at - 1];
  return before.kind == Token::Kind::identifier &&
         !is_any(before, {"return", "else", "do", "case", "and", "or", "not"});
}

/// Whether a `*` before the identifier at `at` reads what it points to, and is no product and no
/// part of a type.
bool is_pointed_to(std::span<const Token> code, std::size_t at) {
  if (at < 2 || !is(code[at - 1], "*")) return false;
  const Token& before = code[at - 2];
  return before.kind == Token::Kind::punctuator && !is_any(before, {")", "]", ">"});
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel,
                                         std::size_t count) {
  const TokenizedSource tokens = tokenize(source);
  for (const std::size_t open : parameter_lists(tokens.code, kernel)) {
    std::vector<std::string> names = names_from(tokens.code, open);
    if (names.size() == count) return names;
  }
  return {};
}

int first_line_with(std::string_view source, std::string_view name) {
  const std::vector<Token> code = tokenize(source).code;
  const auto found = std::ranges::find_if(code, [&](const Token& token) {
    return token.kind == Token::Kind::identifier && is(token, name);
  });
  return found == code.end() ? 0 : found->line;
}

std::set<int> return_lines(std::string_view source) {
  std::set<int> lines;
  const std::vector<Token> code = tokenize(source).code;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (is(code[i], "return") && is(code[i + 1], ";")) lines.insert(code[i].line);
  }
  return lines;
}

bool is_begun(std::string_view source, std::string_view kernel) {
  const TokenizedSource tokens = tokenize(source);
  const std::span<const Token> code = tokens.code;
  for (const std::size_t open : parameter_lists(code, kernel)) {
    const std::size_t body = behind_partner(code, open);
    if (body >= code.size() || !is(code[body], "{")) continue;
    if (does_something(code.subspan(body, behind_partner(code, body) - body))) return true;
  }
  return false;
}

std::map<std::string, std::set<int>> name_lines(std::string_view source) {
  std::map<std::string, std::set<int>> lines;
  const std::vector<Token> code = tokenize(source).code;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (code[i].kind != Token::Kind::identifier || is_declared(code, i)) continue;
    if (is_any(code[i + 1], {"[", "(", ".", "->"}) || is_pointed_to(code, i))
      lines[code[i].text].insert(code[i].line);
  }
  return lines;
}

}  // namespace tessera
