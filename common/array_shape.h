// The shape of an array that a kernel's source declares, for messages that name an element:
// As[3][5].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

struct ArrayShape {
  std::uint32_t element_bytes = 0;     // 0: unknown
  std::vector<std::uint64_t> extents;  // outermost first; 0: unknown (a template parameter, [])
};

/// `shape` with its one unknown extent, or its unknown element size, computed from the bytes of the
/// whole array. Has no extents if the shape does not fit `bytes`.
ArrayShape completed_shape(ArrayShape shape, std::uint64_t bytes);

/// "[3][5]" for the element `offset` bytes from the start, which may lie outside the outermost
/// extent; "" if the shape is unknown.
std::string element_index(const ArrayShape& shape, std::int64_t offset);

}  // namespace tessera
