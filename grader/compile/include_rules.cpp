#include "grader/compile/include_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/text.h"

namespace tessera {
namespace {

constexpr std::string_view kAccepted =
    "only tessera/*.cuh and the CUDA Toolkit's device headers can be included";
constexpr std::string_view kConditional =
    "; of conditions only #if 0 and #ifndef __CUDACC_RTC__ are followed here";

struct NeedlessHeader {
  std::string_view name;
  std::string_view hint;
};

constexpr std::string_view kPrintf = "not needed: printf is built in; delete the line";
constexpr std::string_view kMath =
    "not needed: sqrtf, fmaxf, min, max and the like are built in; delete the line";
constexpr std::string_view kRuntime =
    "not needed: threadIdx, dim3, float4 and the like are built in, and the grader owns the host "
    "code; delete the line";
constexpr std::string_view kAssert = "not needed: assert is built in; delete the line";
constexpr std::string_view kMemory = "not needed: memcpy and memset are built in; delete the line";
constexpr std::string_view kLimits =
    "include <tessera/limits.cuh> instead: it defines fixed-width integers and numeric limits";
constexpr std::string_view kCout =
    "streams are host code; printf is built in for the device; delete the line";

constexpr NeedlessHeader kNeedless[] = {
    {"stdio.h", kPrintf},
    {"cstdio", kPrintf},
    {"iostream", kCout},
    {"ostream", kCout},
    {"math.h", kMath},
    {"cmath", kMath},
    {"algorithm", kMath},
    {"math_functions.h", kMath},
    {"cuda.h", kRuntime},
    {"cuda_runtime.h", kRuntime},
    {"cuda_runtime_api.h", kRuntime},
    {"device_launch_parameters.h", kRuntime},
    {"device_functions.h", kRuntime},
    {"sm_20_intrinsics.h", kRuntime},
    {"sm_30_intrinsics.h", kRuntime},
    {"assert.h", kAssert},
    {"cassert", kAssert},
    {"string.h", kMemory},
    {"cstring", kMemory},
    {"stdlib.h", kMemory},
    {"cstdlib", kMemory},
    {"stdint.h", kLimits},
    {"cstdint", kLimits},
    {"limits.h", kLimits},
    {"climits", kLimits},
    {"limits", kLimits},
    {"float.h", kLimits},
    {"cfloat", kLimits},
    {"stddef.h", "not needed: size_t is built in; delete the line"},
    {"cstddef", "not needed: size_t is built in; delete the line"},
};

constexpr std::string_view kToolkitHeaders[] = {
    "cuComplex.h",
    "cuda_awbarrier.h",
    "cuda_awbarrier_primitives.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_fp4.h",
    "cuda_fp6.h",
    "cuda_fp8.h",
    "cuda_pipeline.h",
    "cuda_pipeline_primitives.h",
    "cooperative_groups.h",
    "math_constants.h",
    "mma.h",
    "vector_functions.h",
    "vector_types.h",
};
constexpr std::string_view kToolkitFolders[] = {"cooperative_groups/", "cuda/", "nv/"};

/// Lower-case path of plain words: no "..", no "//", nothing a file system could read otherwise.
bool is_plain_path(std::string_view path) {
  const bool plain = std::all_of(path.begin(), path.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/' || c == '.';
  });
  return plain && path.find("..") == std::string_view::npos &&
         path.find("//") == std::string_view::npos;
}

bool is_toolkit_header(std::string_view path) {
  if (std::ranges::find(kToolkitHeaders, path) != std::end(kToolkitHeaders)) return true;
  return is_plain_path(path) && std::ranges::any_of(kToolkitFolders, [&](std::string_view folder) {
           return path.starts_with(folder) && path.size() > folder.size();
         });
}

/// `text` fit for one line of a message.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string result(text.substr(0, kMost));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  return text.size() > kMost ? result + "..." : result;
}

Finding finding(FindingKind kind, const std::string& file, int line, int column,
                std::string message, std::string_view hint) {
  return {.kind = kind,
          .file = file,
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::string(hint),
          .example = {}};
}

Finding forbidden(const std::string& file, const Directive& at, std::string message,
                  std::string_view hint = kAccepted) {
  return finding(FindingKind::forbidden_include, file, at.line, at.column, std::move(message),
                 hint);
}

std::optional<Finding> check_include(const Directive& directive, const std::string& file) {
  const auto path = included_path(directive);
  if (!path) {
    return forbidden(file, directive, "this #include does not name its file between <> or \"\"");
  }
  if (is_tessera_header(*path) || is_toolkit_header(*path)) return std::nullopt;
  const auto hinted = [&](std::string_view hint) {
    return std::string(hint) + std::string(directive.conditional ? kConditional : "");
  };
  for (const NeedlessHeader& needless : kNeedless) {
    if (*path == needless.name) {
      return forbidden(file, directive,
                       fmt::format("<{}> is not available to a kernel file", *path),
                       hinted(needless.hint));
    }
  }
  return forbidden(file, directive, fmt::format("\"{}\" cannot be included", shown(*path)),
                   hinted(kAccepted));
}

/// Pragmas that make a compiler open a file, or change which file a line belongs to.
bool reads_files(const std::vector<Token>& pragma) {
  static constexpr std::string_view kWords[] = {
      "dependency",     "include_alias", "include",       "include_next", "import", "module",
      "pch_preprocess", "hdrstop",       "system_header", "comment",      "embed"};
  // The title of a region is for people.
  if (!pragma.empty() && (is(pragma[0], "region") || is(pragma[0], "endregion"))) return false;
  return std::ranges::any_of(pragma, [](const Token& token) {
    return std::ranges::find(kWords, token.text) != std::end(kWords);
  });
}

/// Names that ask the preprocessor about files, whole or begun (to be completed with ##).
bool asks_for_files(std::string_view word) {
  return word.starts_with("__has_inc") || word.starts_with("__has_emb") || word == "__has_";
}

/// `_Pragma("unroll")` is fine; one whose text only the preprocessor knows is not.
bool is_harmless_pragma_operator(const std::vector<Token>& tokens, std::size_t at) {
  if (at + 3 >= tokens.size() || tokens[at + 1].text != "(" ||
      tokens[at + 2].kind != Token::Kind::string || tokens[at + 3].text != ")") {
    return false;
  }
  std::string text = tokens[at + 2].text;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || c == '\\'; }, ' ');
  return !reads_files(tokenize(text).code);
}

void check_tokens(const std::vector<Token>& tokens, const std::string& file,
                  std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::identifier) continue;
    if (asks_for_files(token.text)) {
      findings.push_back(finding(FindingKind::forbidden_include, file, token.line, token.column,
                                 shown(token.text) + " cannot be used: it looks at files",
                                 kAccepted));
    } else if ((token.text == "_Pragma" || token.text == "__pragma") &&
               !is_harmless_pragma_operator(tokens, i)) {
      findings.push_back(finding(FindingKind::forbidden_include, file, token.line, token.column,
                                 "this _Pragma cannot be checked",
                                 "write #pragma, or a plain string between the parentheses"));
    }
  }
}

std::optional<Finding> check_directive(const Directive& directive, const std::string& file) {
  const std::string& name = directive.name;
  if (name == "include" && directive.skipped) return std::nullopt;
  if (name == "include") return check_include(directive, file);
  if (name == "include_next" || name == "import" || name == "embed" || name == "__include_macros") {
    return forbidden(file, directive, fmt::format("#{} cannot be used", name));
  }
  if (name == "pragma" && reads_files(directive.tokens)) {
    return forbidden(file, directive, "this #pragma concerns files and cannot be used",
                     "delete the line");
  }
  const bool marker = name.empty() && !directive.tokens.empty() &&
                      directive.tokens.front().kind == Token::Kind::number;
  if (name == "line" || marker) {
    return finding(FindingKind::does_not_compile, file, directive.line, directive.column,
                   "#line cannot be used: findings are told in the lines of this file",
                   "delete the line");
  }
  return std::nullopt;
}

/// Names of the tessera headers in `include_dir`, as they are included.
std::vector<std::string> tessera_headers(const std::filesystem::path& include_dir) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(include_dir / "tessera", error), end;
       !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".cuh")
      names.push_back("tessera/" + at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

bool is_tessera_header(std::string_view path) {
  constexpr std::string_view kFolder = "tessera/";
  return path.starts_with(kFolder) && path.ends_with(".cuh") && is_plain_path(path) &&
         path.find('/', kFolder.size()) == std::string_view::npos;
}

std::optional<std::string> included_path(const Directive& directive) {
  const std::string& rest = directive.rest;
  if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) return std::nullopt;
  const char closing = rest.front() == '<' ? '>' : '"';
  const auto end = rest.find(closing, 1);
  if (end == std::string::npos) return std::nullopt;
  return rest.substr(1, end - 1);
}

std::vector<Finding> check_directives(const TokenizedSource& source, const std::string& file_name) {
  std::vector<Finding> findings;
  check_tokens(source.code, file_name, findings);
  for (const Directive& directive : source.directives) {
    if (auto found = check_directive(directive, file_name)) findings.push_back(std::move(*found));
    check_tokens(directive.tokens, file_name, findings);
  }
  return findings;
}

bool HeadersOfToolkit::has(const std::string& header) const {
  return std::ranges::any_of(folders, [&](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_regular_file(folder / header, error);
  });
}

std::vector<Finding> check_headers(const TokenizedSource& source, const std::string& file_name,
                                   const std::filesystem::path& include_dir,
                                   const HeadersOfToolkit& toolkit) {
  std::vector<Finding> findings;
  for (const Directive& directive : source.directives) {
    if (directive.name != "include" || directive.skipped) continue;
    const auto path = included_path(directive);
    if (!path) continue;
    std::error_code error;
    if (is_tessera_header(*path)) {
      if (std::filesystem::is_regular_file(include_dir / *path, error)) continue;
      const std::vector<std::string> known = tessera_headers(include_dir);
      findings.push_back(
          forbidden(file_name, directive,
                    fmt::format("there is no <{}>{}", *path, did_you_mean(*path, known)),
                    fmt::format("there are: {}", fmt::join(known, ", "))));
    } else if (!directive.conditional && !toolkit.has(*path)) {
      findings.push_back(
          forbidden(file_name, directive,
                    fmt::format("<{}> is not there: {} has no such header of the CUDA Toolkit here",
                                *path, toolkit.compiler),
                    toolkit.hint));
    }
  }
  return findings;
}

}  // namespace tessera
