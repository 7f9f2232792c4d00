// Classes of instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

/// Classes of instructions, by the unit of a multiprocessor that executes them.
enum class InstructionClass : std::uint8_t {
  none,     // removed by ptxas: mov, ld.param, conversions between integers
  integer,  // integers, bits, comparisons, predicates
  fp32,     // and half precision
  fp64,
  special,  // reciprocal, root, exponential, logarithm, sine, conversions of floats, divisions
  memory,   // global, shared and local memory
  shuffle,  // communication between lanes of a warp, through the pipe of shared memory
  barrier,
  control,  // branches, calls, returns
  tensor,   // products of matrices
};
inline constexpr std::size_t kInstructionClasses = 10;

}  // namespace tessera
