// Loads PTX: lays out variables, fills in addresses, decodes functions.
#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "grader/simulator/decode/decode.h"
#include "grader/simulator/decode/prove.h"
#include "grader/simulator/decode/unread_parameters.h"
#include "grader/simulator/exec/exec.h"
#include "grader/simulator/exec/opcode.h"
#include "grader/simulator/ptx/limits.h"
#include "grader/simulator/simulator.h"
#include "grader/simulator/timing/timing.h"

namespace tessera {
namespace {

using namespace sim;
using ptx::Space;

/// Whether it is safe to demangle the name: references to earlier parts ("S1_", "T_") can make text
/// that grows exponentially with the name's length.
bool is_tame(const std::string& symbol) {
  constexpr std::size_t kMostCharacters = 1024;
  constexpr int kMostRepeats = 20;
  if (symbol.size() > kMostCharacters) return false;
  int repeats = 0;
  for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
    if (symbol[i] != 'S' && symbol[i] != 'T') continue;
    std::size_t end = i + 1;
    while (end < symbol.size() && std::isalnum(static_cast<unsigned char>(symbol[end]))) ++end;
    repeats += end < symbol.size() && symbol[end] == '_';
  }
  return repeats <= kMostRepeats;
}

std::string demangle(const std::string& symbol) {
  // The demangler would read "g" alone as a type.
  if (!symbol.starts_with("_Z") || !is_tame(symbol)) return symbol;
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return result;
}

/// Returns the symbol of the whole array for one of the pieces into which compilers split a small
/// array: "_ZZ1kPiE1s" for "_ZZ1kPiE1s_$_2". Other symbols stay as they are.
std::string without_piece(const std::string& symbol) {
  const std::size_t mark = symbol.rfind("_$_");
  const bool piece =
      mark != std::string::npos && symbol.find_first_not_of("0123456789", mark + 3) == symbol.npos;
  return piece ? symbol.substr(0, mark) : symbol;
}

/// "As" of "matmul(Matrix<float const>, ...)::As".
std::string variable_name(const std::string& symbol) {
  const std::string text = demangle(without_piece(ptx::declared_name(symbol)));
  const std::size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

/// "matmul" of "void matmul<16>(float*)".
std::string function_name(const std::string& signature) {
  std::string text = signature.substr(0, signature.find('('));
  const std::size_t angle = text.find('<');
  if (angle != std::string::npos) text.resize(angle);
  const std::size_t space = text.rfind(' ');
  return space == std::string::npos ? text : text.substr(space + 1);
}

/// Places shared variables one after the other. Gaps between them catch an index that goes too far.
/// An address modulo 128 bytes (the 32 banks) is that of the hardware's packed layout.
class SharedLayout {
 public:
  void add(const ptx::Variable& variable, Symbols& symbols) {
    const std::uint64_t align = std::max<std::uint64_t>(variable.align, 1);
    if (variable.size == 0) {
      dynamic_.push_back(variable.name);
      dynamic_align_ = std::max(dynamic_align_, align);
      return;
    }
    packed_ = round_up(packed_, align);
    const std::uint64_t gap =
        std::max<std::uint64_t>(kLeastGap, std::max(variable.size, previous_));
    const std::uint64_t rows = std::max<std::uint64_t>(align, 128);  // of banks
    const std::uint64_t address = round_up(end_ + gap, rows) + packed_ % 128;
    previous_ = variable.size;
    packed_ += variable.size;
    end_ = address + variable.size;
    symbols[variable.name] = {.space = Space::shared, .address = address, .size = variable.size};
    variables_.push_back({.name = variable_name(variable.name),
                          .symbol = variable.name,
                          .address = address,
                          .size = variable.size,
                          .piece = without_piece(variable.name) != variable.name});
  }

  bool too_large() const {
    return end_ > ptx::kMaxSharedSpan ||
           variables_.size() + dynamic_.size() > ptx::kMaxSharedVariables;
  }

  /// Places all extern arrays at one address after the other variables.
  void place_dynamic(Symbols& symbols) {
    const std::uint64_t behind = end_ + std::max<std::uint64_t>(kLeastGap, previous_);
    const std::uint64_t address = round_up(behind, dynamic_align_);
    for (const std::string& name : dynamic_) {
      symbols[name] = {.space = Space::shared, .address = address};
      variables_.push_back({.name = variable_name(name),
                            .symbol = name,
                            .address = address,
                            .size = 0,
                            .dynamic = true});
    }
  }

  const std::vector<SharedVariable>& variables() const { return variables_; }

 private:
  static constexpr std::uint64_t kLeastGap = 1024;
  std::uint64_t end_ = 0;
  std::uint64_t packed_ = 0;
  std::uint64_t previous_ = 0;
  std::uint64_t dynamic_align_ = 1024;
  std::vector<std::string> dynamic_;
  std::vector<SharedVariable> variables_;
};

/// Whether the instruction accesses fewer than 4 bytes, in `space` or through a generic address.
bool narrow_access(const ptx::Instruction& instruction, std::string_view space) {
  if (ptx::info_of(instruction).unit != ptx::Unit::memory) return false;
  for (const std::string_view word : instruction.words) {
    static constexpr std::string_view kSpaces[] = {"global", "shared", "param", "local", "const"};
    const bool names_space =
        std::find(std::begin(kSpaces), std::end(kSpaces), word) != std::end(kSpaces);
    if (names_space && word != space) return false;
    const std::optional<ptx::Type> type = ptx::type_from(word);
    if (type && ptx::bytes(*type) < 4) return true;
  }
  return false;
}

/// The number of threads that a barrier names, as KernelInfo::barrier_threads has it; nothing if it
/// names none, or if the instruction is no barrier.
std::optional<std::uint32_t> barrier_threads(const ptx::Instruction& instruction) {
  const std::size_t reduces = instruction.has("red") ? 2 : 0;  // its result and its predicate
  if (ptx::info_of(instruction).unit != ptx::Unit::barrier ||
      instruction.operands.size() != 2 + reduces)
    return std::nullopt;
  const ptx::Operand& count = instruction.operands[reduces != 0 ? 2 : 1];
  const bool known = count.kind == ptx::Operand::Kind::integer && !instruction.has("arrive");
  return known ? static_cast<std::uint32_t>(count.value) : 0;
}

/// Whether the instruction uses a barrier in shared memory.
bool is_mbarrier(const ptx::Instruction& instruction) {
  return instruction.name() == "mbarrier" || instruction.has("mbarrier");
}

/// Whether the instruction reads a clock, by which a thread can wait for other threads.
bool reads_clock(const ptx::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    return operand.name.starts_with("%clock") || operand.name.starts_with("%globaltimer");
  });
}

/// Whether other threads can see this load or store at any time. No other thread sees those of a
/// thread's own stack, which Clang accesses through %SP.
bool is_strong_access(const ptx::Instruction& instruction) {
  const auto has = [&](std::string_view word) { return instruction.has(word); };
  const auto on_stack = [](const ptx::Operand& operand) {
    return operand.address && (operand.name == "%SP" || operand.name == "%SPL");
  };
  const ptx::InstructionInfo& info = ptx::info_of(instruction);
  return info.unit == ptx::Unit::memory && !info.is(ptx::kAtomic) && !has("local") &&
         std::ranges::none_of(instruction.operands, on_stack) &&
         (has("volatile") || std::ranges::any_of(kStrongWords, has));
}

/// Whether threads can communicate by this instruction while they run.
bool talks(const ptx::Instruction& instruction) {
  return ptx::info_of(instruction).is(ptx::kAtomic) || is_mbarrier(instruction) ||
         is_strong_access(instruction) || reads_clock(instruction);
}

/// Whether the instruction is a fence, or orders memory as a fence does. One of a thread's own
/// accesses (fence.proxy, wgmma.fence) orders nothing between threads.
bool fences(const ptx::Instruction& instruction) {
  const auto& words = instruction.words;
  if (is_mbarrier(instruction)) return true;
  if (instruction.has("proxy") || instruction.name() == "wgmma") return false;
  static constexpr std::string_view kWords[] = {"membar", "fence", "acquire", "release", "acq_rel"};
  return std::any_of(words.begin(), words.end(), [](const auto& word) {
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  });
}

ExtraOrder::By extra_order_of(const ptx::Instruction& instruction) {
  if (fences(instruction) && !is_mbarrier(instruction)) return ExtraOrder::By::fence;
  if (reads_clock(instruction)) return ExtraOrder::By::clock;
  const bool stores = ptx::info_of(instruction).is(ptx::kStores);
  return stores && is_strong_access(instruction) ? ExtraOrder::By::strong_store
                                                 : ExtraOrder::By::nothing;
}

/// How often the operands of a function mention each of its registers.
class RegisterMentions {
 public:
  explicit RegisterMentions(const ptx::Function& function) {
    for (const ptx::Instruction& instruction : function.body) {
      ++count_[instruction.guard];
      for (const ptx::Operand& operand : instruction.operands) add(operand);
    }
  }

  /// Whether no thread learns from this atomic instruction what others did: nothing reads what it
  /// returns, and what such instructions leave in memory does not depend on their order, as the
  /// last exchange does.
  bool stores_alone(const ptx::Instruction& instruction) const {
    const auto is = [&](const char* operation) { return instruction.has(operation); };
    if (is("exch") || is("cas") || is("inc") || is("dec")) return false;
    if (instruction.name() == "red") return true;
    return instruction.name() == "atom" && !instruction.operands.empty() &&
           is_only_here(instruction.operands.front());
  }

 private:
  void add(const ptx::Operand& operand) {
    ++count_[operand.name];
    if (!operand.second.empty()) ++count_[operand.second];
    for (const ptx::Operand& element : operand.elements) add(element);
  }

  bool is_only_here(const ptx::Operand& operand) const {
    if (operand.kind == ptx::Operand::Kind::vector)
      return std::ranges::all_of(operand.elements,
                                 [this](const auto& element) { return is_only_here(element); });
    return operand.name == "_" || count_.at(operand.name) == 1;
  }

  std::unordered_map<std::string_view, std::uint64_t> count_;
};

/// The operation and the type of an atomic instruction: "add.u32".
std::string update_of(const ptx::Instruction& instruction) {
  for (const char* operation : {"add", "min", "max", "and", "or", "xor"}) {
    if (instruction.has(operation)) return std::string(operation) + '.' + instruction.words.back();
  }
  return instruction.words.back();
}

/// What the instructions of one function use.
struct FunctionUse {
  std::vector<std::string> names;  // that its operands mention, each once
  std::set<std::string> updates;   // "add.u32": atomics that store alone
  KernelUse use;                   // without shared memory
};

FunctionUse use_of(const ptx::Function& function) {
  FunctionUse result;
  std::unordered_set<std::string_view> seen;
  const auto visit = [&](const ptx::Operand& operand, const auto& self) -> void {
    for (const ptx::Operand& element : operand.elements) self(element, self);
    if (operand.kind == ptx::Operand::Kind::symbol && seen.insert(operand.name).second)
      result.names.push_back(operand.name);
  };
  const RegisterMentions registers(function);
  for (const ptx::Instruction& instruction : function.body) {
    for (const ptx::Operand& operand : instruction.operands) visit(operand, visit);
    const bool own_block = instruction.has("shared") || instruction.has("shared::cta");
    const ptx::InstructionInfo& info = ptx::info_of(instruction);
    const bool stores_alone = info.is(ptx::kAtomic)
                                  ? registers.stores_alone(instruction)
                                  : info.is(ptx::kStores) && !info.is(ptx::kLoads);
    if (info.is(ptx::kAtomic) && stores_alone) result.updates.insert(update_of(instruction));
    result.use.talks |= talks(instruction);
    result.use.loads_talk |= talks(instruction) && !stores_alone;
    result.use.loads_talk |= info.name == "activemask";  // which lanes run together
    result.use.ordered_blocks |= talks(instruction) && !own_block;
    result.use.narrow_shared |= narrow_access(instruction, "shared");
    result.use.narrow_global |= narrow_access(instruction, "global");
    result.use.fences |= fences(instruction);
    result.use.mbarriers |= is_mbarrier(instruction);
    if (const auto threads = barrier_threads(instruction))
      result.use.barrier_threads.insert(*threads);
    result.use.products |= info.is(ptx::kMultiplies);
    result.use.async_products |= info.name == "wgmma";
    if (result.use.extra_order == ExtraOrder::By::nothing) {
      result.use.extra_order = extra_order_of(instruction);
      result.use.extra_order_source =
          static_cast<std::uint32_t>(&instruction - function.body.data());
    }
  }
  return result;
}

/// Finds what each kernel uses, in itself and in the functions and tables of functions that it
/// mentions.
class KernelUses {
 public:
  explicit KernelUses(const ptx::Module& source) {
    for (const ptx::Function& function : source.functions) {
      if (!function.entry) callable_[function.name] = uses_.size();
      uses_.push_back(use_of(function));
    }
    for (const auto& [name, alias] : source.aliases) callable_[name] = callable_.at(alias.of);
    for (const ptx::Variable& variable : source.variables) {
      for (const auto& relocation : variable.relocations)
        tables_[variable.name].push_back(relocation.symbol);
    }
  }

  /// Returns what function number `index` uses, and adds the names that it can reach to `names`;
  /// nullopt if there are too many names to look at.
  std::optional<KernelUse> find(std::size_t index, std::unordered_set<std::string>& names) {
    KernelUse all;
    std::vector<std::size_t> reached{index};
    std::vector<std::string> named;
    std::set<std::string> updates;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const FunctionUse& function = uses_[reached[next]];
      updates.insert(function.updates.begin(), function.updates.end());
      all.talks |= function.use.talks;
      all.loads_talk |= function.use.loads_talk;
      all.ordered_blocks |= function.use.ordered_blocks;
      all.narrow_shared |= function.use.narrow_shared;
      all.narrow_global |= function.use.narrow_global;
      all.fences |= function.use.fences;
      all.mbarriers |= function.use.mbarriers;
      all.barrier_threads.insert(function.use.barrier_threads.begin(),
                                 function.use.barrier_threads.end());
      all.products |= function.use.products;
      all.async_products |= function.use.async_products;
      if (all.extra_order == ExtraOrder::By::nothing) {
        all.extra_order = function.use.extra_order;
        all.extra_order_function = static_cast<std::uint32_t>(reached[next]);
        all.extra_order_source = function.use.extra_order_source;
      }
      named = function.names;
      while (!named.empty()) {
        if (++looked_at_ > kMostLooks) return std::nullopt;
        const std::string name = std::move(named.back());
        named.pop_back();
        if (!names.insert(name).second) continue;
        if (is_heap_function(name)) all.talks = all.loads_talk = all.ordered_blocks = true;
        if (const auto found = callable_.find(name); found != callable_.end())
          reached.push_back(found->second);
        if (const auto found = tables_.find(name); found != tables_.end())
          named.insert(named.end(), found->second.begin(), found->second.end());
      }
    }
    all.loads_talk |=
        updates.size() > 1;  // what two kinds leave in one word depends on their order
    for (const std::size_t function : reached)
      all.functions.push_back(static_cast<std::uint32_t>(function));
    std::ranges::sort(all.functions);
    return all;
  }

 private:
  static constexpr std::size_t kMostLooks = 2'000'000;  // takes about a second

  std::vector<FunctionUse> uses_;
  std::unordered_map<std::string, std::size_t> callable_;
  std::unordered_map<std::string, std::vector<std::string>> tables_;
  std::size_t looked_at_ = 0;
};

std::optional<LoadError> lay_out_shared(const ptx::Module& source, Module& module,
                                        Symbols& symbols) {
  SharedLayout layout;
  std::map<std::string, std::uint64_t> alignment;
  const auto add = [&](const ptx::Variable& variable) {
    if (variable.space != Space::shared || symbols.count(variable.name) != 0) return;
    layout.add(variable, symbols);
    alignment[variable.name] = std::max<std::uint64_t>(variable.align, 1);
  };
  for (const ptx::Variable& variable : source.variables) add(variable);
  for (const ptx::Function& function : source.functions) {
    for (const ptx::Variable& variable : function.variables) {
      if (variable.space == Space::shared && symbols.contains(variable.name))
        return LoadError{.line = variable.ptx_line,
                         .name = variable.name,
                         .message = ptx::declared_elsewhere(variable.name)};
      add(variable);
    }
    if (layout.too_large())
      return LoadError{.fault = LoadFault::over_limit,
                       .line = function.ptx_line,
                       .name = function.name,
                       .message = "more variables in shared memory than any device holds"};
  }
  layout.place_dynamic(symbols);
  KernelUses uses(source);
  for (std::size_t i = 0; i < source.functions.size(); ++i) {
    const ptx::Function& function = source.functions[i];
    if (!function.entry) continue;
    std::unordered_set<std::string> names;
    std::optional<KernelUse> use = uses.find(i, names);
    if (!use)
      return LoadError{.fault = LoadFault::over_limit,
                       .line = function.ptx_line,
                       .name = function.name,
                       .message = "too many kernels that share too many functions"};
    std::uint64_t align_of_dynamic = 1;  // the dynamic part begins at a multiple of it
    for (const SharedVariable& variable : layout.variables()) {
      if (!names.contains(variable.symbol)) continue;
      const std::uint64_t align = alignment[variable.symbol];
      if (variable.dynamic) {
        align_of_dynamic = std::max(align_of_dynamic, align);
      } else {
        use->static_bytes = round_up(use->static_bytes, align) + variable.size;
      }
      use->shared.push_back(variable);
    }
    use->static_bytes = round_up(use->static_bytes, align_of_dynamic);
    use->bounds = function.bounds;
    module.kernels[function.name] = *std::move(use);
  }
  return std::nullopt;
}

/// Adds the variable's size to `total`; returns an error if the space holds fewer bytes.
std::optional<LoadError> check_size(const ptx::Variable& variable, std::uint64_t& total,
                                    std::uint64_t most, std::string_view space) {
  total += variable.size;
  if (total <= most) return std::nullopt;
  return LoadError{.fault = LoadFault::over_limit,
                   .line = variable.ptx_line,
                   .name = variable.name,
                   .message = "the variables in " + std::string(space) + " memory have more than " +
                              std::to_string(most) + " bytes"};
}

std::optional<LoadError> lay_out_globals(const ptx::Module& source, Module& module,
                                         Symbols& symbols) {
  std::uint64_t next = kModuleGlobals;
  std::uint64_t globals = 0, constants = 0;
  for (const ptx::Variable& variable : source.variables) {
    if (variable.space != Space::global && variable.space != Space::constant) continue;
    const bool constant = variable.space == Space::constant;
    auto error = constant ? check_size(variable, constants, ptx::kMaxConstantBytes, "constant")
                          : check_size(variable, globals, ptx::kMaxGlobalBytes, "global");
    if (!error && module.globals.size() == ptx::kMaxGlobals)
      error = LoadError{.fault = LoadFault::over_limit,
                        .line = variable.ptx_line,
                        .name = variable.name,
                        .message = "more than " + std::to_string(ptx::kMaxGlobals) +
                                   " variables in global and constant memory"};
    if (error) return error;
    const std::uint64_t align = std::max<std::uint64_t>(variable.align, 256);
    next = round_up(next, align);
    symbols[variable.name] = {.space = variable.space, .address = next, .size = variable.size};
    GlobalVariable global;
    global.name = variable_name(variable.name);
    global.address = next;
    global.size = variable.size;
    global.element_bytes = std::max(1u, ptx::bytes(variable.type));
    global.read_only = constant;
    global.data = variable.data;
    module.globals.push_back(std::move(global));
    next += variable.size + (1u << 20);
  }
  return std::nullopt;
}

void place_functions(const ptx::Module& source, Symbols& symbols) {
  for (std::size_t i = 0; i < source.functions.size(); ++i) {
    const ptx::Function& function = source.functions[i];
    symbols[function.name] = {.space = Space::global,
                              .address = kCodeWindow + kCodeBytes * i,
                              .function = static_cast<int>(i),
                              .declaration = &function};
  }
  for (const auto& [name, alias] : source.aliases) {
    const Symbol of = symbols.at(alias.of);
    symbols[name] = of;
  }
}

LoadError declared_twice(const std::string& name, int line) {
  return {.fault = LoadFault::not_ptx,
          .line = line,
          .name = name,
          .message = "'" + name + "' is declared twice"};
}

/// Returns an error if two variables, or a variable and a function, have the same name.
std::optional<LoadError> check_names(const ptx::Module& source) {
  std::unordered_map<std::string_view, const ptx::Variable*> variables;
  for (const ptx::Variable& variable : source.variables) {
    const auto [known, fresh] = variables.try_emplace(variable.name, &variable);
    if (!fresh && !(variable.external && known->second->external))
      return declared_twice(variable.name, variable.ptx_line);
  }
  std::unordered_map<std::string_view, const ptx::Function*> functions;
  for (const ptx::Function& function : source.functions) {
    if (variables.contains(function.name)) return declared_twice(function.name, function.ptx_line);
    functions.emplace(function.name, &function);
  }
  for (const auto& [name, alias] : source.aliases) {
    const auto same = functions.find(name);
    if (variables.contains(name) || (same != functions.end() && same->second->defined))
      return declared_twice(name, alias.ptx_line);
    const auto of = functions.find(alias.of);
    if (of == functions.end() || !of->second->defined || of->second->entry)
      return LoadError{.fault = LoadFault::not_ptx,
                       .line = alias.ptx_line,
                       .name = alias.of,
                       .message = "'" + name + "' is an alias of '" + alias.of +
                                  "', which is no function that the file defines"};
  }
  return std::nullopt;
}

std::optional<LoadError> fill_addresses(const ptx::Module& source, Module& module,
                                        const Symbols& symbols) {
  std::size_t next = 0;
  for (const ptx::Variable& variable : source.variables) {
    if (variable.space != Space::global && variable.space != Space::constant) continue;
    GlobalVariable& global = module.globals[next++];
    for (const ptx::Variable::Relocation& relocation : variable.relocations) {
      const auto found = symbols.find(relocation.symbol);
      if (found == symbols.end())
        return LoadError{.fault = LoadFault::not_ptx,
                         .line = variable.ptx_line,
                         .name = variable.name,
                         .message = "unknown name '" + relocation.symbol + "' in an initialiser"};
      std::uint64_t address = found->second.address + static_cast<std::uint64_t>(relocation.addend);
      if (relocation.generic && found->second.space == Space::shared) address += kSharedWindow;
      address >>= relocation.shift;
      const std::span<std::uint8_t> place =
          std::span(global.data).subspan(relocation.offset, relocation.bytes);
      std::memcpy(place.data(), &address, std::min(place.size(), sizeof address));
    }
  }
  return std::nullopt;
}

Expected<std::shared_ptr<const Module>, LoadError> load(std::string_view text) {
  auto source = ptx::parse(text);
  if (!source) return source.error();
  auto module = std::make_shared<Module>();
  module->files = source->files;
  Symbols symbols;
  if (auto error = check_names(*source)) return *error;
  mark_unread_parameters(*source);
  if (auto error = lay_out_globals(*source, *module, symbols)) return *error;
  if (auto error = lay_out_shared(*source, *module, symbols)) return *error;
  place_functions(*source, symbols);
  if (auto error = fill_addresses(*source, *module, symbols)) return *error;
  std::map<std::string, std::uint64_t> addresses;
  for (const auto& [name, symbol] : symbols) addresses[name] = symbol.address;
  for (std::size_t i = 0; i < source->functions.size(); ++i) {
    const ptx::Function& function = source->functions[i];
    if (!function.defined) {
      Function undefined;
      undefined.name = function.name;
      module->functions.push_back(std::move(undefined));
      continue;
    }
    auto decoded = decode(function, static_cast<std::uint32_t>(i), symbols, module->sites);
    if (!decoded) return decoded.error();
    decoded->title = function_name(demangle(function.name));
    decoded->timing = timing_of(function, *decoded, addresses);
    module->functions.push_back(std::move(*decoded));
  }
  prove_calls(module->functions);
  return std::shared_ptr<const Module>(std::move(module));
}

}  // namespace

std::string LoadError::str() const {
  return line > 0 ? "PTX:" + std::to_string(line) + ": " + message : "PTX: " + message;
}

Expected<std::shared_ptr<const Module>, LoadError> load_module(std::string_view text) {
  auto module = load(text);
  if (module) return module;
  LoadError error = module.error();
  error.name = function_name(variable_name(error.name));
  return error;
}

bool KernelInfo::order_matters(const LaunchShape& shape) const {
  return talks || sim::meets_in_parts(barrier_threads, shape.block.count());
}

std::vector<KernelInfo> kernels(const Module& module) {
  std::vector<KernelInfo> result;
  for (const Function& function : module.functions) {
    if (!function.entry) continue;
    KernelInfo info;
    info.entry = function.name;
    info.signature = demangle(function.name);
    info.name = function_name(info.signature);
    for (const ParamSlot& slot : function.parameters) info.parameter_bytes.push_back(slot.size);
    const KernelUse& use = module.kernels.at(function.name);
    info.static_shared_bytes = use.static_bytes;
    info.talks = use.talks;
    info.loads_talk = use.loads_talk;
    info.blocks_talk = use.ordered_blocks;
    info.barrier_threads.assign(use.barrier_threads.begin(), use.barrier_threads.end());
    info.bounds = use.bounds;
    result.push_back(std::move(info));
  }
  return result;
}

}  // namespace tessera
