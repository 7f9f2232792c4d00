// What an array in shared memory looks like, for messages that call an element As[3][5].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

struct ArrayShape {
  std::uint32_t element_bytes = 0;     // 0: a type whose size is not known here
  std::vector<std::uint64_t> extents;  // outermost first; 0: not known (a template parameter, [])
};

/// `shape` with at most one extent missing, which follows from the bytes of the whole array; the
/// element's bytes likewise. No extents where it does not fit `bytes`.
ArrayShape completed_shape(ArrayShape shape, std::uint64_t bytes);

/// "[3][5]" of the element `offset` bytes from the start, which may lie outside the outermost
/// extent; "" where the shape is not known.
std::string element_index(const ArrayShape& shape, std::int64_t offset);

}  // namespace tessera
