#include "grader/simulator/exec/matrix_descriptor.h"

#include <utility>

namespace tessera::sim {

MatrixDescriptor::MatrixDescriptor(std::uint64_t bits, bool transposed)
    : bits_(bits), transposed_(transposed) {
  constexpr unsigned kShifts[] = {4, 7, 6, 5};  // by swizzle; 4: none
  const auto encoded = [&](unsigned shift) {
    return static_cast<std::uint32_t>(bits >> shift & 0x3fff) * kPieceBytes;
  };
  shift_ = kShifts[bits >> 62];
  start_ = encoded(0);
  // The leading distance is that of patterns along a line's pieces; without a swizzle, the distance
  // along k. A swizzled row holds all of a line's pieces, unless they are transposed.
  beside_ = encoded(16);
  below_ = encoded(32);
  if (row_bytes() == kPieceBytes && transposed) std::swap(beside_, below_);
}

std::uint32_t MatrixDescriptor::off_pattern() const {
  constexpr std::uint32_t kBankRow = 128;
  return row_bytes() == kPieceBytes ? 0 : start_ % pattern_bytes() / kBankRow * kBankRow;
}

}  // namespace tessera::sim
