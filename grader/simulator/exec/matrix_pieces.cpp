#include "grader/simulator/exec/matrix_pieces.h"

#include <algorithm>
#include <cstring>

#include "common/mixed.h"
#include "grader/simulator/exec/ops_tensor.h"

namespace tessera::sim {
namespace {

constexpr std::uint32_t kPiece = MatrixDescriptor::kPieceBytes;
constexpr std::uint32_t kElementsOfPiece = MatrixDescriptor::kElementsOfPiece;
constexpr std::size_t kMostMatrices = 1 << 10;

MatrixPieces find_pieces(const Launch& launch, const Matrix& matrix) {
  MatrixPieces found;
  bool inside = true;
  each_piece(launch, matrix, [&](const Place& place, std::uint32_t, std::uint32_t) {
    inside &= place.variable != nullptr;
    found.offsets.push_back(static_cast<std::uint32_t>(place.address - launch.shared_low));
  });
  if (!inside) return found;
  std::vector<std::uint32_t> sorted = found.offsets;
  std::ranges::sort(sorted);
  for (const std::uint32_t offset : sorted) {
    if (found.runs.empty() || offset > found.runs.back().offset + found.runs.back().bytes)
      found.runs.push_back({.offset = offset});
    MatrixPieces::Run& run = found.runs.back();
    run.bytes = offset + kPiece - run.offset;
  }
  return found;
}

/// Fills eight columns from their pieces, which begin at `offsets`.
void fill(TensorColumns& columns, const std::uint32_t* offsets, const std::byte* shared,
          bool transposed, std::uint32_t sign) {
  using Elements = std::array<std::uint16_t, kElementsOfPiece>;
  const auto next = [&] {
    Elements elements;
    std::memcpy(elements.data(), shared + *offsets++, sizeof elements);
    return elements;
  };
  if (transposed) {
    for (auto& of_k : columns.bits) {
      const Elements elements = next();
      for (std::size_t column = 0; column < kTensorColumns; ++column)
        of_k[place_of_column(column)] = elements[column] ^ sign;
    }
    return;
  }
  for (std::size_t column = 0; column < kTensorColumns; ++column) {
    for (std::size_t k = 0; k < kTensorDepth; k += kElementsOfPiece) {
      const Elements elements = next();
      for (std::size_t i = 0; i < kElementsOfPiece; ++i)
        columns.bits[k + i][place_of_column(column)] = elements[i] ^ sign;
    }
  }
}

}  // namespace

Place place_of(const Launch& launch, std::uint32_t low) {
  constexpr std::uint64_t kStep = std::uint64_t{1} << MatrixDescriptor::kAddressBits;
  for (std::uint64_t address = low; address < launch.shared_high; address += kStep) {
    const SharedVariable* variable = launch.shared_before(address);
    if (variable == nullptr || address - variable->address >= variable->size) continue;
    const bool inside = address + kPiece <= variable->address + variable->size;
    return {address, inside ? variable : nullptr};
  }
  return {low, nullptr};
}

std::size_t SharedMatrices::Hash::operator()(const Key& key) const {
  const std::uint64_t rest =
      std::uint64_t{key.first} << 32 | std::uint64_t{key.lines} << 1 | key.transposed;
  return mixed(mixed(key.descriptor) ^ rest);
}

SharedMatrices::Key SharedMatrices::key_of(const Matrix& matrix) {
  return {matrix.descriptor.bits(), matrix.first, matrix.lines, matrix.descriptor.transposed()};
}

MatrixPieces& SharedMatrices::pieces(const Launch& launch, const Matrix& matrix) {
  const Key key = key_of(matrix);
  const auto known = pieces_.find(key);
  if (known != pieces_.end()) return known->second;
  if (pieces_.size() >= kMostMatrices) pieces_.clear();
  return pieces_.emplace(key, find_pieces(launch, matrix)).first->second;
}

std::span<const TensorColumns> SharedMatrices::columns(const Launch& launch, const Matrix& matrix,
                                                       TensorType type, std::uint32_t sign,
                                                       const std::byte* shared) {
  const MatrixPieces& places = pieces(launch, matrix);
  const Key key = key_of(matrix);
  const auto is_same = [&](const Columns& known) {
    if (known.type != type || known.sign != sign || known.key != key) return false;
    const std::byte* bytes = known.bytes.data();
    return std::ranges::all_of(places.runs, [&](const MatrixPieces::Run& run) {
      const bool same = std::memcmp(bytes, shared + run.offset, run.bytes) == 0;
      bytes += run.bytes;
      return same;
    });
  };
  const auto known = std::ranges::find_if(columns_, is_same);
  if (known != columns_.end()) return known->columns;
  Columns& made = columns_[oldest_];
  oldest_ = (oldest_ + 1) % kKept;
  made.key = key;
  made.type = type;
  made.sign = sign;
  made.bytes.clear();
  for (const MatrixPieces::Run& run : places.runs)
    made.bytes.insert(made.bytes.end(), shared + run.offset, shared + run.offset + run.bytes);
  const std::size_t blocks = matrix.lines / kTensorColumns;
  made.columns.resize(blocks);
  const std::size_t pieces_of_block = places.offsets.size() / blocks;
  for (std::size_t block = 0; block < blocks; ++block) {
    fill(made.columns[block], &places.offsets[block * pieces_of_block], shared,
         matrix.descriptor.transposed(), sign);
    made.columns[block].prepare(type);
  }
  return made.columns;
}

}  // namespace tessera::sim
