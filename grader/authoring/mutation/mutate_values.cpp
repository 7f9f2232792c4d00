// Mistakes in numbers and in arithmetic.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "grader/authoring/mutation/mutation_operators.h"

namespace tessera {
namespace {

const std::map<std::string, std::vector<std::string>> kOtherOperators = {
    {"+=", {"=", "-="}}, {"-=", {"=", "+="}}, {"*=", {"="}}, {"*", {"+"}}, {"+", {"-"}},
    {"-", {"+"}},        {"/", {"*"}},        {"%", {"/"}},  {"^", {"|"}}, {"<<", {">>"}},
    {">>", {"<<"}},      {"<<=", {">>="}},    {"&", {"|"}},  {"|", {"&"}}};

/// "16" -> 16; nothing for a float or another base.
std::optional<long> whole_number(const std::string& text) {
  long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// A number that is easily written instead: 1 for 0 and 0 for 1, else one more.
std::string other_number(const std::string& text) {
  if (const auto value = whole_number(text)) return fmt::format("{}", *value + 1);
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const std::string suffix = digits == std::string::npos ? "" : text.substr(digits);
  if (suffix != "" && suffix != "f" && suffix != "u") return "";
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  const char* number = zero ? "1" : "0";
  return suffix == "u" ? number + suffix : fmt::format("{}.0{}", number, suffix);
}

/// Whether an operand ends at `index`, so that the operator after it is binary.
bool ends_operand(const KernelCode& code, std::size_t index) {
  static const std::set<std::string> kNoOperands = {"return", "const", "float", "int",     "char",
                                                    "double", "auto",  "void",  "unsigned"};
  return code[index].kind == Token::Kind::number ||
         (code.is_identifier(index) && !kNoOperands.contains(code[index].text)) ||
         code.is(index, ")") || code.is(index, "]");
}

Mutation replaced(const KernelCode& code, std::string kind, std::size_t index,
                  const std::string& text, const std::string& where) {
  return {std::move(kind),
          index,
          {{code[index].begin, code[index].end, text}},
          fmt::format("`{}` became `{}`{}", code[index].text, text, where)};
}

bool is_number(const KernelCode& code, std::size_t index) {
  return index < code.size() && code[index].kind == Token::Kind::number && code[index].editable;
}

/// `x = 0;` and `x = 0,`
bool is_initial(const KernelCode& code, std::size_t index) {
  return code.is(index - 1, "=") && code.declares(index - 2) &&
         (code.is(index + 1, ";") || code.is(index + 1, ","));
}

/// The brackets of a declared array's name at `index`.
std::vector<std::size_t> declared_brackets(const KernelCode& code, std::size_t index) {
  std::vector<std::size_t> brackets;
  if (!code.declares(index)) return brackets;
  std::size_t next = index + 1;
  while (code.is(next, "[") && code[next].partner != kNowhere) {
    brackets.push_back(next);
    next = code[next].partner + 1;
  }
  return brackets;
}

bool in_declared_bracket(const KernelCode& code, const FunctionRange& function, std::size_t index) {
  for (std::size_t i = function.open + 1; i < index; ++i) {
    for (const std::size_t bracket : declared_brackets(code, i)) {
      if (bracket < index && index < code[bracket].partner) return true;
    }
  }
  return false;
}

}  // namespace

void change_initials(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 3; i < function.close; ++i) {
    if (!is_number(code, i) || !is_initial(code, i) || code.in_loop_header(i)) continue;
    const std::string other = other_number(code[i].text);
    if (other.empty()) continue;
    mutations.push_back(
        replaced(code, "initial", i, other, fmt::format(" in `{}`", code.text({i - 2, i + 1}))));
  }
}

void change_arithmetic(const KernelCode& code, const FunctionRange& function,
                       Mutations& mutations) {
  for (std::size_t i = function.open + 2; i < function.close; ++i) {
    const auto others = kOtherOperators.find(code[i].text);
    if (others == kOtherOperators.end() || !code[i].editable || !ends_operand(code, i - 1))
      continue;
    const bool assigns = code[i].text.ends_with("=");
    if (assigns && code.in_loop_header(i)) continue;
    for (const std::string& other : others->second) {
      const std::string around = code.text({i - 1, i + 2});
      mutations.push_back(replaced(code, "arithmetic", i, other, fmt::format(" in `{}`", around)));
    }
  }
}

void change_constants(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 3; i < function.close; ++i) {
    if (!is_number(code, i) || is_initial(code, i) || in_declared_bracket(code, function, i))
      continue;
    // `, 0}` is a launch without dynamic shared memory.
    if (code.is(i - 1, ",") && code.is(i, "0") && code.is(i + 1, "}")) continue;
    if (code.is(i - 1, "=") && code.in_loop_header(i)) continue;
    const std::string other = other_number(code[i].text);
    if (!other.empty()) mutations.push_back(replaced(code, "constant", i, other, ""));
  }
}

void shorten_arrays(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    for (const std::size_t bracket : declared_brackets(code, i)) {
      const LexemeRange extent = {bracket + 1, code[bracket].partner};
      if (extent.empty() || !code[bracket].editable) continue;
      const std::size_t end = code[extent.last - 1].end;
      const std::string text = code.text(extent);
      mutations.push_back({"array",
                           extent.first,
                           {{end, end, " - 1"}},
                           fmt::format("`[{0}]` became `[{0} - 1]` in the declaration of `{1}`",
                                       text, code[i].text)});
    }
  }
}

void change_globals(const KernelCode& code, Mutations& mutations) {
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (code.is(i, "{") && code[i].partner != kNowhere) i = code[i].partner;
    if (!code.is(i, "=") || !is_number(code, i + 1) || !code.is(i + 2, ";")) continue;
    const auto value = whole_number(code[i + 1].text);
    if (!value) continue;
    for (const long other : {*value / 2, *value + 1}) {
      mutations.push_back(replaced(code, "constant", i + 1, fmt::format("{}", other),
                                   fmt::format(" in `{}`", code.text({i - 1, i + 2}))));
    }
  }
}

}  // namespace tessera
