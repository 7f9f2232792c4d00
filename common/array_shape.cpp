#include "common/array_shape.h"

#include <algorithm>

namespace tessera {

ArrayShape completed_shape(ArrayShape shape, std::uint64_t bytes) {
  std::uint64_t known = std::max<std::uint32_t>(shape.element_bytes, 1);
  auto missing = shape.extents.end();
  bool several = false;
  for (auto extent = shape.extents.begin(); extent != shape.extents.end(); ++extent) {
    if (*extent != 0) {
      if (__builtin_mul_overflow(known, *extent, &known)) return {};
    } else {
      several |= missing != shape.extents.end();
      missing = extent;
    }
  }
  const bool unknown_element = shape.element_bytes == 0;
  const bool unknown_extent = missing != shape.extents.end();
  const bool fits = known != 0 && bytes % known == 0 && !several &&
                    !(unknown_element && unknown_extent) &&
                    (unknown_element || unknown_extent || bytes == known);
  if (!fits) return {};
  if (unknown_element) shape.element_bytes = static_cast<std::uint32_t>(bytes / known);
  if (unknown_extent) *missing = bytes / known;
  return shape;
}

std::string element_index(const ArrayShape& shape, std::int64_t offset) {
  if (shape.extents.empty() || shape.element_bytes == 0) return "";
  const auto size = static_cast<std::int64_t>(shape.element_bytes);
  std::int64_t index = offset / size - (offset % size < 0 ? 1 : 0);
  std::string text;
  for (std::size_t i = shape.extents.size(); i-- > 1;) {
    const auto extent = static_cast<std::int64_t>(shape.extents[i]);
    const std::int64_t outer = index / extent - (index % extent < 0 ? 1 : 0);
    text.insert(0, "[" + std::to_string(index - outer * extent) + "]");
    index = outer;
  }
  return "[" + std::to_string(index) + "]" + text;
}

}  // namespace tessera
