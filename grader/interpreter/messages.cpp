#include "grader/interpreter/messages.h"

#include "grader/process/wire.h"

namespace tessera::wire {

template <>
struct Largest<FindingKind> {
  static constexpr FindingKind value = FindingKind::grader_crash;
};
template <>
struct Largest<Severity> {
  static constexpr Severity value = Severity::info;
};
template <>
struct Largest<RunStatus> {
  static constexpr RunStatus value = RunStatus::unsupported;
};
template <>
struct Largest<LineAccess::Memory> {
  static constexpr LineAccess::Memory value = LineAccess::Memory::shared;
};

// NOLINTBEGIN(bugprone-macro-parentheses)
#define TESSERA_FIELDS(Type, ...)                              \
  template <>                                                  \
  struct Fields<Type> {                                        \
    static auto of(auto& it) { return std::tie(__VA_ARGS__); } \
  }

TESSERA_FIELDS(Error, it.file, it.line, it.column, it.message);
TESSERA_FIELDS(Dim3, it.x, it.y, it.z);
TESSERA_FIELDS(LaunchShape, it.grid, it.block, it.shared_bytes);
TESSERA_FIELDS(ArrayShape, it.element_bytes, it.extents);
TESSERA_FIELDS(BufferInfo, it.name, it.element_bytes, it.width, it.pitch, it.read_only, it.input,
               it.initialized);
TESSERA_FIELDS(SharedBufferInfo, it.info, it.address, it.size);
TESSERA_FIELDS(DeviceProfile, it.id, it.name, it.compute_capability, it.multiprocessors,
               it.max_threads_per_block, it.max_block, it.max_grid, it.max_threads_per_sm,
               it.max_blocks_per_sm, it.registers_per_sm, it.max_registers_per_thread,
               it.shared_bytes_per_block, it.shared_bytes_per_block_optin, it.shared_bytes_per_sm,
               it.reserved_shared_bytes_per_block, it.constant_bytes, it.l2_bytes, it.clock_mhz,
               it.memory_gb_per_s, it.fp32_lanes_per_sm);
TESSERA_FIELDS(RunRequest, it.entry, it.shape, it.arguments, it.device, it.source_file,
               it.shared_arrays, it.return_lines, it.name_lines, it.step_limit, it.host_threads,
               it.output_limit);
TESSERA_FIELDS(LoadMessage, it.ptx);
TESSERA_FIELDS(RunMessage, it.request, it.buffers, it.sample);
TESSERA_FIELDS(ReadyReply, it.version);
TESSERA_FIELDS(FailedReply, it.message);
TESSERA_FIELDS(KernelInfo, it.entry, it.name, it.signature, it.parameter_bytes,
               it.static_shared_bytes);
TESSERA_FIELDS(Finding, it.kind, it.severity, it.file, it.line, it.column, it.message, it.hint,
               it.count, it.example);
TESSERA_FIELDS(AccessShape, it.variable, it.lanes, it.width, it.passes, it.ideal, it.stride,
               it.row_bytes, it.offsets);
TESSERA_FIELDS(LineAccess, it.line, it.memory, it.store, it.requests, it.passes, it.ideal,
               it.worst);
TESSERA_FIELDS(RunResult, it.status, it.findings, it.metrics, it.lines, it.output, it.output_cut,
               it.prints, it.longest_warp);
TESSERA_FIELDS(WaitCycles, it.from_l2, it.from_dram);

#undef TESSERA_FIELDS
// NOLINTEND(bugprone-macro-parentheses)

template <>
struct Fields<LaunchCounters> {
  static auto of(auto& it) {
    return std::tuple_cat(
        std::apply([](auto&... count) { return std::tie(count...); }, it.instructions),
        std::tie(it.sampled_blocks, it.global_lines, it.shared_wavefronts, it.loaded_sectors,
                 it.stored_sectors, it.stored_once, it.shared_along_x, it.shared_along_y,
                 it.shared_along_both, it.barriers, it.wait));
  }
};

}  // namespace tessera::wire

namespace tessera {
namespace {

using wire::Reader;
using wire::WireError;
using wire::Writer;

/// A variant travels as the index of what it holds, and that.
template <class... Ts>
std::string encode_variant(const std::variant<Ts...>& variant) {
  Writer writer;
  writer.put(static_cast<std::uint32_t>(variant.index()));
  std::visit([&](const auto& held) { writer.put(held); }, variant);
  return writer.take();
}

template <class Variant, std::size_t kIndex = 0>
Variant alternative(std::uint32_t index, Reader& reader) {
  if constexpr (kIndex == std::variant_size_v<Variant>) {
    throw WireError("a message of no known kind");
  } else {
    if (index != kIndex) return alternative<Variant, kIndex + 1>(index, reader);
    return reader.get_last<std::variant_alternative_t<kIndex, Variant>>();
  }
}

template <class Variant>
Variant decode_variant(std::string_view bytes) {
  Reader reader(bytes);
  const auto index = reader.get<std::uint32_t>();
  return alternative<Variant>(index, reader);
}

}  // namespace

std::string encode(const LoadMessage& message) {
  return encode_variant(Request(message));
}

std::string encode(const RunMessage& message) {
  return encode_variant(Request(message));
}

std::string encode(const ReadyReply& reply) {
  return Writer().put(reply).take();
}

std::string encode(const LoadReply& reply) {
  return encode_variant(reply);
}

std::string encode(const RunReply& reply) {
  return encode_variant(reply);
}

Request decode_request(std::string_view bytes) {
  return decode_variant<Request>(bytes);
}

ReadyReply decode_ready(std::string_view bytes) {
  return Reader(bytes).get_last<ReadyReply>();
}

LoadReply decode_load_reply(std::string_view bytes) {
  return decode_variant<LoadReply>(bytes);
}

RunReply decode_run_reply(std::string_view bytes) {
  return decode_variant<RunReply>(bytes);
}

}  // namespace tessera
