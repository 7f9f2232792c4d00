// Flags and results of decoded comparisons.
#pragma once

#include <cstdint>

#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {

/// Inst::flags of setp, set and selp. The third operand's predicate index is Inst::c.offset; the
/// results' are dst.offset and dst2.offset, where index 0 discards.
struct CompareFlags {
  static constexpr std::uint32_t kCombine = 3;  // mask of the next three
  static constexpr std::uint32_t kAnd = 1;
  static constexpr std::uint32_t kOr = 2;
  static constexpr std::uint32_t kXor = 3;
  static constexpr std::uint32_t kNegate = 4;  // the third operand
};

/// Bits that `set` writes for true, by its destination type.
std::int64_t set_true_value(const Opcode& op);

}  // namespace tessera::sim
