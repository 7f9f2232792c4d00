#include "grader/judge/run/gpu_launch.h"

#include "common/device_storage.h"
#include "grader/judge/run/arguments.h"

namespace tessera {
namespace {

GpuArgument argument_called(const std::string& argument, const Case& test_case,
                            const std::vector<OperandData>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const HostMatrix& host = operands[i].host;
    const std::string& name = operands[i].operand.name;
    if (argument == name)
      return {matrix_argument(0, host.height(), host.width(), host.pitch()), {{0, i}}};
    if (argument == name + ".data") return pointer_to(i);
  }
  return {argument_of(number_called(test_case, argument)), {}};
}

}  // namespace

std::vector<GpuBuffer> gpu_buffers(const std::vector<OperandData>& operands) {
  std::vector<GpuBuffer> buffers;
  for (const OperandData& operand : operands) {
    const HostMatrix& host = operand.host;
    GpuBuffer buffer;
    buffer.name = operand.operand.name;
    buffer.contents = to_device(host);
    buffer.element_bytes = static_cast<std::uint32_t>(stored_size(host.storage()));
    buffer.input = !operand.operand.output;
    if (host.height() > 1) {
      buffer.width = static_cast<std::uint32_t>(host.width());
      buffer.pitch = static_cast<std::uint32_t>(host.pitch());
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

GpuKernel gpu_kernel(const CaseContext& context, const LaunchShape& shape,
                     const std::vector<OperandData>& operands) {
  GpuKernel kernel;
  kernel.module = context.program.module;
  kernel.entry = context.program.kernel.entry;
  kernel.shape = shape;
  for (const std::string& argument : context.lab.arguments)
    kernel.arguments.push_back(argument_called(argument, context.test_case, operands));
  return kernel;
}

TimedInputs::TimedInputs(const TimingRequest& request, const std::vector<OperandData>& operands)
    : request_(request) {
  for (const OperandData& operand : operands) {
    if (!operand.operand.output) inputs_.push_back(operand.host);
  }
}

const std::vector<HostMatrix>& TimedInputs::before(std::uint64_t salt) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    set_timed_input(request_, i, salt, contents_);
    from_device(contents_, inputs_[i]);
  }
  return inputs_;
}

Status status_of(GpuStatus status) {
  switch (status) {
    case GpuStatus::completed:
      return Status::pass;
    case GpuStatus::trapped:
      return Status::error;
    case GpuStatus::timeout:
      return Status::timeout;
    case GpuStatus::not_launched:
      return Status::fail;
    case GpuStatus::infra:
      return Status::infra;
  }
  return Status::infra;
}

}  // namespace tessera
