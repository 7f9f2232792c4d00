// Limits on what a module may declare. PTX comes from a submission: every size is checked against
// one of these limits before memory is allocated for it, so loading and launching take seconds and
// a few GiB at most.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::ptx {

// The text and its parts.
inline constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
inline constexpr int kMaxNesting = 32;  // brackets of an operand or an initialiser
inline constexpr std::size_t kMaxInstructions = std::size_t{1} << 19;
inline constexpr std::size_t kMaxOperands = std::size_t{1} << 21;
inline constexpr std::size_t kMaxNames = std::size_t{1} << 20;  // made by declarations
inline constexpr std::size_t kMaxNameBytes = 8192;
inline constexpr std::size_t kMaxModifiers = 32;  // words of an opcode
inline constexpr int kArchitectureOfV8 = 100;     // the first architecture with .v8 for ld and st
inline constexpr std::size_t kMaxFunctions = std::size_t{1} << 12;
inline constexpr std::size_t kMaxBranches = std::size_t{1}
                                            << 20;  // of a function, including those of tables
inline constexpr std::size_t kMaxSharedVariables = std::size_t{1} << 10;
inline constexpr std::size_t kMaxGlobals = std::size_t{1} << 12;  // variables in .global and .const

// Memory, in bytes. The ISA sets the limits of .const, .local and a kernel's parameters; the others
// are the simulator's own.
inline constexpr std::uint64_t kMaxAlign = 1 << 12;
inline constexpr std::uint64_t kMaxLocalAlign = 1024;
inline constexpr std::uint64_t kMaxGlobalBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kMaxConstantBytes = 64 << 10;
inline constexpr std::uint64_t kMaxLocalBytes = 512 << 10;  // per function and thread
inline constexpr std::uint64_t kMaxKernelParameterBytes = 32764;
inline constexpr std::uint64_t kMaxFrameParameterBytes = 128 << 10;  // including those of its calls
inline constexpr std::uint64_t kMaxSharedSpan = 16 << 20;            // all variables, with gaps
inline constexpr std::uint64_t kMaxRegisterBytes = 32 << 20;         // per function and warp
inline constexpr std::uint64_t kMaxLiteralBytes = 64 << 20;          // per function, 32 lanes each

}  // namespace tessera::ptx
