// Independent pieces of work on a few host threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tessera {

/// Receives a number below the count, and the number of the calling thread, counted from 0.
using ParallelWork = std::function<void(std::size_t index, std::size_t thread)>;

/// Calls `work` for each number below `count`, on `threads` threads (0: one per core). Returns when
/// all calls have ended. After an exception no further call begins, and the first is thrown again.
void in_parallel(std::size_t count, int threads, const ParallelWork& work);

}  // namespace tessera
