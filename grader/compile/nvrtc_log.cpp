#include <algorithm>
#include <charconv>
#include <optional>

#include "common/text.h"
#include "grader/compile/diagnostics.h"

namespace tessera {
namespace {

int leading_number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Parses "kernel.cu(3): error: text", also with "catastrophic error" and "warning #177-D".
std::optional<Diagnostic> parse_head(std::string_view line) {
  const auto close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const auto open = line.rfind('(', close);
  const int number = open == std::string_view::npos ? 0 : leading_number(line.substr(open + 1));
  if (number == 0) return std::nullopt;
  const std::string_view rest = line.substr(close + 3);
  const auto colon = rest.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view level = rest.substr(0, colon);
  Diagnostic diagnostic;
  if (level.find("error") != std::string_view::npos) {
    diagnostic.severity = Severity::error;
  } else if (level.starts_with("warning")) {
    diagnostic.severity = Severity::warning;
  } else {
    return std::nullopt;
  }
  diagnostic.place = {std::string(line.substr(0, open)), number, 0};
  diagnostic.message = rest.substr(colon + 2);
  return diagnostic;
}

/// Parses "ptxas error   : text", also "ptxas fatal   : text" and "ptxas application ptx input,
/// line 31; error   : text", but not the message that ptxas stopped because of errors.
std::optional<Diagnostic> parse_assembler(std::string_view line) {
  if (!line.starts_with("ptxas ")) return std::nullopt;
  constexpr std::string_view kLine = ", line ";
  const auto semicolon = line.find("; ");
  const auto place = line.substr(0, semicolon).rfind(kLine);
  const bool placed = semicolon != std::string_view::npos && place != std::string_view::npos;
  const std::string_view rest = line.substr(placed ? semicolon + 2 : 6);
  const auto colon = rest.find(": ");
  if (!rest.starts_with("error") && !rest.starts_with("fatal")) return std::nullopt;
  if (colon == std::string_view::npos) return std::nullopt;
  if (rest.find("aborted due to errors") != std::string_view::npos) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.message = trimmed(rest.substr(colon + 2));
  if (placed)
    diagnostic.place = {kAssembledPtx, leading_number(line.substr(place + kLine.size())), 0};
  return diagnostic;
}

/// Reads "... at line 6" and "... at line 6 of kernel.cu" into the trail.
bool read_trail(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::string_view kMarker = " at line ";
  const auto at = line.rfind(kMarker);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = line.substr(at + kMarker.size());
  const int number = leading_number(rest);
  if (number == 0) return false;
  const auto of = rest.find(" of ");
  std::string file = of == std::string_view::npos ? diagnostic.place.file
                                                  : std::string(trimmed(rest.substr(of + 4)));
  if (file.size() >= 2 && file.front() == '"') file = file.substr(1, file.size() - 2);
  diagnostic.trail.push_back({std::move(file), number, 0});
  return true;
}

/// Whether the caret under `quote` is behind the [...] of a lambda.
bool is_lambda(std::string_view quote, std::size_t caret) {
  const std::string_view before = trimmed(quote.substr(0, caret));
  return caret < quote.size() && quote[caret] == '(' && before.ends_with(']');
}

/// The messages of a log without those that refuse a lambda with `auto` parameters as host code,
/// and the number of these.
struct Log {
  std::vector<Diagnostic> diagnostics;
  int generic_lambdas = 0;
};

/// Reads what follows the head up to an empty line: more of the message, the quoted source line,
/// the caret under it, and how a template was instantiated. Returns false if the mistake is a
/// lambda with `auto` parameters, which NVRTC takes for host code wherever it is written.
bool read_body(const std::vector<std::string>& body, Diagnostic& diagnostic) {
  constexpr std::size_t kQuoteIndent = 2;
  std::size_t caret = 0;
  while (caret < body.size() && trimmed(body[caret]) != "^") ++caret;
  if (caret < body.size()) {
    diagnostic.place.column = static_cast<int>(body[caret].find('^') - kQuoteIndent + 1);
  }
  const bool quoted = caret < body.size() && caret > 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (quoted && (i == caret || i + 1 == caret)) continue;
    if (read_trail(body[i], diagnostic)) continue;
    const std::string_view text = trimmed(body[i]);
    if (text.empty() || text.starts_with("detected during")) continue;
    if (i < caret) diagnostic.message += " " + std::string(text);
  }
  return !quoted || !is_lambda(body[caret - 1], body[caret].find('^')) ||
         diagnostic.message.find("A function without execution space annotations") ==
             std::string::npos;
}

Log parse_log(std::string_view log) {
  Log parsed;
  std::vector<Diagnostic>& diagnostics = parsed.diagnostics;
  const std::vector<std::string> lines = split_lines(log);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (auto assembler = parse_assembler(lines[i])) {
      diagnostics.push_back(*std::move(assembler));
      continue;
    }
    auto diagnostic = parse_head(lines[i]);
    if (!diagnostic) continue;
    std::vector<std::string> body;
    while (i + 1 < lines.size() && !lines[i + 1].empty() && !parse_head(lines[i + 1])) {
      body.push_back(lines[++i]);
    }
    // The instantiation that led here follows after an empty line.
    while (i + 2 < lines.size() && lines[i + 1].empty() &&
           trimmed(lines[i + 2]).starts_with("detected during")) {
      ++i;
      while (i + 1 < lines.size() && !lines[i + 1].empty()) body.push_back(lines[++i]);
    }
    if (read_body(body, *diagnostic)) {
      diagnostics.push_back(std::move(*diagnostic));
    } else {
      ++parsed.generic_lambdas;
    }
  }
  return parsed;
}

}  // namespace

std::vector<Diagnostic> parse_nvrtc_log(std::string_view log) {
  return parse_log(log).diagnostics;
}

bool refuses_only_generic_lambdas(std::string_view log) {
  const Log parsed = parse_log(log);
  return parsed.generic_lambdas > 0 &&
         std::ranges::count(parsed.diagnostics, Severity::error, &Diagnostic::severity) == 0;
}

}  // namespace tessera
