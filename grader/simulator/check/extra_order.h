// Ways to order threads with which the simulator may miss races.
#pragma once

namespace tessera {

/// How a kernel may order its threads, beyond barriers of a block or a warp and atomic functions.
/// Unless `by` is `nothing`, the simulator may miss some of the kernel's races.
struct ExtraOrder {
  enum class By { nothing, fence, strong_store, clock, many_flags };

  By by = By::nothing;
  int line = 0;  // of the first such instruction in the source file; 0: not known
};

}  // namespace tessera
