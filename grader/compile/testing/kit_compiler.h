// Compilations with this build's compiler program and the kit's headers, in tests.
#pragma once

#include "common/testing/source_root.h"
#include "grader/compile/compiler.h"

namespace tessera {

/// Without a cache.
inline CompilerSetup kit_compiler(CompilerKind kind = CompilerKind::automatic) {
  return {.kind = kind,
          .include_dir = kRoot / "common" / "include",
          .program = TESSERA_COMPILER,
          .cache_dir = {}};
}

}  // namespace tessera
