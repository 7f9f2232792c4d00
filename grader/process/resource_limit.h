// Sets a limit on this process; also safe between fork and exec.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace tessera {

/// Sets soft and hard limit, but no higher than the present soft limit.
inline void set_resource_limit(decltype(RLIMIT_CPU) resource, std::uint64_t value) {
  rlimit current{};
  getrlimit(resource, &current);
  const rlim_t wanted = std::min<rlim_t>(value, current.rlim_cur);
  const rlimit limit{wanted, wanted};
  setrlimit(resource, &limit);
}

}  // namespace tessera
