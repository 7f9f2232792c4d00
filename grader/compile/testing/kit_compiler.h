// Compilations with this build's compiler program and the kit's headers, in tests.
#pragma once

#include <cstdlib>
#include <filesystem>

#include "common/testing/source_root.h"
#include "grader/compile/compiler.h"

namespace tessera {

/// A cache of compilations for all tests that CTest runs from this build folder; building the
/// compiler's program empties it. Empty (no cache) for a test program that is started by hand.
inline std::filesystem::path shared_cache() {
  const char* const folder = std::getenv("TESSERA_TEST_CACHE");
  return folder != nullptr ? folder : "";
}

/// Without a cache.
inline CompilerSetup kit_compiler(CompilerKind kind = CompilerKind::automatic) {
  return {.kind = kind,
          .include_dir = kRoot / "common" / "include",
          .program = TESSERA_COMPILER,
          .cache_dir = {}};
}

}  // namespace tessera
