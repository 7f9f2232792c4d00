// Where the matrices of asynchronous products lie in shared memory. Kernels multiply the same few
// matrices again and again, and several warps the same one: what was found out about one is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grader/simulator/exec/launch.h"
#include "grader/simulator/exec/matrix_descriptor.h"
#include "grader/simulator/exec/tensor_product.h"

namespace tessera::sim {

inline constexpr std::uint32_t kElementsOfLine = kTensorDepth;

/// A or B of a product in shared memory.
struct Matrix {
  MatrixDescriptor descriptor;
  std::uint32_t first = 0;  // of its lines, those that the warp reads
  std::uint32_t lines = 0;
};

/// Where a piece lies.
struct Place {
  std::uint64_t address = 0;
  const SharedVariable* variable = nullptr;  // nullptr: not inside of a variable
};

/// The place that the 18 bits of a descriptor mean: the lowest that lies in a variable.
Place place_of(const Launch& launch, std::uint32_t low);

/// Hands each piece of the matrix to `take(place, line, k)`, with the numbers of its first element.
template <class Take>
void each_piece(const Launch& launch, const Matrix& matrix, const Take& take) {
  constexpr std::uint32_t kPiece = MatrixDescriptor::kPieceBytes;
  constexpr std::uint32_t kElements = MatrixDescriptor::kElementsOfPiece;
  const bool transposed = matrix.descriptor.transposed();
  const std::uint32_t lines = transposed ? kElements : 1;
  const std::uint32_t along_k = transposed ? 1 : kElements;
  Place place;
  for (std::uint32_t line = 0; line < matrix.lines; line += lines) {
    for (std::uint32_t k = 0; k < kElementsOfLine; k += along_k) {
      const std::uint32_t low = matrix.descriptor.piece(matrix.first + line, k);
      const SharedVariable* last = place.variable;
      if (last != nullptr && low >= last->address && low + kPiece <= last->address + last->size) {
        place.address = low;
      } else {
        place = place_of(launch, low);
      }
      take(place, line, k);
    }
  }
}

/// The bytes of a matrix. Offsets count from the begin of shared memory.
struct MatrixPieces {
  struct Run {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<std::uint32_t> offsets;  // of the pieces, in the order of each_piece()
  std::vector<Run> runs;  // the same bytes, by rising offset; empty: not all lie in variables
  /// An epoch in which fences were found behind all stores.
  std::uint32_t fenced_in = 0;
};

/// The matrices in shared memory that a worker has multiplied.
class SharedMatrices {
 public:
  /// Where the matrix lies. The reference holds until the next call.
  MatrixPieces& pieces(const Launch& launch, const Matrix& matrix);

  /// B, eight columns at a time, prepared. All its pieces lie in variables. `sign` is a bit that is
  /// turned in each element.
  std::span<const TensorColumns> columns(const Launch& launch, const Matrix& matrix,
                                         TensorType type, std::uint32_t sign,
                                         const std::byte* shared);

 private:
  struct Key {
    std::uint64_t descriptor = 0;
    std::uint32_t first = 0;
    std::uint32_t lines = 0;
    bool transposed = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  static Key key_of(const Matrix& matrix);

  struct Columns {
    Key key;
    TensorType type{};
    std::uint32_t sign = 0;
    std::vector<std::byte> bytes;  // of the runs, from which the columns were made
    std::vector<TensorColumns> columns;
  };
  std::unordered_map<Key, MatrixPieces, Hash> pieces_;
  static constexpr std::size_t kKept = 4;  // a loop multiplies about so many before warps change
  std::array<Columns, kKept> columns_;
  std::size_t oldest_ = 0;
};

}  // namespace tessera::sim
