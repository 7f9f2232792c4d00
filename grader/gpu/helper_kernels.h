// The grader's own device code: new inputs for each launch, the kernel that keeps the queue
// waiting, the clock's readings, the look-out for other processes.
#pragma once

#include <string>

#include "common/expected.h"

namespace tessera {

struct CompilerSetup;

inline constexpr const char* kVaryKernel = "tessera_vary";
inline constexpr const char* kWaitKernel = "tessera_wait";
inline constexpr const char* kStampKernel = "tessera_stamp";
inline constexpr const char* kWatchKernel = "tessera_watch";

/// Multiprocessors that a stamp has room for: two 8-byte words each, clock and nanoseconds.
inline constexpr unsigned kMostStamps = 1024;

/// A cubin for `compute_capability` with these kernels, from NVRTC, whatever the kind of
/// `compiler`, or from its cache.
Expected<std::string> helper_module(int compute_capability, const CompilerSetup& compiler);

}  // namespace tessera
