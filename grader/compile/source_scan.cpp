// Findings about a submission before any compiler reads it.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "grader/compile/compiler.h"
#include "grader/compile/host_code.h"
#include "grader/compile/include_rules.h"

namespace tessera {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostFindings = 20;

Finding whole_file(const std::string& file_name, Text message, Text hint) {
  return {.kind = FindingKind::does_not_compile,
          .file = file_name,
          .message = std::move(message),
          .hint = std::move(hint),
          .example = {}};
}

}  // namespace

std::vector<Finding> scan_source(const Source& source, const std::string& file_name,
                                 AcceptedHeaders headers) {
  const std::string& bytes = source.as_read();
  if (bytes.size() > kMostBytes) {
    const double mebibytes = static_cast<double>(bytes.size()) / (1 << 20);
    return {whole_file(file_name, say(Phrase::file_too_large, fmt::format("{:.1f}", mebibytes)),
                       Phrase::file_too_large_hint)};
  }
  // NVRTC takes the byte 255 for the end of the file, even in comments.
  const auto no_text = std::ranges::find_if(bytes, [](char c) { return c == '\0' || c == '\xff'; });
  if (no_text != bytes.end()) {
    Finding finding =
        whole_file(file_name, *no_text == '\0' ? Phrase::holds_nul : Phrase::holds_byte_255,
                   Phrase::no_plain_text_hint);
    finding.line = 1 + static_cast<int>(std::count(bytes.begin(), no_text, '\n'));
    return {finding};
  }
  if (source.code().empty() && source.directives().empty() && source.errors().empty()) {
    return {whole_file(file_name, Phrase::holds_no_code, Phrase::holds_no_code_hint)};
  }
  std::vector<Finding> findings = check_directives(source, file_name, headers);
  for (const LexicalError& error : source.errors()) {
    Finding finding = whole_file(file_name, error.message, error.hint);
    finding.line = error.line;
    finding.column = error.column;
    findings.push_back(std::move(finding));
  }
  for (Finding& finding : find_host_code(source, file_name)) findings.push_back(std::move(finding));
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  if (findings.size() > kMostFindings) findings.resize(kMostFindings);
  return findings;
}

}  // namespace tessera
