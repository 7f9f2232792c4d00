#include "grader/simulator/ptx/instruction_set.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tessera::ptx {
namespace {

constexpr InstructionInfo kInstructions[] = {
#define INSTRUCTION(name, words, unit, traits, ...) {name, words, Unit::unit, traits},
#include "grader/simulator/ptx/instruction_set.def"
};

constexpr Sequence kSequences[] = {
#define SEQUENCE(kind, bytes, special, arithmetic) \
  {InstructionClass::kind, bytes, special, arithmetic},
#include "grader/simulator/ptx/instruction_set.def"
};

constexpr std::string_view name_of(std::size_t row) {
  return kInstructions[row].name;
}

constexpr auto kRowsByName = [] {
  std::array<std::size_t, std::size(kInstructions)> rows{};
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::sort(rows, {}, name_of);
  return rows;
}();
static_assert(std::ranges::adjacent_find(kRowsByName, {}, name_of) == kRowsByName.end(),
              "two rows of one name");

/// Whether `word` is in a column `words` of the table.
bool stands_in(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view known = words.substr(0, words.find(' '));
    const bool family = known.ends_with("::") || known.ends_with('*');
    const std::string_view beginning =
        known.ends_with('*') ? known.substr(0, known.size() - 1) : known;
    if (family ? word.starts_with(beginning) : word == known) return true;
    words.remove_prefix(std::min(known.size() + 1, words.size()));
  }
  return false;
}

Type last_type(const Instruction& instruction) {
  Type last = Type::none;
  for (const std::string& word : instruction.words) last = type_from(word).value_or(last);
  return last;
}

InstructionClass arithmetic_of(Type type) {
  using enum InstructionClass;
  return type == Type::f64 ? fp64 : is_float(type) ? fp32 : integer;
}

}  // namespace

std::size_t row_of(std::string_view name) {
  const auto found = std::ranges::lower_bound(kRowsByName, name, {}, name_of);
  return found != kRowsByName.end() && name_of(*found) == name ? *found : 0;
}

const InstructionInfo& info_of(const Instruction& instruction) {
  return kInstructions[row_of(instruction.name())];
}

std::optional<std::string> unknown_word(const Instruction& instruction) {
  const std::string_view known = info_of(instruction).words;
  for (auto word = instruction.words.begin() + 1; word != instruction.words.end(); ++word) {
    if (!type_from(*word) && !stands_in(known, *word)) return *word;
  }
  return std::nullopt;
}

bool has_result(const Instruction& instruction) {
  const InstructionInfo& info = info_of(instruction);
  if (!instruction.operands.empty() && instruction.operands.front().address) return false;
  return info.unit == Unit::barrier ? instruction.has("red") : !info.is(kNoResult);
}

Space space_of(const Instruction& instruction) {
  for (const std::string& word : instruction.words) {
    if (word == "global") return Space::global;
    // In a launch without clusters each block is a cluster of its own.
    if (word == "shared" || word == "shared::cta" || word == "shared::cluster")
      return Space::shared;
    if (word == "local") return Space::local;
    if (word == "const") return Space::constant;
    if (word == "param" || word == "param::entry" || word == "param::func") return Space::param;
  }
  return Space::generic;
}

bool accesses_fragment(const Instruction& instruction) {
  const InstructionInfo& info = info_of(instruction);
  return info.unit == Unit::tensor &&
         (!info.is(kMultiplies) || instruction.has("load") || instruction.has("store"));
}

InstructionClass class_of(const Instruction& instruction) {
  using enum InstructionClass;
  const bool floats = std::ranges::any_of(instruction.words, [](const std::string& word) {
    const auto type = type_from(word);
    return type && is_float(*type);
  });
  switch (info_of(instruction).unit) {
    case Unit::none:
      return none;
    case Unit::by_type:
      return arithmetic_of(last_type(instruction));
    case Unit::special:
      return floats ? special : integer;
    case Unit::conversion:
      return floats ? special : none;
    case Unit::memory: {
      const Space space = space_of(instruction);
      return space == Space::param || space == Space::constant ? none : memory;
    }
    case Unit::shuffle:
      return shuffle;
    case Unit::barrier:
      return instruction.has("warp") ? control : barrier;
    case Unit::control:
      return control;
    case Unit::tensor:
      return accesses_fragment(instruction) ? memory : tensor;
  }
  return none;
}

Sequence sequence_of(const Instruction& instruction) {
  if (info_of(instruction).unit != Unit::special) return {};
  const Type type = last_type(instruction);
  const InstructionClass kind = arithmetic_of(type);
  const bool rounded = std::ranges::any_of(
      instruction.words, [](const std::string& word) { return stands_in("rn rz rm rp", word); });
  if (kind != InstructionClass::integer && !rounded) return {};
  const auto row = std::ranges::find_if(kSequences, [&](const Sequence& sequence) {
    return sequence.kind == kind && bytes(type) <= sequence.bytes;
  });
  return row == std::end(kSequences) ? Sequence{} : *row;
}

}  // namespace tessera::ptx
