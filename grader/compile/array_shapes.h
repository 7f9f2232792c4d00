// The extents of arrays in shared, global and constant memory as the source declares them; PTX
// keeps only their bytes.
#pragma once

#include <map>
#include <string>

#include "common/array_shape.h"
#include "grader/compile/source.h"

namespace tessera {

/// By name, of every `__shared__ TYPE NAME[...]...` in the source, and of those with `__device__`
/// or `__constant__`. Extents may be numbers, names of constexpr integers and macros of the file,
/// and sums, differences and products of them. Where two declarations have one name and differ, it
/// is left out.
std::map<std::string, ArrayShape> array_shapes(const Source& source);

}  // namespace tessera
