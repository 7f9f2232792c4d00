#include "grader/judge/run/gpu_cases.h"

#include "grader/gpu/run.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/gpu_launch.h"
#include "grader/judge/run/launch_call.h"
#include "grader/judge/run/simulate.h"

namespace tessera {
namespace {

CaseOutcome outcome_of(const CaseContext& context, const std::vector<OperandData>& operands,
                       const LaunchShape& shape, GpuRunResult& result) {
  CaseOutcome outcome;
  outcome.status = status_of(result.status);
  outcome.checks = AccessChecks::left_out;
  outcome.message = result.message;
  outcome.hint = result.hint;
  outcome.findings = std::move(result.findings);
  outcome.metrics = std::move(result.metrics);
  if (result.status != GpuStatus::completed) return outcome;
  std::vector<HostMatrix> after;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool unchanged = result.contents[i].empty();
    after.push_back(unchanged ? operands[i].host : with_contents(operands[i], result.contents[i]));
  }
  compare_case(context, operands, after, shape, outcome);
  return outcome;
}

}  // namespace

std::vector<CaseOutcome> run_cases_on_gpu(const Lab& lab, const Program& program,
                                          std::span<const std::size_t> numbers,
                                          const GradeOptions& options) {
  const auto context_of = [&](std::size_t number) {
    return CaseContext{lab, program, lab.cases.at(number - 1), options};
  };
  std::vector<CaseOutcome> outcomes(numbers.size());
  std::vector<std::vector<OperandData>> operands(numbers.size());
  std::vector<GpuRun> runs;
  std::vector<std::size_t> ran;  // index into `numbers` of each run
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const CaseContext context = context_of(numbers[i]);
    auto made = make_operands(lab, context.test_case, {options.seed, numbers[i]});
    if (!made) {
      outcomes[i].status = Status::infra;
      outcomes[i].message = made.error().str();
      continue;
    }
    operands[i] = std::move(*made);
    auto launched = call_launch(context);
    if (auto* stopped = std::get_if<RunResult>(&launched)) {
      outcomes[i] = stopped_outcome(std::move(*stopped));
      continue;
    }
    runs.push_back({gpu_kernel(context, std::get<LaunchShape>(launched), operands[i]),
                    gpu_buffers(operands[i])});
    ran.push_back(i);
  }
  std::vector<GpuRunResult> results = run_on_gpu(*options.machine.gpu, runs);
  for (std::size_t r = 0; r < ran.size(); ++r)
    outcomes[ran[r]] =
        outcome_of(context_of(numbers[ran[r]]), operands[ran[r]], runs[r].kernel.shape, results[r]);
  return outcomes;
}

}  // namespace tessera
