// Independent pieces of work on a few host threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tessera {

/// Calls `work` for each number below `count`, on `threads` threads (0: one a core). Returns when
/// all are done; the first exception is thrown again then, and ends what had not begun.
void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace tessera
