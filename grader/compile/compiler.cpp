#include "grader/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/text.h"
#include "grader/compile/backend.h"
#include "grader/compile/cache.h"
#include "grader/compile/diagnostics.h"
#include "grader/compile/include_rules.h"
#include "grader/compile/no_effect.h"
#include "grader/compile/ptx_text.h"

namespace tessera {
namespace {

struct Backend {
  CompilerKind kind;
  Expected<std::string> (*identity)();
  Expected<BackendOutput> (*compile)(const BackendRequest&);
  std::vector<Diagnostic> (*parse_log)(std::string_view);
};

constexpr Backend kNvrtc{CompilerKind::nvrtc, nvrtc_identity, compile_with_nvrtc, parse_nvrtc_log};
constexpr Backend kClang{CompilerKind::clang, clang_identity, compile_with_clang, parse_clang_log};

struct Chosen {
  const Backend* backend;
  std::string identity;
};

Expected<Chosen> choose(const CompileRequest& request) {
  if (request.compiler.kind != CompilerKind::clang) {
    auto identity = kNvrtc.identity();
    if (identity) return Chosen{&kNvrtc, *identity};
    if (request.compiler.kind == CompilerKind::nvrtc || request.cubin) return identity.error();
  } else if (request.cubin) {
    return Error{
        .message =
            "clang makes PTX alone: what assembles it into a cubin comes with the CUDA Toolkit; "
            "use --compiler nvrtc, or --backend simulator"};
  }
  auto identity = kClang.identity();
  if (!identity) return identity.error();
  return Chosen{&kClang, *identity};
}

/// `name` as a #line directive can contain it.
std::string quotable(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return c == '"' || c == '\\' || c < ' ' || c == 127; }, '_');
  return name.empty() ? "kernel.cu" : name;
}

std::string program_of(const CompileRequest& request, const std::string& name) {
  std::string defines;
  for (const std::string& define : request.defines) defines += "#define " + define + "\n";
  return fmt::format("{}#line 1 \"{}\"\n{}\n#line 1 \"{}\"\n{}\n", defines, name,
                     request.source.visible(), kEpilogueName, request.epilogue);
}

Finding general_finding(const std::string& file, Text message, Text hint) {
  return {.kind = FindingKind::does_not_compile,
          .file = file,
          .message = std::move(message),
          .hint = std::move(hint),
          .example = {}};
}

/// The finding about a compiler that ended without a result; nothing if it has one.
std::optional<Finding> breakdown(const BackendOutput& output, const CompileRequest& request) {
  const std::string& file = request.file_name;
  switch (output.end) {
    case BackendOutput::End::out_of_time:
      return general_finding(
          file, say(Phrase::compiler_out_of_time, fmt::format("{}", request.time_limit_s)),
          Phrase::compiler_out_of_time_hint);
    case BackendOutput::End::out_of_memory:
      return general_finding(file, Phrase::compiler_out_of_memory,
                             Phrase::compiler_out_of_memory_hint);
    case BackendOutput::End::out_of_output:
      return general_finding(file, Phrase::compiler_out_of_output,
                             Phrase::compiler_out_of_output_hint);
    case BackendOutput::End::crashed:
      return general_finding(file, Phrase::compiler_crashed, Phrase::compiler_crashed_hint);
    default:
      return std::nullopt;
  }
}

HeadersOfCompiler headers_of(CompilerKind compiler, const CompilerSetup& setup) {
  HeadersOfCompiler headers{
      .compiler = "NVRTC", .hint = Phrase::nvrtc_has_no_toolkit_hint, .folders = {}};
  if (compiler == CompilerKind::clang) {
    headers = {.compiler = "Clang",
               .hint = Phrase::clang_has_no_toolkit_hint,
               .folders = {clang_toolkit_dir(setup.include_dir)}};
  } else if (const auto toolkit = cuda_include_dir(); !toolkit.empty()) {
    headers.folders = {toolkit, toolkit / "cccl"};
  }
  std::ranges::copy(own_header_dirs(setup), std::back_inserter(headers.folders));
  return headers;
}

DiagnosticContext context_of(const CompileRequest& request, const std::string& name) {
  DiagnosticContext context{.file_name = name,
                            .epilogue_message = request.epilogue_message,
                            .directories = {request.compiler.include_dir.string()},
                            .source = request.source};
  if (const auto toolkit = cuda_include_dir(); !toolkit.empty()) {
    context.directories.push_back((toolkit / "cccl").string());
    context.directories.push_back(toolkit.string());
  }
  for (const auto& folder : request.compiler.header_dirs)
    context.directories.push_back(folder.string());
  return context;
}

/// Adds findings about statements without effect to the compiler's warnings. They replace what the
/// compiler reports in the same line.
void add_statements_without_effect(const CompileRequest& request, CompileResult& result) {
  std::vector<Finding> found = find_statements_without_effect(request.source, request.file_name);
  for (const Finding& finding : found) {
    std::erase_if(result.findings,
                  [&](const Finding& warning) { return warning.line == finding.line; });
  }
  result.findings.insert(result.findings.end(), found.begin(), found.end());
  std::ranges::stable_sort(result.findings, {}, &Finding::line);
  if (result.findings.size() > kMostWarnings) result.findings.resize(kMostWarnings);
}

/// Replaces the lines of the PTX that ptxas names by lines of the source.
void place_in_source(std::vector<Diagnostic>& diagnostics, const BackendOutput& output,
                     const std::string& name, const std::string& include_dir) {
  const SourceLines lines(with_plain_file_names(output.ptx, name, include_dir), name);
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.file != kAssembledPtx) continue;
    const int line = lines.of(diagnostic.place.line);
    diagnostic.place = line > 0 ? SourcePlace{name, line, 0} : SourcePlace{};
  }
}

CompileResult result_of(BackendOutput output, const Backend& backend, const CompileRequest& request,
                        const std::string& name) {
  CompileResult result;
  result.ok = output.end == BackendOutput::End::compiled;
  result.compiler = output.compiler;
  if (auto finding = breakdown(output, request)) {
    result.findings.push_back(std::move(*finding));
    return result;
  }
  std::vector<Diagnostic> diagnostics = backend.parse_log(output.log);
  if (!result.ok) place_in_source(diagnostics, output, name, request.compiler.include_dir.string());
  result.findings = findings_of(diagnostics, context_of(request, name));
  for (Finding& finding : result.findings) finding.file = request.file_name;
  if (result.ok) {
    result.ptx = with_plain_file_names(output.ptx, name, request.compiler.include_dir.string());
    result.cubin = std::move(output.cubin);
    add_statements_without_effect(request, result);
  } else if (result.findings.empty() || result.findings.front().severity != Severity::error) {
    result.findings.insert(result.findings.begin(),
                           general_finding(request.file_name, Phrase::refused_without_reason,
                                           Phrase::refused_without_reason_hint));
  }
  return result;
}

}  // namespace

std::optional<CompilerKind> compiler_from(std::string_view word) {
  if (word == "auto") return CompilerKind::automatic;
  if (word == "nvrtc") return CompilerKind::nvrtc;
  if (word == "clang") return CompilerKind::clang;
  return std::nullopt;
}

std::vector<std::filesystem::path> own_header_dirs(const CompilerSetup& setup) {
  std::vector<std::filesystem::path> all = setup.header_dirs;
  if (!all.empty()) all.push_back(setup.include_dir / "tessera/host");
  return all;
}

std::filesystem::path compiler_beside(const std::filesystem::path& tessera) {
  return tessera.parent_path() / "tessera-compiler";
}

std::vector<CompilerInfo> available_compilers() {
  return {nvrtc_info(), clang_info()};
}

Expected<std::string> compiler_identity(CompilerKind kind) {
  CompileRequest request;
  request.compiler.kind = kind;
  const auto chosen = choose(request);
  if (!chosen) return chosen.error();
  return chosen->identity;
}

Expected<CompileResult> compile(const CompileRequest& original) {
  CompileRequest request = original;
  std::filesystem::path& include_dir = request.compiler.include_dir;
  include_dir = std::filesystem::absolute(include_dir);
  if (include_dir.filename().empty()) include_dir = include_dir.parent_path();
  const auto chosen = choose(request);
  if (!chosen) return chosen.error();

  CompileResult refused;
  const bool any_headers = !request.compiler.header_dirs.empty();
  refused.findings = scan_source(request.source, request.file_name,
                                 any_headers ? AcceptedHeaders::any : AcceptedHeaders::of_kit);
  if (refused.findings.empty()) {
    refused.findings = check_headers(request.source, request.file_name, include_dir,
                                     headers_of(chosen->backend->kind, request.compiler));
  }
  if (!refused.findings.empty()) return refused;

  const std::filesystem::path& cache_dir = request.compiler.cache_dir;
  const std::string key =
      cache_dir.empty() || any_headers ? "" : cache_key(request, chosen->identity);
  if (!key.empty()) {
    if (auto cached = load_cached(cache_dir, key)) return *std::move(cached);
  }
  const std::string name = quotable(request.file_name);
  auto output = chosen->backend->compile({.program = program_of(request, name),
                                          .file_name = name,
                                          .compiler = request.compiler,
                                          .compute_capability = request.compute_capability,
                                          .cubin = request.cubin,
                                          .time_limit_s = request.time_limit_s});
  if (!output) return output.error();
  CompileResult result = result_of(*std::move(output), *chosen->backend, request, name);
  if (result.ok && !key.empty()) store_cached(cache_dir, key, result);
  return result;
}

}  // namespace tessera
