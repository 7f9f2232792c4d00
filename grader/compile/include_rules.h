// The headers and directives that a submission may use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/compile/compiler.h"
#include "grader/compile/source.h"

namespace tessera {

/// The path between <> or "" of an #include; nothing for a computed include.
std::optional<std::string> included_path(const Directive& directive);

/// Whether the path names one of this kit's device headers.
bool is_tessera_header(std::string_view path);

/// Findings about the directives of a source: headers that are not accepted, computed includes,
/// #embed, __has_include, #line, pragmas that read files. Ignores headers that no compiler reads
/// (Directive::skipped).
std::vector<Finding> check_directives(const Source& source, const std::string& file_name,
                                      AcceptedHeaders headers);

/// The headers that the source includes, as it names them, but for those that no compiler reads.
std::vector<std::string> included_headers(const Source& source);

/// Whether the source includes headers that are neither this kit's nor the CUDA Toolkit's.
bool includes_other_headers(const Source& source);

/// The headers that a compiler finds, beside this kit's.
struct HeadersOfCompiler {
  std::string compiler;                        // its name in messages
  Phrase hint;                                 // what to do if one of the Toolkit's is missing
  std::vector<std::filesystem::path> folders;  // none: it has no header

  bool has(const std::string& header) const;
};

/// Findings about headers on this machine: a tessera header that is not in `include_dir`, or a
/// header that the compiler does not find. A header behind an #if is left to the
/// compiler: only the compiler knows whether it is needed.
std::vector<Finding> check_headers(const Source& source, const std::string& file_name,
                                   const std::filesystem::path& include_dir,
                                   const HeadersOfCompiler& headers);

}  // namespace tessera
