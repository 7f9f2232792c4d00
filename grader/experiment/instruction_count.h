// How many instructions of which kind a kernel's text has: in PTX, which the compiler writes, and
// in SASS, which the assembler makes of it. Text, not execution: a loop's body counts once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// "ptx_instructions", "ptx_fma", ..., "sass_instructions", "sass_fma", ...
std::vector<std::string> instruction_metrics();

/// Counts by metric of kernel `entry` in PTX text; empty if it is not there or the text is no PTX.
std::map<std::string, double> count_ptx(std::string_view text, std::string_view entry);

/// Counts by metric of kernel `entry` in what `nvdisasm -c` prints; empty where it is not there.
std::map<std::string, double> count_sass(std::string_view listing, std::string_view entry);

/// What nvdisasm says of `cubin`, or nothing where there is no nvdisasm in PATH or in the CUDA
/// Toolkit (TESSERA_NVDISASM names another).
std::optional<std::string> disassemble(std::string_view cubin);

}  // namespace tessera
