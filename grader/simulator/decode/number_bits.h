// Which bits of a register a function uses as a number: it calculates with them, compares them,
// passes them on as a number, or takes them out of their word and stores the result. Bits that are
// only copied may be a struct's padding.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

class NumberBits {
 public:
  explicit NumberBits(const ptx::Function& function);

  /// Returns a mask of these bits; 0 if no instruction uses any.
  std::uint64_t of(std::string_view name) const;

 private:
  /// What later instructions need of a register.
  struct Need {
    std::uint64_t numbers = 0;
    std::uint64_t copied = 0;  // later instructions store or pass on these bits unchanged

    bool operator==(const Need&) const = default;
  };

  void add_needs(const ptx::Instruction& instruction);
  void add_bits(const ptx::Instruction& instruction, const Need& result);
  void add_move(const ptx::Instruction& instruction);
  void add(const ptx::Operand& operand, Need need);
  Need need_of(const ptx::Operand& result) const;

  std::unordered_set<std::string_view> numbers_;  // .param variables that hold one number
  std::unordered_map<std::string_view, Need> needs_;
  bool grown_ = false;
};

}  // namespace tessera::sim
