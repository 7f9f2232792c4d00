#include "grader/experiment/instruction_count.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <ranges>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"
#include "grader/simulator/ptx/instruction_set.h"

namespace tessera {
namespace {

using OptionalMetric = std::optional<Metric>;  // nothing: counts only among all instructions

constexpr std::array kPtxKinds = {Metric::ptx_fma,      Metric::ptx_mul,     Metric::ptx_add,
                                  Metric::ptx_integer,  Metric::ptx_loads,   Metric::ptx_stores,
                                  Metric::ptx_barriers, Metric::ptx_branches};

/// The kind of the instruction. Atomics and accesses to local memory are neither loads nor stores.
OptionalMetric metric_of(const ptx::Instruction& instruction) {
  using enum InstructionClass;
  using enum Metric;
  const ptx::InstructionInfo& info = ptx::info_of(instruction);
  const InstructionClass unit = ptx::class_of(instruction);
  if (unit == memory && !info.is(ptx::kAtomic) && ptx::space_of(instruction) != ptx::Space::local)
    return info.is(ptx::kStores) ? ptx_stores : ptx_loads;
  if (unit == fp32 || unit == fp64) {
    if (info.name == "fma") return ptx_fma;
    if (info.name == "mul") return ptx_mul;
    return info.name == "add" || info.name == "sub" ? OptionalMetric(ptx_add) : std::nullopt;
  }
  if (info.is(ptx::kBranches)) return ptx_branches;
  if (info.unit == ptx::Unit::barrier) return ptx_barriers;
  return unit == integer ? OptionalMetric(ptx_integer) : std::nullopt;
}

struct Rule {
  std::string_view prefix;  // of the opcode
  OptionalMetric metric;
};

/// The first rule that fits decides.
constexpr auto kSassRules = [] {
  using enum Metric;
  return std::array{
      Rule{"FFMA", sass_fma},         Rule{"FMUL", sass_mul},      Rule{"FADD", sass_add},
      Rule{"LDG", sass_loads},        Rule{"LDS", sass_loads},     Rule{"STG", sass_stores},
      Rule{"STS", sass_stores},       Rule{"BAR", sass_barriers},  Rule{"BRA", sass_branches},
      Rule{"IMAD.MOV", std::nullopt}, Rule{"IMAD", sass_integer},  Rule{"IADD", sass_integer},
      Rule{"UIADD", sass_integer},    Rule{"UIMAD", sass_integer}, Rule{"LEA", sass_integer},
      Rule{"ULEA", sass_integer},     Rule{"ISETP", sass_integer}, Rule{"UISETP", sass_integer},
      Rule{"LOP3", sass_integer},     Rule{"ULOP3", sass_integer}, Rule{"SHF", sass_integer},
      Rule{"USHF", sass_integer},     Rule{"VIADD", sass_integer}, Rule{"IMNMX", sass_integer}};
}();

OptionalMetric metric_of(std::string_view opcode) {
  const auto rule = std::ranges::find_if(
      kSassRules, [&](const Rule& candidate) { return opcode.starts_with(candidate.prefix); });
  return rule == kSassRules.end() ? std::nullopt : rule->metric;
}

class Counts {
 public:
  /// Counts instructions in `all` and by kind in `kinds`, each from 0.
  template <class Kinds>
  Counts(Metric all, const Kinds& kinds) : all_(all), counts_{{all, 0}} {
    for (const OptionalMetric kind : kinds) {
      if (kind) counts_[*kind] = 0;
    }
  }

  void add(OptionalMetric kind) {
    ++counts_[all_];
    if (kind) ++counts_[*kind];
  }

  Metrics take() { return std::move(counts_); }

 private:
  Metric all_;
  Metrics counts_;
};

std::string_view without_leading_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t;"));
}

/// The opcode of `/*0070*/   @!P0 FFMA R1, ...`; "" for another line.
std::string_view sass_opcode(std::string_view line) {
  line = without_leading_blanks(line);
  if (!line.starts_with("/*")) return {};
  const std::size_t end = line.find("*/");
  if (end == std::string_view::npos) return {};
  const std::string_view address = line.substr(2, end - 2);
  const bool hexadecimal = !address.empty() && std::ranges::all_of(address, [](unsigned char c) {
    return std::isxdigit(c) != 0;
  });
  if (!hexadecimal) return {};
  line = without_leading_blanks(line.substr(end + 2));
  if (line.starts_with("{")) line = without_leading_blanks(line.substr(1));
  if (line.starts_with("@")) line = without_leading_blanks(line.substr(first_word(line).size()));
  if (line.empty() || std::isupper(static_cast<unsigned char>(line.front())) == 0) return {};
  return first_word(line);
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

bool is_of_sass(Metric metric) {
  return metric == Metric::sass_instructions ||
         std::ranges::count(kSassRules, metric, &Rule::metric) > 0;
}

Metrics count_ptx(std::string_view text, std::string_view entry) {
  const auto module = ptx::parse(text);
  if (!module) return {};
  const auto kernel = std::ranges::find_if(module->functions, [&](const ptx::Function& function) {
    return function.entry && function.name == entry;
  });
  if (kernel == module->functions.end()) return {};
  Counts counts(Metric::ptx_instructions, kPtxKinds);
  for (const ptx::Instruction& instruction : kernel->body) counts.add(metric_of(instruction));
  return counts.take();
}

Metrics count_sass(std::string_view listing, std::string_view entry) {
  Counts counts(Metric::sass_instructions, std::views::transform(kSassRules, &Rule::metric));
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
    // NOPs pad the end of the .text section.
    if (!opcode.empty() && opcode != "NOP") counts.add(metric_of(opcode));
  }
  return found ? counts.take() : Metrics();
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
