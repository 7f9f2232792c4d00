#include "grader/compile/include_rules.h"

#include <algorithm>
#include <optional>

#include "common/text.h"

namespace tessera {
namespace {

struct NeedlessHeader {
  std::string_view name;
  Phrase hint;
};

constexpr NeedlessHeader kNeedless[] = {
    {"stdio.h", Phrase::printf_built_in_hint},
    {"cstdio", Phrase::printf_built_in_hint},
    {"iostream", Phrase::streams_hint},
    {"ostream", Phrase::streams_hint},
    {"math.h", Phrase::math_built_in_hint},
    {"cmath", Phrase::math_built_in_hint},
    {"algorithm", Phrase::math_built_in_hint},
    {"math_functions.h", Phrase::math_built_in_hint},
    {"cuda.h", Phrase::cuda_built_in_hint},
    {"cuda_runtime.h", Phrase::cuda_built_in_hint},
    {"cuda_runtime_api.h", Phrase::cuda_built_in_hint},
    {"device_launch_parameters.h", Phrase::cuda_built_in_hint},
    {"device_functions.h", Phrase::cuda_built_in_hint},
    {"sm_20_intrinsics.h", Phrase::cuda_built_in_hint},
    {"sm_30_intrinsics.h", Phrase::cuda_built_in_hint},
    {"assert.h", Phrase::assert_built_in_hint},
    {"cassert", Phrase::assert_built_in_hint},
    {"string.h", Phrase::memory_built_in_hint},
    {"cstring", Phrase::memory_built_in_hint},
    {"stdlib.h", Phrase::memory_built_in_hint},
    {"cstdlib", Phrase::memory_built_in_hint},
    {"stdint.h", Phrase::include_limits_hint},
    {"cstdint", Phrase::include_limits_hint},
    {"limits.h", Phrase::include_limits_hint},
    {"climits", Phrase::include_limits_hint},
    {"limits", Phrase::include_limits_hint},
    {"float.h", Phrase::include_limits_hint},
    {"cfloat", Phrase::include_limits_hint},
    {"stddef.h", Phrase::size_built_in_hint},
    {"cstddef", Phrase::size_built_in_hint},
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

/// Whether `path` has only lower-case plain words: no "..", no "//", nothing special to a file
/// system.
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

/// `text` shortened to fit into one line of a message.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string result(text.substr(0, kMost));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  return text.size() > kMost ? result + "..." : result;
}

Finding finding(FindingKind kind, const std::string& file, int line, int column, Text message,
                Text hint) {
  return {.kind = kind,
          .file = file,
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint),
          .example = {}};
}

Finding forbidden(const std::string& file, const Directive& at, Text message,
                  Text hint = Phrase::accepted_headers_hint) {
  return finding(FindingKind::forbidden_include, file, at.line, at.column, std::move(message),
                 std::move(hint));
}

std::optional<Finding> check_include(const Directive& directive, const std::string& file) {
  const auto path = included_path(directive);
  if (!path) {
    return forbidden(file, directive, Phrase::include_without_name);
  }
  if (is_tessera_header(*path) || is_toolkit_header(*path)) return std::nullopt;
  const Text remark = directive.conditional ? Phrase::conditional_include_hint : Text();
  for (const NeedlessHeader& needless : kNeedless) {
    if (*path == needless.name) {
      return forbidden(file, directive, say(Phrase::header_unavailable, Name{*path}),
                       needless.hint + remark);
    }
  }
  return forbidden(file, directive, say(Phrase::header_refused, Name{shown(*path)}),
                   Phrase::accepted_headers_hint + remark);
}

/// Pragmas that make a compiler open a file, or change which file a line belongs to.
bool reads_files(const std::vector<Token>& pragma) {
  static constexpr std::string_view kWords[] = {
      "dependency",     "include_alias", "include",       "include_next", "import", "module",
      "pch_preprocess", "hdrstop",       "system_header", "comment",      "embed"};
  // The title of a region is only for people.
  if (!pragma.empty() && (is(pragma[0], "region") || is(pragma[0], "endregion"))) return false;
  return std::ranges::any_of(pragma, [](const Token& token) {
    return std::ranges::find(kWords, token.text) != std::end(kWords);
  });
}

/// Names that ask the preprocessor about files, complete or begun (to be completed with ##).
bool asks_for_files(std::string_view word) {
  return word.starts_with("__has_inc") || word.starts_with("__has_emb") || word == "__has_";
}

/// `_Pragma("unroll")` is harmless; a text that only the preprocessor knows is not.
bool is_harmless_pragma_operator(const std::vector<Token>& tokens, std::size_t at) {
  if (at + 3 >= tokens.size() || tokens[at + 1].text != "(" ||
      tokens[at + 2].kind != Token::Kind::string || tokens[at + 3].text != ")") {
    return false;
  }
  std::string text = tokens[at + 2].text;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || c == '\\'; }, ' ');
  return !reads_files(Source(std::move(text)).code());
}

void check_tokens(const std::vector<Token>& tokens, const std::string& file,
                  std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::identifier) continue;
    if (asks_for_files(token.text)) {
      findings.push_back(finding(FindingKind::forbidden_include, file, token.line, token.column,
                                 say(Phrase::looks_at_files, Name{shown(token.text)}),
                                 Phrase::accepted_headers_hint));
    } else if ((token.text == "_Pragma" || token.text == "__pragma") &&
               !is_harmless_pragma_operator(tokens, i)) {
      findings.push_back(finding(FindingKind::forbidden_include, file, token.line, token.column,
                                 Phrase::unchecked_pragma, Phrase::unchecked_pragma_hint));
    }
  }
}

std::optional<Finding> check_directive(const Directive& directive, const std::string& file,
                                       AcceptedHeaders headers) {
  const std::string& name = directive.name;
  if (name == "include" && directive.skipped) return std::nullopt;
  if (name == "include" && headers == AcceptedHeaders::any && included_path(directive))
    return std::nullopt;
  if (name == "include") return check_include(directive, file);
  if (name == "include_next" || name == "import" || name == "embed" || name == "__include_macros") {
    return forbidden(file, directive, say(Phrase::directive_refused, Name{name}));
  }
  if (name == "pragma" && reads_files(directive.tokens)) {
    return forbidden(file, directive, Phrase::pragma_of_files, Phrase::delete_line_hint);
  }
  const bool marker = name.empty() && !directive.tokens.empty() &&
                      directive.tokens.front().kind == Token::Kind::number;
  if (name == "line" || marker) {
    return finding(FindingKind::does_not_compile, file, directive.line, directive.column,
                   Phrase::line_refused, Phrase::delete_line_hint);
  }
  return std::nullopt;
}

/// Names of the tessera headers in `include_dir`, as a source includes them.
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

std::vector<std::string> included_headers(const Source& source) {
  std::vector<std::string> paths;
  for (const Directive& directive : source.directives()) {
    if (directive.name != "include" || directive.skipped) continue;
    if (auto path = included_path(directive)) paths.push_back(*std::move(path));
  }
  return paths;
}

bool includes_other_headers(const Source& source) {
  return std::ranges::any_of(included_headers(source), [](const std::string& path) {
    return !is_tessera_header(path) && !is_toolkit_header(path);
  });
}

std::vector<Finding> check_directives(const Source& source, const std::string& file_name,
                                      AcceptedHeaders headers) {
  std::vector<Finding> findings;
  check_tokens(source.code(), file_name, findings);
  for (const Directive& directive : source.directives()) {
    if (auto found = check_directive(directive, file_name, headers))
      findings.push_back(std::move(*found));
    check_tokens(directive.tokens, file_name, findings);
  }
  return findings;
}

bool HeadersOfCompiler::has(const std::string& header) const {
  return std::ranges::any_of(folders, [&](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_regular_file(folder / header, error);
  });
}

std::vector<Finding> check_headers(const Source& source, const std::string& file_name,
                                   const std::filesystem::path& include_dir,
                                   const HeadersOfCompiler& headers) {
  std::vector<Finding> findings;
  for (const Directive& directive : source.directives()) {
    if (directive.name != "include" || directive.skipped) continue;
    const auto path = included_path(directive);
    if (!path) continue;
    std::error_code error;
    if (is_tessera_header(*path)) {
      if (std::filesystem::is_regular_file(include_dir / *path, error)) continue;
      const std::vector<std::string> known = tessera_headers(include_dir);
      Text message = say(Phrase::header_unknown, Name{*path});
      if (const std::string nearest = nearest_word(*path, known); !nearest.empty())
        message += say(Phrase::nearest_header, nearest);
      findings.push_back(forbidden(file_name, directive, std::move(message),
                                   say(Phrase::header_unknown_hint, joined(known))));
    } else if (!directive.conditional && !headers.has(*path)) {
      const bool own = !is_toolkit_header(*path);
      findings.push_back(
          forbidden(file_name, directive,
                    own ? say(Phrase::header_not_found, Name{shown(*path)})
                        : say(Phrase::toolkit_header_missing, Name{*path}, Name{headers.compiler}),
                    own ? Text(Phrase::header_not_found_hint) : Text(headers.hint)));
    }
  }
  return findings;
}

}  // namespace tessera
