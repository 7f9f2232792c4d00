// How many instructions of which kind a kernel's text has: in PTX, which the compiler writes, and
// in SASS, which the assembler makes of it. The text is counted, so a loop's body counts once.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/metric.h"

namespace tessera {

/// Whether count_sass() counts the metric.
bool is_of_sass(Metric metric);

/// Counts by metric of the kernel `entry` in PTX text; empty if it is not there or the text is not
/// PTX.
Metrics count_ptx(std::string_view text, std::string_view entry);

/// Counts by metric of the kernel `entry` in what `nvdisasm -c` prints; empty if it is not there.
Metrics count_sass(std::string_view listing, std::string_view entry);

/// What nvdisasm prints for `cubin`, or nothing if there is no nvdisasm in PATH or in the CUDA
/// Toolkit (TESSERA_NVDISASM names another program).
std::optional<std::string> disassemble(std::string_view cubin);

}  // namespace tessera
