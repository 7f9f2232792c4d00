// What can be said of a submission before any compiler reads it.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "grader/compile/compiler.h"
#include "grader/compile/host_code.h"
#include "grader/compile/include_rules.h"
#include "grader/compile/lexer.h"

namespace tessera {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostFindings = 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Finding whole_file(const std::string& file_name, Text message, Text hint) {
  return {.kind = FindingKind::does_not_compile,
          .file = file_name,
          .message = std::move(message),
          .hint = std::move(hint),
          .example = {}};
}

}  // namespace

std::string normalize_source(std::string source) {
  if (source.starts_with(kByteOrderMark)) source.erase(0, kByteOrderMark.size());
  std::string result;
  result.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      result += source[i];
    } else if (i + 1 == source.size() || source[i + 1] != '\n') {
      result += '\n';
    }
  }
  return result;
}

std::vector<Finding> scan_source(const std::string& source, const std::string& file_name) {
  if (source.size() > kMostBytes) {
    const double mebibytes = static_cast<double>(source.size()) / (1 << 20);
    return {whole_file(file_name, say(Phrase::file_too_large, fmt::format("{:.1f}", mebibytes)),
                       Phrase::file_too_large_hint)};
  }
  // NVRTC takes the byte 255 for the end of the file, in comments too.
  const auto no_text =
      std::ranges::find_if(source, [](char c) { return c == '\0' || c == '\xff'; });
  if (no_text != source.end()) {
    Finding finding =
        whole_file(file_name, *no_text == '\0' ? Phrase::holds_nul : Phrase::holds_byte_255,
                   Phrase::no_plain_text_hint);
    finding.line = 1 + static_cast<int>(std::count(source.begin(), no_text, '\n'));
    return {finding};
  }
  const TokenizedSource tokens = tokenize(normalize_source(source));
  if (tokens.code.empty() && tokens.directives.empty() && tokens.errors.empty()) {
    return {whole_file(file_name, Phrase::holds_no_code, Phrase::holds_no_code_hint)};
  }
  std::vector<Finding> findings = check_directives(tokens, file_name);
  for (const LexicalError& error : tokens.errors) {
    Finding finding = whole_file(file_name, error.message, error.hint);
    finding.line = error.line;
    finding.column = error.column;
    findings.push_back(std::move(finding));
  }
  for (Finding& finding : find_host_code(tokens, file_name)) findings.push_back(std::move(finding));
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  if (findings.size() > kMostFindings) findings.resize(kMostFindings);
  return findings;
}

}  // namespace tessera
