#include "common/seed.h"

#include <random>

namespace tessera {

std::uint64_t random_number() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace tessera
