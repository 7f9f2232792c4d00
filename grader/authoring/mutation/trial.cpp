#include "grader/authoring/mutation/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/numbers.h"
#include "common/text.h"
#include "grader/judge/run/launch_call.h"
#include "grader/judge/run/simulated_operands.h"

namespace tessera {
namespace {

/// A right kernel may take several times as many steps as the reference; a small launch of any
/// kernel costs next to nothing.
constexpr std::uint64_t kTimesTheReference = 8;
constexpr std::uint64_t kSmallLaunch = 2'000'000;

/// The most instructions of a warp in the second run of a kernel that is known to end.
constexpr std::uint64_t kManySteps = 100'000'000;

bool forbidden(const Lab& lab, const Finding& finding) {
  return finding.severity == Severity::error && lab.forbids(finding.kind);
}

bool is_about_source_only(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) return true;
  line.remove_prefix(start);
  return line.starts_with(".loc") || line.starts_with(".file") || line.starts_with("//");
}

}  // namespace

std::vector<CompilerInfo> chosen_compilers(CompilerKind kind) {
  std::vector<CompilerInfo> chosen = available_compilers();
  std::erase_if(chosen, [&](const CompilerInfo& info) {
    return !info.available || (kind != CompilerKind::automatic && info.kind != kind);
  });
  return chosen;
}

Bench::Bench(GradeOptions options) : options_(std::move(options)) {
  options_.machine.host_threads = 1;
  options_.machine.gpu.reset();
  options_.machine.simulate = true;
}

std::variant<Program, Refusal> Bench::build(const Lab& lab, const std::string& source) const {
  std::string compiler;
  return build_program(lab, Source(source), options_, compiler);
}

CaseOutcome Bench::run(const Program& program, const Setting& setting,
                       std::uint64_t most_steps) const {
  return simulate_case(*setting.lab, program, setting.number, {.most_steps = most_steps},
                       with_seed(setting.seed));
}

std::optional<std::vector<std::byte>> Bench::output(const Program& program,
                                                    const Setting& setting) const {
  const GradeOptions options = with_seed(setting.seed);
  const CaseContext context{*setting.lab, program, setting.chosen(), options};
  SimulatedOperands operands(DataSeed(setting.seed, setting.number));
  if (operands.make(context.lab, context.test_case)) return std::nullopt;
  const auto launched = call_launch(context);
  const LaunchShape* shape = std::get_if<LaunchShape>(&launched);
  if (!shape) return std::nullopt;
  RunRequest request = operands.launch(context, *shape);
  request.step_limit = kManySteps;
  if (program.interpreter->run(request).status != RunStatus::completed) return std::nullopt;
  const auto after = operands.take().second;
  const std::span<const std::byte> bytes = after.back().bytes();
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

GradeOptions Bench::with_seed(std::uint64_t seed) const {
  GradeOptions options = options_;
  options.seed = seed;
  return options;
}

std::uint64_t most_steps_of_mutant(std::uint64_t reference_steps) {
  return kSmallLaunch + kTimesTheReference * reference_steps;
}

std::string cut_short_text(const Lab& lab, const Case& test_case, const CaseOutcome& outcome,
                           std::uint64_t reference_steps) {
  return fmt::format(
      "still running after the work of {} instructions in {}, where the reference takes {}",
      grouped(outcome.launch_steps), lab.case_title(test_case), grouped(reference_steps));
}

std::string loss_of(const Lab& lab, const CaseOutcome& outcome) {
  if (outcome.status == Status::infra || outcome.status == Status::review) return "";
  const auto found = std::ranges::find_if(outcome.findings, [&](const Finding& finding) {
    if (outcome.cut_short)
      return forbidden(lab, finding) && finding.kind != FindingKind::step_limit;
    return forbidden(lab, finding) || outcome.status != Status::pass;
  });
  if (outcome.cut_short && found == outcome.findings.end()) return "";
  if (found != outcome.findings.end()) return std::string(to_string(found->kind));
  return outcome.status == Status::pass ? "" : std::string(to_string(outcome.status));
}

bool is_certain(const CaseOutcome& outcome) {
  return outcome.status != Status::infra &&
         std::ranges::count(outcome.findings, FindingKind::grader_crash, &Finding::kind) == 0;
}

std::string code_of(const Program& program) {
  std::string code;
  for (const std::string& line : split_lines(program.ptx)) {
    // Clang's debug sections, tables of line numbers, follow the code.
    if (line.find(".section") != std::string::npos) break;
    if (!is_about_source_only(line)) code += line + '\n';
  }
  return code;
}

std::string worse_counter(const Metrics& metrics, const Metrics& reference) {
  for (const auto& [metric, value] : metrics) {
    const auto before = reference.find(metric);
    if (before == reference.end()) return fmt::format("more {}", to_string(metric));
    const bool more_is_better = about(metric).more_is_better;
    if (more_is_better && value < before->second) return fmt::format("less {}", to_string(metric));
    if (!more_is_better && value > before->second) return fmt::format("more {}", to_string(metric));
  }
  return "";
}

}  // namespace tessera
