#include "grader/judge/run/arguments.h"

namespace tessera {

Argument matrix_argument(std::uint64_t address, std::int32_t height, std::int32_t width,
                         std::int32_t pitch) {
  struct Layout {
    std::uint64_t data;
    std::int32_t height;
    std::int32_t width;
    std::int32_t pitch;
    std::int32_t padding;
  };
  return argument_of(Layout{address, height, width, pitch, 0});
}

}  // namespace tessera
