#include "grader/experiment/instruction_count.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"
#include "grader/simulator/instruction_set.h"

namespace tessera {
namespace {

constexpr std::array kKinds = {"instructions", "fma",    "mul",      "add",     "integer",
                               "loads",        "stores", "barriers", "branches"};

/// "" counts among all instructions alone. Atomics are neither loads nor stores.
std::string_view kind_of(const ptx::Instruction& instruction) {
  using enum InstructionClass;
  const ptx::InstructionInfo& info = ptx::info_of(instruction);
  const InstructionClass unit = ptx::class_of(instruction);
  if (unit == memory && !info.is(ptx::kAtomic) && ptx::space_of(instruction) != ptx::Space::local)
    return info.is(ptx::kStores) ? "stores" : "loads";
  if (unit == fp32 || unit == fp64) {
    if (info.name == "fma" || info.name == "mul") return info.name;
    return info.name == "add" || info.name == "sub" ? "add" : "";
  }
  if (info.is(ptx::kBranches)) return "branches";
  return info.unit == ptx::Unit::barrier ? "barriers" : unit == integer ? "integer" : "";
}

struct Rule {
  std::string_view prefix;  // of the opcode
  const char* kind;
};

/// The first that fits counts; what none fits is among all instructions alone.
constexpr std::array kSassRules = {
    Rule{"FFMA", "fma"},      Rule{"FMUL", "mul"},      Rule{"FADD", "add"},
    Rule{"LDG", "loads"},     Rule{"LDS", "loads"},     Rule{"STG", "stores"},
    Rule{"STS", "stores"},    Rule{"BAR", "barriers"},  Rule{"BRA", "branches"},
    Rule{"IMAD.MOV", ""},     Rule{"IMAD", "integer"},  Rule{"IADD", "integer"},
    Rule{"UIADD", "integer"}, Rule{"UIMAD", "integer"}, Rule{"LEA", "integer"},
    Rule{"ULEA", "integer"},  Rule{"ISETP", "integer"}, Rule{"UISETP", "integer"},
    Rule{"LOP3", "integer"},  Rule{"ULOP3", "integer"}, Rule{"SHF", "integer"},
    Rule{"USHF", "integer"},  Rule{"VIADD", "integer"}, Rule{"IMNMX", "integer"},
};

class Counts {
 public:
  explicit Counts(std::string prefix) : prefix_(std::move(prefix)) {
    for (const char* kind : kKinds) counts_[prefix_ + kind] = 0;
  }

  void add(std::string_view kind) {
    ++counts_[prefix_ + "instructions"];
    if (!kind.empty()) ++counts_[prefix_ + std::string(kind)];
  }

  std::map<std::string, double> take() { return std::move(counts_); }

 private:
  std::string prefix_;
  std::map<std::string, double> counts_;
};

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t;"));
}

/// The opcode of `/*0070*/   @!P0 FFMA R1, ...`; "" for another line.
std::string_view sass_opcode(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with("/*")) return {};
  const std::size_t end = line.find("*/");
  if (end == std::string_view::npos) return {};
  const std::string_view address = line.substr(2, end - 2);
  const bool hexadecimal = !address.empty() && std::ranges::all_of(address, [](unsigned char c) {
    return std::isxdigit(c) != 0;
  });
  if (!hexadecimal) return {};
  line = without_blanks(line.substr(end + 2));
  if (line.starts_with("{")) line = without_blanks(line.substr(1));
  if (line.starts_with("@")) line = without_blanks(line.substr(first_word(line).size()));
  if (line.empty() || std::isupper(static_cast<unsigned char>(line.front())) == 0) return {};
  return first_word(line);
}

std::string_view kind_of(std::string_view sass_opcode) {
  const auto rule = std::ranges::find_if(
      kSassRules, [&](const Rule& rule) { return sass_opcode.starts_with(rule.prefix); });
  return rule == kSassRules.end() ? "" : rule->kind;
}

std::string find_nvdisasm() {
  if (const char* chosen = std::getenv("TESSERA_NVDISASM"); chosen != nullptr)
    return find_program(chosen);
  if (const std::string program = find_program("nvdisasm"); !program.empty()) return program;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* home = std::getenv(variable);
    if (home == nullptr) continue;
    const std::string program = find_program(std::string(home) + "/bin/nvdisasm");
    if (!program.empty()) return program;
  }
  return find_program("/usr/local/cuda/bin/nvdisasm");
}

}  // namespace

std::vector<std::string> instruction_metrics() {
  std::vector<std::string> names;
  for (const char* language : {"ptx_", "sass_"}) {
    for (const char* kind : kKinds) names.push_back(std::string(language) + kind);
  }
  return names;
}

std::map<std::string, double> count_ptx(std::string_view text, std::string_view entry) {
  const auto module = ptx::parse(text);
  if (!module) return {};
  const auto kernel = std::ranges::find_if(module->functions, [&](const ptx::Function& function) {
    return function.entry && function.name == entry;
  });
  if (kernel == module->functions.end()) return {};
  Counts counts("ptx_");
  for (const ptx::Instruction& instruction : kernel->body) counts.add(kind_of(instruction));
  return counts.take();
}

std::map<std::string, double> count_sass(std::string_view listing, std::string_view entry) {
  Counts counts("sass_");
  const std::string label = ".text." + std::string(entry) + ":";
  bool inside = false;
  bool found = false;
  for (const std::string& line : split_lines(listing)) {
    if (line.starts_with(".text.")) {
      inside = line.starts_with(label);
      found = found || inside;
      continue;
    }
    if (!inside) continue;
    if (line.find(".section") != std::string::npos) {
      inside = false;
      continue;
    }
    const std::string_view opcode = sass_opcode(line);
    // NOPs fill the text up behind its last instruction.
    if (!opcode.empty() && opcode != "NOP") counts.add(kind_of(opcode));
  }
  return found ? counts.take() : std::map<std::string, double>();
}

std::optional<std::string> disassemble(std::string_view cubin) {
  const std::string program = find_nvdisasm();
  if (program.empty() || cubin.empty()) return std::nullopt;
  const TemporaryDirectory folder;
  const std::filesystem::path file = folder.path() / "kernel.cubin";
  if (write_file(file, cubin)) return std::nullopt;
  const auto run = run_program({program, "-c", file.string()}, "", {.cpu_seconds = 30});
  if (!run || run->end != ChildResult::End::exited || run->status != 0) return std::nullopt;
  return run->output;
}

}  // namespace tessera
