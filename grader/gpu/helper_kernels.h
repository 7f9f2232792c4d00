// The grader's own device code: it makes new inputs for each launch, holds the stream, reads the
// clocks, and watches for other processes.
#pragma once

#include <string>

#include "common/expected.h"

namespace tessera {

struct CompilerSetup;

inline constexpr const char* kVaryKernel = "tessera_vary";
inline constexpr const char* kWaitKernel = "tessera_wait";
inline constexpr const char* kStampKernel = "tessera_stamp";
inline constexpr const char* kWatchKernel = "tessera_watch";

/// Multiprocessors that the stamps have room for: two 8-byte words each, clock and nanoseconds.
inline constexpr unsigned kMostStamps = 1024;

/// A cubin for `compute_capability` with these kernels, from NVRTC, whatever the kind of
/// `compiler`, or from its cache.
Expected<std::string> helper_module(int compute_capability, const CompilerSetup& compiler);

}  // namespace tessera
