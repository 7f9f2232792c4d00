// Where a function writes and reads each of its registers, and which values outlive what.
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

/// Calls `f` with the name of each register or symbol that an operand holds, apart from what nobody
/// reads.
template <class F>
void for_names(const ptx::Operand& operand, const F& f) {
  if (operand.unread) return;
  if (!operand.name.empty()) f(std::string_view(operand.name));
  if (!operand.second.empty()) f(std::string_view(operand.second));
  for (const ptx::Operand& element : operand.elements) for_names(element, f);
}

/// With those that an instruction writes.
template <class F>
void for_results(const ptx::Instruction& instruction, const F& f) {
  if (instruction.operands.empty() || !ptx::has_result(instruction)) return;
  if (!instruction.operands[0].address) for_names(instruction.operands[0], f);
}

/// With those that it reads.
template <class F>
void for_sources(const ptx::Instruction& instruction, const F& f) {
  if (!instruction.guard.empty()) f(std::string_view(instruction.guard));
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool result = i == 0 && ptx::has_result(instruction) && !instruction.operands[0].address;
    if (!result) for_names(instruction.operands[i], f);
  }
}

/// Whether it computes, whatever its guard: no access, no branch, nothing that meets other threads.
bool computes(const ptx::Instruction& instruction);

/// Whether it computes with whole numbers or fractions: their bits are not just moved, compared or
/// taken apart.
bool calculates(const ptx::Instruction& instruction);

/// Whether it only computes its first operand from the others.
bool is_pure(const ptx::Instruction& instruction);

/// Rising indices in ptx::Function::body.
struct RegisterUse {
  std::vector<std::size_t> written, read;

  /// Whether it has one value, which nothing reads that stands before it, as a loop's next pass
  /// may.
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

  /// The first of the rising indices that is not below `from`; `surely`: of an instruction without
  /// a guard. The function's end where there is none.
  std::size_t next_of(const std::vector<std::size_t>& indices, std::size_t from, bool surely) const;

  /// The blocks that may read what the register holds at the beginning of `block`, before it is
  /// written again. Adds the search's length to `steps` and ends where these come to `most`.
  std::vector<std::size_t> readers(const RegisterUse& use, std::size_t block, std::size_t& steps,
                                   std::size_t most) const;

  /// The least that a thread's stack must hold of this function while another runs that it called:
  /// the return address and the bytes of each value that it reads afterwards and cannot compute
  /// from others of them. A multiple of 8. ptxas takes no less (24 bytes for a sum over an array,
  /// and 88 where twelve more values are kept; ptxas 13.0 -v, sm_90).
  std::uint32_t least_frame_bytes() const;

 private:
  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  std::unordered_map<std::string_view, RegisterUse> uses_;
};

}  // namespace tessera::sim
