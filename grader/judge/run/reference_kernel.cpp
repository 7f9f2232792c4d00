#include "grader/judge/run/reference_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "common/device_storage.h"
#include "common/text.h"
#include "grader/gpu/run.h"
#include "grader/judge/run/arguments.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/epilogue.h"
#include "grader/judge/run/expected_results.h"
#include "grader/judge/run/resources.h"

namespace tessera {
namespace {

constexpr const char* kEntry = "tessera_reference";
constexpr std::uint32_t kThreads = 128;
/// The steps that a warp may have; adding up 16 million elements takes half of them.
constexpr std::uint64_t kReferenceSteps = 200'000'000;
/// More blocks run on the GPU if there is one: its process takes half a second to start.
constexpr std::uint32_t kMostSimulatedBlocks = 2'000;

/// How many blocks one thread of the host simulates in a few milliseconds.
constexpr std::uint32_t kMostBlocksOfOneThread = 256;

std::vector<Operand> inputs_of(const Lab& lab) {
  Extents ones;
  for (const std::string& extent : lab.operation->extents()) ones[extent] = 1;
  std::vector<Operand> operands = lab.operation->operands(ones);
  operands.pop_back();
  return operands;
}

/// The source of the kernel that calls reference(): a thread for each element of the output, or for
/// each of tessera_elements.
std::string reference_epilogue(const Lab& lab) {
  const std::string type(type_name(lab.element, Storage::same));
  std::vector<std::string> names, declarations;
  const auto add = [&](const std::string& declared) {
    names.push_back(fmt::format("tessera_argument_{}", names.size()));
    declarations.push_back(declared + " " + names.back());
  };
  for (std::size_t i = 0; i < inputs_of(lab).size(); ++i) add("Matrix<const " + type + ">");
  for (std::size_t i = 0; i < launch_arguments(lab).size(); ++i) add("int");
  return fmt::format(
      "extern \"C\" __global__ void {0}({1}, int tessera_width,\n"
      "    Matrix<const int> tessera_elements, Matrix<double> tessera_value,\n"
      "    Matrix<double> tessera_bound) {{\n"
      "  const long long tessera_i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
      "  if (tessera_i >= (long long)tessera_value.height * tessera_value.width) return;\n"
      "  const long long tessera_element =\n"
      "      tessera_elements.width > 0 ? tessera_elements.data[tessera_i] : tessera_i;\n"
      "  const int tessera_row = (int)(tessera_element / tessera_width);\n"
      "  const int tessera_column = (int)(tessera_element % tessera_width);\n"
      "  tessera_value.data[tessera_i] = reference({2}, tessera_row, tessera_column);\n"
      "  tessera_bound.data[tessera_i] = bound({2}, tessera_row, tessera_column);\n"
      "}}\n",
      kEntry, fmt::join(declarations, ", "), fmt::join(names, ", "));
}

std::string expected_functions(const Lab& lab) {
  std::vector<std::string> declarations;
  const std::string type(type_name(lab.element, Storage::same));
  for (const Operand& input : inputs_of(lab))
    declarations.push_back(fmt::format("Matrix<const {}> {}", type, input.name));
  for (const std::string& name : launch_arguments(lab)) declarations.push_back("int " + name);
  const std::string list = fmt::format("({}, int row, int column)", fmt::join(declarations, ", "));
  return "__device__ double reference" + list + " and __device__ double bound" + list;
}

Text of_file(const Lab& lab, const Text& message) {
  return say(Phrase::of_file, Name{lab.reference_kernel.string()}) + message;
}

Refusal broken(const Lab& lab, const Text& message, const Text& hint = {}) {
  return {.status = Status::infra, .message = of_file(lab, message), .hint = hint};
}

Text first_error(const std::vector<Finding>& findings) {
  const auto found = std::ranges::find(findings, Severity::error, &Finding::severity);
  if (found == findings.end()) return Phrase::reference_does_not_end;
  return found->line > 0 ? say(Phrase::in_line, SourceLine{found->line}) + found->message
                         : found->message;
}

/// The run that computes the elements `some`, or all if it is empty, with a thread for each.
/// Buffers: the inputs, the indices of `some`, values, bounds.
GpuRun reference_run(const CaseContext& context, std::span<const HostMatrix> inputs,
                     std::span<const std::int32_t> some) {
  const std::vector<Operand> operands = context.lab.operation->operands(context.test_case.extents);
  const Operand& output = operands.back();
  const auto count = static_cast<std::int32_t>(some.size());
  const int height = some.empty() ? output.height : 1;
  const int width = some.empty() ? output.width : count;
  const std::size_t elements = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  GpuRun launch;
  launch.kernel.module = context.program.reference->ptx;
  launch.kernel.entry = kEntry;
  launch.kernel.shape.block = {kThreads, 1, 1};
  launch.kernel.shape.grid = {static_cast<std::uint32_t>((elements + kThreads - 1) / kThreads), 1,
                              1};
  std::vector<GpuArgument>& arguments = launch.kernel.arguments;
  const auto add = [&](const std::string& name, std::vector<std::byte> contents,
                       const Argument& matrix, bool input) {
    arguments.push_back({matrix, {{0, launch.buffers.size()}}});
    launch.buffers.push_back({name, std::move(contents), input});
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const HostMatrix& host = inputs[i];
    // On the host 16-bit elements are floats, and so they are here.
    const std::span<const std::byte> bytes = host.bytes().first(4 * stored_elements(host));
    add(operands[i].name, {bytes.begin(), bytes.end()},
        matrix_argument(0, host.height(), host.width(), host.pitch()), true);
  }
  for (const std::string& name : launch_arguments(context.lab))
    arguments.push_back({argument_of(number_called(context.test_case, name)), {}});
  arguments.push_back({argument_of(output.width), {}});
  const Argument indices = matrix_argument(0, 1, count, count);
  if (some.empty()) {
    arguments.push_back({indices, {}});
  } else {
    const std::span<const std::byte> bytes = std::as_bytes(some);
    add("elements", {bytes.begin(), bytes.end()}, indices, true);
  }
  for (const char* name : {"value", "bound"}) {
    add(name, std::vector<std::byte>(elements * sizeof(double)),
        matrix_argument(0, height, width, width), false);
  }
  return launch;
}

BufferInfo info_of(const GpuBuffer& buffer) {
  BufferInfo info;
  info.name = buffer.name;
  info.element_bytes = buffer.input ? 4 : 8;
  info.initialized = buffer.input;
  info.input = buffer.input;
  return info;
}

/// Simulates `launch`; returns the contents of its buffers of values and bounds.
std::vector<std::vector<std::byte>> simulated(const CaseContext& context, GpuRun launch) {
  DeviceMemory memory;
  RunRequest request;
  request.entry = launch.kernel.entry;
  request.memory = &memory;
  request.device = context.options.machine.device;
  // Threads that have worked keep their processors busy for a while.
  const bool is_small = launch.kernel.shape.grid.x <= kMostBlocksOfOneThread;
  request.host_threads = is_small ? 1 : context.options.machine.host_threads;
  request.step_limit = kReferenceSteps;
  request.output_limit = 0;
  request.source_file = "reference.cu";
  request.shape = launch.kernel.shape;
  std::vector<std::uint64_t> addresses;
  for (GpuBuffer& buffer : launch.buffers)
    addresses.push_back(memory.allocate(info_of(buffer), std::move(buffer.contents)));
  for (const GpuArgument& argument : launch.kernel.arguments) {
    request.arguments.push_back(argument.bytes);
    for (const Relocation& relocation : argument.relocations)
      std::memcpy(&request.arguments.back()[relocation.offset], &addresses[relocation.buffer], 8);
  }
  const RunResult result = run(*context.program.reference->module, request);
  const bool wrong = std::ranges::count(result.findings, Severity::error, &Finding::severity) > 0;
  if (result.status != RunStatus::completed || wrong)
    throw BrokenReference(of_file(context.lab, first_error(result.findings)));
  std::vector<std::vector<std::byte>> contents;
  for (std::size_t i = addresses.size() - 2; i < addresses.size(); ++i) {
    const std::span<const std::byte> bytes = memory.bytes(addresses[i]);
    contents.emplace_back(bytes.begin(), bytes.end());
  }
  return contents;
}

/// Runs `launch` on a GPU, which checks no access; returns the contents of all buffers. Nothing if
/// it cannot run there (a driver older than the compiler, no memory left) or makes a mistake, which
/// the simulator explains better.
std::optional<std::vector<std::vector<std::byte>>> launched(const GpuRun& launch,
                                                            const GpuDevice& gpu) {
  GpuRunResult result = run_on_gpu(gpu, {&launch, 1}, "reference.cu").front();
  if (result.status != GpuStatus::completed || !result.findings.empty()) return std::nullopt;
  return std::move(result.contents);
}

std::vector<double> doubles_in(const std::vector<std::byte>& bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

/// Names all that the results depend on besides the inputs.
std::string name_of(const CaseContext& context, std::span<const std::int32_t> some) {
  return fmt::format("{} {} {} {} {}", context.program.reference->ptx,
                     to_string(context.lab.element), context.test_case.extents,
                     context.test_case.parameters, some);
}

/// Computes the elements `some` of the output, or all if it is empty.
Reference compute(const CaseContext& context, std::span<const HostMatrix> inputs,
                  std::span<const std::int32_t> some) {
  GpuRun launch = reference_run(context, inputs, some);
  const bool large = launch.kernel.shape.grid.x > kMostSimulatedBlocks;
  std::optional<std::vector<std::vector<std::byte>>> contents;
  if (large && context.options.machine.gpu)
    contents = launched(launch, *context.options.machine.gpu);
  if (!contents) contents = simulated(context, std::move(launch));
  return {doubles_in((*contents)[contents->size() - 2]), doubles_in(contents->back())};
}

/// The same, but computed only once for all kernels if results are kept.
Reference run_reference(const CaseContext& context, std::span<const HostMatrix> inputs,
                        std::span<const std::int32_t> some) {
  const auto result = [&] { return compute(context, inputs, some); };
  const auto& kept = context.options.expected;
  return kept ? kept->get(name_of(context, some), inputs, result) : result();
}

}  // namespace

std::variant<std::shared_ptr<const ReferenceProgram>, Refusal> build_reference(
    const Lab& lab, const GradeOptions& options) {
  if (lab.operation->has_host_reference()) return std::shared_ptr<const ReferenceProgram>();
  const Expected<std::string> source = read_file(lab.reference_kernel, 1u << 20);
  if (!source) return Refusal{.status = Status::infra, .message = source.error().str()};
  CompileRequest request = compile_request(lab, Source(*source), options.compiler);
  if (options.reference_compiler) request.compiler.kind = *options.reference_compiler;
  request.file_name = "reference.cu";
  request.epilogue = reference_epilogue(lab);
  request.epilogue_message = say(Phrase::reference_differs, Name{expected_functions(lab)});
  Expected<CompileResult> compiled = compile_for(target_device(options.machine), request);
  if (!compiled) return broken(lab, compiled.error().str());
  if (!compiled->ok) {
    const Text hint = compiled->findings.empty() ? Text() : compiled->findings.front().hint;
    return broken(lab, first_error(compiled->findings), hint);
  }
  const auto module = load_module(compiled->ptx);
  if (!module) return broken(lab, module.error().str());
  return std::make_shared<const ReferenceProgram>(*module, std::move(compiled->ptx));
}

Reference reference_of(const CaseContext& context, std::span<const HostMatrix> inputs) {
  const Operation& operation = *context.lab.operation;
  return operation.has_host_reference() ? operation.reference(inputs)
                                        : run_reference(context, inputs, {});
}

Reference reference_at(const CaseContext& context, std::span<const HostMatrix> inputs,
                       std::span<const std::int32_t> elements) {
  if (elements.empty()) return {};
  const Operation& operation = *context.lab.operation;
  return operation.has_host_reference() ? operation.reference_at(inputs, elements)
                                        : run_reference(context, inputs, elements);
}

}  // namespace tessera
