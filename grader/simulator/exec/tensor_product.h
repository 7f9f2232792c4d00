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

/// A rows x depth matrix A and a depth x columns matrix B, of `type`, in the lowest bits of each
/// number; B holds its columns one after the other. `c` is rows x columns floats, by their bits.
struct TensorOperands {
  static constexpr std::size_t kRows = 16;
  static constexpr std::size_t kColumns = 16;
  static constexpr std::size_t kDepth = 16;

  TensorType type = TensorType::bf16;
  std::size_t columns = 8;
  std::size_t depth = 16;
  std::array<std::array<std::uint32_t, kDepth>, kRows> a{};
  std::array<std::array<std::uint32_t, kDepth>, kColumns> b{};
  std::array<std::array<std::uint32_t, kColumns>, kRows> c{};
};

using TensorResult = std::array<std::array<std::uint32_t, TensorOperands::kColumns>,
                                TensorOperands::kRows>;  // floats, by their bits

/// Returns A B + C.
TensorResult tensor_product(const TensorOperands& operands);

}  // namespace tessera::sim
