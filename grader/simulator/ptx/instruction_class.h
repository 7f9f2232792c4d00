// Instructions by what works on them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

/// Instructions by the unit of a multiprocessor that works on them.
enum class InstructionClass : std::uint8_t {
  none,     // gone after ptxas: mov, ld.param, conversions between integers
  integer,  // integers, bits, comparisons, predicates
  fp32,     // and half precision
  fp64,
  special,  // reciprocal, root, exponential, logarithm, sine, conversions of floats, divisions
  memory,   // global, shared and local memory
  shuffle,  // lanes of a warp talk to each other, through the pipe of shared memory
  barrier,
  control,  // branches, calls, returns
};
inline constexpr std::size_t kInstructionClasses = 9;

}  // namespace tessera
