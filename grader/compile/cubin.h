// What a cubin tells without a GPU.
#pragma once

#include <optional>
#include <string_view>

namespace tessera {

/// Whether `bytes` begin as a cubin does: an ELF image for NVIDIA's processors.
bool is_cubin(std::string_view bytes);

/// The 32-bit registers that a thread of the kernel `entry` holds, or nothing: no cubin, no such
/// kernel.
std::optional<int> cubin_registers(std::string_view cubin, std::string_view entry);

}  // namespace tessera
