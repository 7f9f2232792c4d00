// Loads PTX: lays out variables, decodes functions, fills in addresses.
#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "grader/simulator/decode.h"
#include "grader/simulator/exec.h"
#include "grader/simulator/simulator.h"
#include "grader/simulator/timing.h"

namespace tessera {
namespace {

using namespace sim;
using ptx::Space;

std::string demangle(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "g" alone would be read as a type
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return result;
}

/// "As" of "matmul(Matrix<float const>, ...)::As".
std::string variable_name(const std::string& symbol) {
  const std::string text = demangle(symbol);
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

/// Functions that a kernel may run, itself first, and every name they mention.
struct Reach {
  std::vector<const ptx::Function*> functions;
  std::set<std::string> names;
};

Reach reach_of(const ptx::Module& module, const ptx::Function& kernel) {
  Reach reach;
  reach.functions.push_back(&kernel);
  const auto visit = [&](const ptx::Operand& operand, const auto& self) -> void {
    for (const ptx::Operand& element : operand.elements) self(element, self);
    if (operand.kind != ptx::Operand::Kind::symbol || !reach.names.insert(operand.name).second)
      return;
    for (const ptx::Function& other : module.functions) {
      if (other.name == operand.name && !other.entry) reach.functions.push_back(&other);
    }
  };
  for (std::size_t i = 0; i < reach.functions.size(); ++i) {
    for (const ptx::Instruction& instruction : reach.functions[i]->body) {
      for (const ptx::Operand& operand : instruction.operands) visit(operand, visit);
    }
  }
  return reach;
}

/// Places shared variables one after the other. Gaps between them catch an index that runs over; an
/// address keeps the residue modulo 128 bytes (the 32 banks) that the packed layout of the hardware
/// gives.
class SharedLayout {
 public:
  void add(const ptx::Variable& variable, Symbols& symbols) {
    if (variable.size == 0) {
      dynamic_.push_back(variable.name);
      return;
    }
    const std::uint64_t align = std::max<std::uint64_t>(variable.align, 1);
    packed_ = (packed_ + align - 1) / align * align;
    const std::uint64_t gap =
        std::max<std::uint64_t>(kLeastGap, std::max(variable.size, previous_));
    const std::uint64_t address = (end_ + gap + 127) / 128 * 128 + packed_ % 128;
    previous_ = variable.size;
    packed_ += variable.size;
    end_ = address + variable.size;
    symbols[variable.name] = {Space::shared, address, -1};
    variables_.push_back(
        {variable_name(variable.name), variable.name, address, variable.size, false});
  }

  /// All extern arrays start at one address after the others.
  void place_dynamic(Symbols& symbols) {
    const std::uint64_t address =
        (end_ + std::max<std::uint64_t>(kLeastGap, previous_) + 1023) / 1024 * 1024;
    for (const std::string& name : dynamic_) {
      symbols[name] = {Space::shared, address, -1};
      variables_.push_back({variable_name(name), name, address, 0, true});
    }
  }

  const std::vector<SharedVariable>& variables() const { return variables_; }

 private:
  static constexpr std::uint64_t kLeastGap = 1024;
  std::uint64_t end_ = 0;
  std::uint64_t packed_ = 0;
  std::uint64_t previous_ = 0;
  std::vector<std::string> dynamic_;
  std::vector<SharedVariable> variables_;
};

/// Instructions by which blocks of one grid can see each other while they run.
bool talks_between_blocks(const ptx::Instruction& instruction) {
  const auto has = [&](std::string_view word) {
    return std::find(instruction.words.begin() + 1, instruction.words.end(), word) !=
           instruction.words.end();
  };
  const std::string& name = instruction.words[0];
  if (has("shared") || has("shared::cta")) return false;
  if (name == "atom" || name == "red") return true;
  return (name == "ld" || name == "st") &&
         (has("volatile") || has("relaxed") || has("acquire") || has("release"));
}

/// Accesses of fewer than 4 bytes that are not to one of the other spaces.
bool narrow_access(const ptx::Instruction& instruction, std::string_view space) {
  const std::string& name = instruction.words[0];
  if (name != "ld" && name != "st" && name != "atom" && name != "red") return false;
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

bool fences(const ptx::Instruction& instruction) {
  static constexpr std::string_view kWords[] = {"membar", "fence", "acquire", "release", "acq_rel"};
  return std::any_of(instruction.words.begin(), instruction.words.end(), [](const auto& word) {
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  });
}

void lay_out_shared(const ptx::Module& source, Module& module, Symbols& symbols) {
  SharedLayout layout;
  std::map<std::string, std::uint64_t> alignment;
  const auto add = [&](const ptx::Variable& variable) {
    if (variable.space != Space::shared || symbols.count(variable.name) != 0) return;
    layout.add(variable, symbols);
    alignment[variable.name] = std::max<std::uint64_t>(variable.align, 1);
  };
  for (const ptx::Variable& variable : source.variables) add(variable);
  for (const ptx::Function& function : source.functions) {
    for (const ptx::Variable& variable : function.variables) add(variable);
  }
  layout.place_dynamic(symbols);
  for (const ptx::Function& function : source.functions) {
    if (!function.entry) continue;
    const Reach reach = reach_of(source, function);
    KernelUse use;
    for (const SharedVariable& variable : layout.variables()) {
      if (reach.names.count(variable.symbol) == 0) continue;
      const std::uint64_t align = alignment[variable.symbol];
      if (!variable.dynamic)
        use.static_bytes = (use.static_bytes + align - 1) / align * align + variable.size;
      use.shared.push_back(variable);
    }
    for (const ptx::Function* reached : reach.functions) {
      for (const ptx::Instruction& instruction : reached->body) {
        use.ordered_blocks |= talks_between_blocks(instruction);
        use.narrow_shared |= narrow_access(instruction, "shared");
        use.narrow_global |= narrow_access(instruction, "global");
        use.fences |= fences(instruction);
      }
    }
    module.kernels[function.name] = std::move(use);
  }
}

void lay_out_globals(const ptx::Module& source, Module& module, Symbols& symbols) {
  std::uint64_t next = kModuleGlobals;
  for (const ptx::Variable& variable : source.variables) {
    if (variable.space != Space::global && variable.space != Space::constant) continue;
    symbols[variable.name] = {variable.space, next, -1};
    GlobalVariable global;
    global.name = variable_name(variable.name);
    global.address = next;
    global.size = variable.size;
    global.element_bytes = std::max(1u, ptx::bytes(variable.type));
    global.read_only = variable.space == Space::constant;
    global.data = variable.data;
    module.globals.push_back(std::move(global));
    next += (variable.size + (1u << 20) + 255) / 256 * 256;
  }
}

std::optional<Error> fill_addresses(const ptx::Module& source, Module& module,
                                    const Symbols& symbols) {
  std::size_t next = 0;
  for (const ptx::Variable& variable : source.variables) {
    if (variable.space != Space::global && variable.space != Space::constant) continue;
    GlobalVariable& global = module.globals[next++];
    for (const ptx::Variable::Relocation& relocation : variable.relocations) {
      const auto found = symbols.find(relocation.symbol);
      if (found == symbols.end())
        return Error{"PTX", variable.ptx_line, 0,
                     "unknown name '" + relocation.symbol + "' in an initialiser"};
      std::uint64_t address = found->second.address + static_cast<std::uint64_t>(relocation.addend);
      if (relocation.generic && found->second.space == Space::shared) address += kSharedWindow;
      address >>= relocation.shift;
      std::memcpy(&global.data[relocation.offset], &address,
                  std::min<std::size_t>(relocation.bytes, 8));
    }
  }
  return std::nullopt;
}

}  // namespace

Expected<std::shared_ptr<const Module>> load_module(std::string_view text) {
  auto source = ptx::parse(text);
  if (!source) return source.error();
  auto module = std::make_shared<Module>();
  module->files = source->files;
  Symbols symbols;
  lay_out_globals(*source, *module, symbols);
  lay_out_shared(*source, *module, symbols);
  for (std::size_t i = 0; i < source->functions.size(); ++i) {
    symbols[source->functions[i].name] = {Space::global, kCodeWindow + 16 * i, static_cast<int>(i)};
  }
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
  return std::shared_ptr<const Module>(std::move(module));
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
    info.static_shared_bytes = module.kernels.at(function.name).static_bytes;
    result.push_back(std::move(info));
  }
  return result;
}

}  // namespace tessera
