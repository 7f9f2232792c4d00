// Checks a record from another process against what is known about its making, since it was written
// beside untrusted code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// How a record must have been made.
struct RecordOrigin {
  std::string sha256;  // of the submission
  std::uint64_t seed = 0;
  std::string device;              // the simulated profile
  std::optional<std::string> gpu;  // the card in the machine
};

/// Why `record` cannot be what that submission of `lab` got, or nothing: another lab, seed or file,
/// other items or maxima, points that its own values do not earn, a time measured without a
/// card.
std::optional<std::string> why_impossible(const Record& record, const Lab& lab,
                                          const RecordOrigin& origin);

}  // namespace tessera
