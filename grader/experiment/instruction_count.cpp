#include "grader/experiment/instruction_count.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <span>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

struct Rule {
  std::string_view prefix;       // of the opcode
  std::optional<Metric> metric;  // nothing: among all instructions alone
};

/// The first that fits counts.
constexpr auto kPtxRules = [] {
  using enum Metric;
  return std::array{
      Rule{"fma.r", ptx_fma},       Rule{"mul.f", ptx_mul},         Rule{"mul.rn.f", ptx_mul},
      Rule{"mul.rz.f", ptx_mul},    Rule{"mul.ru.f", ptx_mul},      Rule{"mul.rm.f", ptx_mul},
      Rule{"mul.rp.f", ptx_mul},    Rule{"mul.rn.ftz", ptx_mul},    Rule{"mul.ftz", ptx_mul},
      Rule{"add.f", ptx_add},       Rule{"add.rn.f", ptx_add},      Rule{"add.ftz", ptx_add},
      Rule{"sub.f", ptx_add},       Rule{"sub.rn.f", ptx_add},      Rule{"ld.global", ptx_loads},
      Rule{"ld.shared", ptx_loads}, Rule{"ld.v", ptx_loads},        Rule{"ld.f", ptx_loads},
      Rule{"ld.u", ptx_loads},      Rule{"st.global", ptx_stores},  Rule{"st.shared", ptx_stores},
      Rule{"bar.", ptx_barriers},   Rule{"barrier.", ptx_barriers}, Rule{"bra", ptx_branches},
      Rule{"mad.", ptx_integer},    Rule{"mul.lo", ptx_integer},    Rule{"mul.wide", ptx_integer},
      Rule{"mul.hi", ptx_integer},  Rule{"add.s", ptx_integer},     Rule{"add.u", ptx_integer},
      Rule{"sub.s", ptx_integer},   Rule{"sub.u", ptx_integer},     Rule{"shl.", ptx_integer},
      Rule{"shr.", ptx_integer},    Rule{"and.", ptx_integer},      Rule{"or.", ptx_integer},
      Rule{"xor.", ptx_integer},    Rule{"not.", ptx_integer},      Rule{"setp.", ptx_integer},
      Rule{"min.", ptx_integer},    Rule{"max.", ptx_integer},      Rule{"div.", ptx_integer},
      Rule{"rem.", ptx_integer}};
}();

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

class Counts {
 public:
  Counts(Metric all, std::span<const Rule> rules) : all_(all), rules_(rules) {
    counts_[all_] = 0;
    for (const Rule& rule : rules_) {
      if (rule.metric) counts_[*rule.metric] = 0;
    }
  }

  void add(std::string_view opcode) {
    ++counts_[all_];
    const auto rule = std::ranges::find_if(
        rules_, [&](const Rule& one) { return opcode.starts_with(one.prefix); });
    if (rule != rules_.end() && rule->metric) ++counts_[*rule->metric];
  }

  Metrics take() { return std::move(counts_); }

 private:
  Metric all_;
  std::span<const Rule> rules_;
  Metrics counts_;
};

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t;"));
}

/// The opcode that a line of PTX has, without its predicate; "" for a directive, a label, a
/// comment.
std::string_view ptx_opcode(std::string_view line) {
  line = without_blanks(line);
  if (line.starts_with("@")) line = without_blanks(line.substr(first_word(line).size()));
  if (line.empty() || std::islower(static_cast<unsigned char>(line.front())) == 0) return {};
  const std::string_view word = first_word(line);
  return word.ends_with(":") ? std::string_view() : word;
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

Metrics count_ptx(std::string_view ptx, std::string_view entry) {
  Counts counts(Metric::ptx_instructions, kPtxRules);
  bool inside = false;
  int depth = 0;
  bool found = false;
  for (const std::string& line : split_lines(ptx)) {
    const std::string_view text = without_blanks(line);
    if (!inside) {
      const std::size_t at = text.find(".entry ");
      if (at == std::string_view::npos) continue;
      std::string_view name = without_blanks(text.substr(at + 7));
      name = name.substr(0, name.find_first_of(" \t(,"));
      inside = found = name == entry;
      continue;
    }
    if (text.starts_with("{")) ++depth;
    if (depth > 0) {
      const std::string_view opcode = ptx_opcode(text);
      if (!opcode.empty()) counts.add(opcode);
    }
    if (text.starts_with("}") && --depth == 0) break;
  }
  return found ? counts.take() : Metrics();
}

Metrics count_sass(std::string_view listing, std::string_view entry) {
  Counts counts(Metric::sass_instructions, kSassRules);
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
    if (!opcode.empty() && opcode != "NOP") counts.add(opcode);
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
