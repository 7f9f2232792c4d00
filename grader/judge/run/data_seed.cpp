#include "grader/judge/run/data_seed.h"

#include <fmt/format.h>

#include "common/sha256.h"

namespace tessera {

std::uint64_t DataSeed::number_for(Purpose purpose, std::uint64_t index) const {
  return hashed_number(
      fmt::format("{} {} {} {}", seed_, number_, static_cast<int>(purpose), index));
}

}  // namespace tessera
