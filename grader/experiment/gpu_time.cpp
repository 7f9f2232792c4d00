#include "grader/experiment/gpu_time.h"

#include "common/seed.h"
#include "grader/experiment/number_text.h"
#include "grader/experiment/simulated.h"
#include "grader/experiment/timed_values.h"
#include "grader/gpu/timing.h"
#include "grader/gpu/transfer.h"
#include "grader/judge/run/gpu_launch.h"
#include "grader/judge/run/launch_call.h"

namespace tessera {
namespace {

constexpr double kPatienceMs = 1000;  // so that `--all` ends within minutes

ValuePlace place_of(const ShapeData& data, const GradeOptions& options) {
  return {data.shape, options.machine.gpu->profile.name};
}

/// What is wrong with the output for these inputs, or "".
std::string mistake_in(const Experiment& experiment, const ShapeData& data,
                       const std::vector<HostMatrix>& inputs, const std::vector<std::byte>& output,
                       const GradeOptions& options) {
  const Lab lab = plain_lab(experiment);
  const OperandData& last = data.operands.back();
  const Case test_case = case_of(lab, {}, data.shape);
  const Program none;
  const Comparison comparison = verify_output({lab, none, test_case, options}, inputs,
                                              with_contents(last, output), last.operand.name);
  return comparison.findings.empty() ? "" : comparison.findings.front().message;
}

std::string mistake_in(const Experiment& experiment, const TimingRequest& request,
                       const TimingResult& result, const ShapeData& data,
                       const GradeOptions& options) {
  if (result.outputs.empty()) return "no output came back to be verified";
  const TimedOutput& output = result.outputs.back();
  return mistake_in(experiment, data, TimedInputs(request, data.operands).before(output.salt),
                    output.contents.back(), options);
}

}  // namespace

Expected<ShapeData> make_shape(const Experiment& experiment, int shape,
                               const GradeOptions& options) {
  const Lab lab = plain_lab(experiment);
  auto operands = make_operands(lab, case_of(lab, {}, shape), data_seed(options, shape));
  if (!operands) return operands.error();
  ShapeData data{shape, std::move(*operands), {}};
  if (options.machine.gpu) data.buffers = gpu_buffers(data.operands);
  return data;
}

std::variant<GpuWork, std::string> gpu_work(const Variant& variant, const Subject* subject,
                                            const ShapeData& data, const GradeOptions& options) {
  if (subject == nullptr) return CublasProduct{data.shape, data.shape, data.shape};
  const Case test_case = case_of(subject->lab, variant, data.shape);
  const CaseContext context{subject->lab, subject->program, test_case, options};
  const auto launched = call_launch(context);
  if (!std::holds_alternative<LaunchShape>(launched)) return "`launch` does not answer";
  GpuKernel kernel = gpu_kernel(context, std::get<LaunchShape>(launched), data.operands);
  if (const auto percent = variant.setting("carveout")) kernel.carveout = whole_in(*percent);
  return kernel;
}

std::vector<Value> time_variant(const Experiment& experiment, const GpuWork& work,
                                const std::optional<GpuWork>& baseline, const ShapeData& data,
                                const GradeOptions& options) {
  TimingRequest request;
  request.device = *options.machine.gpu;
  request.candidate = work;
  request.baseline = baseline;
  request.buffers = data.buffers;
  request.variation =
      experiment.element == Element::float32 ? Variation::signs_float32 : Variation::signs_int32;
  request.least_pairs = kLeastTimes;
  request.patience_ms = kPatienceMs;
  request.outputs = 1;
  request.seed = random_number();
  request.compiler = options.compiler;
  const TimingResult result = time_on_gpu(request);
  std::vector<Value> values = timed_values(experiment, result, place_of(data, options));
  if (!values.front().number) return values;
  std::string mistake = mistake_in(experiment, request, result, data, options);
  if (!mistake.empty())
    return {without_number(Metric::time_ms, "wrong", std::move(mistake), place_of(data, options))};
  return values;
}

std::vector<Value> transfer_variant(const Experiment& experiment, const Variant& variant,
                                    const GpuWork& work, const ShapeData& data,
                                    const GradeOptions& options) {
  TransferRequest request;
  request.device = *options.machine.gpu;
  request.work = work;
  request.buffers = data.buffers;
  request.memory = *memory_kind_from(variant.setting("memory").value_or("pageable"));
  const TransferResult result = transfer_on_gpu(request);
  std::vector<Value> values = transfer_values(experiment, result, place_of(data, options));
  if (result.status != GpuStatus::completed || result.samples.empty()) return values;
  std::vector<HostMatrix> inputs;
  for (std::size_t i = 0; i + 1 < data.operands.size(); ++i)
    inputs.push_back(data.operands[i].host);
  std::string mistake = mistake_in(experiment, data, inputs, result.contents.back(), options);
  if (!mistake.empty())
    return {without_number(Metric::end_to_end_ms, "wrong", std::move(mistake),
                           place_of(data, options))};
  return values;
}

}  // namespace tessera
