// Ways to order threads that leave races unfound.
#pragma once

namespace tessera {

/// What a kernel may order its threads by, beyond barriers of a block or a warp and atomic
/// functions. Unless that is `nothing`, its races are looked for and not all are found.
struct ExtraOrder {
  enum class By { nothing, fence, partial_barrier, strong_store, clock };

  By by = By::nothing;
  int line = 0;  // of the first such instruction in the source file; 0: not known
};

}  // namespace tessera
