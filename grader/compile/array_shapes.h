// The extents of arrays in shared, global and constant memory as the source declares them: PTX has
// only their bytes.
#pragma once

#include <map>
#include <string>

#include "common/array_shape.h"
#include "grader/compile/source.h"

namespace tessera {

/// The shapes, by name, of the arrays that the source declares with `__shared__`, `__device__` or
/// `__constant__`, the first of each declaration. Extents may be numbers, names of const or
/// constexpr integers, macros of the file, and sums, differences and products of these; others are
/// unknown. If two declarations of one name differ, it is left out.
std::map<std::string, ArrayShape> array_shapes(const Source& source);

}  // namespace tessera
