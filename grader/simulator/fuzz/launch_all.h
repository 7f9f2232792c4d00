// Loads a text as PTX and launches its kernels: shared by the fuzz targets.
#pragma once

#include <memory>
#include <string_view>

#include "grader/simulator/simulator.h"

namespace tessera::fuzz {

/// Runs and samples at most four kernels of the module, in a small grid over small buffers.
void launch_all(const Module& module);

/// Loads a mutated text; returns nullptr if it does not load.
std::shared_ptr<const Module> loaded(std::string_view text);

}  // namespace tessera::fuzz
