// Independent pieces of work on a few host threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tessera {

/// Gets a number below the count, and that of the thread that calls it, from 0.
using ParallelWork = std::function<void(std::size_t index, std::size_t thread)>;

/// Calls `work` for each number below `count`, on `threads` threads (0: one a core). Returns when
/// all are done; the first exception is thrown again then, and keeps the others from beginning.
void in_parallel(std::size_t count, int threads, const ParallelWork& work);

}  // namespace tessera
