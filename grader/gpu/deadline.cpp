#include "grader/gpu/deadline.h"

#include <atomic>
#include <chrono>

namespace tessera {
namespace {

std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

void Deadline::set(double milliseconds) {
  std::atomic_ref(nanoseconds_).store(now() + static_cast<std::int64_t>(milliseconds * 1e6));
}

bool Deadline::is_over() const {
  return now() > std::atomic_ref(const_cast<std::int64_t&>(nanoseconds_)).load();
}

}  // namespace tessera
