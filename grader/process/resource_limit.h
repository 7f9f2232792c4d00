// A limit that a process sets on itself, between fork and exec too.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace tessera {

/// Soft and hard limit, no higher than the hard limit of now.
inline void set_resource_limit(decltype(RLIMIT_CPU) resource, std::uint64_t value) {
  rlimit current{};
  getrlimit(resource, &current);
  const rlim_t wanted = std::min<rlim_t>(value, current.rlim_max);
  const rlimit limit{wanted, wanted};
  setrlimit(resource, &limit);
}

}  // namespace tessera
