// Facts that a cubin contains, read without a GPU.
#pragma once

#include <optional>
#include <string_view>

namespace tessera {

/// Whether `bytes` begin like a cubin: an ELF image for NVIDIA's processors.
bool is_cubin(std::string_view bytes);

/// The 32-bit registers of a thread of the kernel `entry`; nothing if this is no cubin or has no
/// such kernel.
std::optional<int> cubin_registers(std::string_view cubin, std::string_view entry);

}  // namespace tessera
