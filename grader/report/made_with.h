// The device, compiler and seed of a record, in words.
#pragma once

#include <string>

#include "grader/judge/points/record.h"

namespace tessera {

/// "simulated NVIDIA H200, nvrtc 13.0, seed 1234"; without the compiler if nothing was compiled
/// and without the device if nothing ran.
std::string made_with(const Record& record);

}  // namespace tessera
