#include "grader/compile/slips.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "common/text.h"
#include "grader/compile/remedies.h"
#include "grader/compile/token_range.h"

namespace tessera {
namespace {

constexpr std::size_t kMarkerSigns = 7;

Finding finding_at(const Token& place, const std::string& file_name, Text message, Text hint) {
  return {.kind = FindingKind::does_not_compile,
          .file = file_name,
          .line = place.line,
          .column = place.column,
          .message = std::move(message),
          .hint = std::move(hint),
          .example = {}};
}

// ---- explanations of errors

std::optional<Finding> left_conflict(const Source& source, const std::string& file_name) {
  for (std::size_t at = 0; at < source.code().size(); ++at) {
    if (is_conflict_marker(source.code(), at))
      return conflict_finding(source.code()[at], file_name);
  }
  return std::nullopt;
}

/// The place where the text of a macro begins: behind its name and its parameters.
std::size_t body_of(const Directive& define) {
  const TokenRange tokens = define.tokens;
  return define.takes_arguments ? behind_bracket(tokens, 1) : 1;
}

std::optional<Finding> explain_macro(const Directive& define, const std::string& file_name) {
  if (define.name != "define" || define.tokens.size() < 3) return std::nullopt;
  const std::string& name = define.tokens.front().text;
  const std::size_t body = body_of(define);
  if (body >= define.tokens.size()) return std::nullopt;
  if (define.tokens.back().text == ";") {
    return finding_at(define.tokens.back(), file_name,
                      say(Phrase::semicolon_in_macro, Name{name}, Name{name}),
                      Phrase::semicolon_in_macro_hint);
  }
  if (is(define.tokens, body, "=")) {
    return finding_at(define.tokens[body], file_name,
                      say(Phrase::equals_in_macro, Name{name}, Name{name}),
                      say(Phrase::equals_in_macro_hint, Name{name}));
  }
  return std::nullopt;
}

bool uses(const Source& source, int line, const std::string& name) {
  return std::ranges::any_of(
      source.code(), [&](const Token& token) { return token.line == line && token.text == name; });
}

/// Whether a compiler's message contains these words.
bool says(const Finding& error, std::string_view words) {
  return holds(compilers_words(error.message), words);
}

/// The finding about the macro that causes this error.
std::optional<Finding> broken_macro(const Source& source, const Finding& error,
                                    const std::string& file_name) {
  if (says(error, "undefined") || says(error, "undeclared")) return std::nullopt;
  for (const Directive& define : source.directives()) {
    auto finding = explain_macro(define, file_name);
    if (finding && uses(source, error.line, define.tokens.front().text)) return finding;
  }
  return std::nullopt;
}

/// The place of the "&" in "int& col = " in the line.
const Token* reference_in(const Source& source, int line) {
  const TokenRange code = source.code();
  for (std::size_t at = 1; at + 2 < code.size(); ++at) {
    if (code[at].line == line && is(code, at, "&") && is_name(code, at - 1) &&
        is_name(code, at + 1) && is(code, at + 2, "="))
      return &code[at];
  }
  return nullptr;
}

void explain_reference(const Source& source, Finding& error) {
  if (!says(error, "reference to non-const") && !says(error, "non-const lvalue reference")) return;
  const Token* sign = reference_in(source, error.line);
  if (sign == nullptr) return;
  error.message = Phrase::reference_of_value;
  error.hint = Phrase::reference_of_value_hint;
  error.column = sign->column;
}

// ---- statements that are only ";"

/// The place of the ";" that is the whole body of the `if`, `for` or `while` at `at`; 0 if there is
/// another body.
std::size_t empty_body(const TokenRange& code, std::size_t at) {
  if (!is_any(code, at, {"if", "for", "while"})) return 0;
  const std::size_t open = is(code, at + 1, "constexpr") ? at + 2 : at + 1;
  if (!is(code, open, "(")) return 0;
  const std::size_t end = behind_bracket(code, open);
  return is(code, end, ";") ? end : 0;
}

/// Whether what follows the ";" looks like the intended body: in braces, in the same line, or
/// indented deeper than the statement at `at`.
bool has_body_behind(const TokenRange& code, std::size_t at, std::size_t semicolon) {
  const std::size_t next = semicolon + 1;
  if (next >= code.size() || is(code, next, "}") || is(code, next, "else")) return false;
  return is(code, next, "{") || code[next].line == code[semicolon].line ||
         code[next].column > code[at].column;
}

/// The places of loops and `if`s whose body is a ";" by mistake.
std::vector<std::size_t> emptied_statements(const TokenRange& code) {
  std::vector<std::size_t> places;
  const bool has_do =
      std::ranges::any_of(code, [](const Token& token) { return token.text == "do"; });
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (has_do && is(code, at, "while")) continue;  // the end of a do loop is no mistake
    const std::size_t semicolon = empty_body(code, at);
    if (semicolon == 0 || is(code, semicolon + 1, "else")) continue;
    if (is(code, at, "if") || has_body_behind(code, at, semicolon)) places.push_back(at);
  }
  return places;
}

Finding emptied_finding(const TokenRange& code, std::size_t at, const std::string& file_name) {
  const std::string& word = code[at].text;
  return finding_at(
      code[empty_body(code, at)], file_name, say(Phrase::ends_with_semicolon, Name{word}),
      word == "if" ? Phrase::if_ends_with_semicolon_hint : Phrase::loop_ends_with_semicolon_hint);
}

/// NVRTC allows no letters beyond ASCII in names, Clang none in names that other code may refer to;
/// Clang does not give the place.
void explain_letters(const Source& source, Finding& error) {
  const bool clang = says(error, "Symbol name with unsupported characters");
  if (!clang && !says(error, "unrecognized token")) return;
  const auto is_beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  const auto found = std::ranges::find_if(source.code(), [&](const Token& token) {
    return (clang || token.line == error.line) && token.kind == Token::Kind::identifier &&
           std::ranges::any_of(token.text, is_beyond_ascii);
  });
  if (found == source.code().end()) return;
  error.line = found->line;
  error.column = found->column;
  error.message =
      say(clang ? Phrase::clang_takes_ascii : Phrase::nvrtc_takes_ascii, Name{found->text});
  error.hint = Phrase::takes_ascii_hint;
}

/// Explains a name that is known only in the head of a loop.
void explain_loop(const Source& source, const std::string& file_name, Finding& error) {
  if (!says(error, "undefined") && !says(error, "undeclared")) return;
  const TokenRange code = source.code();
  for (const std::size_t at : emptied_statements(code)) {
    const std::size_t semicolon = empty_body(code, at);
    std::size_t end = semicolon + 1;
    end = is(code, end, "{") ? behind_bracket(code, end) : end;
    while (end < code.size() && !is_any(code, end, {";", "}"})) ++end;
    const int last = code[std::min(end, code.size() - 1)].line;
    if (error.line < code[semicolon].line || error.line > last) continue;
    for (std::size_t i = at; i < semicolon; ++i) {
      const bool named = is_name(code, i) && (says(error, "'" + code[i].text + "'") ||
                                              says(error, "\"" + code[i].text + "\""));
      if (!named) continue;
      error = emptied_finding(code, at, file_name);
      return;
    }
  }
}

// ---- launch()

/// The parts between the commas of the braces at `open`.
std::vector<TokenRange> parts_in(const TokenRange& code, std::size_t open) {
  std::vector<TokenRange> parts;
  const std::size_t end = behind_bracket(code, open);
  std::size_t start = open + 1;
  for (std::size_t at = open + 1; at < end; ++at) {
    if (is_any(code, at, {"(", "[", "{"})) {
      at = behind_bracket(code, at) - 1;
    } else if (is(code, at, ",") || at + 1 == end) {
      parts.push_back(code.subspan(start, at - start));
      start = at + 1;
    }
  }
  return parts;
}

/// The initialiser of the dim3 that `part` names, if `body` declares it; otherwise `part`.
TokenRange resolved(const TokenRange& body, const TokenRange& part) {
  if (part.size() != 1) return part;
  for (std::size_t at = 0; at + 2 < body.size(); ++at) {
    if (!is(body, at, "dim3") || !is(body, at + 1, part[0].text)) continue;
    std::size_t end = at + 2;
    while (end < body.size() && !is(body, end, ";")) ++end;
    return body.subspan(at + 2, end - at - 2);
  }
  return part;
}

/// The names that a part divides by: TILE in ceil_div(n, TILE) and in n / TILE.
std::set<std::string> divisors(const TokenRange& part) {
  std::set<std::string> names;
  for (std::size_t at = 0; at + 1 < part.size(); ++at) {
    if (is(part, at, "/") && part[at + 1].text != "1") names.insert(part[at + 1].text);
    if (!is(part, at, "ceil_div") || !is(part, at + 1, "(")) continue;
    const std::vector<TokenRange> arguments = parts_in(part, at + 1);
    if (arguments.size() == 2 && arguments[1].size() == 1 && arguments[1][0].text != "1")
      names.insert(arguments[1][0].text);
  }
  return names;
}

/// Whether grid and block seem exchanged: the block divides by what the grid is made of. Parameters
/// of launch are not sizes of blocks: dim3(blocks), dim3(n / blocks) may be intended.
bool are_exchanged(const TokenRange& grid, const TokenRange& block, const TokenRange& parameters) {
  if (!divisors(grid).empty()) return false;
  const auto bounds = [](const Token& token) { return is(token, "min") || is(token, "max"); };
  if (std::ranges::any_of(block, bounds)) return false;  // as in a block of limited size
  std::set<std::string> pieces = divisors(block);
  for (const Token& token : parameters) pieces.erase(token.text);
  return std::ranges::any_of(grid, [&](const Token& token) { return pieces.contains(token.text); });
}

std::optional<Finding> exchanged_launch(const TokenRange& code, const std::string& file_name) {
  for (std::size_t at = 0; at + 2 < code.size(); ++at) {
    if (!is(code, at, "Launch") || !is(code, at + 1, "launch") || !is(code, at + 2, "(")) continue;
    const std::size_t open = behind_bracket(code, at + 2);
    if (!is(code, open, "{")) continue;
    const TokenRange parameters = code.subspan(at + 2, open - at - 2);
    const TokenRange body = code.subspan(open, behind_bracket(code, open) - open);
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      if (!is(body, i, "return")) continue;
      const std::size_t brace = is(body, i + 1, "Launch") ? i + 2 : i + 1;
      if (!is(body, brace, "{")) continue;
      const std::vector<TokenRange> parts = parts_in(body, brace);
      if (parts.size() < 2 ||
          !are_exchanged(resolved(body, parts[0]), resolved(body, parts[1]), parameters))
        continue;
      return finding_at(body[i], file_name, Phrase::launch_exchanged,
                        Phrase::launch_exchanged_hint);
    }
  }
  return std::nullopt;
}

// ---- guards

/// The number of tokens behind a declaration that are searched.
constexpr std::size_t kMostBehind = 2000;

/// Whether `name` is changed in the rest of the block that begins at `from`.
bool is_changed(const TokenRange& code, std::size_t from, const std::string& name) {
  int depth = 0;
  const std::size_t end = std::min(code.size(), from + kMostBehind);
  for (std::size_t at = from; at < end && depth >= 0; ++at) {
    if (is(code, at, "{")) ++depth;
    if (is(code, at, "}")) --depth;
    if (!is_name(code, at) || code[at].text != name) continue;
    const bool stepped = at > 0 && is_any(code, at - 1, {"++", "--"});
    if (stepped || is(code, at + 1, "=") || is_change(code, at + 1)) return true;
  }
  return false;
}

/// Names of the parameters of all kernels.
std::set<std::string> kernel_parameters(const TokenRange& code) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!is(code, at, "__global__")) continue;
    while (at + 1 < code.size() && !is_any(code, at, {";", "{"}) &&
           !(is_name(code, at) && is(code, at + 1, "(") && !is(code, at, "__launch_bounds__")))
      ++at;
    if (!is(code, at + 1, "(")) continue;
    const std::size_t end = behind_bracket(code, at + 1);
    for (std::size_t i = at + 2; i < end; ++i) {
      if (is_any(code, i, {",", ")"}) && is_name(code, i - 1)) names.insert(code[i - 1].text);
    }
  }
  return names;
}

/// A variable, from its declaration to the end of its block.
struct ScopedName {
  std::string name;
  std::size_t first = 0;
  std::size_t end = 0;
};

using Names = std::set<std::string, std::less<>>;

/// Names that the source sets to an expression with a minus.
Names maybe_negative(const TokenRange& code) {
  Names names;
  std::size_t set = 0;  // the name that is set here
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (is_name(code, at) && is_any(code, at + 1, {"=", "{"})) set = at;
    if (is_any(code, at, {"-", "--", "-="}) && set != 0) names.insert(code[set].text);
    if (is(code, at, ";")) set = 0;
  }
  return names;
}

/// Whether a name is a built-in variable or a constant in capitals.
bool is_builtin_or_constant(const std::string& name) {
  static const Names kBuiltin = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                 "warpSize",  "x",        "y",        "z"};
  return kBuiltin.contains(name) ||
         std::ranges::none_of(name, [](unsigned char letter) { return std::islower(letter) != 0; });
}

/// Variables that hold a sum or product of thread and block indices, which is never below 0.
std::vector<ScopedName> thread_numbers(const TokenRange& code) {
  std::vector<ScopedName> names;
  const Names negative = maybe_negative(code);
  Names known;
  for (std::size_t at = 1; at + 1 < code.size(); ++at) {
    if (!is_name(code, at) || !is_any(code, at - 1, {"int", "unsigned", "size_t"})) continue;
    if (!is(code, at + 1, "=")) continue;
    bool is_number = false;
    std::size_t end = at + 2;
    for (; end < code.size() && !is_any(code, end, {";", ","}); ++end) {
      is_number |= is_any(code, end, {"threadIdx", "blockIdx"});
      if (is_any(code, end, {"-", "--", "?", "("})) break;
      const std::string& name = code[end].text;
      if (!is_name(code, end) || known.contains(name)) continue;
      if (!is_builtin_or_constant(name) || negative.contains(name)) break;
    }
    if (!is_number || !is_any(code, end, {";", ","}) || is_changed(code, end, code[at].text))
      continue;
    names.push_back({code[at].text, at, end_of_block(code, end)});
    known.insert(code[at].text);
  }
  return names;
}

/// The conditions that `&&` joins; none if there is anything else.
std::vector<TokenRange> conjuncts(const TokenRange& condition) {
  std::vector<TokenRange> parts;
  std::size_t start = 0;
  for (std::size_t at = 0; at < condition.size(); ++at) {
    if (is_any(condition, at, {"|", "||", "!", "!=", "?"})) return {};
    if (!is(condition, at, "&&")) continue;
    parts.push_back(condition.subspan(start, at - start));
    start = at + 1;
  }
  parts.push_back(condition.subspan(start));
  return parts;
}

/// Whether the statement at `at` stores into C(..., name, ...) or C[... name ...] of a parameter C.
bool stores_by(const TokenRange& code, std::size_t at, const std::set<std::string>& parameters,
               const std::string& name) {
  if (is(code, at, "{")) ++at;
  if (!is_name(code, at) || !parameters.contains(code[at].text)) return false;
  if (!is_any(code, at + 1, {"(", "["})) return false;
  const std::size_t end = behind_bracket(code, at + 1);
  if (!is(code, end, "=") && !is_change(code, end)) return false;
  return std::ranges::any_of(code.subspan(at + 2, end - at - 2),
                             [&](const Token& token) { return token.text == name; });
}

class Guards {
 public:
  Guards(const TokenRange& code, const std::string& file_name)
      : code_(code),
        file_name_(file_name),
        parameters_(kernel_parameters(code)),
        numbers_(thread_numbers(code)) {}

  void look_at(std::size_t at, std::vector<Finding>& findings) const {
    if (!is(code_, at, "if") || !is(code_, at + 1, "(")) return;
    const std::size_t body = behind_bracket(code_, at + 1);
    if (body < at + 4) return;
    for (const TokenRange& part : conjuncts(code_.subspan(at + 2, body - at - 3))) {
      if (auto finding = never_true(part, at)) findings.push_back(*std::move(finding));
      if (auto finding = turned_round(part, body)) findings.push_back(*std::move(finding));
    }
  }

 private:
  /// The finding about a guard like `row < 0`.
  std::optional<Finding> never_true(const TokenRange& part, std::size_t at) const {
    if (part.size() != 3 || !is(part, 1, "<") || !is(part, 2, "0")) return std::nullopt;
    const auto is_it = [&](const ScopedName& number) {
      return number.name == part[0].text && number.first < at && at < number.end;
    };
    if (std::ranges::none_of(numbers_, is_it)) return std::nullopt;
    return finding_at(part[0], file_name_, say(Phrase::guard_never_true, Name{part[0].text}),
                      Phrase::guard_never_true_hint);
  }

  /// The finding about `if (row > C.height) C(row, col) = ...`.
  std::optional<Finding> turned_round(const TokenRange& part, std::size_t body) const {
    if (part.size() < 3 || !is_name(part, 0) || !is_any(part, 1, {">", ">="})) return std::nullopt;
    const bool is_extent = is_name(part, 2) && parameters_.contains(part[2].text) &&
                           (part.size() == 3 || is(part, 3, "."));
    if (!is_extent || !stores_by(code_, body, parameters_, part[0].text)) return std::nullopt;
    // `{ out[i] = 0; return; }` fills what lies behind the end.
    const std::size_t end = is(code_, body, "{") ? behind_bracket(code_, body) : body;
    if (end > body + 2 && is(code_, end - 2, ";") && is(code_, end - 3, "return"))
      return std::nullopt;
    const Name index{part[0].text};
    return finding_at(part[1], file_name_, say(Phrase::guard_turned_round, index),
                      say(Phrase::guard_turned_round_hint, index));
  }

  TokenRange code_;
  const std::string& file_name_;
  std::set<std::string> parameters_;
  std::vector<ScopedName> numbers_;
};

// ---- references

/// The finding about `int& col = n;` if one of the two variables changes later.
std::optional<Finding> second_name(const TokenRange& code, std::size_t at,
                                   const std::string& file_name) {
  const bool begins = at == 0 || is_any(code, at - 1, {";", "{", "}"});
  if (!begins || !is_any(code, at, {"int", "unsigned", "float", "double"})) return std::nullopt;
  if (!is(code, at + 1, "&") || !is_name(code, at + 2) || !is(code, at + 3, "="))
    return std::nullopt;
  if (!is_name(code, at + 4) || !is(code, at + 5, ";")) return std::nullopt;
  const Name name{code[at + 2].text}, original{code[at + 4].text};
  if (!is_changed(code, at + 6, name.text) && !is_changed(code, at + 6, original.text))
    return std::nullopt;
  return finding_at(code[at + 1], file_name, say(Phrase::second_name, name, original),
                    say(Phrase::second_name_hint, Name{code[at].text}, name, original));
}

}  // namespace

bool is_conflict_marker(const std::vector<Token>& code, std::size_t at) {
  const Token& first = code[at];
  if (first.column != 1 || std::string_view("<=>").find(first.text[0]) == std::string_view::npos)
    return false;
  std::size_t signs = 0;
  for (std::size_t i = at; i < code.size() && signs < kMarkerSigns; ++i) {
    const bool continues = code[i].line == first.line &&
                           code[i].column == first.column + static_cast<int>(signs) &&
                           code[i].text.find_first_not_of(first.text[0]) == std::string::npos;
    if (!continues) return false;
    signs += code[i].text.size();
  }
  return signs == kMarkerSigns;
}

Finding conflict_finding(const Token& place, const std::string& file_name) {
  return finding_at(place, file_name, Phrase::merge_conflict, Phrase::merge_conflict_hint);
}

void explain_errors(const Source& source, const std::string& file_name,
                    std::vector<Finding>& findings) {
  if (findings.empty() || findings.front().severity != Severity::error) return;
  if (source.code().size() > kMostTokens) return;
  if (auto conflict = left_conflict(source, file_name)) {
    findings = {*std::move(conflict)};
    return;
  }
  if (auto macro = broken_macro(source, findings.front(), file_name)) {
    findings = {*std::move(macro)};
    return;
  }
  for (Finding& finding : findings) {
    if (finding.severity != Severity::error) continue;
    explain_reference(source, finding);
    explain_letters(source, finding);
    explain_loop(source, file_name, finding);
  }
}

std::vector<Finding> find_slips(const Source& source, const std::string& file_name) {
  std::vector<Finding> findings;
  const TokenRange code = source.code();
  if (code.size() > kMostTokens) return findings;
  for (const std::size_t at : emptied_statements(code)) {
    if (!code[at].conditional) findings.push_back(emptied_finding(code, at, file_name));
  }
  const Guards guards(code, file_name);
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at].conditional) continue;
    guards.look_at(at, findings);
    if (auto finding = second_name(code, at, file_name)) findings.push_back(*std::move(finding));
  }
  if (auto finding = exchanged_launch(code, file_name)) findings.push_back(*std::move(finding));
  for (Finding& finding : findings) {
    finding.kind = FindingKind::compiler_warning;
    finding.severity = Severity::warning;
  }
  std::ranges::stable_sort(findings, {}, &Finding::line);
  return findings;
}

}  // namespace tessera
