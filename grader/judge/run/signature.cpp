#include "grader/judge/run/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "common/device_storage.h"
#include "common/text.h"
#include "grader/compile/source_facts.h"
#include "grader/judge/run/epilogue.h"

namespace tessera {
namespace {

constexpr std::uint32_t kMatrixBytes = 24;
constexpr std::uint32_t kPointerBytes = 8;
constexpr std::uint32_t kIntBytes = 4;

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The type as a student writes it: "float const *" becomes "const float*".
std::string readable_type(std::string type) {
  type = replace_all(std::move(type), " __restrict__", "");
  type = replace_all(std::move(type), " __restrict", "");
  for (const char* element : {"float", "int", "double", "__nv_bfloat16", "__half"}) {
    const std::string name = element;
    type = replace_all(std::move(type), name + " const", "const " + name);
  }
  type = replace_all(std::move(type), " *", "*");
  type = replace_all(std::move(type), " >", ">");
  const std::size_t first = type.find_first_not_of(' ');
  const std::size_t last = type.find_last_not_of(' ');
  return first == std::string::npos ? "" : type.substr(first, last - first + 1);
}

/// Position of the parenthesis that opens the parameter list, or npos.
std::size_t parameter_list(const std::string& signature) {
  const std::size_t close = signature.rfind(')');
  if (close == std::string::npos) return std::string::npos;
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (signature[at] == ')') ++depth;
    if (signature[at] == '(' && --depth == 0) return at;
  }
  return std::string::npos;
}

Parameter operand_parameter(const Lab& lab, const Operand& operand, bool pointer) {
  const Storage storage = operand.output ? Storage::same : lab.inputs;
  const std::string element(type_name(lab.element, storage));
  const auto spelled = [&](const std::string& type) {
    return pointer ? type + "*" : "Matrix<" + type + ">";
  };
  Parameter parameter;
  parameter.name = operand.name;
  parameter.bytes = pointer ? kPointerBytes : kMatrixBytes;
  parameter.type = spelled(operand.output ? element : "const " + element);
  parameter.types = {parameter.type};
  // An input that is not const is checked for changes after the run.
  if (!operand.output) parameter.types.push_back(spelled(element));
  return parameter;
}

Parameter expected_parameter(const Lab& lab, const std::string& argument) {
  Extents ones;
  for (const std::string& extent : lab.operation->extents()) ones[extent] = 1;
  for (const Operand& operand : lab.operation->operands(ones)) {
    if (argument == operand.name) return operand_parameter(lab, operand, false);
    if (argument == operand.name + ".data") return operand_parameter(lab, operand, true);
  }
  return {argument, "int", {"int"}, kIntBytes};
}

Finding parameter_finding(const Lab& lab, Text message) {
  Finding finding;
  finding.kind = FindingKind::does_not_compile;
  finding.message = std::move(message);
  finding.hint = say(Phrase::write_hint, Name{expected_declaration(lab)});
  return finding;
}

std::optional<Finding> wrong_count(const Lab& lab, std::size_t found, std::size_t expected) {
  if (found == expected) return std::nullopt;
  return parameter_finding(lab, say(Phrase::parameter_count, Name{lab.kernel},
                                    Count{found, Phrase::parameter}, expected));
}

std::optional<Finding> wrong_types(const Lab& lab, const std::vector<std::string>& found) {
  const std::vector<Parameter> expected = expected_parameters(lab);
  if (auto finding = wrong_count(lab, found.size(), expected.size())) return finding;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::ranges::count(expected[i].types, found[i]) > 0) continue;
    return parameter_finding(
        lab, say(Phrase::parameter_type, i + 1, Name{lab.kernel}, Name{expected[i].name},
                 Name{found[i]}, Name{expected[i].type}));
  }
  return std::nullopt;
}

std::optional<Finding> wrong_sizes(const Lab& lab, const std::vector<std::uint32_t>& found) {
  const std::vector<Parameter> expected = expected_parameters(lab);
  if (auto finding = wrong_count(lab, found.size(), expected.size())) return finding;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i].bytes) continue;
    return parameter_finding(
        lab, say(Phrase::parameter_size, i + 1, Name{lab.kernel}, Name{expected[i].name}, found[i],
                 Name{expected[i].type}, expected[i].bytes));
  }
  return std::nullopt;
}

std::optional<Finding> wrong_parameters(const KernelInfo& kernel, const Lab& lab) {
  // The name of an extern "C" kernel has no types, and inline assembly can define a kernel whose
  // name has other types than its parameters.
  const auto types = parameter_types(kernel.signature);
  auto finding = types ? wrong_types(lab, *types) : std::nullopt;
  return finding ? finding : wrong_sizes(lab, kernel.parameter_bytes);
}

/// Why a function of the right name is not the lab's kernel.
Phrase why_no_kernel(const FunctionFacts& function) {
  if (!function.is_global) return Phrase::no_global;
  if (function.is_template) return Phrase::is_template;
  return function.is_nested ? Phrase::is_nested : Phrase::has_no_code;
}

Finding no_kernel(const std::vector<KernelInfo>& kernels, const Lab& lab, const Source& source) {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : kernels) {
    if (kernel.entry != kLaunchEntry) names.push_back(kernel.name);
  }
  Finding finding;
  finding.kind = FindingKind::does_not_compile;
  if (const FunctionFacts own = function_facts(source, lab.kernel); own.line != 0) {
    finding.message = say(Phrase::no_kernel, Name{lab.kernel}, why_no_kernel(own));
    finding.line = own.line;
  } else if (names.size() == 1) {
    finding.message = say(Phrase::called_otherwise, Name{names.front()}, Name{lab.kernel});
    finding.line = function_facts(source, names.front()).line;
  } else if (names.empty()) {
    finding.message = say(Phrase::no_kernels, Name{lab.kernel});
  } else {
    finding.message = say(Phrase::other_kernels, Name{lab.kernel},
                          Name{fmt::format("{}", fmt::join(names, ", "))});
  }
  finding.hint = say(Phrase::write_hint, Name{expected_declaration(lab)});
  return finding;
}

}  // namespace

std::vector<Parameter> expected_parameters(const Lab& lab) {
  std::vector<Parameter> parameters;
  for (const std::string& argument : lab.arguments) {
    parameters.push_back(expected_parameter(lab, argument));
  }
  return parameters;
}

std::string expected_declaration(const Lab& lab) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : expected_parameters(lab)) {
    parameters.push_back(parameter.type + " " + parameter.name);
  }
  return fmt::format("__global__ void {}({})", lab.kernel, fmt::join(parameters, ", "));
}

std::string expected_launch(const Lab& lab) {
  std::vector<std::string> parameters;
  for (const std::string& name : launch_arguments(lab)) parameters.push_back("int " + name);
  return fmt::format("__host__ __device__ Launch launch({})", fmt::join(parameters, ", "));
}

Text other_lab_remark(const Lab& lab, const Source& source) {
  constexpr std::string_view kWord = "Lab ";
  const std::string own = lab.id.substr(0, lab.id.find('-'));
  for (const std::string& line : source.lines()) {
    if (!line.starts_with("//")) return {};
    const std::size_t at = line.find(kWord);
    if (at == std::string::npos) continue;
    const std::size_t digits = at + kWord.size();
    const std::size_t end = std::min(line.find_first_not_of("0123456789", digits), line.size());
    const std::string number = line.substr(digits, end - digits);
    if (number.empty() || number == own) return {};
    return say(Phrase::other_lab, Name{number});
  }
  return {};
}

Text other_lab_in_parentheses(const Lab& lab, const Source& source) {
  const Text remark = other_lab_remark(lab, source);
  return remark.empty() ? remark : Phrase::remark_begins + remark + Phrase::remark_ends;
}

std::optional<std::vector<std::string>> parameter_types(const std::string& signature) {
  const std::size_t open = parameter_list(signature);
  if (open == std::string::npos) return std::nullopt;
  std::vector<std::string> types;
  std::string type;
  int depth = 0;
  for (std::size_t at = open + 1; at < signature.rfind(')'); ++at) {
    const char c = signature[at];
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      types.push_back(readable_type(type));
      type.clear();
    } else {
      type += c;
    }
  }
  if (!type.empty()) types.push_back(readable_type(type));
  return types;
}

std::variant<KernelInfo, Finding> find_kernel(const std::vector<KernelInfo>& kernels,
                                              const Lab& lab, const Source& source) {
  std::optional<Finding> mistake;
  for (const KernelInfo& kernel : kernels) {
    if (kernel.name != lab.kernel) continue;
    const std::optional<Finding> wrong = wrong_parameters(kernel, lab);
    if (!wrong) return kernel;
    if (!mistake) mistake = wrong;
  }
  if (mistake) {
    mistake->line = function_facts(source, lab.kernel).line;
  } else {
    mistake = no_kernel(kernels, lab, source);
  }
  mistake->file = "kernel.cu";
  mistake->message += other_lab_in_parentheses(lab, source);
  return *mistake;
}

}  // namespace tessera
