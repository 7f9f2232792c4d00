#include "grader/gradebook/grading_seed.h"

#include <fmt/format.h>

#include <string>

#include "common/seed.h"
#include "common/sha256.h"

namespace tessera {

std::uint64_t grading_seed(std::string_view key, std::string_view lab, std::string_view code_key) {
  const std::string digest = hmac_sha256(key, fmt::format("{}\n{}", lab, code_key));
  return std::stoull(digest.substr(0, 16), nullptr, 16) % kSeeds;
}

}  // namespace tessera
