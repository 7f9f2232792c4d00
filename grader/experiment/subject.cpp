#include "grader/experiment/subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/text.h"
#include "grader/experiment/number_text.h"
#include "grader/judge/run/resources.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPtx = 8u << 20;

/// Whether the setting is a parameter of the kernel.
bool is_parameter(const std::string& name) {
  return name != "threads" && name != "memory" && name != "carveout";
}

Lab lab_of_kernel(const Experiment& experiment, const Row& row) {
  Lab lab = plain_lab(experiment);
  lab.id = experiment.id + "/" + row.name;
  lab.kernel = row.what;
  lab.arguments = row.arguments;
  return lab;
}

std::string reason_of(const Refusal& refusal) {
  return refusal.hint.empty() ? refusal.message : refusal.message + "; " + refusal.hint;
}

std::string reason_of(const std::vector<Finding>& findings, const std::string& file) {
  if (findings.empty()) return file + " does not compile";
  const Finding& first = findings.front();
  return fmt::format("{}:{}: {}", file, first.line, first.message.str());
}

std::variant<Subject, std::string> from_source(Lab lab, const fs::path& file,
                                               const std::vector<std::string>& defines,
                                               const GradeOptions& options) {
  const Expected<std::string> source = read_file(file, 1u << 20);
  if (!source) return source.error().str();
  Subject subject;
  subject.request = compile_request(lab, Source(*source), options.compiler);
  subject.request.defines = defines;
  subject.request.file_name = file.filename().string();
  const DeviceProfile& device = target_device(options.machine);
  Expected<CompileResult> compiled = options.machine.gpu
                                         ? compile_with_code(device, subject.request)
                                         : compile_for(device, subject.request);
  if (!compiled) return compiled.error().str();
  if (!compiled->ok) return reason_of(compiled->findings, subject.request.file_name);
  subject.compiler = compiled->compiler;
  auto program =
      load_program(lab, start_interpreter(options.machine), compiled->ptx, subject.request.source);
  if (const Refusal* refusal = std::get_if<Refusal>(&program)) return reason_of(*refusal);
  subject.lab = std::move(lab);
  subject.program = std::get<Program>(std::move(program));
  if (!compiled->cubin.empty()) subject.program.module = std::move(compiled->cubin);
  return subject;
}

std::variant<Subject, std::string> from_ptx(Lab lab, const fs::path& file,
                                            const GradeOptions& options) {
  const Expected<std::string> ptx = read_file(file, kMostPtx);
  if (!ptx) return fmt::format("there is neither the reference of {} nor its PTX", lab.id);
  auto program = load_program(lab, start_interpreter(options.machine), *ptx);
  if (const Refusal* refusal = std::get_if<Refusal>(&program)) return reason_of(*refusal);
  Subject subject;
  subject.lab = std::move(lab);
  subject.program = std::get<Program>(std::move(program));
  return subject;
}

std::variant<Subject, std::string> build_reference_subject(const Experiment& experiment,
                                                           const Variant& variant,
                                                           const GradeOptions& options) {
  const std::string& id = variant.row->what;
  Expected<Lab> lab = load_lab(options.kit.labs / id, "", options.kit.datasets);
  if (!lab) return lab.error().str();
  if (lab->operation != experiment.operation || lab->element != experiment.element ||
      lab->inputs != Storage::same)
    return fmt::format("{} computes something else than the experiment", id);
  for (const std::string& parameter : lab->parameters) {
    const std::optional<std::string> value = variant.setting(parameter);
    if (!value || !whole_in(*value)) {
      return fmt::format("{} has the parameter '{}'; give it a whole number under 'parameters'", id,
                         parameter);
    }
  }
  for (const auto& [name, value] : variant.settings) {
    if (is_parameter(name) && std::ranges::count(lab->parameters, name) == 0)
      return fmt::format("{} has no parameter '{}'", id, name);
  }
  const fs::path source = options.kit.solutions / id / "kernel.cu";
  std::error_code ignored;
  if (fs::exists(source, ignored)) return from_source(std::move(*lab), source, {}, options);
  return from_ptx(std::move(*lab), options.kit.labs / id / "baseline.ptx", options);
}

}  // namespace

std::string code_for(const DeviceProfile& device, const Subject& subject) {
  if (subject.request.source.text().empty()) return "";
  const Expected<CompileResult> compiled = compile_with_code(device, subject.request);
  return compiled ? compiled->cubin : "";
}

Lab plain_lab(const Experiment& experiment) {
  Lab lab;
  lab.id = experiment.id;
  lab.operation = experiment.operation;
  lab.element = experiment.element;
  return lab;
}

Case case_of(const Lab& lab, const Variant& variant, int shape) {
  Case test_case;
  for (const std::string& extent : lab.operation->extents()) test_case.extents[extent] = shape;
  for (const std::string& parameter : lab.parameters)
    test_case.parameters[parameter] = whole_in(variant.setting(parameter).value_or("")).value_or(0);
  test_case.data_name = lab.element == Element::float32 ? "uniform" : "integers";
  for (const Operand& operand : lab.operation->operands(test_case.extents)) {
    if (!operand.output) test_case.data[operand.name] = Recipe{.generator = test_case.data_name};
  }
  return test_case;
}

DataSeed data_seed(const GradeOptions& options, int shape) {
  return {options.seed, 2'000'000 + static_cast<std::uint64_t>(shape)};
}

std::variant<Subject, std::string> build_subject(const Experiment& experiment,
                                                 const Variant& variant,
                                                 const GradeOptions& options) {
  if (variant.row->runner == Runner::reference)
    return build_reference_subject(experiment, variant, options);
  std::vector<std::string> defines;
  for (const auto& [name, value] : variant.settings) {
    if (is_parameter(name)) defines.push_back(name + " " + value);
  }
  return from_source(lab_of_kernel(experiment, *variant.row), variant.row->file, defines, options);
}

}  // namespace tessera
