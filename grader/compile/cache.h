// A cache of compilations: cache_dir/<sha256 of everything that decides the result>.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/compile/compiler.h"

namespace tessera {

/// The name of the entry for `request` and the compiler that `compiler_identity` identifies: a hash
/// of source, headers, options and compiler.
std::string cache_key(const CompileRequest& request, const std::string& compiler_identity);

/// The entry named `key`; nothing if it is missing, unreadable, damaged or of another version.
std::optional<CompileResult> load_cached(const std::filesystem::path& cache_dir,
                                         const std::string& key);

/// Writes an entry atomically. A cache that cannot be written is not an error.
void store_cached(const std::filesystem::path& cache_dir, const std::string& key,
                  const CompileResult& result);

}  // namespace tessera
