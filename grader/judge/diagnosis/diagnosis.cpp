#include "grader/judge/diagnosis/diagnosis.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "grader/judge/diagnosis/explain.h"
#include "grader/judge/diagnosis/settlement.h"
#include "grader/judge/diagnosis/words.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/reference_kernel.h"

namespace tessera {
namespace {

/// Whether the run accessed wrong memory, so that the output may hold any values.
bool touched_memory_wrongly(const CaseOutcome& outcome) {
  using enum FindingKind;
  return std::ranges::any_of(outcome.findings, [](const Finding& finding) {
    return finding.kind == out_of_bounds || finding.kind == misaligned ||
           finding.kind == uninitialized_read || finding.kind == input_modified;
  });
}

WrongOutput wrong_output(const CaseContext& context, const FailedRun& run) {
  WrongOutput::Parts parts;
  parts.operation = context.lab.operation;
  parts.extents = context.test_case.extents;
  for (const OperandData& operand : run.before) {
    parts.operands.push_back(operand.operand);
    if (!operand.operand.output) parts.inputs.push_back(operand.host);
  }
  parts.got = run.after.back();
  parts.reference = run.reference;
  parts.shape = run.shape;
  parts.shared_bytes = run.shape.shared_bytes + context.program.kernel.static_shared_bytes;
  parts.reference_for = [context](
                            const std::vector<HostMatrix>& inputs,
                            std::span<const std::int32_t> elements) -> std::optional<Reference> {
    try {
      return elements.empty() ? reference_of(context, inputs)
                              : reference_at(context, inputs, elements);
    } catch (const std::exception&) {
      return std::nullopt;  // a reference.cu that fails on these inputs
    }
  };
  return WrongOutput(std::move(parts));
}

enum class Races { none, on_output, elsewhere };

/// Where threads raced in any of the cases. Threads that store the same value do no harm.
Races races_of(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  Races races = Races::none;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string output = lab.operation->operands(lab.cases[i].extents).back().name + "[";
    for (const Finding& finding : outcomes[i].findings) {
      if (finding.kind != FindingKind::race || finding.severity != Severity::error) continue;
      if (!example_value(finding, "element").starts_with(output)) return Races::elsewhere;
      races = Races::on_output;
    }
  }
  return races;
}

/// Whether the mistake makes threads race for places of the output: it sends several elements to
/// one place, and shows whichever thread wins.
bool makes_races(const std::string& word) {
  return word == "wrong-row-length" || word == "result-transposed" ||
         word == "guard-extents-swapped" || word == "grid-swapped" ||
         word == "thread-index-ignored" || word == "made-for-whole-tiles";
}

/// The cases that can be diagnosed, as indices of Lab::cases, the cheapest first: what a small case
/// contradicts need not be tried on a large one.
std::vector<std::size_t> diagnosed_cases(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  std::vector<std::size_t> cases;
  const auto work = [&](std::size_t i) { return lab.operation->work(lab.cases[i].extents); };
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const bool known = outcomes[i].failed && !outcomes[i].failed->reference.value.empty();
    if (known && !lab.cases[i].hidden && work(i) <= kMostDiagnosedWork) cases.push_back(i);
  }
  std::ranges::stable_sort(cases, {}, work);
  return cases;
}

}  // namespace

void diagnose(const Lab& lab, const Program& program, const GradeOptions& options,
              std::vector<CaseOutcome>& outcomes) {
  const Races races = races_of(lab, outcomes);
  if (races == Races::elsewhere) return;
  const std::vector<std::size_t> numbers = diagnosed_cases(lab, outcomes);
  std::vector<WrongOutput> outputs;
  Clues clues;
  for (const std::size_t i : numbers) {
    outputs.push_back(wrong_output({lab, program, lab.cases[i], options}, *outcomes[i].failed));
    gather_clues(outputs.back(), clues);
    outcomes[i].failed.reset();
  }
  std::vector<ExplainedCase> cases;
  Candidates candidates;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CaseOutcome& outcome = outcomes[numbers[i]];
    const auto worth = [&](const std::string& word, const std::string& variant) {
      if (races == Races::on_output && !makes_races(word)) return false;
      return candidates.contain(outcome, word, variant);
    };
    cases.push_back(
        {&outcome, !touched_memory_wrongly(outcome), explanations_of(outputs[i], clues, worth)});
    candidates.narrow(cases.back());
  }
  settle(std::move(cases));
}

}  // namespace tessera
