// Where wgmma finds a matrix in shared memory: its descriptor of 64 bits (PTX ISA, "Asynchronous
// Warpgroup Level Matrix Shared Memory Layout" and "Matrix Descriptor Format"). All layouts were
// compared with an NVIDIA H200 (driver 580.159.04): no element lay elsewhere.
#pragma once

#include <cstdint>

namespace tessera::sim {

/// A matrix is read in pieces of 16 bytes, eight of which, one from each of eight neighbouring
/// rows, are a core matrix. Elements have 16 bits. A row of A, and a column of B, holds numbers
/// along k; both are called a line here. Pieces lie along lines, or with `transposed` across eight
/// of them.
class MatrixDescriptor {
 public:
  static constexpr std::uint32_t kPieceBytes = 16;
  static constexpr std::uint32_t kAddressBits = 18;

  MatrixDescriptor(std::uint64_t bits, bool transposed);

  std::uint64_t bits() const { return bits_; }
  bool transposed() const { return transposed_; }

  static constexpr std::uint32_t kElementBytes = 2;
  static constexpr std::uint32_t kElementsOfPiece = kPieceBytes / kElementBytes;

  /// The 18 low bits of the address of a piece, given by its first element: `k` is a multiple of
  /// kElementsOfPiece; if transposed, `line` is.
  std::uint32_t piece(std::uint32_t line, std::uint32_t k) const {
    // A row of the pattern runs along `inner`, its eight rows follow each other along `outer`.
    const std::uint32_t inner = (transposed_ ? line : k) * kElementBytes;
    const std::uint32_t outer = transposed_ ? k : line;
    const std::uint32_t width = std::uint32_t{1} << shift_;
    const std::uint32_t address = start_ + (inner >> shift_) * beside_ +
                                  outer / kRowsOfPattern * below_ + outer % kRowsOfPattern * width +
                                  (inner & (width - 1));
    const std::uint32_t turned = address ^ (address >> 7 & (width / kPieceBytes - 1)) << 4;
    return turned & ((1u << kAddressBits) - 1);
  }

  /// Bytes of a row of the swizzle: 128, 64 or 32; 16 without a swizzle.
  std::uint32_t row_bytes() const { return std::uint32_t{1} << shift_; }
  /// The number of bytes after which the swizzle repeats; the matrix must begin at a multiple of
  /// it.
  std::uint32_t pattern_bytes() const { return 8 * row_bytes(); }
  /// How many bytes the matrix begins behind such a multiple, not counting its place in a row.
  std::uint32_t off_pattern() const;
  /// Whether the descriptor has a base offset, which the simulator does not support.
  bool has_base_offset() const { return (bits_ >> 49 & 7) != 0; }

 private:
  static constexpr std::uint32_t kRowsOfPattern = 8;

  std::uint64_t bits_;
  bool transposed_;
  unsigned shift_;        // a row of the swizzle has 2^shift_ bytes
  std::uint32_t start_;   // bytes
  std::uint32_t beside_;  // from a pattern to the next along rows
  std::uint32_t below_;   // and along columns
};

}  // namespace tessera::sim
