#include "grader/compile/no_effect.h"

#include <algorithm>
#include <optional>

#include "grader/compile/token_range.h"

namespace tessera {
namespace {

/// The statement without the `if (...)`, `else`, `for (...)` and `while (...)` around it.
TokenRange body_of(TokenRange statement) {
  while (is_any(statement, 0, {"if", "else", "for", "while"})) {
    const bool has_condition = is(statement, 1, "(");
    statement = statement.subspan(has_condition ? behind_bracket(statement, 1) : 1);
  }
  return statement;
}

bool only_names_function(TokenRange statement) {
  return statement.size() == 1 && is_any(statement, 0,
                                         {"__syncthreads", "__syncwarp", "__threadfence",
                                          "__threadfence_block", "__threadfence_system"});
}

/// The outermost `==` if its result is not used.
const Token* lost_comparison(TokenRange statement) {
  if (statement.empty() || statement[0].kind != Token::Kind::identifier) return nullptr;
  const Token* comparison = nullptr;
  for (std::size_t i = 0; i < statement.size(); ++i) {
    if (is_any(statement, i, {"(", "["})) {
      i = behind_bracket(statement, i) - 1;
    } else if (is(statement, i, "==")) {
      comparison = &statement[i];
    } else if (is_change(statement, i) ||
               is_any(statement, i,
                      {"return", "case", "operator", "=", "!=", "<", ">", "<=", ">=", "<<", ">>",
                       "&", "|", "&&", "||", "?", ":", ","})) {
      return nullptr;
    }
  }
  return comparison;
}

std::optional<Finding> look_at(TokenRange statement, const std::string& file_name) {
  Finding finding;
  finding.kind = FindingKind::compiler_warning;
  finding.severity = Severity::warning;
  finding.file = file_name;
  const Token* place = nullptr;
  if (only_names_function(statement)) {
    place = &statement[0];
    finding.message = say(Phrase::not_called, Name{place->text});
    finding.hint = say(Phrase::not_called_hint, Name{place->text});
  } else if ((place = lost_comparison(statement)) != nullptr) {
    finding.message = Phrase::lost_comparison;
    finding.hint = Phrase::lost_comparison_hint;
  } else {
    return std::nullopt;
  }
  if (place->conditional) return std::nullopt;
  finding.line = place->line;
  finding.column = place->column;
  return finding;
}

}  // namespace

std::vector<Finding> find_statements_without_effect(const Source& source,
                                                    const std::string& file_name) {
  std::vector<Finding> findings;
  const TokenRange code = source.code();
  std::size_t start = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (is_any(code, i, {"(", "["})) {
      i = behind_bracket(code, i) - 1;
    } else if (is_any(code, i, {"{", "}"})) {
      start = i + 1;
    } else if (is(code, i, ";")) {
      const auto finding = look_at(body_of(code.subspan(start, i - start)), file_name);
      if (finding) findings.push_back(*finding);
      start = i + 1;
    }
  }
  return findings;
}

}  // namespace tessera
