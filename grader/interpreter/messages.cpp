#include "grader/interpreter/messages.h"

#include "grader/process/wire_launch.h"
#include "grader/process/wire_text.h"

namespace tessera::wire {

template <>
struct Largest<FindingKind> {
  static constexpr FindingKind value = kAllFindingKinds.back();
};
template <>
struct Largest<Metric> {
  static constexpr Metric value = kAllMetrics.back();
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
struct Largest<Turns> {
  static constexpr Turns value = Turns::blocks;
};
template <>
struct Largest<LoadFault> {
  static constexpr LoadFault value = LoadFault::undefined;
};
template <>
struct Largest<LineAccess::Memory> {
  static constexpr LineAccess::Memory value = LineAccess::Memory::shared;
};
template <>
struct Largest<ExtraOrder::By> {
  static constexpr ExtraOrder::By value = ExtraOrder::By::many_flags;
};

TESSERA_FIELDS(LoadError, it.fault, it.line, it.name, it.message);
TESSERA_FIELDS(ArrayShape, it.element_bytes, it.extents);
TESSERA_FIELDS(BufferInfo, it.name, it.element_bytes, it.width, it.pitch, it.read_only, it.input,
               it.initialized, it.partly_written);
TESSERA_FIELDS(SharedBufferInfo, it.info, it.address, it.size);
TESSERA_FIELDS(RunRequest, it.entry, it.shape, it.arguments, it.device, it.registers_per_thread,
               it.source_file, it.arrays, it.return_lines, it.name_lines, it.step_limit,
               it.launch_step_limit, it.shared_readers, it.cache_lines, it.load_use, it.turns,
               it.launches_before, it.poison, it.key, it.readable_key, it.hold, it.host_threads,
               it.output_limit);
TESSERA_FIELDS(LoadMessage, it.ptx);
TESSERA_FIELDS(RunMessage, it.request, it.buffers, it.sample);
TESSERA_FIELDS(ReadyReply, it.version);
TESSERA_FIELDS(FailedReply, it.message);
template <>
struct Fields<OutOfMemoryReply> {
  static auto of(auto&) { return std::tie(); }
};
TESSERA_FIELDS(LaunchBounds, it.most_threads, it.block, it.cluster);
TESSERA_FIELDS(KernelInfo, it.entry, it.name, it.signature, it.parameter_bytes,
               it.static_shared_bytes, it.talks, it.loads_talk, it.blocks_talk, it.barrier_threads,
               it.bounds);
TESSERA_FIELDS(Finding, it.kind, it.severity, it.file, it.line, it.column, it.message, it.hint,
               it.count, it.example);
TESSERA_FIELDS(AccessShape, it.variable, it.lanes, it.width, it.passes, it.ideal, it.stride,
               it.row_bytes, it.offsets);
TESSERA_FIELDS(LineAccess, it.line, it.memory, it.store, it.requests, it.passes, it.ideal,
               it.worst);
TESSERA_FIELDS(ExtraOrder, it.by, it.line);
TESSERA_FIELDS(RunResult, it.status, it.findings, it.metrics, it.lines, it.output, it.output_cut,
               it.prints, it.launch_steps, it.changed_variables, it.stopped_before, it.extra_order);
TESSERA_FIELDS(WaitCycles, it.from_l2, it.from_dram);

template <>
struct Fields<LaunchCounters> {
  static auto of(auto& it) {
    return std::tuple_cat(
        std::apply([](auto&... count) { return std::tie(count...); }, it.instructions),
        std::tie(it.sampled_blocks, it.global_lines, it.shared_wavefronts, it.tensor_work,
                 it.async_tensor_work, it.loaded_sectors, it.copied_sectors, it.stored_sectors,
                 it.stored_once, it.shared_along_x, it.shared_along_y, it.shared_along_both,
                 it.barriers, it.wait, it.edge_cycles));
  }
};

}  // namespace tessera::wire

namespace tessera {
namespace {

using wire::Reader;
using wire::Writer;

/// What must be the same on both sides: the number of this layout of the messages, which changes
/// with their fields, and the names of all rows whose numbers are sent.
constexpr std::string_view kMeaning = "16,"
#define TESSERA_METRIC(name, ...) #name ","
#include "common/metrics.def"
#undef TESSERA_METRIC
#define TESSERA_FINDING_KIND(kind, ...) #kind ","
#include "common/finding_kinds.def"
#undef TESSERA_FINDING_KIND
#define TESSERA_PHRASE(name, text) #name ","
#include "common/wording/catalogue.def"
    ;

/// FNV-1a, 32 bits.
consteval std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash;
}

}  // namespace

std::uint32_t channel_version() {
  return hash_of(kMeaning);
}

std::string encode(const LoadMessage& message) {
  return Writer().put(Request(message)).take();
}

std::string encode(const RunMessage& message) {
  return Writer().put(Request(message)).take();
}

std::string encode(const ReadyReply& reply) {
  return Writer().put(reply).take();
}

std::string encode(const LoadReply& reply) {
  return Writer().put(reply).take();
}

std::string encode(const RunReply& reply) {
  return Writer().put(reply).take();
}

Request decode_request(std::string_view bytes) {
  return Reader(bytes).get_last<Request>();
}

ReadyReply decode_ready(std::string_view bytes) {
  return Reader(bytes).get_last<ReadyReply>();
}

LoadReply decode_load_reply(std::string_view bytes) {
  return Reader(bytes).get_last<LoadReply>();
}

RunReply decode_run_reply(std::string_view bytes) {
  return Reader(bytes).get_last<RunReply>();
}

}  // namespace tessera
