#include "grader/compile/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "grader/compile/backend.h"

namespace tessera {
namespace {

constexpr std::size_t kMostErrors = 20;

struct Remedy {
  std::string_view symptom;  // a part of the compiler's message
  std::string_view message;  // says it instead, "" to keep the compiler's words
  std::string_view hint;
};

constexpr std::string_view kLimitsHint =
    "add #include <tessera/limits.cuh>, which defines fixed-width integers and numeric limits";

constexpr Remedy kRemedies[] = {
    {"A function without execution space annotations",
     "this is a host function, and a kernel file is compiled for the device alone",
     "write __device__ before it; allocation, launches and timing are the grader's"},
    {"explicitly marked as a __host__ function",
     "this is a host function, and a kernel file is compiled for the device alone",
     "write __host__ __device__ or __device__; allocation, launches and timing are the grader's"},
    {"A namespace scope variable without memory space annotations",
     "this variable would live in host memory, which a kernel file has not",
     "write __device__ or __constant__ before it, or make it constexpr"},
    {"lambda closure class members was inferred to be __host__",
     "this lambda would run on the host, and a kernel file is compiled for the device alone",
     "define it inside the kernel that uses it"},
    {"device-side kernel launch", "a kernel cannot be launched from this file",
     "the grader launches the kernel with what launch() returns"},
    {"call to __host__ function", "", "write __device__ before the function that is called"},
    {"reference to __host__ variable", "", "write __device__ or __constant__ before the variable"},
    {"reference to __host__ function", "", "write __device__ before the function"},
    {"uses too much shared data", "",
     "variables in shared memory may hold 48 KiB together; beyond that, declare extern __shared__ "
     "and ask for the bytes in launch()"},
    {"Unresolved extern function", "", "define the function in this file"},
    {"INT_MAX", "", kLimitsHint},
    {"INT_MIN", "", kLimitsHint},
    {"UINT_MAX", "", kLimitsHint},
    {"FLT_MAX", "", kLimitsHint},
    {"FLT_MIN", "", kLimitsHint},
    {"FLT_EPSILON", "", kLimitsHint},
    {"DBL_MAX", "", kLimitsHint},
    {"INFINITY", "", kLimitsHint},
    {"\"NAN\"", "", kLimitsHint},
    {"'NAN'", "", kLimitsHint},
    {"int8_t", "", kLimitsHint},
    {"int16_t", "", kLimitsHint},
    {"int32_t", "", kLimitsHint},
    {"int64_t", "", kLimitsHint},
};

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

Finding finding_of(const Diagnostic& diagnostic, const DiagnosticContext& context) {
  Finding finding{.kind = FindingKind::does_not_compile,
                  .severity = diagnostic.severity,
                  .file = context.file_name,
                  .message = without_directories(diagnostic.message, context),
                  .hint = without_directories(diagnostic.note, context),
                  .example = {}};
  for (const Remedy& remedy : kRemedies) {
    if (finding.message.find(remedy.symptom) == std::string::npos &&
        diagnostic.note.find(remedy.symptom) == std::string::npos) {
      continue;
    }
    if (!remedy.message.empty()) finding.message = remedy.message;
    finding.hint = remedy.hint;
    break;
  }
  if (is_file(diagnostic.place.file, context.file_name)) {
    finding.line = diagnostic.place.line;
    finding.column = diagnostic.place.column;
    return finding;
  }
  if (diagnostic.place.file.empty()) return finding;
  const bool ours = std::ranges::any_of(context.directories, [&](const std::string& directory) {
    return diagnostic.place.file.starts_with(directory + "/");
  });
  // A file that could not be included must not be quoted.
  if (!ours) finding.message = "this file uses another that it must not include";
  finding.message += fmt::format(" (in {}:{})", header_name(diagnostic.place.file, context),
                                 diagnostic.place.line);
  if (const SourcePlace* origin = led_from(diagnostic, context.file_name)) {
    finding.line = origin->line;
    finding.column = origin->column;
  }
  return finding;
}

/// What is wrong in the grader's own code is what the submission lacks.
Finding epilogue_finding(const Diagnostic& diagnostic, const DiagnosticContext& context) {
  Finding finding{.kind = FindingKind::does_not_compile,
                  .file = context.file_name,
                  .message = context.epilogue_hint,
                  .hint = "the compiler says: " + without_directories(diagnostic.message, context),
                  .example = {}};
  if (finding.message.empty()) {
    finding.message = "what the grader appends to this file does not compile";
  }
  if (const SourcePlace* origin = led_from(diagnostic, context.file_name)) {
    finding.line = origin->line;
    finding.column = origin->column;
  }
  return finding;
}

Finding unclosed_brace(const DiagnosticContext& context) {
  return {.kind = FindingKind::does_not_compile,
          .file = context.file_name,
          .line = context.unclosed_brace_line,
          .message = "this line opens a { that is never closed",
          .hint = "write the missing }; what the compiler says below may follow from it",
          .example = {}};
}

auto order(const Finding& finding) {
  return std::tuple(finding.severity, finding.line, finding.column);
}

bool same(const Finding& a, const Finding& b) {
  return order(a) == order(b) && a.message == b.message;
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
  if (context.unclosed_brace_line != 0 && (any_error || in_epilogue != nullptr)) {
    findings.insert(findings.begin(), unclosed_brace(context));
  } else if (in_epilogue != nullptr && !any_error) {
    findings.insert(findings.begin(), epilogue_finding(*in_epilogue, context));
  }
  if (findings.size() > kMostErrors) findings.resize(kMostErrors);
  return findings;
}

}  // namespace tessera
