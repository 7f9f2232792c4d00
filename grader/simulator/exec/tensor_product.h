// The arithmetic of tensor cores: D = A B + C for small matrices.
//
// The products of one element and the element of C are added at once. Each is cut, towards zero, to
// a multiple of 2^(e - 25), where 2^e is the largest power of two among them: of a product, the
// product of the powers of its factors; the power of a number is the one that its exponent field
// stands for; zero has none. The sum of what is left is exact, and is cut to a float, towards zero.
// Measured on an NVIDIA H200 (driver 580.159.04, 2026-11-29): equal in every bit for 153,600
// elements each of mma.sync with m16n8k16 (bf16, f16) and m16n8k8 (bf16, tf32) and of wgmma with
// m64n8k16 (bf16), among them infinities, NaN and subnormal numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::sim {

enum class TensorType : std::uint8_t {
  bf16,
  f16,
  tf32,  // a float of which the 13 lowest bits do not count
};

inline constexpr std::size_t kTensorRows = 16;
inline constexpr std::size_t kTensorColumns = 8;
inline constexpr std::size_t kTensorDepth = 16;
inline constexpr std::size_t kRegistersOfA = 4;  // of 32 bits, of the largest fragment of A; or B
inline constexpr std::size_t kRegistersOfB = 2;

/// What prepare() finds out about the elements of a matrix.
struct TensorRange {
  float largest = 0;  // power of two
  float least = 1;    // of those that are not zero
  bool finite = true;
  bool whole = true;  // they are whole numbers
};

/// 16 rows of A, each with its elements along k. The elements are in the lowest bits of each number
/// in `bits`; the rest is of use to multiply() alone.
struct TensorRows {
  template <class T>
  using Elements = std::array<std::array<T, kTensorDepth>, kTensorRows>;  // row, k
  alignas(32) Elements<std::uint32_t> bits{};
  alignas(32) Elements<float> value;
  alignas(32) Elements<float> power;
  TensorRange range;
  void prepare(TensorType type);
};

/// Eight columns of B, in any order.
struct TensorColumns {
  template <class T>
  using Elements = std::array<std::array<T, kTensorColumns>, kTensorDepth>;  // k, column
  alignas(32) Elements<std::uint32_t> bits{};
  alignas(32) Elements<float> value;
  alignas(32) Elements<float> power;
  TensorRange range;
  void prepare(TensorType type);
};

/// 16 rows and eight columns of C or D: floats, by their bits.
struct TensorSums {
  alignas(32) std::array<std::array<std::uint32_t, kTensorColumns>, kTensorRows> bits{};
};

/// Adds A B to the sums. Both factors are prepared; `depth` (4, 8 or 16) of their elements along k
/// are in use.
void multiply(const TensorRows& a, const TensorColumns& b, TensorType type, std::size_t depth,
              TensorSums& sums);

}  // namespace tessera::sim
