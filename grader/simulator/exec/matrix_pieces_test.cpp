#include "grader/simulator/exec/matrix_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <set>

#include "grader/simulator/exec/ops_tensor.h"

namespace tessera::test {
namespace {

using sim::Matrix;
using sim::MatrixDescriptor;
using sim::MatrixPieces;
using sim::TensorType;

constexpr std::uint64_t kLow = 1024;  // of shared memory
constexpr std::uint64_t kBytes = 32 << 10;

/// Shared memory that one variable fills, all of it but `hole` bytes at the end.
struct SharedMemory {
  explicit SharedMemory(std::uint64_t hole = 0) {
    launch.shared_low = kLow;
    launch.shared_high = kLow + kBytes;
    sim::SharedVariable& variable = launch.shared.emplace_back();
    variable.address = kLow;
    variable.size = kBytes - hole;
  }
  sim::Launch launch;
};

std::uint64_t descriptor(std::uint64_t address, std::uint64_t beside, std::uint64_t below,
                         std::uint64_t swizzle) {
  return address / 16 | beside / 16 << 16 | below / 16 << 32 | swizzle << 62;
}

TEST(MatrixPieces, RunsAreTheBytesOfThePieces) {
  const SharedMemory memory;
  for (const std::uint64_t swizzle : {0, 1, 2, 3}) {
    for (const bool transposed : {false, true}) {
      for (const std::uint64_t below : {0, 128, 512, 1024}) {
        SCOPED_TRACE(testing::Message() << swizzle << ' ' << transposed << ' ' << below);
        const Matrix matrix{{descriptor(kLow + 1024, 256, below, swizzle), transposed}, 0, 64};
        sim::SharedMatrices matrices;
        const MatrixPieces& pieces = matrices.pieces(memory.launch, matrix);
        EXPECT_EQ(pieces.offsets.size(), 64u * 32 / MatrixDescriptor::kPieceBytes);
        std::set<std::uint64_t> of_pieces;
        for (const std::uint32_t offset : pieces.offsets) {
          for (std::uint64_t at = offset; at < offset + MatrixDescriptor::kPieceBytes; ++at)
            of_pieces.insert(at);
        }
        std::vector<std::uint64_t> of_runs;
        for (const MatrixPieces::Run& run : pieces.runs) {
          for (std::uint64_t at = run.offset; at < run.offset + run.bytes; ++at)
            of_runs.push_back(at);
        }
        EXPECT_TRUE(std::ranges::equal(of_pieces, of_runs));
      }
    }
  }
}

TEST(MatrixPieces, OutsideOfVariablesHaveNoRuns) {
  const SharedMemory memory(16);
  sim::SharedMatrices matrices;
  const Matrix inside{{descriptor(kLow, 0, 1024, 1), false}, 0, 64};
  EXPECT_FALSE(matrices.pieces(memory.launch, inside).runs.empty());
  // The swizzle puts a piece of the last row that comes first in its row into the hole.
  const Matrix first{{descriptor(kLow + kBytes - 8 * 1024, 0, 1024, 1), false}, 0, 64};
  EXPECT_TRUE(matrices.pieces(memory.launch, first).runs.empty());
  const Matrix last{{descriptor(kLow + kBytes - 8 * 1024 + 96, 0, 1024, 1), false}, 0, 64};
  EXPECT_FALSE(matrices.pieces(memory.launch, last).runs.empty());
}

TEST(SharedColumns, FollowWhatMemoryHolds) {
  const SharedMemory memory;
  std::vector<std::byte> shared(kBytes);
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  for (const bool transposed : {false, true}) {
    sim::SharedMatrices matrices;
    const Matrix matrix{{descriptor(kLow, 1024, 1024, 1), transposed}, 0, 32};
    const MatrixDescriptor& places = matrix.descriptor;
    const auto check = [&](TensorType type, std::uint32_t sign) {
      const auto columns = matrices.columns(memory.launch, matrix, type, sign, shared.data());
      ASSERT_EQ(columns.size(), 4u);
      for (std::uint32_t line = 0; line < 32; ++line) {
        for (std::uint32_t k = 0; k < 16; ++k) {
          const std::uint32_t in_piece = (transposed ? line : k) % 8;
          const std::uint64_t at =
              transposed ? places.piece(line - in_piece, k) : places.piece(line, k - in_piece);
          std::uint16_t bits = 0;
          std::memcpy(&bits, &shared[at - kLow + 2 * in_piece], sizeof bits);
          ASSERT_EQ(columns[line / 8].bits[k][sim::place_of_column(line % 8)], bits ^ sign)
              << "line " << line << ", k " << k << ", transposed " << transposed;
        }
      }
    };
    for (int round = 0; round < 50; ++round) {
      shared[random() % (4 * 1024)] = static_cast<std::byte>(random());
      check(TensorType::bf16, 0);
      check(TensorType::bf16, 0x8000);
      check(TensorType::f16, 0);
    }
    const auto once = matrices.columns(memory.launch, matrix, TensorType::bf16, 0, shared.data());
    const auto again = matrices.columns(memory.launch, matrix, TensorType::bf16, 0, shared.data());
    EXPECT_EQ(once.data(), again.data());
  }
}

}  // namespace
}  // namespace tessera::test
