#include "grader/simulator/decode/unread_parameters.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/simulator/decode/register_uses.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr int kRounds = 4;  // a function may pass on its arguments, through this many calls

using Bytes = std::vector<bool>;  // which bytes of a parameter are read; bytes beyond: read

/// Whether it is the instruction `name` on .param memory, with its address in operand `address`.
bool is_access(const Instruction& instruction, std::string_view name, std::size_t address) {
  return instruction.name() == name && instruction.has("param") &&
         instruction.operands.size() == 2 && instruction.operands[address].address;
}

/// Calls `f` with each element that an access loads or stores, and the bytes of the parameter where
/// it begins and ends.
template <class F>
void for_elements(const Instruction& access, Operand& value, const Operand& address, const F& f) {
  const std::size_t bytes = ptx::bytes(Opcode(access.words).type());
  const bool vector = value.kind == Operand::Kind::vector;
  std::size_t at = static_cast<std::size_t>(address.offset);
  for (Operand& element : vector ? std::span(value.elements) : std::span(&value, 1)) {
    f(element, at, at + bytes);
    at += bytes;
  }
}

/// Returns which bytes of its parameters a function reads.
std::vector<Bytes> bytes_read(ptx::Function& function) {
  std::unordered_map<std::string_view, std::size_t> parameters;
  std::vector<Bytes> read;
  for (const ptx::Variable& parameter : function.parameters) {
    parameters[parameter.name] = read.size();
    read.emplace_back(parameter.size, false);
  }
  std::unordered_map<std::string_view, std::size_t> uses;
  for (const Instruction& instruction : function.body)
    for_sources(instruction, [&](std::string_view name) { ++uses[name]; });
  const auto read_all = [&](std::string_view name) {
    if (const auto found = parameters.find(name); found != parameters.end())
      read[found->second].clear();
  };
  for (Instruction& instruction : function.body) {
    if (!is_access(instruction, "ld", 1)) {
      for (const Operand& operand : instruction.operands) for_names(operand, read_all);
      continue;
    }
    Operand& address = instruction.operands[1];
    const auto found = parameters.find(address.name);
    if (found == parameters.end()) continue;
    Bytes& bytes = read[found->second];
    for_elements(instruction, instruction.operands[0], address,
                 [&](const Operand& to, std::size_t begin, std::size_t end) {
                   if (!uses.contains(to.name)) return;
                   for (std::size_t at = begin; at < std::min(end, bytes.size()); ++at)
                     bytes[at] = true;
                 });
  }
  return read;
}

using ReadBytes = std::unordered_map<std::string_view, std::vector<Bytes>>;  // by function

/// Adds what another function reads of the same argument.
void add(Bytes& read, const Bytes& more) {
  read.resize(std::min(read.size(), more.size()));
  std::transform(read.begin(), read.end(), more.begin(), read.begin(), std::logical_or());
}

/// Returns what the callees read of each argument of a function's calls. Several calls may use one
/// name for their arguments.
std::unordered_map<std::string_view, Bytes> read_of_arguments(const ptx::Function& function,
                                                              const ReadBytes& read) {
  std::unordered_map<std::string_view, Bytes> found;
  for (const Instruction& call : function.body) {
    if (call.name() != "call") continue;
    const auto callee = std::ranges::find_if(call.operands, [](const Operand& operand) {
      return operand.kind != Operand::Kind::vector;
    });
    if (callee == call.operands.end()) continue;
    const auto known = read.find(callee->name);
    for (auto list = callee; list != call.operands.end(); ++list) {
      for (std::size_t i = 0; i < list->elements.size(); ++i) {
        const bool fits = known != read.end() && i < known->second.size();
        const Bytes of_callee = fits ? known->second[i] : Bytes();
        const auto [entry, fresh] = found.try_emplace(list->elements[i].name, of_callee);
        if (!fresh) add(entry->second, of_callee);
      }
    }
  }
  return found;
}

void mark(ptx::Function& function, const ReadBytes& read) {
  const auto arguments = read_of_arguments(function, read);
  if (arguments.empty()) return;
  for (Instruction& instruction : function.body) {
    if (!is_access(instruction, "st", 0)) continue;
    Operand& address = instruction.operands[0];
    const auto found = arguments.find(address.name);
    if (found == arguments.end()) continue;
    for_elements(instruction, instruction.operands[1], address,
                 [&, &bytes = found->second](Operand& from, std::size_t begin, std::size_t end) {
                   const auto first = bytes.begin();
                   from.unread = end <= bytes.size() &&
                                 std::find(first + static_cast<std::ptrdiff_t>(begin),
                                           first + static_cast<std::ptrdiff_t>(end),
                                           true) == first + static_cast<std::ptrdiff_t>(end);
                 });
  }
}

}  // namespace

void mark_unread_parameters(ptx::Module& module) {
  for (int round = 0; round < kRounds; ++round) {
    ReadBytes read;
    for (ptx::Function& function : module.functions) {
      if (function.defined && !function.entry && !function.parameters.empty())
        read.emplace(function.name, bytes_read(function));
    }
    if (read.empty()) return;
    for (ptx::Function& function : module.functions) mark(function, read);
  }
}

}  // namespace tessera::sim
