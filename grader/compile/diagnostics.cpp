#include "grader/compile/diagnostics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "common/text.h"
#include "common/utf8.h"
#include "grader/compile/backend.h"
#include "grader/compile/host_code.h"
#include "grader/compile/remedies.h"
#include "grader/compile/slips.h"
#include "grader/compile/uninitialized.h"

namespace tessera {
namespace {

constexpr std::size_t kMostErrors = 20;

bool is_file(const std::string& path, std::string_view name) {
  return path == name || (path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
}

/// A header as a student would include it: "tessera/lab.cuh", "cuda_fp16.h".
std::string header_name(const std::string& path, const DiagnosticContext& context) {
  for (const std::string& directory : context.directories) {
    if (path.starts_with(directory + "/")) return path.substr(directory.size() + 1);
  }
  return path.substr(path.rfind('/') + 1);
}

std::string without_directories(std::string message, const DiagnosticContext& context) {
  for (const std::string& directory : context.directories) {
    for (auto at = message.find(directory + "/"); at != std::string::npos;
         at = message.find(directory + "/")) {
      message.erase(at, directory.size() + 1);
    }
  }
  return message;
}

/// The first place on the way to the message that is in `file`, or nullptr.
const SourcePlace* led_from(const Diagnostic& diagnostic, std::string_view file) {
  const auto at = std::find_if(diagnostic.trail.begin(), diagnostic.trail.end(),
                               [&](const SourcePlace& place) { return is_file(place.file, file); });
  return at == diagnostic.trail.end() ? nullptr : &*at;
}

/// `message` without the " [-Wuninitialized]" that ends a warning of Clang's.
std::string without_option(std::string message) {
  const auto option = message.rfind(" [-W");
  if (option != message.npos && message.ends_with(']')) message.erase(option);
  return message;
}

std::string_view line_at(const std::vector<std::string>& source, int line) {
  const bool known = line > 0 && static_cast<std::size_t>(line) <= source.size();
  return known ? std::string_view(source[static_cast<std::size_t>(line) - 1]) : "";
}

/// `message` without directories, and cut: the text of `#error` may be as long as a file.
std::string shortened(const std::string& message, const DiagnosticContext& context) {
  constexpr std::size_t kMostBytes = 2000;
  const std::string whole = without_directories(message, context);
  if (whole.size() <= kMostBytes) return whole;
  return std::string(prefix_of_bytes(whole, kMostBytes)) + " ...";
}

Finding finding_of(const Diagnostic& diagnostic, const DiagnosticContext& context) {
  const bool error = diagnostic.severity == Severity::error;
  const bool here = is_file(diagnostic.place.file, context.file_name);
  const std::string words = shortened(without_option(diagnostic.message), context);
  Finding finding{.kind = error ? FindingKind::does_not_compile : FindingKind::compiler_warning,
                  .severity = diagnostic.severity,
                  .file = context.file_name,
                  .message = words,
                  .hint = says_more(diagnostic.note) ? shortened(diagnostic.note, context) : "",
                  .example = {}};
  const std::string_view line = here ? line_at(context.source.lines(), diagnostic.place.line) : "";
  if (const Remedy* remedy = find_remedy(words, diagnostic.note, line)) {
    if (remedy->message != Phrase::verbatim) finding.message = remedy->message;
    finding.hint = remedy->hint;
  }
  if (here) {
    finding.line = diagnostic.place.line;
    finding.column = diagnostic.place.column;
    return finding;
  }
  if (diagnostic.place.file.empty()) return finding;
  const bool ours = std::ranges::any_of(context.directories, [&](const std::string& directory) {
    return diagnostic.place.file.starts_with(directory + "/");
  });
  // The text of a file that could not be included must not be quoted.
  if (!ours) finding.message = Phrase::uses_other_file;
  finding.message +=
      say(Phrase::in_header, header_name(diagnostic.place.file, context), diagnostic.place.line);
  if (const SourcePlace* origin = led_from(diagnostic, context.file_name)) {
    finding.line = origin->line;
    finding.column = origin->column;
  }
  return finding;
}

/// An error in the grader's own code means that the submission lacks something.
Finding epilogue_finding(const Diagnostic& diagnostic, const DiagnosticContext& context) {
  Finding finding{.kind = FindingKind::does_not_compile,
                  .file = context.file_name,
                  .message = context.epilogue_message,
                  .hint = say(Phrase::compiler_says_hint, shortened(diagnostic.message, context)),
                  .example = {}};
  if (finding.message.empty()) finding.message = Phrase::epilogue_refused;
  if (const SourcePlace* origin = led_from(diagnostic, context.file_name)) {
    finding.line = origin->line;
    finding.column = origin->column;
  }
  return finding;
}

Finding unclosed_brace(const DiagnosticContext& context, int line) {
  return {.kind = FindingKind::does_not_compile,
          .file = context.file_name,
          .line = line,
          .message = Phrase::unclosed_brace,
          .hint = Phrase::unclosed_brace_hint,
          .example = {}};
}

auto order(const Finding& finding) {
  return std::tuple(finding.severity, finding.line, finding.column);
}

/// Whether two findings are one mistake: the same remedy in the same line.
bool same(const Finding& a, const Finding& b) {
  if (order(a) == order(b) && a.message == b.message) return true;
  return a.severity == b.severity && a.line == b.line && !a.hint.empty() && a.hint == b.hint;
}

bool includes_lab(const Source& source) {
  return std::ranges::any_of(source.directives(), [](const Directive& directive) {
    return directive.name == "include" && holds(directive.rest, "tessera/lab.cuh");
  });
}

/// The finding about a file that lacks the kit's header: all other errors follow from that.
std::optional<Finding> missing_header(const std::vector<Finding>& findings,
                                      const DiagnosticContext& context) {
  if (includes_lab(context.source)) return std::nullopt;
  for (const Finding& finding : findings) {
    const std::string_view name = unknown_lab_name(compilers_words(finding.message));
    if (finding.severity != Severity::error || name.empty()) continue;
    Finding explained = finding;
    explained.message = say(Phrase::lab_header_missing, Name{std::string(name)});
    explained.hint = Phrase::lab_header_missing_hint;
    return explained;
  }
  return std::nullopt;
}

/// Adds what the source shows and the compiler does not report. If both warn about the same line,
/// the compiler's warning is removed.
void add_slips(std::vector<Finding>& findings, const DiagnosticContext& context) {
  explain_errors(context.source, context.file_name, findings);
  if (!findings.empty() && findings.front().severity == Severity::error) return;
  std::vector<Finding> slips = find_slips(context.source, context.file_name);
  for (Finding& finding : find_uninitialized(context.source, context.file_name))
    slips.push_back(std::move(finding));
  for (const Finding& slip : slips) {
    std::erase_if(findings, [&](const Finding& finding) { return finding.line == slip.line; });
  }
  findings.insert(findings.end(), slips.begin(), slips.end());
  std::ranges::stable_sort(findings, {}, order);
}

/// Removes the last findings: first warnings, then errors.
void shorten(std::vector<Finding>& findings) {
  const auto warnings = std::ranges::find(findings, Severity::warning, &Finding::severity);
  const auto kept = static_cast<std::size_t>(warnings - findings.begin()) + kMostWarnings;
  if (findings.size() > kept) findings.resize(kept);
  if (findings.size() > kMostErrors) findings.resize(kMostErrors);
}

}  // namespace

std::vector<Finding> findings_of(const std::vector<Diagnostic>& diagnostics,
                                 const DiagnosticContext& context) {
  std::vector<Finding> findings;
  const Diagnostic* in_epilogue = nullptr;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool error = diagnostic.severity == Severity::error;
    if (is_file(diagnostic.place.file, kEpilogueName)) {
      if (error && in_epilogue == nullptr) in_epilogue = &diagnostic;
    } else if (error || is_file(diagnostic.place.file, context.file_name)) {
      findings.push_back(finding_of(diagnostic, context));
    }
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return order(a) < order(b); });
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
  const bool any_error = !findings.empty() && findings.front().severity == Severity::error;
  const int unclosed = unclosed_brace_line(context.source);
  if (unclosed != 0 && (any_error || in_epilogue != nullptr)) {
    findings.insert(findings.begin(), unclosed_brace(context, unclosed));
  } else if (in_epilogue != nullptr && !any_error) {
    findings.insert(findings.begin(), epilogue_finding(*in_epilogue, context));
  }
  if (auto header = missing_header(findings, context)) return {*std::move(header)};
  add_slips(findings, context);
  shorten(findings);
  return findings;
}

}  // namespace tessera
