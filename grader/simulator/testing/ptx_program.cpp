#include "grader/simulator/testing/ptx_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::test {
namespace {

constexpr std::string_view kHeader =
    ".version 8.8\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n";

constexpr std::string_view kScratch =
    "  .reg .pred %p<16>;\n  .reg .b16 %h<32>;\n  .reg .b32 %r<32>;\n  .reg .b64 %rd<32>;\n"
    "  .reg .f32 %f<32>;\n  .reg .f64 %fd<32>;\n";

constexpr std::string_view kIndex =
    "  .reg .b32 %index, %index_a, %index_b;\n"
    "  mov.u32 %index, %ctaid.z;\n"
    "  mov.u32 %index_a, %nctaid.y;\n  mov.u32 %index_b, %ctaid.y;\n"
    "  mad.lo.u32 %index, %index, %index_a, %index_b;\n"
    "  mov.u32 %index_a, %nctaid.x;\n  mov.u32 %index_b, %ctaid.x;\n"
    "  mad.lo.u32 %index, %index, %index_a, %index_b;\n"
    "  mov.u32 %index_a, %ntid.z;\n  mov.u32 %index_b, %tid.z;\n"
    "  mad.lo.u32 %index, %index, %index_a, %index_b;\n"
    "  mov.u32 %index_a, %ntid.y;\n  mov.u32 %index_b, %tid.y;\n"
    "  mad.lo.u32 %index, %index, %index_a, %index_b;\n"
    "  mov.u32 %index_a, %ntid.x;\n  mov.u32 %index_b, %tid.x;\n"
    "  mad.lo.u32 %index, %index, %index_a, %index_b;\n";

const std::vector<std::string> kOperandNames = {"a", "b", "c", "d"};

std::size_t bytes_of(const std::string& type) {
  return static_cast<std::size_t>(std::stoi(type.substr(1))) / 8;
}

void append(std::vector<std::byte>& to, std::uint64_t value, std::size_t bytes) {
  const std::size_t at = to.size();
  to.resize(at + bytes);
  std::memcpy(to.data() + at, &value, bytes);
}

std::uint64_t mask_of(std::size_t bytes) {
  return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
}

bool is_nan(std::uint64_t value, std::size_t bytes) {
  if (bytes == 2) return (value & 0x7fff) > 0x7c00;
  if (bytes == 4) return (value & 0x7fffffff) > 0x7f800000;
  return (value & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/// Returns the values of %x if lane i * stride works on row i (repeated to fill `threads`) and the
/// other lanes are off; empty if the run failed.
std::vector<std::uint64_t> run_rows(const Types& types, const std::string& body,
                                    const std::vector<std::vector<Bits>>& rows, std::size_t threads,
                                    std::size_t stride) {
  const std::size_t result_bytes = bytes_of(types.result);
  std::string text = fmt::format("  .reg .{} %x;\n  ld.global.{} %x, [%x_buffer_at];\n",
                                 types.result, types.result);
  if (stride != 1) {
    text += fmt::format(
        "  .reg .pred %out;\n  rem.u32 %r0, %index, {};\n  setp.ne.u32 %out, %r0, 0;\n"
        "  @%out bra SKIPPED;\n",
        stride);
  }
  for (std::size_t i = 0; i < types.operands.size(); ++i) {
    text += fmt::format("  .reg .{0} %{1};\n  ld.global.{0} %{1}, [%{1}_buffer_at];\n",
                        types.operands[i], kOperandNames[i]);
  }
  text += "  " + body + "\nSKIPPED:\n";
  text += fmt::format("  st.global.{} [%x_buffer_at], %x;\n", types.result);

  PtxProgram program(text);
  program.shape.block = {static_cast<std::uint32_t>(threads), 1, 1};
  const auto add = [&](const std::string& name, std::size_t bytes, const auto& value_of) {
    std::vector<std::byte> contents;
    for (std::size_t i = 0; i < threads; ++i) append(contents, value_of(i), bytes);
    BufferInfo info;
    info.name = name;
    info.element_bytes = static_cast<std::uint32_t>(bytes);
    program.add_buffer(std::move(info), contents);
  };
  constexpr std::uint64_t kPoison64 = 0xCDCDCDCDCDCDCDCDu;
  add("x_buffer", result_bytes, [&](std::size_t) { return kPoison64; });
  for (std::size_t k = 0; k < types.operands.size(); ++k) {
    add(kOperandNames[k] + "_buffer", bytes_of(types.operands[k]),
        [&](std::size_t i) { return rows[i / stride % rows.size()].at(k).value; });
  }
  const RunResult result = program.run();
  expect_clean(result);
  if (result.status != RunStatus::completed) return {};

  const std::vector<std::byte> bytes = program.contents<std::byte>("x_buffer");
  std::vector<std::uint64_t> values(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    std::memcpy(&values[i], bytes.data() + i * result_bytes, result_bytes);
  }
  return values;
}

std::string in_words(const Row& row) {
  std::string text = "operands";
  for (const Bits& bits : row.operands) text += fmt::format(" {:#x}", bits.value);
  return text;
}

void check_width(const std::string& type, const std::string& body, const std::vector<Row>& rows) {
  const std::size_t operands = rows.empty() ? 0 : rows.front().operands.size();
  check({type, std::vector<std::string>(operands, type)}, body, rows);
}

}  // namespace

PtxProgram::PtxProgram(std::string body, std::string module_scope)
    : body_(std::move(body)), module_scope_(std::move(module_scope)) {
}

PtxProgram& PtxProgram::add_buffer(BufferInfo info, std::span<const std::byte> contents) {
  const std::string name = info.name;
  const std::uint32_t element_bytes = info.element_bytes;
  const std::uint64_t address = memory_.allocate(std::move(info), contents.size());
  std::ranges::copy(contents, memory_.bytes(address).begin());
  addresses_[name] = address;
  Parameter parameter{name, "u64", element_bytes, {}};
  append(parameter.value, address, 8);
  parameters_.push_back(std::move(parameter));
  return *this;
}

PtxProgram& PtxProgram::argument(const std::string& name, const std::string& type, Bits value) {
  Parameter parameter{name, type, 0, {}};
  append(parameter.value, value.value, bytes_of(type));
  parameters_.push_back(std::move(parameter));
  return *this;
}

std::string PtxProgram::text() const {
  std::string text(kHeader);
  text += module_scope_;
  text += "\n.visible .entry test(";
  for (const Parameter& parameter : parameters_) {
    if (&parameter != parameters_.data()) text += ", ";
    text += fmt::format(".param .{} {}", parameter.type, parameter.name);
  }
  text += ")\n{\n";
  text += kScratch;
  text += kIndex;
  for (const Parameter& parameter : parameters_) {
    text += fmt::format("  .reg .{0} %{1};\n  ld.param.{0} %{1}, [{1}];\n", parameter.type,
                        parameter.name);
    if (parameter.element_bytes == 0) continue;
    text += fmt::format(
        "  .reg .b64 %{0}_at;\n  cvta.to.global.u64 %{0}, %{0};\n"
        "  mad.wide.u32 %{0}_at, %index, {1}, %{0};\n",
        parameter.name, parameter.element_bytes);
  }
  return text + body_ + "\n  ret;\n}\n";
}

std::shared_ptr<const Module> PtxProgram::load() const {
  const std::string ptx = text();
  const auto module = load_module(ptx);
  if (module) return *module;
  ADD_FAILURE() << "does not load: " << module.error().str() << "\n" << ptx;
  return nullptr;
}

RunRequest PtxProgram::request() {
  RunRequest request;
  request.entry = "test";
  request.shape = shape;
  for (const Parameter& parameter : parameters_) request.arguments.push_back(parameter.value);
  request.memory = &memory_;
  request.device = device;
  request.step_limit = step_limit;
  request.launch_step_limit = launch_step_limit;
  request.key = key;
  request.readable_key = readable_key;
  if (shared_readers > 0) request.shared_readers = shared_readers;
  request.cache_lines = true;
  request.load_use = load_use;
  request.turns = turns;
  request.host_threads = host_threads;
  request.output_limit = output_limit;
  request.name_lines = name_lines;
  request.return_lines = return_lines;
  request.arrays = arrays;
  return request;
}

RunResult PtxProgram::run() {
  const auto module = load();
  return module != nullptr ? tessera::run(*module, request()) : RunResult{};
}

std::optional<LaunchCounters> PtxProgram::sample() {
  const auto module = load();
  return module != nullptr ? sample_launch(*module, request()) : std::nullopt;
}

std::vector<std::uint64_t> evaluate(const Types& types, const std::string& body,
                                    const std::vector<std::vector<Bits>>& operands) {
  std::vector<std::uint64_t> values = run_rows(types, body, operands, operands.size(), 1);
  return values;
}

void check(const Types& types, const std::string& body, const std::vector<Row>& rows) {
  SCOPED_TRACE(body);
  const std::size_t bytes = bytes_of(types.result);
  std::vector<std::vector<Bits>> operands;
  for (const Row& row : rows) operands.push_back(row.operands);

  const auto expect_value = [&](std::uint64_t value, const Row& row, const char* how) {
    if (row.expected.any_nan) {
      EXPECT_TRUE(is_nan(value, bytes)) << in_words(row) << " gave " << fmt::format("{:#x}", value);
      return;
    }
    EXPECT_EQ(fmt::format("{:#x}", value),
              fmt::format("{:#x}", row.expected.value & mask_of(bytes)))
        << in_words(row) << ", " << how;
  };
  const std::size_t full_warps = (rows.size() + 31) / 32 * 32;
  const std::vector<std::uint64_t> packed = run_rows(types, body, operands, full_warps, 1);
  if (packed.empty()) return;
  for (std::size_t i = 0; i < full_warps; ++i) {
    expect_value(packed[i], rows[i % rows.size()], "in full warps");
    if (::testing::Test::HasFailure() && i + 1 >= rows.size()) return;
  }
  const std::vector<std::uint64_t> spread = run_rows(types, body, operands, 2 * rows.size(), 2);
  for (std::size_t i = 0; i < spread.size(); ++i) {
    if (i % 2 == 0) {
      expect_value(spread[i], rows[i / 2], "with every second lane off");
    } else {
      EXPECT_EQ(spread[i], 0xCDCDCDCDCDCDCDCDu & mask_of(bytes)) << "a lane that was switched off";
    }
  }
}

void check16(const std::string& body, const std::vector<Row>& rows) {
  check_width("b16", body, rows);
}

void check32(const std::string& body, const std::vector<Row>& rows) {
  check_width("b32", body, rows);
}

void check64(const std::string& body, const std::vector<Row>& rows) {
  check_width("b64", body, rows);
}

std::vector<std::uint32_t> lanes(const std::string& body, const std::string& module_scope,
                                 Dim3 block, Dim3 grid) {
  SCOPED_TRACE(body);
  PtxProgram program(
      "  .reg .b32 %x;\n  mov.u32 %x, 0xCDCDCDCD;\n" + body + "\n  st.global.u32 [%out_at], %x;",
      module_scope);
  program.shape.block = block;
  program.shape.grid = grid;
  program.buffer("out", std::vector<std::uint32_t>(grid.count() * block.count(), kPoison32));
  expect_clean(program.run());
  return program.contents<std::uint32_t>("out");
}

std::string describe(const RunResult& result) {
  std::string text = fmt::format("status {}", static_cast<int>(result.status));
  for (const Finding& finding : result.findings) {
    text += fmt::format("\n{} at {}:{}: {} (x{})", to_string(finding.kind), finding.file,
                        finding.line, finding.message.str(), finding.count);
    for (const auto& [key, value] : finding.example) text += fmt::format(" {}={}", key, value);
  }
  return text;
}

void expect_clean(const RunResult& result) {
  EXPECT_TRUE(result.status == RunStatus::completed && result.findings.empty()) << describe(result);
}

Finding only_finding(const RunResult& result) {
  if (result.findings.size() != 1) {
    ADD_FAILURE() << "not one finding: " << describe(result);
    return {};
  }
  return result.findings.front();
}

std::string example(const Finding& finding, std::string_view key) {
  for (const auto& [name, value] : finding.example) {
    if (name == key) return value;
  }
  return "";
}

}  // namespace tessera::test
