// Which headers and directives a submission may use.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/lexer.h"

namespace tessera {

/// What is wrong with the directives of a source as such: headers outside the accepted ones,
/// computed includes, #embed, __has_include, #line, pragmas that read files.
std::vector<Finding> check_directives(const TokenizedSource& source, const std::string& file_name);

/// What is wrong with them on this machine: a tessera header that is not in `include_dir`, a
/// header of the CUDA Toolkit where there is no `cuda_include_dir` (empty).
std::vector<Finding> check_headers(const TokenizedSource& source, const std::string& file_name,
                                   const std::filesystem::path& include_dir,
                                   const std::filesystem::path& cuda_include_dir);

}  // namespace tessera
