// A record that another process made, held against what is known of its making: it was written
// beside code that nobody trusts.
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
  std::string device;              // the profile that is simulated
  std::optional<std::string> gpu;  // the card that was there
};

/// Why `record` cannot be what that submission of `lab` got: another lab, seed or file, other items
/// or maxima, points that its own values do not earn, time measured where no card is. Nothing where
/// it can be.
std::optional<std::string> why_impossible(const Record& record, const Lab& lab,
                                          const RecordOrigin& origin);

}  // namespace tessera
