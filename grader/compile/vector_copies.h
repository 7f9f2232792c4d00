// Copies of vectors (float4 and so on) in Clang's intermediate text, before anything is optimized.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// Whether `program` may copy a vector type that one access can move (float4, int2, ...).
bool names_vectors(const Source& program);

/// LLVM's `text` with each copy of such a vector as one load and one store of LLVM's own vectors,
/// aligned as the type is; nothing if there is no such copy. Clang writes a call of memcpy, which
/// LLVM splits into the components and moves apart.
std::optional<std::string> with_whole_vector_copies(std::string_view text);

}  // namespace tessera
