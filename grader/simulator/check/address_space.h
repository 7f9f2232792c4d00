// The generic address space: windows for shared and local memory, for a module's variables, the
// heap and functions. All other addresses are for buffers in global memory.
#pragma once

#include <cstdint>

namespace tessera::sim {

inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << 40;
inline constexpr std::uint64_t kWindowSize = std::uint64_t{1} << 32;

/// Whether a generic address lies in shared memory, and in the thread's local memory.
constexpr bool is_shared_address(std::uint64_t address) {
  return address - kSharedWindow < kWindowSize;
}
constexpr bool is_local_address(std::uint64_t address) {
  return address - kLocalWindow < kWindowSize;
}

inline constexpr std::uint64_t kModuleGlobals = std::uint64_t{0x50} << 40;
inline constexpr std::uint64_t kHeapWindow = std::uint64_t{0x58} << 40;
inline constexpr std::uint64_t kHeapWindowSize = std::uint64_t{8} << 40;
inline constexpr std::uint64_t kCodeWindow = std::uint64_t{0x60} << 40;  // addresses of functions

/// Whether the allocation at this address is a buffer that the caller gave to the launch: variables
/// of the module and the heap have windows of their own.
constexpr bool is_given_address(std::uint64_t address) {
  return address < kModuleGlobals || address >= kCodeWindow;
}

inline constexpr std::uint64_t kCodeBytes = 16;  // from one function to the next

}  // namespace tessera::sim
