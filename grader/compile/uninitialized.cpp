#include "grader/compile/uninitialized.h"

#include <algorithm>
#include <optional>
#include <set>

#include "grader/compile/token_range.h"

namespace tessera {
namespace {

bool is_type_word(const TokenRange& code, std::size_t at) {
  return is_any(code, at,
                {"float", "double", "int", "unsigned", "signed", "long", "short", "char", "bool",
                 "size_t", "half", "__half"});
}

enum class Use { reads, writes, unclear };

/// How the name at `at`, which is not a declaration, uses its variable.
Use use_at(const TokenRange& code, std::size_t at) {
  if (is_any(code, at - 1, {"++", "--"}) || is_change(code, at + 1)) return Use::reads;
  if (is(code, at + 1, "=")) {
    for (std::size_t i = at + 2; i < code.size() && !is(code, i, ";"); ++i) {
      if (code[i].text == code[at].text && !is_any(code, i - 1, {".", "->"}))
        return use_at(code, i);
    }
    return Use::writes;
  }
  if (is_any(code, at - 1, {"&", "&&", "::"}) || is_name(code, at - 1)) {
    return is(code, at - 1, "return") ? Use::reads : Use::unclear;
  }
  const bool names_reference =
      at >= 3 && is(code, at - 1, "=") && is_any(code, at - 3, {"&", "&&"});
  if (names_reference) return Use::unclear;  // int& counter = hits;
  // An argument may be a reference; an operand of inline assembly may be its result.
  if (is_any(code, at - 1, {"(", ","}) && is_any(code, at + 1, {")", ","})) return Use::unclear;
  const bool indexes = at >= 2 && (is_name(code, at - 2) || is_any(code, at - 2, {"]", ")"}));
  if (is(code, at - 1, "[") && !indexes) return Use::unclear;  // a lambda's capture
  if (is(code, at + 1, "[") || is(code, at + 1, "(")) return Use::unclear;
  return Use::reads;
}

/// Whether a statement that may run several times, or not at all, begins in [from, to).
bool branches_between(const TokenRange& code, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at) {
    if (is_any(code, at, {"if", "for", "while", "do", "switch", "case", "goto", "else"}))
      return true;
  }
  return false;
}

class Declarations {
 public:
  Declarations(const Source& source, const std::string& file_name)
      : code_(source.code()), file_name_(file_name) {
    for (const Directive& directive : source.directives()) {
      for (const Token& token : directive.tokens) in_macros_.insert(token.text);
    }
  }

  std::vector<Finding> run() {
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (is(code_, at, "{")) functions_.push_back(holds_statements(at));
      if (is(code_, at, "}") && !functions_.empty()) functions_.pop_back();
      const bool begins = at > 0 && is_any(code_, at - 1, {";", "{", "}"});
      if (begins && is_type_word(code_, at) && !functions_.empty() && functions_.back())
        at = look_at_declaration(at);
    }
    return std::move(findings_);
  }

 private:
  /// Whether the brace opens a body, and not a class or a list of values.
  bool holds_statements(std::size_t brace) const {
    return brace > 0 && is_any(code_, brace - 1, {")", ";", "{", "}", "else", "do"});
  }

  /// Examines the declaration whose type begins at `at`. Returns the last token examined.
  std::size_t look_at_declaration(std::size_t at) {
    while (is_type_word(code_, at)) ++at;
    std::size_t place = at;
    while (is_name(code_, place) && is_any(code_, place + 1, {",", ";"})) {
      look_at_variable(place);
      place += 2;
    }
    return at - 1;
  }

  void look_at_variable(std::size_t declared) {
    const Token& variable = code_[declared];
    if (variable.conditional || in_macros_.contains(variable.text)) return;
    const std::size_t end = end_of_block(code_, declared);
    std::optional<std::size_t> first;
    bool only_reads = true;
    for (std::size_t at = declared + 1; at < end; ++at) {
      if (code_[at].text != variable.text || is_any(code_, at - 1, {".", "->"})) continue;
      const Use use = use_at(code_, at);
      if (!first && (use != Use::reads || code_[at].conditional)) return;
      if (!first) first = at;
      only_reads &= use == Use::reads;
    }
    if (!first || (!only_reads && branches_between(code_, declared, *first))) return;
    const Token& place = code_[*first];
    findings_.push_back({.kind = FindingKind::compiler_warning,
                         .severity = Severity::warning,
                         .file = file_name_,
                         .line = place.line,
                         .column = place.column,
                         .message = say(Phrase::read_before_set, Name{variable.text}),
                         .hint = say(Phrase::read_before_set_hint, SourceLine{variable.line}),
                         .example = {}});
  }

  TokenRange code_;
  const std::string& file_name_;
  std::set<std::string> in_macros_;
  std::vector<bool> functions_;  // of the open braces
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_uninitialized(const Source& source, const std::string& file_name) {
  if (source.code().size() > kMostTokens) return {};
  return Declarations(source, file_name).run();
}

}  // namespace tessera
