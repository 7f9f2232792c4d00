// Which headers and directives a submission may use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// What #include names: the path between <> or "", or nothing for a computed include.
std::optional<std::string> included_path(const Directive& directive);

/// Whether the path names one of this kit's device headers.
bool is_tessera_header(std::string_view path);

/// What is wrong with the directives of a source as such: headers outside the accepted ones,
/// computed includes, #embed, __has_include, #line, pragmas that read files. Of a header that no
/// compiler gets to (Directive::skipped) nothing is said.
std::vector<Finding> check_directives(const Source& source, const std::string& file_name);

/// The CUDA Toolkit's headers, as far as a compiler has them.
struct HeadersOfToolkit {
  std::string compiler;                        // as messages call it
  Phrase hint;                                 // what to do without a header
  std::vector<std::filesystem::path> folders;  // none: it has no header

  bool has(const std::string& header) const;
};

/// What is wrong with them on this machine: a tessera header that is not in `include_dir`, a
/// header of the CUDA Toolkit that the compiler has not. One behind an #if is left to the compiler:
/// only that knows whether it is needed.
std::vector<Finding> check_headers(const Source& source, const std::string& file_name,
                                   const std::filesystem::path& include_dir,
                                   const HeadersOfToolkit& toolkit);

}  // namespace tessera
