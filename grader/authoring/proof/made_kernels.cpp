#include "grader/authoring/proof/made_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/authoring/mutation/kernel_code.h"

namespace tessera {
namespace {

constexpr const char* kKernel = "__global__";

Edit in_place_of(const Lexeme& lexeme, std::string text) {
  return {lexeme.begin, lexeme.end, std::move(text)};
}

Edit behind(const Lexeme& lexeme, std::string text) {
  return {lexeme.end, lexeme.end, std::move(text)};
}

const FunctionRange* function_named(const KernelCode& code, const std::string& name) {
  const auto found = std::ranges::find(code.functions(), name, &FunctionRange::name);
  return found == code.functions().end() ? nullptr : &*found;
}

bool has_word(const KernelCode& code, const std::set<std::string>& words) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (words.contains(code[i].text)) return true;
  }
  return false;
}

/// The lexeme `__global__` before the function's name; kNowhere if the function is not a kernel.
std::size_t kernel_mark(const KernelCode& code, const FunctionRange& function) {
  for (std::size_t i = function.parameters; i > 0 && !code.is(i - 1, "}") && !code.is(i - 1, ";");
       --i) {
    if (code.is(i - 1, kKernel)) return i - 1;
  }
  return kNowhere;
}

/// The names of a function's parameters, in order.
std::vector<std::string> parameter_names(const KernelCode& code, const FunctionRange& function) {
  std::vector<std::string> names;
  for (const LexemeRange part : code.parts(function.parameters)) {
    std::string name;
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (code.is_identifier(i)) name = code[i].text;
    }
    names.push_back(name);
  }
  return names;
}

/// Expressions for each extent and parameter in a kernel with parameters of these names: "n",
/// "A.height". Nothing if there is none for some extent.
std::optional<std::map<std::string, std::string>> extents_in(
    const Lab& lab, const std::vector<std::string>& names) {
  if (names.size() != lab.arguments.size()) return std::nullopt;
  // Extents that differ from each other and from all numbers in lab.yaml identify operands' sides.
  Extents probe;
  int next = 1'000'003;
  for (const std::string& extent : lab.operation->extents()) probe[extent] = next++;
  std::map<std::string, std::string> expressions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& argument = lab.arguments[i];
    if (probe.contains(argument) || std::ranges::count(lab.parameters, argument) > 0)
      expressions[argument] = names[i];
    for (const Operand& operand : lab.operation->operands(probe)) {
      if (operand.name != argument) continue;
      for (const auto& [extent, value] : probe) {
        if (operand.height == value) expressions.emplace(extent, names[i] + ".height");
        if (operand.width == value) expressions.emplace(extent, names[i] + ".width");
      }
    }
  }
  const std::size_t needed = probe.size() + lab.parameters.size();
  return expressions.size() == needed ? std::optional(expressions) : std::nullopt;
}

/// The names of the parameters of `launch`: extents, then parameters.
std::vector<std::string> launch_names(const Lab& lab) {
  std::vector<std::string> names = lab.operation->extents();
  names.insert(names.end(), lab.parameters.begin(), lab.parameters.end());
  return names;
}

std::string launch_head(const Lab& lab) {
  std::vector<std::string> parameters;
  for (const std::string& name : launch_names(lab)) parameters.push_back("int " + name);
  return fmt::format("__host__ __device__ Launch launch({})", fmt::join(parameters, ", "));
}

std::string values_in(const Lab& lab, const std::map<std::string, std::string>& expressions) {
  std::vector<std::string> values;
  for (const std::string& name : launch_names(lab)) values.push_back(expressions.at(name));
  return fmt::format("{}", fmt::join(values, ", "));
}

/// "(m == 128 && n == 96) || (...)", true in the visible cases that are counted.
std::string where_counted(const Lab& lab, const std::map<std::string, std::string>& expressions) {
  std::vector<std::string> shapes;
  for (const std::size_t index : lab.counted_cases()) {
    const Case& test_case = lab.cases[index];
    if (test_case.hidden) continue;
    std::vector<std::string> equal;
    for (const auto& [name, value] : test_case.extents)
      equal.push_back(fmt::format("{} == {}", expressions.at(name), value));
    for (const auto& [name, value] : test_case.parameters)
      equal.push_back(fmt::format("{} == {}", expressions.at(name), value));
    shapes.push_back(fmt::format("({})", fmt::join(equal, " && ")));
  }
  return fmt::format("{}", fmt::join(shapes, " || "));
}

/// The product of the extents of the largest visible case, which is counted.
double largest_size(const Lab& lab) {
  double size = 1;
  for (const auto& [name, value] : lab.cases[lab.largest_case()].extents) size *= value;
  return size;
}

/// Returns `source` ready to stand in a namespace: its kernels become __device__ functions, and its
/// #include lines move to `includes`.
std::string inside_namespace(const std::string& source, std::set<std::string>& includes) {
  std::string text;
  for (const std::string& line : split_lines(source)) {
    const bool include = line.starts_with("#include") || line.starts_with("#pragma once");
    if (include) includes.insert(line);
    text += include ? "\n" : line + "\n";
  }
  const KernelCode code{Source(text)};
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is(i, kKernel)) edits.push_back(in_place_of(code[i], "__device__"));
  }
  return edited(code.source(), std::move(edits));
}

}  // namespace

std::optional<std::string> by_one_thread(const Lab& lab, const std::string& source) {
  static const std::set<std::string> kTogether = {
      "__shared__",  "__syncthreads",  "__syncwarp",      "__shfl_down_sync",
      "__shfl_sync", "__shfl_up_sync", "__shfl_xor_sync", "cooperative_groups"};
  static const std::map<std::string, std::string> kPlaces = {{"threadIdx", "thread_of_many"},
                                                             {"blockIdx", "block_of_many"},
                                                             {"blockDim", "many.block"},
                                                             {"gridDim", "many.grid"}};
  const KernelCode code{Source(source)};
  const FunctionRange* kernel = function_named(code, lab.kernel);
  const FunctionRange* launch = function_named(code, "launch");
  constexpr double kMostForOneThread = 1 << 24;
  const double most = largest_size(lab);
  if (kernel == nullptr || launch == nullptr || has_word(code, kTogether)) return std::nullopt;
  if (most > kMostForOneThread) return std::nullopt;
  const std::size_t mark = kernel_mark(code, *kernel);
  const std::vector<std::string> names = parameter_names(code, *kernel);
  const auto expressions = extents_in(lab, names);
  if (mark == kNowhere || !expressions) return std::nullopt;
  std::vector<Edit> edits = {
      in_place_of(code[mark], "__device__"),
      in_place_of(code[kernel->parameters - 1], "one_of_many"),
      behind(code[kernel->parameters],
             "const Launch& many, dim3 block_of_many, dim3 thread_of_many, "),
      in_place_of(code[launch->parameters - 1], "launch_of_many")};
  for (std::size_t i = kernel->open; i < kernel->close; ++i) {
    const auto place = kPlaces.find(code[i].text);
    if (place != kPlaces.end()) edits.push_back(in_place_of(code[i], place->second));
  }
  std::string loops;
  std::string indent = "  ";
  for (const std::string of : {"grid", "block"}) {
    for (const std::string axis : {"z", "y", "x"}) {
      const std::string counter = of.substr(0, 1) + axis;
      loops += fmt::format("{0}for (unsigned int {1} = 0; {1} < many.{2}.{3}; ++{1})\n", indent,
                           counter, of, axis);
      indent += "  ";
    }
  }
  const LexemeRange parameters{kernel->parameters, code[kernel->parameters].partner + 1};
  const std::string arguments = fmt::format("{}", fmt::join(names, ", "));
  const std::string extents = fmt::format("{}", fmt::join(launch_names(lab), ", "));
  const std::string is_large =
      fmt::format("1.0 * {} > {:.1f}", fmt::join(lab.operation->extents(), " * "), most);
  return edited(code.source(), std::move(edits)) +
         fmt::format(
             "\n__global__ void {}{} {{\n  const Launch many = launch_of_many({});\n"
             "  if (gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z > 1)\n"
             "    return one_of_many(many, blockIdx, threadIdx, {});\n{}{}"
             "one_of_many(many, dim3(gx, gy, gz), dim3(bx, by, bz), {});\n}}\n\n"
             "{} {{\n  if ({}) return launch_of_many({});\n"
             "  return {{dim3(1), dim3(1), 0}};\n}}\n",
             lab.kernel, code.text(parameters), values_in(lab, *expressions), arguments, loops,
             indent, arguments, launch_head(lab), is_large, extents);
}

std::optional<std::string> with_useless_shared_memory(const Lab& lab, const std::string& source) {
  const KernelCode code{Source(source)};
  const FunctionRange* kernel = function_named(code, lab.kernel);
  if (kernel == nullptr) return std::nullopt;
  return edited(code.source(),
                {behind(code[kernel->open],
                        "\n  __shared__ volatile int useless[1024];\n"
                        "  const int own_place = threadIdx.x + blockDim.x * (threadIdx.y + "
                        "blockDim.y * threadIdx.z);\n"
                        "  useless[own_place] = 0;\n"
                        "  for (int again = 0; again < 16; ++again) (void)useless[own_place]"
                        ";\n")});
}

std::optional<std::string> with_atomic_stores(const Lab& lab, const std::string& source) {
  const KernelCode code{Source(source)};
  const FunctionRange* kernel = function_named(code, lab.kernel);
  if (kernel == nullptr) return std::nullopt;
  const std::vector<std::string> names = parameter_names(code, *kernel);
  Extents ones;
  for (const std::string& extent : lab.operation->extents()) ones[extent] = 1;
  const std::string output = lab.operation->operands(ones).back().name;
  std::string name;
  for (std::size_t i = 0; i < std::min(names.size(), lab.arguments.size()); ++i) {
    if (lab.arguments[i] == output || lab.arguments[i] == output + ".data") name = names[i];
  }
  std::vector<Edit> edits;
  for (std::size_t i = kernel->open; i < kernel->close; ++i) {
    const bool element = code.is(i, name) && (code.is(i + 1, "[") || code.is(i + 1, "(")) &&
                         code[i + 1].partner != kNowhere;
    const std::size_t equals = element ? code[i + 1].partner + 1 : kNowhere;
    if (!element || !code.is(equals, "=")) continue;
    std::size_t end = equals;
    while (end < kernel->close && !code.is(end, ";")) ++end;
    edits.push_back({code[i].begin, code[i].begin, "atomicExch(&"});
    edits.push_back(in_place_of(code[equals], ","));
    edits.push_back({code[end].begin, code[end].begin, ")"});
  }
  return edits.empty() ? std::nullopt : std::optional(edited(code.source(), std::move(edits)));
}

std::optional<std::string> only_where_counted(const Lab& lab, const std::string& reference,
                                              const std::string& plain) {
  const KernelCode code{Source(reference)};
  const FunctionRange* kernel = function_named(code, lab.kernel);
  if (kernel == nullptr) return std::nullopt;
  const std::vector<std::string> names = parameter_names(code, *kernel);
  const auto expressions = extents_in(lab, names);
  if (!expressions) return std::nullopt;
  std::map<std::string, std::string> own_names;
  for (const std::string& name : launch_names(lab)) own_names[name] = name;
  std::set<std::string> includes;
  const std::string lesson = inside_namespace(reference, includes);
  const std::string naive = inside_namespace(plain, includes);
  const LexemeRange parameters{kernel->parameters, code[kernel->parameters].partner + 1};
  return fmt::format(
      "{}\n\nnamespace lesson {{\n{}\n}}\nnamespace plain {{\n{}\n}}\n\n"
      "__global__ void {}{} {{\n  if ({}) {{\n    lesson::{}({});\n  }} else {{\n    plain::{}({});"
      "\n  }}\n}}\n\n{} {{\n  return {} ? lesson::launch({}) : plain::launch({});\n}}\n",
      fmt::join(includes, "\n"), lesson, naive, lab.kernel, code.text(parameters),
      where_counted(lab, *expressions), lab.kernel, fmt::join(names, ", "), lab.kernel,
      fmt::join(names, ", "), launch_head(lab), where_counted(lab, own_names),
      values_in(lab, own_names), values_in(lab, own_names));
}

std::vector<std::string> given_kernels(const Lab& lab, const std::string& source) {
  const KernelCode code{Source(source)};
  std::vector<std::string> names;
  for (const FunctionRange& function : code.functions()) {
    if (function.name != lab.kernel && kernel_mark(code, function) != kNowhere)
      names.push_back(function.name);
  }
  return names;
}

std::string given_kernel(const Lab& lab, const std::string& source, const std::string& given) {
  const KernelCode code{Source(source)};
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is(i, lab.kernel)) edits.push_back(in_place_of(code[i], lab.kernel + "_to_write"));
    if (code.is(i, given)) edits.push_back(in_place_of(code[i], lab.kernel));
  }
  return edited(code.source(), std::move(edits));
}

}  // namespace tessera
