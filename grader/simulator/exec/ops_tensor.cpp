#include "grader/simulator/exec/ops_tensor.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/control.h"

namespace tessera::sim {
namespace {

using ptx::Space;

bool is_half(TensorType type) {
  return type != TensorType::tf32;
}

constexpr std::size_t kRowsOfRegister = 8;
constexpr std::size_t kLanesOfRow = 4;

/// Hands the elements that a register of a fragment holds to take(row, k, bits): of A, or `row` is
/// a column of B. The register covers eight rows.
template <class Take>
void each_element(TensorType type, const std::uint32_t* lanes, const Take& take) {
  for (std::size_t row = 0; row < kRowsOfRegister; ++row) {
    for (std::size_t i = 0; i < kLanesOfRow; ++i) {
      const std::uint32_t bits = lanes[row * kLanesOfRow + i];
      if (is_half(type)) {
        take(row, 2 * i, bits & 0xffff);
        take(row, 2 * i + 1, bits >> 16);
      } else {
        take(row, i, bits);
      }
    }
  }
}

/// The elements along k that a register covers.
std::size_t depth_of_register(TensorType type) {
  return is_half(type) ? 2 * kLanesOfRow : kLanesOfRow;
}

/// Stores a matrix of 8 x 8 elements, of which `words` holds pairs, row after row, in a register;
/// `transposed`: its transpose.
void store_matrix(Warp& warp, Ref to, Mask mask, const std::array<std::uint32_t, kLanes>& words,
                  bool transposed) {
  if (!transposed) return blend(warp.reg<std::uint32_t>(to), words.data(), mask);
  using Elements = std::array<std::array<std::uint16_t, kRowsOfMatrix>, kRowsOfMatrix>;
  const auto from = std::bit_cast<Elements>(words);
  Elements columns;
  for (std::size_t row = 0; row < kRowsOfMatrix; ++row) {
    for (std::size_t column = 0; column < kRowsOfMatrix; ++column)
      columns[column][row] = from[row][column];
  }
  const auto turned = std::bit_cast<std::array<std::uint32_t, kLanes>>(columns);
  blend(warp.reg<std::uint32_t>(to), turned.data(), mask);
}

void note_misaligned(Warp& warp, const Inst* inst, unsigned lane, const Text& message,
                     Phrase hint) {
  warp.worker->note({FindingKind::misaligned, warp.frame->function, inst->source, ""}, 1,
                    [&](FindingNote& note) {
                      note.message = message;
                      note.hint = hint;
                      name_thread(note, warp, lane);
                    });
}

}  // namespace

namespace {

/// Parks the running lanes until all live lanes of the warp have come; then returns all of them,
/// while the others go on behind the instruction.
Mask gather(Warp& warp, const Inst* inst, Mask mask) {
  Mask here = mask;
  const auto waits_here = [&](const Split& split) {
    return split.state == SplitState::at_warp && split.next == inst;
  };
  for (const Split& split : warp.splits) {
    if (!waits_here(split)) continue;
    if (split.frame != warp.frame)  // each lane has called the function by itself
      stop_as_unsupported(*warp.worker, *warp.frame->function, inst->source, "lanes",
                          Phrase::lanes_in_own_calls);
    here |= split.mask;
  }
  if (here != warp.live) {
    warp.leave_others(inst, mask);
    warp.park(inst, SplitState::at_warp);
    return 0;
  }
  for (Split& split : warp.splits) {
    if (!waits_here(split)) continue;
    split.state = SplitState::ready;
    ++split.next;
  }
  return here;
}

}  // namespace

Mask together(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == kAllLanes) return mask;
  if (lanes_run_apart(warp.worker->launch->turns) && mask != warp.live)
    return gather(warp, inst, mask);
  warp.worker->note({FindingKind::divergent_barrier, warp.frame->function, inst->source, "warp"}, 1,
                    [&](FindingNote& note) {
                      note.message = say(Phrase::part_of_warp, std::popcount(mask));
                      note.hint = Phrase::part_of_warp_hint;
                      const Mask missing = warp.all & ~mask;
                      const unsigned lane =
                          static_cast<unsigned>(std::countr_zero(missing != 0 ? missing : mask));
                      name_thread(note, warp, lane);
                    });
  return mask;
}

const TensorRows& read_a(Warp& warp, TensorType type, std::size_t depth, const Ref* registers,
                         std::uint32_t sign) {
  std::array<const std::uint32_t*, kRegistersOfA> lanes{};
  const std::size_t count = registers_of_a(type, static_cast<std::uint32_t>(depth));
  for (std::size_t r = 0; r < count; ++r) lanes[r] = warp.reg<std::uint32_t>(registers[r]);
  const auto fill = [&](TensorRows& a) {
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t first_row = r % 2 * kRowsOfRegister;
      const std::size_t first_k = r / 2 * depth_of_register(type);
      each_element(type, lanes[r], [&](std::size_t row, std::size_t k, std::uint32_t bits) {
        a.bits[first_row + row][first_k + k] = bits ^ sign;
      });
    }
  };
  return warp.worker->fragments_of_a.get({type, depth, sign}, std::span(lanes).first(count), fill);
}

namespace {

const TensorColumns& read_b(Warp& warp, TensorType type, std::size_t depth, const Ref* registers) {
  std::array<const std::uint32_t*, kRegistersOfB> lanes{};
  const std::size_t count = registers_of_a(type, static_cast<std::uint32_t>(depth)) / 2;
  for (std::size_t r = 0; r < count; ++r) lanes[r] = warp.reg<std::uint32_t>(registers[r]);
  const auto fill = [&](TensorColumns& b) {
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t first_k = r * depth_of_register(type);
      each_element(type, lanes[r], [&](std::size_t column, std::size_t k, std::uint32_t bits) {
        b.bits[first_k + k][place_of_column(column)] = bits;
      });
    }
  };
  return warp.worker->fragments_of_b.get({type, depth, 0}, std::span(lanes).first(count), fill);
}

}  // namespace

TensorSums read_sums(Warp& warp, const Ref* registers) {
  TensorSums sums;
  for (std::size_t row = 0; row < kTensorRows; ++row) {
    const Ref* of_row = registers + row / kRowsOfRegister * 2;
    const std::size_t lane = row % kRowsOfRegister * kLanesOfRow;
    for (std::size_t odd = 0; odd < 2; ++odd)
      std::memcpy(&sums.bits[row][odd * kLanesOfRow], warp.reg<std::uint32_t>(of_row[odd]) + lane,
                  kLanesOfRow * sizeof(std::uint32_t));
  }
  return sums;
}

void write_sums(Warp& warp, const Ref* registers, Mask mask, const TensorSums& sums) {
  for (std::size_t r = 0; r < kSumsOfBlock; ++r) {
    std::array<std::uint32_t, kLanes> some;
    std::uint32_t* const to = warp.reg<std::uint32_t>(registers[r]);
    std::uint32_t* const values = mask == kAllLanes ? to : some.data();
    for (std::size_t row = 0; row < kRowsOfRegister; ++row)
      std::memcpy(&values[row * kLanesOfRow],
                  &sums.bits[r / 2 * kRowsOfRegister + row][r % 2 * kLanesOfRow],
                  kLanesOfRow * sizeof(std::uint32_t));
    if (mask != kAllLanes) blend(to, values, mask);
  }
}

std::uint32_t registers_of_a(TensorType type, std::uint32_t depth) {
  return is_half(type) ? depth / 4 : depth / 2;
}

std::uint64_t work_of_product(const Inst& inst) {
  const std::uint64_t slowness = is_half(static_cast<TensorType>(inst.flags)) ? 1 : 2;
  return slowness * inst.count * kTensorRows * kTensorColumns * inst.size;
}

bool is_fragment_access(const Inst& inst) {
  return inst.numbers != 0;
}

Mask addressing_lanes(const Inst& inst) {
  const bool some = inst.run == load_matrices && inst.target < kLanes;
  return some ? (Mask{1} << inst.target) - 1 : kAllLanes;
}

const Inst* multiply_matrices(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  warp.worker->charge(kLanes);
  warp.work.tensor += inst->count;
  const Ref* d = warp.frame->function->lists[inst->extra].refs.data();
  const auto type = static_cast<TensorType>(inst->flags);
  const std::size_t blocks = inst->count;
  const std::size_t of_a = registers_of_a(type, inst->size);
  const std::size_t of_b = of_a / 2;
  const Ref* a = d + blocks * kSumsOfBlock;
  const Ref* b = a + of_a;
  const Ref* c = b + blocks * of_b;
  const TensorRows& rows = read_a(warp, type, inst->size, a, 0);
  // D may be C, A or B, in any order: all are read before it is written.
  constexpr std::size_t kMostBlocks = 2;
  std::array<TensorSums, kMostBlocks> sums;
  for (std::size_t block = 0; block < blocks; ++block) {
    const TensorColumns& columns = read_b(warp, type, inst->size, b + block * of_b);
    sums[block] = read_sums(warp, c + block * kSumsOfBlock);
    multiply(rows, columns, type, inst->size, sums[block]);
  }
  for (std::size_t block = 0; block < blocks; ++block)
    write_sums(warp, d + block * kSumsOfBlock, mask, sums[block]);
  return inst + 1;
}

const Inst* load_matrices(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  static const Handler kLoad = load_handler(Space::shared, 4, 4, false, true);
  kLoad(warp, inst, mask & addressing_lanes(*inst));
  const List& list = warp.frame->function->lists[inst->extra];
  const Ref* rows = list.refs.data();
  const Ref* to = rows + kWordsOfRow;
  const bool transposed = (inst->flags & TensorFlags::kTransposed) != 0;
  // The rows' registers are temporaries, so that no result overwrites them.
  std::array<const std::uint32_t*, kWordsOfRow> loaded;
  for (std::size_t i = 0; i < kWordsOfRow; ++i) loaded[i] = warp.reg<std::uint32_t>(rows[i]);
  for (std::size_t m = 0; m < inst->target / kRowsOfMatrix; ++m) {
    std::array<std::uint32_t, kLanes> words;  // row after row
    for (std::size_t row = 0; row < kRowsOfMatrix; ++row) {
      for (std::size_t at = 0; at < kWordsOfRow; ++at)
        words[kWordsOfRow * row + at] = loaded[at][m * kRowsOfMatrix + row];
    }
    store_matrix(warp, to[m], mask, words, transposed);
  }
  return inst + 1;
}

// The pieces of a PTX instruction below are no steps of their own.

const Inst* check_fragment(Warp& warp, const Inst* inst, Mask mask) {
  --warp.steps;
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  constexpr std::uint64_t kAlignment = 32, kRowAlignment = 16;
  const auto lane = static_cast<unsigned>(std::countr_zero(mask));
  const std::uint64_t address = lane_address(warp, inst, lane);
  const std::uint64_t apart = std::uint64_t{warp.reg<std::uint32_t>(inst->b)[lane]} * inst->size;
  if (address % kAlignment != 0) {
    note_misaligned(warp, inst, lane, say(Phrase::misaligned_matrix, hexadecimal(address)),
                    Phrase::misaligned_matrix_hint);
  } else if (apart % kRowAlignment != 0) {
    note_misaligned(warp, inst, lane, say(Phrase::misaligned_rows, apart),
                    Phrase::misaligned_rows_hint);
  }
  return inst + 1;
}

const Inst* fragment_address(Warp& warp, const Inst* inst, Mask mask) {
  --warp.steps;
  const auto place = static_cast<LanePlace>(inst->flags & TensorFlags::kPlaces);
  const bool minor_first = (inst->flags & TensorFlags::kMinorFirst) != 0;
  const std::uint32_t* stride = warp.reg<std::uint32_t>(inst->b);
  write_lanes<std::uint64_t>(warp, inst->dst, mask, [&](unsigned lane) {
    std::uint64_t first = lane % 8 + inst->count;
    std::uint64_t second = inst->target;
    switch (place) {
      case LanePlace::pairs:
        first = lane / 4 + inst->count;
        second += std::uint64_t{2} * (lane % 4);
        break;
      case LanePlace::rows_down:
        first += std::uint64_t{8} * (lane / 8 % 2);
        second += std::uint64_t{8} * (lane / 16);
        break;
      case LanePlace::rows_across:
        first += std::uint64_t{8} * (lane / 16);
        second += std::uint64_t{8} * (lane / 8 % 2);
        break;
    }
    if (minor_first) std::swap(first, second);
    return lane_address(warp, inst, lane) + (first * stride[lane] + second) * inst->size;
  });
  return inst + 1;
}

const Inst* move_matrix(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  std::array<std::uint32_t, kLanes> words;  // dst may be a
  std::copy_n(warp.reg<std::uint32_t>(inst->a), kLanes, words.begin());
  store_matrix(warp, inst->dst, mask, words, true);
  return inst + 1;
}

const Inst* transpose_piece(Warp& warp, const Inst* inst, Mask mask) {
  --warp.steps;
  return move_matrix(warp, inst, mask);
}

}  // namespace tessera::sim
