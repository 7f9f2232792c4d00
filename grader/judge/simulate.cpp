#include "grader/judge/simulate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "common/recipe.h"
#include "grader/judge/arguments.h"
#include "grader/judge/compare.h"
#include "grader/judge/epilogue.h"
#include "grader/judge/resources.h"
#include "grader/simulator/memory.h"

namespace tessera {
namespace {

constexpr std::uint64_t kLaunchSteps = 1'000'000;

/// A correct kernel may do all the work in one thread, at some 20 instructions an inner step; twice
/// that, and room for small shapes, still ends an endless loop. Each case that did not end makes
/// the next ones less patient: whoever spread the work over threads needs a small part of it.
std::uint64_t step_limit(double work, int timeouts) {
  return 100'000 + static_cast<std::uint64_t>(40 * std::max(work, 1.0) / std::pow(16, timeouts));
}

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// An operand in the simulated device's memory.
struct Buffer {
  Operand operand;
  HostMatrix host;  // inputs: as they were filled; output: as it came back
  std::uint64_t address = 0;
};

/// The padding after the last row is not allocated: what runs over it is out of bounds.
std::size_t device_bytes(const HostMatrix& matrix) {
  const std::size_t rows = static_cast<std::size_t>(matrix.height());
  const std::size_t pitch = static_cast<std::size_t>(matrix.pitch());
  const std::size_t width = static_cast<std::size_t>(matrix.width());
  return ((rows - 1) * pitch + width) * element_size(matrix.element());
}

BufferInfo buffer_info(const Buffer& buffer) {
  BufferInfo info;
  info.name = buffer.operand.name;
  info.element_bytes = static_cast<std::uint32_t>(element_size(buffer.host.element()));
  info.initialized = !buffer.operand.output;
  if (buffer.host.height() > 1) {
    info.width = static_cast<std::uint32_t>(buffer.host.width());
    info.pitch = static_cast<std::uint32_t>(buffer.host.pitch());
  }
  return info;
}

void copy_to_device(Buffer& buffer, DeviceMemory& memory) {
  const std::size_t size = device_bytes(buffer.host);
  buffer.address = memory.allocate(buffer_info(buffer), size);
  std::memcpy(memory.bytes(buffer.address).data(), buffer.host.bytes().data(), size);
}

HostMatrix copy_from_device(const Buffer& buffer, DeviceMemory& memory) {
  HostMatrix copy = buffer.host;
  std::memcpy(copy.bytes().data(), memory.bytes(buffer.address).data(), device_bytes(copy));
  return copy;
}

const Finding* find_kind(const std::vector<Finding>& findings, FindingKind kind) {
  const auto found = std::ranges::find(findings, kind, &Finding::kind);
  return found == findings.end() ? nullptr : &*found;
}

/// What ended a run that did not complete, and the status that makes.
std::pair<Status, const Finding*> stop_reason(const RunResult& result) {
  using enum FindingKind;
  const std::pair<FindingKind, Status> reasons[] = {{unsupported_instruction, Status::infra},
                                                    {step_limit, Status::timeout},
                                                    {trap, Status::error},
                                                    {bad_launch, Status::fail},
                                                    {divergent_barrier, Status::fail},
                                                    {barrier_deadlock, Status::fail}};
  for (const auto& [kind, status] : reasons) {
    if (const Finding* finding = find_kind(result.findings, kind)) return {status, finding};
  }
  const auto error = std::ranges::find(result.findings, Severity::error, &Finding::severity);
  const Status status = result.status == RunStatus::unsupported ? Status::infra : Status::error;
  return {status, error == result.findings.end() ? nullptr : &*error};
}

CaseOutcome stopped_outcome(RunResult result) {
  const auto [status, reason] = stop_reason(result);
  CaseOutcome outcome;
  outcome.status = status;
  outcome.message = reason ? reason->message : "the run was stopped";
  outcome.hint = reason ? reason->hint : "";
  outcome.findings = std::move(result.findings);
  return outcome;
}

CaseOutcome infra_outcome(std::string message) {
  CaseOutcome outcome;
  outcome.status = Status::infra;
  outcome.message = std::move(message);
  return outcome;
}

class CaseRun {
 public:
  CaseRun(const Lab& lab, const Program& program, std::size_t number, int timeouts,
          const GradeOptions& options)
      : lab_(lab),
        program_(program),
        number_(number),
        timeouts_(timeouts),
        options_(options),
        case_(lab.cases.at(number - 1)) {}

  CaseOutcome outcome() {
    if (const auto error = make_buffers()) return infra_outcome(error->str());
    // Memory of its own, so that no message about the kernel calls it a neighbour.
    DeviceMemory memory;
    RunRequest request = base_request(program_.launcher, kLaunchSteps, memory);
    const std::uint64_t words = memory.allocate({.name = "launch"}, kLaunchWords * 4);
    request.arguments = launcher_arguments(words);
    RunResult launched = run(request);
    if (launched.status != RunStatus::completed) return stopped_outcome(std::move(launched));
    return run_kernel(shape_in(memory.bytes(words)));
  }

 private:
  std::optional<Error> make_buffers() {
    for (const Operand& operand : lab_.operation->operands(case_.extents)) {
      Buffer buffer{operand, HostMatrix(lab_.element, operand.height, operand.width,
                                        operand.width + case_.pitch)};
      if (operand.output) {
        poison(buffer.host);
      } else if (auto error = fill(buffer.host, case_.data.at(operand.name), input_seed())) {
        return error;
      }
      copy_to_device(buffer, memory_);
      buffers_.push_back(std::move(buffer));
    }
    return std::nullopt;
  }

  std::uint64_t input_seed() const {
    return mixed(mixed(options_.seed + number_) + buffers_.size());
  }

  RunRequest base_request(const KernelInfo& kernel, std::uint64_t steps,
                          DeviceMemory& memory) const {
    RunRequest request;
    request.module = program_.module.get();
    request.entry = kernel.entry;
    request.memory = &memory;
    request.device = options_.device;
    request.step_limit = steps;
    request.host_threads = options_.host_threads;
    return request;
  }

  int number_called(const std::string& name) const {
    const auto extent = case_.extents.find(name);
    return extent != case_.extents.end() ? extent->second : case_.parameters.at(name);
  }

  std::vector<Argument> launcher_arguments(std::uint64_t words) const {
    std::vector<Argument> arguments;
    for (const std::string& name : launch_arguments(lab_)) {
      arguments.push_back(argument_of(number_called(name)));
    }
    arguments.push_back(argument_of(words));
    return arguments;
  }

  static LaunchShape shape_in(std::span<const std::byte> bytes) {
    std::uint32_t words[kLaunchWords];
    std::memcpy(words, bytes.data(), sizeof words);
    return {{words[0], words[1], words[2]}, {words[3], words[4], words[5]}, words[6]};
  }

  Argument kernel_argument(const std::string& argument) const {
    for (const Buffer& buffer : buffers_) {
      if (argument == buffer.operand.name) {
        return matrix_argument(buffer.address, buffer.host.height(), buffer.host.width(),
                               buffer.host.pitch());
      }
      if (argument == buffer.operand.name + ".data") return argument_of(buffer.address);
    }
    return argument_of(number_called(argument));
  }

  CaseOutcome run_kernel(const LaunchShape& shape) {
    RunRequest request = base_request(
        program_.kernel, step_limit(lab_.operation->work(case_.extents), timeouts_), memory_);
    request.shape = shape;
    request.shared_arrays = program_.shared_arrays;
    for (const std::string& argument : lab_.arguments) {
      request.arguments.push_back(kernel_argument(argument));
    }
    RunResult result = run(request);
    if (result.status != RunStatus::completed) return stopped_outcome(std::move(result));
    add_occupancy(result.metrics, options_.device, shape, program_.registers);
    return compared(std::move(result));
  }

  CaseOutcome compared(RunResult result) {
    const std::vector<Finding> mistakes = compare_buffers(result.findings);
    CaseOutcome outcome;
    outcome.findings = std::move(result.findings);
    outcome.metrics = std::move(result.metrics);
    outcome.lines = std::move(result.lines);
    outcome.unwritten = unwritten_;
    if (!mistakes.empty()) {
      outcome.status = Status::fail;
      outcome.message = mistakes.front().message;
      outcome.hint = mistakes.front().hint;
      outcome.findings.insert(outcome.findings.end(), mistakes.begin(), mistakes.end());
    }
    return outcome;
  }

  /// What fails the case. A store to padding does not: it goes with the run's own findings, unless
  /// the simulator has told it.
  std::vector<Finding> compare_buffers(std::vector<Finding>& run_findings) {
    std::vector<Finding> mistakes;
    std::vector<HostMatrix> inputs;
    for (const Buffer& buffer : buffers_) {
      const HostMatrix after = copy_from_device(buffer, memory_);
      if (!buffer.operand.output) {
        if (auto finding = find_modified(buffer.operand.name, buffer.host, after)) {
          mistakes.push_back(*finding);
        }
        inputs.push_back(buffer.host);
        continue;
      }
      Comparison comparison =
          compare_output(buffer.operand.name, after, lab_.operation->reference(inputs));
      unwritten_ = comparison.unwritten;
      std::ranges::move(comparison.findings, std::back_inserter(mistakes));
      const auto padding = find_padding_write(buffer.operand.name, after);
      if (padding && !find_kind(run_findings, FindingKind::out_of_bounds)) {
        run_findings.push_back(*padding);
      }
    }
    return mistakes;
  }

  const Lab& lab_;
  const Program& program_;
  std::size_t number_;
  int timeouts_;
  const GradeOptions& options_;
  const Case& case_;
  DeviceMemory memory_;
  std::vector<Buffer> buffers_;  // inputs first
  bool unwritten_ = false;
};

}  // namespace

CaseOutcome simulate_case(const Lab& lab, const Program& program, std::size_t number, int timeouts,
                          const GradeOptions& options) {
  return CaseRun(lab, program, number, timeouts, options).outcome();
}

}  // namespace tessera
