// Warp-wide matrix instructions: mma.sync, ldmatrix and the pieces of wmma (PTX ISA 9.7.14).
#pragma once

#include "grader/simulator/exec/ops_memory.h"
#include "grader/simulator/exec/tensor_product.h"

namespace tessera::sim {

/// Inst::flags of the instructions below, in addition to those of memory instructions.
struct TensorFlags {
  static constexpr std::uint32_t kTransposed = 1u << 30;  // of load_matrices
  static constexpr std::uint32_t kMinorFirst = 1u << 8;   // of fragment_address
  static constexpr std::uint32_t kPlaces = 0xf0;          // of fragment_address: a LanePlace
};

/// D = A B + C, in fragments as mma.sync with m16n8k16, m16n8k8 and m16n8k4 has them.
/// Function::lists[extra] holds the registers of D, A, B and C, one after the other. Inst::flags is
/// the TensorType, `size` the depth, `count` the number of blocks of 8 columns: a second block has
/// registers of its own behind those of the first, in B, C and D.
const Inst* multiply_matrices(Warp& warp, const Inst* inst, Mask mask);
/// How many registers of 32 bits a fragment of A has. One of B has half as many.
std::uint32_t registers_of_a(TensorType type, std::uint32_t depth);
inline constexpr std::uint32_t kSumsOfBlock = 4;  // registers of C or D
/// The multiply-adds of a multiply_matrices; those of tf32, which take twice as long, count twice.
std::uint64_t work_of_product(const Inst& inst);

/// A, from the registers of a fragment, prepared. `sign` holds bits that are turned in each
/// element. The reference holds until the next call.
const TensorRows& read_a(Warp& warp, TensorType type, std::size_t depth, const Ref* registers,
                         std::uint32_t sign);
/// The sums of a block of eight columns, in four registers. Its columns, and those of B, stand in
/// the order of place_of_column(), in which the lanes of a row are neighbours.
TensorSums read_sums(Warp& warp, const Ref* registers);
void write_sums(Warp& warp, const Ref* registers, Mask mask, const TensorSums& sums);
constexpr std::size_t place_of_column(std::size_t column) {
  return column / 2 + 4 * (column % 2);
}
/// The lanes that execute an instruction of the whole warp. Lanes that run one by one wait for each
/// other there: 0 if these must wait. Otherwise it is `mask`, and if this is not the whole warp,
/// it is noted.
Mask together(Warp& warp, const Inst* inst, Mask mask);

/// ldmatrix: the lowest `target` lanes load a row of 16 bytes each, and all get elements. The list
/// holds four registers for the rows, then one for each matrix of 8 x 8 elements; the rest is as in
/// a load of four words. With kTransposed a lane gets neighbours of a column, not of a row.
const Inst* load_matrices(Warp& warp, const Inst* inst, Mask mask);
inline constexpr std::uint32_t kRowsOfMatrix = 8;
inline constexpr std::uint32_t kWordsOfRow = 4;

/// Whether this Inst of a load or store of fragments accesses memory. Others calculate addresses,
/// move registers, or check.
bool is_fragment_access(const Inst& inst);
/// The lanes that have an address in such an access.
Mask addressing_lanes(const Inst& inst);

/// Where the lanes of a warp stand in a matrix: two coordinates.
enum class LanePlace : std::uint32_t {
  /// lane / 4, 2 * (lane % 4)
  pairs = 0x10,
  /// Row lane % 8 of one of four matrices of 8 x 8: the second below the first, two beside them.
  rows_down = 0x20,
  /// The same: the second beside the first, two below them.
  rows_across = 0x30,
};

/// dst = the address of an element of a matrix in memory: a + offset + (major * b + minor) * size.
/// The coordinates are those of the lane's LanePlace, plus `count` and `target`; the first is the
/// major one, with kMinorFirst the minor one.
const Inst* fragment_address(Warp& warp, const Inst* inst, Mask mask);
/// A matrix of 8 x 8 elements of 16 bits, in one register of each lane: dst = the transpose of a.
/// move_matrix is movmatrix; transpose_piece is part of another instruction.
const Inst* move_matrix(Warp& warp, const Inst* inst, Mask mask);
const Inst* transpose_piece(Warp& warp, const Inst* inst, Mask mask);
/// Notes that not all 32 threads of the warp execute the instruction together, or that the matrix
/// in memory is not where a fragment's may be: it begins at a + offset, and its rows or columns are
/// b * size bytes apart.
const Inst* check_fragment(Warp& warp, const Inst* inst, Mask mask);

}  // namespace tessera::sim
