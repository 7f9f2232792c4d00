// The grader's own device code: it makes new inputs for each launch, holds the stream, reads the
// clocks, and watches for other processes.
#pragma once

#include <filesystem>
#include <string>

#include "common/expected.h"

namespace tessera {

inline constexpr const char* kVaryKernel = "tessera_vary";
inline constexpr const char* kWaitKernel = "tessera_wait";
inline constexpr const char* kStampKernel = "tessera_stamp";
inline constexpr const char* kWatchKernel = "tessera_watch";

/// Multiprocessors that the stamps have room for: two 8-byte words each, clock and nanoseconds.
inline constexpr unsigned kMostStamps = 1024;

/// A cubin for `compute_capability` with these kernels. `compiler_program` (tessera-compiler) runs
/// NVRTC, unless `cache_dir` has the cubin.
Expected<std::string> helper_module(int compute_capability,
                                    const std::filesystem::path& compiler_program,
                                    const std::filesystem::path& cache_dir);

}  // namespace tessera
