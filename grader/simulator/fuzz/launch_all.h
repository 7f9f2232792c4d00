// Loads a text as PTX and launches each of its kernels: what the fuzz targets have in common.
#pragma once

#include <memory>
#include <string_view>

#include "grader/simulator/simulator.h"

namespace tessera::fuzz {

/// Runs and samples every kernel of the module, four at most, in a small grid over small buffers.
void launch_all(const Module& module);

/// What a mutated text is loaded with: the module, or nothing where it does not load.
std::shared_ptr<const Module> loaded(std::string_view text);

}  // namespace tessera::fuzz
