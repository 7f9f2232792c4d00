#include "grader/judge/run/program.h"

#include <algorithm>

#include "common/link_out_of.h"
#include "common/text.h"
#include "grader/compile/array_shapes.h"
#include "grader/compile/cubin.h"
#include "grader/compile/source_facts.h"
#include "grader/judge/points/weigh.h"
#include "grader/judge/run/epilogue.h"
#include "grader/judge/run/load_finding.h"
#include "grader/judge/run/reference_kernel.h"
#include "grader/judge/run/resources.h"
#include "grader/judge/run/signature.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSourceBytes = 1u << 20;

Refusal infra(Text message, Text hint) {
  return {.status = Status::infra, .message = std::move(message), .hint = std::move(hint)};
}

/// The refusal if the compiler fails on this source twice, and works on another.
Refusal fails_on_this_alone(const std::string& message) {
  return {.status = Status::review,
          .message = Phrase::compiler_fails + Text(message),
          .hint = Phrase::compiler_fails_hint};
}

Refusal refused(const Finding& finding) {
  return {.message = finding.message, .hint = finding.hint, .findings = {finding}};
}

/// Returns the name of the file beside the missing one that the student may have meant: nearly the
/// same name ("Kernel.cu", "kernel.cu.txt"), else that of the only kernel there ("main.cu"); or "".
std::string misnamed(const fs::path& submission) {
  std::error_code ignored;
  std::vector<std::string> kernels;
  for (const auto& entry : fs::directory_iterator(submission.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (lower_case(name).starts_with(submission.filename().string())) return name;
    if (entry.path().extension() == ".cu" && name != "reference.cu") kernels.push_back(name);
  }
  return kernels.size() == 1 ? kernels.front() : "";
}

Text skeleton_hint(const Lab& lab) {
  return say(Phrase::skeleton_hint, Name{lab.id}, Name{lab.id});
}

/// The refusal with the errors alone: an error causes most of the warnings behind it.
Refusal does_not_compile(std::vector<Finding> findings) {
  std::erase_if(findings, [](const Finding& f) { return f.severity != Severity::error; });
  if (findings.empty()) return {Status::error, Phrase::does_not_compile, {}, {}};
  const Finding& first = findings.front();
  return {Status::error, first.message, first.hint, findings};
}

std::optional<KernelInfo> find_launcher(const std::vector<KernelInfo>& all, const Lab& lab) {
  const auto found = std::ranges::find(all, kLaunchEntry, &KernelInfo::entry);
  std::vector<std::uint32_t> bytes(launch_arguments(lab).size(), sizeof(int));
  bytes.push_back(sizeof(std::uint64_t));
  const bool whole = found != all.end() && found->parameter_bytes == bytes;
  return whole ? std::optional(*found) : std::nullopt;
}

Finding no_launcher(const Lab& lab) {
  Finding finding;
  finding.kind = FindingKind::does_not_compile;
  finding.file = "kernel.cu";
  finding.message = Phrase::open_end;
  finding.hint = say(Phrase::open_end_hint, Name{expected_launch(lab)});
  return finding;
}

bool asks_for_registers(const Lab& lab) {
  return std::ranges::any_of(lab.thresholds, &Threshold::is_modelled) ||
         std::ranges::any_of(lab.technique, [](const TechniqueItem& technique) {
           return technique.metric == Metric::registers_per_thread ||
                  technique.metric == Metric::theoretical_occupancy;
         });
}

}  // namespace

std::variant<Source, Refusal> read_submission(const Lab& lab, const fs::path& submission,
                                              const GradeOptions& options) {
  std::error_code ignored;
  if (!fs::exists(submission, ignored)) {
    const std::string other = misnamed(submission);
    return Refusal{.message = say(Phrase::no_submission, Detail(submission.string())),
                   .hint = other.empty() ? skeleton_hint(lab)
                                         : say(Phrase::rename_hint, Name{other},
                                               Name{submission.filename().string()})};
  }
  if (!options.submissions.empty()) {
    if (const auto error = link_out_of(options.submissions, submission))
      return Refusal{.message = error->str(), .hint = Phrase::link_hint};
  }
  const Expected<std::string> content = read_file(submission, kMaxSourceBytes);
  if (!content) {
    return Refusal{.message = content.error().str(), .hint = Phrase::kernel_file_hint};
  }
  return Source(*content);
}

CompileRequest compile_request(const Lab& lab, const Source& source,
                               const CompilerSetup& compiler) {
  CompileRequest request;
  request.source = source;
  request.epilogue = launch_epilogue(lab);
  request.epilogue_message = say(Phrase::launch_differs, Name{expected_launch(lab)}) +
                             other_lab_in_parentheses(lab, source);
  request.compiler = compiler;
  return request;
}

const DeviceProfile& target_device(const Machine& machine) {
  return machine.gpu ? machine.gpu->profile : machine.device;
}

std::shared_ptr<Interpreter> start_interpreter(const Machine& machine) {
  return machine.interpreters->take(machine.host_threads);
}

std::variant<Program, Refusal> load_program(const Lab& lab,
                                            std::shared_ptr<Interpreter> interpreter,
                                            const std::string& ptx, const Source& source,
                                            bool is_assembled) {
  std::optional<Interpreter::Loaded> loaded;
  try {
    loaded = with_second_try([&] { return interpreter->load(ptx); });
  } catch (const ProcessCrash& crash) {
    return refused(crash_finding(crash));
  }
  const Interpreter::Loaded& all = *loaded;
  if (!all) {
    Refusal refusal = refused(load_finding(all.error(), ptx, source, "kernel.cu", is_assembled));
    if (refusal.findings.front().kind != FindingKind::does_not_compile)
      refusal.status = Status::review;
    return refusal;
  }
  const auto kernel = find_kernel(*all, lab, source);
  if (const Finding* finding = std::get_if<Finding>(&kernel)) return refused(*finding);
  const std::optional<KernelInfo> launcher = find_launcher(*all, lab);
  if (!launcher) return refused(no_launcher(lab));
  return Program{.interpreter = std::move(interpreter),
                 .kernel = std::get<KernelInfo>(kernel),
                 .launcher = *launcher,
                 .ptx = ptx,
                 .module = ptx,
                 .arrays = array_shapes(source),
                 .return_lines = return_lines(source),
                 .name_lines = name_lines(source),
                 .assembly = may_have_assembly(source),
                 .warnings = {},
                 .registers = std::nullopt,
                 .reference = nullptr};
}

namespace {

/// Compiles a submission: with machine code if the lab or a GPU needs it, if ptxas may refuse its
/// inline assembly, or if its registers may leave no room for a block.
Expected<CompileResult> compile_submission(const Lab& lab, const Source& source,
                                           const GradeOptions& options) {
  const CompileRequest request = compile_request(lab, source, options.compiler);
  const DeviceProfile& device = target_device(options.machine);
  if (options.machine.gpu || asks_for_registers(lab)) return compile_with_code(device, request);
  Expected<CompileResult> compiled = compile_for(device, request);
  const bool may_be_refused =
      compiled && compiled->ok &&
      (has_inline_assembly(compiled->ptx) || may_hold_many_registers(compiled->ptx));
  return may_be_refused ? compile_with_code(device, request) : compiled;
}

/// Whether the compiler fails without a submission too, which is this machine's fault.
bool compiler_is_missing(const GradeOptions& options) {
  CompileRequest request;
  request.source = "__global__ void nothing() {}\n";
  request.compiler = options.compiler;
  request.compiler.cache_dir.clear();
  return !compile_for(target_device(options.machine), request);
}

}  // namespace

std::variant<Program, Refusal> build_program(const Lab& lab, const Source& source,
                                             const GradeOptions& options, std::string& compiler) {
  if (source.text().find_first_not_of(" \t\n") == std::string::npos)
    return Refusal{.message = Phrase::empty_kernel, .hint = skeleton_hint(lab)};
  auto interpreter = start_interpreter(options.machine);  // while the compiler works
  Expected<CompileResult> compiled = compile_submission(lab, source, options);
  if (!compiled) {
    if (compiler_is_missing(options)) return infra(compiled.error().str(), Phrase::doctor_hint);
    compiled = compile_submission(lab, source, options);
    if (!compiled) return fails_on_this_alone(compiled.error().str());
  }
  compiler = compiled->compiler;
  if (!compiled->ok) return does_not_compile(compiled->findings);

  const bool is_assembled = !compiled->cubin.empty();
  auto loaded = load_program(lab, std::move(interpreter), compiled->ptx, source, is_assembled);
  if (std::holds_alternative<Refusal>(loaded)) return loaded;
  Program& program = std::get<Program>(loaded);
  program.warnings = compiled->findings;
  if (is_assembled) {
    program.registers = cubin_registers(compiled->cubin, program.kernel.entry);
    program.module = std::move(compiled->cubin);
  }
  auto reference = build_reference(lab, options);
  if (Refusal* refusal = std::get_if<Refusal>(&reference)) return std::move(*refusal);
  program.reference = std::get<std::shared_ptr<const ReferenceProgram>>(std::move(reference));
  return loaded;
}

}  // namespace tessera
