// How many files a process may have open at a time.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <optional>

namespace tessera {

/// Raises this process's soft limit to `needed` if it is lower and the hard limit allows it.
/// Returns the hard limit if that is lower than `needed`.
inline std::optional<std::uint64_t> short_of_descriptors(std::uint64_t needed) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < needed) return limit.rlim_max;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = needed;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  return std::nullopt;
}

}  // namespace tessera
