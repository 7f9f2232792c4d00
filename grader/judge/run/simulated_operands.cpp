#include "grader/judge/run/simulated_operands.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/device_storage.h"
#include "common/recipe.h"
#include "grader/judge/run/arguments.h"

namespace tessera {
namespace {

/// Whether the operand has several rows in some case of the lab: a single row in another case is
/// then a matrix too.
bool is_matrix(const Lab& lab, const std::string& name) {
  return std::ranges::any_of(lab.cases, [&](const Case& test_case) {
    return std::ranges::any_of(
        lab.operation->operands(test_case.extents),
        [&](const Operand& operand) { return operand.name == name && operand.height > 1; });
  });
}

BufferInfo buffer_info(const OperandData& data, bool matrix) {
  BufferInfo info;
  info.name = data.operand.name;
  info.element_bytes = static_cast<std::uint32_t>(stored_size(data.host.storage()));
  info.initialized = !data.operand.output;
  info.input = !data.operand.output;
  if (matrix) {
    info.width = static_cast<std::uint32_t>(data.host.width());
    info.pitch = static_cast<std::uint32_t>(data.host.pitch());
  }
  return info;
}

/// The address of the first buffer of a launch: a multiple of 256 where cudaMalloc may place a
/// buffer, which no kernel can know in advance.
std::uint64_t first_address(DataSeed seed) {
  constexpr std::uint64_t kLowest = std::uint64_t{0x7e00} << 32;
  constexpr std::uint64_t kAlignment = 256, kPlaces = (std::uint64_t{0x1c0} << 32) / kAlignment;
  return kLowest + seed.number_for(Purpose::addresses) % kPlaces * kAlignment;
}

/// A word that is a NaN as a float, and as an integer a value that no kernel knows in advance.
std::uint32_t drawn_nan(std::uint64_t number) {
  return 0x7fc00000u | static_cast<std::uint32_t>(number >> 42);
}

}  // namespace

std::optional<Error> SimulatedOperands::make(const Lab& lab, const Case& test_case) {
  auto operands = make_operands(lab, test_case, seed_, Outputs::zeroes);
  if (!operands) return operands.error();
  for (OperandData& operand : *operands) {
    const std::size_t size = device_bytes(operand.host);
    BufferInfo info = buffer_info(operand, is_matrix(lab, operand.operand.name));
    std::uint64_t address = first_address(seed_);
    if (buffers_.empty()) {
      memory_.place(std::move(info), address, SharedBuffer(size));
    } else {
      address = memory_.allocate(std::move(info), size);
    }
    const std::span<std::byte> bytes = memory_.bytes(address);
    if (operand.operand.output) {
      poison(bytes.first(size), operand.host.element());
    } else {
      to_device(operand.host, bytes);
    }
    buffers_.push_back({std::move(operand), address});
  }
  return std::nullopt;
}

RunRequest SimulatedOperands::launch(const CaseContext& context, const LaunchShape& shape) {
  const auto& [lab, program, test_case, options] = context;
  RunRequest request;
  request.poison = drawn_nan(seed_.number_for(Purpose::poison));
  request.key = seed_.number_for(Purpose::schedule);
  request.readable_key = seed_.number_for(Purpose::readable);
  request.entry = program.kernel.entry;
  request.memory = &memory_;
  request.device = options.machine.device;
  request.registers_per_thread = program.registers.value_or(0);
  request.host_threads = options.machine.host_threads;
  request.shape = shape;
  request.arrays = program.arrays;
  request.return_lines = program.return_lines;
  request.output_limit = 0;  // a record holds nothing that a kernel printed
  request.name_lines = program.name_lines;
  for (const std::string& argument : lab.arguments)
    request.arguments.push_back(argument_called(argument, test_case));
  return request;
}

std::vector<SimulatedOperands::Written> SimulatedOperands::written() const {
  const HostMatrix& host = buffers_.back().data.host;
  // The interpreter's process may still write, so each word is read once.
  const auto* words =
      reinterpret_cast<const volatile std::uint32_t*>(memory_.find(buffers_.back().address)->data);
  const std::uint32_t poison = poison_bits(host.element());
  std::vector<Written> written;
  for (int row = 0; row < host.height(); ++row) {
    const volatile std::uint32_t* start =
        words + static_cast<std::size_t>(row) * static_cast<std::size_t>(host.pitch());
    for (int column = 0; column < host.width(); ++column) {
      const std::uint32_t bits = start[column];
      if (bits == poison) continue;
      const double value = host.element() == Element::float32
                               ? static_cast<double>(std::bit_cast<float>(bits))
                               : static_cast<double>(std::bit_cast<std::int32_t>(bits));
      written.push_back({row * host.width() + column, value});
    }
  }
  return written;
}

std::vector<HostMatrix> SimulatedOperands::take_inputs() {
  std::vector<HostMatrix> inputs;
  for (std::size_t i = 0; i + 1 < buffers_.size(); ++i)
    inputs.push_back(std::move(buffers_[i].data.host));
  return inputs;
}

std::pair<std::vector<OperandData>, std::vector<HostMatrix>> SimulatedOperands::take() {
  std::vector<OperandData> before;
  std::vector<HostMatrix> after;
  for (Buffer& buffer : buffers_) {
    after.push_back(with_contents(buffer.data, memory_.bytes(buffer.address)));
    before.push_back(std::move(buffer.data));
  }
  buffers_.clear();
  return {std::move(before), std::move(after)};
}

Argument SimulatedOperands::argument_called(const std::string& name, const Case& test_case) const {
  for (const Buffer& buffer : buffers_) {
    const HostMatrix& host = buffer.data.host;
    if (name == buffer.data.operand.name)
      return matrix_argument(buffer.address, host.height(), host.width(), host.pitch());
    if (name == buffer.data.operand.name + ".data") return argument_of(buffer.address);
  }
  return argument_of(number_called(test_case, name));
}

}  // namespace tessera
