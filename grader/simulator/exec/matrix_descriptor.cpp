#include "grader/simulator/exec/matrix_descriptor.h"

namespace tessera::sim {
namespace {

constexpr std::uint32_t kRowsOfPattern = 8;

}  // namespace

std::uint32_t MatrixDescriptor::row_bytes() const {
  constexpr std::uint32_t kRowBytes[] = {16, 128, 64, 32};
  return kRowBytes[bits_ >> 62];
}

std::uint32_t MatrixDescriptor::off_pattern() const {
  constexpr std::uint32_t kBankRow = 128;
  return row_bytes() == kPieceBytes ? 0 : start() % pattern_bytes() / kBankRow * kBankRow;
}

std::uint32_t MatrixDescriptor::piece(std::uint32_t line, std::uint32_t k) const {
  const std::uint32_t width = row_bytes();
  // A row of the pattern runs along `inner`, its eight rows follow each other along `outer`.
  const std::uint32_t inner = (transposed_ ? line : k) * kElementBytes;
  const std::uint32_t outer = transposed_ ? k : line;
  // The leading distance is that of patterns along a line's pieces; without a swizzle, the distance
  // along k. A swizzled row holds all of a line's pieces, unless they are transposed.
  const bool plain = width == kPieceBytes;
  const std::uint32_t beside = plain && transposed_ ? stride() : leading();
  const std::uint32_t below = plain && transposed_ ? leading() : stride();
  const std::uint32_t address = start() + inner / width * beside + outer / kRowsOfPattern * below +
                                outer % kRowsOfPattern * width + inner % width;
  const std::uint32_t turned = address ^ (address >> 7 & (width / kPieceBytes - 1)) << 4;
  return turned & ((1u << kAddressBits) - 1);
}

}  // namespace tessera::sim
