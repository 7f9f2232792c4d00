// Where a function writes and reads each of its registers, and which values live across a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/simulator/decode/control_flow.h"
#include "grader/simulator/ptx/instruction_set.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

/// Calls `f` with the name of each register or symbol in an operand, except those that the called
/// function does not read.
template <class F>
void for_names(const ptx::Operand& operand, const F& f) {
  if (operand.unread) return;
  if (!operand.name.empty()) f(std::string_view(operand.name));
  if (!operand.second.empty()) f(std::string_view(operand.second));
  for (const ptx::Operand& element : operand.elements) for_names(element, f);
}

/// Calls `f` with each name that an instruction writes.
template <class F>
void for_results(const ptx::Instruction& instruction, const F& f) {
  if (instruction.operands.empty() || !ptx::has_result(instruction)) return;
  if (!instruction.operands[0].address) for_names(instruction.operands[0], f);
}

/// Calls `f` with each name that an instruction reads.
template <class F>
void for_sources(const ptx::Instruction& instruction, const F& f) {
  if (!instruction.guard.empty()) f(std::string_view(instruction.guard));
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool result = i == 0 && ptx::has_result(instruction) && !instruction.operands[0].address;
    if (!result) for_names(instruction.operands[i], f);
  }
}

/// Whether the instruction only computes, with or without a guard: it does not access memory,
/// branch, or communicate with other threads.
bool computes_only(const ptx::Instruction& instruction);

/// Whether it does arithmetic: it does not just move, compare or take apart bits.
bool is_arithmetic(const ptx::Instruction& instruction);

/// Whether its only effect is to compute its first operand from the others.
bool is_pure(const ptx::Instruction& instruction);

/// The uses of a register: rising indices in ptx::Function::body.
struct RegisterUse {
  std::vector<std::size_t> written, read;

  /// Whether it is written once, and no instruction before that reads it, as one might in a loop's
  /// next iteration.
  bool one_value() const {
    return written.size() == 1 && (read.empty() || read.front() > written[0]);
  }
};

class RegisterUses {
 public:
  /// Both must outlive it.
  RegisterUses(const ptx::Function& function, const std::vector<BasicBlock>& blocks);

  /// nullptr: no instruction writes a register of that name.
  const RegisterUse* of(std::string_view name) const;
  bool defined_once(std::string_view name) const;

  /// Returns the first of the rising indices that is not below `from`, and with `surely` is that of
  /// an instruction without a guard. Returns the end of the body if there is none.
  std::size_t next_of(const std::vector<std::size_t>& indices, std::size_t from, bool surely) const;

  /// Returns the blocks that may read what the register holds at the beginning of `block`, before
  /// it is written again. Adds the length of the search to `steps`, and stops when `steps` reaches
  /// `most`.
  std::vector<std::size_t> readers(const RegisterUse& use, std::size_t block, std::size_t& steps,
                                   std::size_t most) const;

  /// Returns the fewest bytes of a thread's stack that this function takes during a call: the
  /// return address, and each value that it reads after the call and cannot compute from other such
  /// values. A multiple of 8. ptxas takes at least as many (24 bytes for a sum over an array, 88
  /// with twelve more live values; ptxas 13.0 -v, sm_90).
  std::uint32_t least_frame_bytes() const;

 private:
  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  std::unordered_map<std::string_view, RegisterUse> uses_;
};

}  // namespace tessera::sim
