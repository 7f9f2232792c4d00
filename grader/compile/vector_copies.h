// Clang's intermediate text, before anything is optimized: what it says of float4 and its like.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// Whether `program` may copy a vector type that one access moves (float4, int2, ...).
bool names_vectors(const Source& program);

/// `text`, LLVM's, with each copy of such a vector as one load and one store of LLVM's own vectors,
/// aligned as the type is; nothing where there is no such copy. Clang writes a call of memcpy,
/// which LLVM cuts into the components, and moves these apart.
std::optional<std::string> with_whole_vector_copies(std::string_view text);

}  // namespace tessera
