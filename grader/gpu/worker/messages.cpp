#include "grader/gpu/worker/messages.h"

#include "grader/gpu/backend.h"
#include "grader/process/wire_launch.h"

namespace tessera {
namespace {

/// A buffer without its contents.
struct BufferMessage {
  std::string name;
  std::uint64_t bytes = 0;
  bool input = true;
  std::uint32_t width = 0;
  std::uint32_t pitch = 0;
  std::uint32_t element_bytes = 4;
};

using BufferMessages = std::vector<BufferMessage>;

}  // namespace

namespace wire {

template <>
struct Largest<Variation> {
  static constexpr Variation value = Variation::signs_float16;
};
template <>
struct Largest<Storage> {
  static constexpr Storage value = Storage::float16;
};
template <>
struct Largest<MemoryKind> {
  static constexpr MemoryKind value = MemoryKind::advised;
};

TESSERA_FIELDS(Relocation, it.offset, it.buffer);
TESSERA_FIELDS(GpuArgument, it.bytes, it.relocations);
TESSERA_FIELDS(GpuKernel, it.module, it.entry, it.shape, it.arguments, it.carveout);
TESSERA_FIELDS(CublasProduct, it.m, it.n, it.k, it.a, it.b, it.c, it.inputs);
TESSERA_FIELDS(BufferMessage, it.name, it.bytes, it.input, it.width, it.pitch, it.element_bytes);
TESSERA_FIELDS(TimingThreshold, it.full, it.zero);
// The worker needs only these two members of GpuDevice.
TESSERA_FIELDS(GpuDevice, it.index, it.profile);

}  // namespace wire

namespace {

using wire::Reader;
using wire::WireError;
using wire::Writer;

BufferMessages without_contents(const std::vector<GpuBuffer>& buffers) {
  BufferMessages messages;
  for (const GpuBuffer& buffer : buffers) {
    messages.push_back({buffer.name, buffer.contents.size(), buffer.input, buffer.width,
                        buffer.pitch, buffer.element_bytes});
  }
  return messages;
}

std::vector<GpuBuffer> with_zeroes(const BufferMessages& messages) {
  std::vector<GpuBuffer> buffers;
  for (const BufferMessage& message : messages) {
    buffers.push_back({.name = message.name,
                       .contents = std::vector<std::byte>(message.bytes),
                       .input = message.input,
                       .width = message.width,
                       .pitch = message.pitch,
                       .element_bytes = message.element_bytes});
  }
  return buffers;
}

void put_job(Writer&, const DevicesJob&) {
}

void put_job(Writer& writer, const RunsJob& job) {
  writer.put(job.device).put(std::uint64_t{job.runs.size()});
  for (const GpuRun& run : job.runs)
    writer.put(run.kernel).put(without_contents(run.buffers)).put(run.time_limit_ms);
}

void put_job(Writer& writer, const TimingJob& job) {
  const TimingRequest& request = job.request;
  writer.put(request.device).put(request.candidate).put(request.baseline);
  writer.put(without_contents(request.buffers)).put(request.variation).put(request.threshold);
  writer.put(request.least_pairs).put(request.patience_ms).put(request.outputs);
  writer.put(request.seed).put(request.time_limit_ms).put(job.helpers);
}

void put_job(Writer& writer, const TransferJob& job) {
  const TransferRequest& request = job.request;
  writer.put(request.device).put(request.work).put(without_contents(request.buffers));
  writer.put(request.memory).put(request.least).put(request.most);
  writer.put(request.patience_ms).put(request.time_limit_ms);
}

void get_job(Reader&, DevicesJob&) {
}

void get_job(Reader& reader, RunsJob& job) {
  job.device = reader.get<GpuDevice>();
  for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
    GpuRun& run = job.runs.emplace_back();
    run.kernel = reader.get<GpuKernel>();
    run.buffers = with_zeroes(reader.get<BufferMessages>());
    run.time_limit_ms = reader.get<double>();
  }
}

void get_job(Reader& reader, TimingJob& job) {
  TimingRequest& request = job.request;
  request.device = reader.get<GpuDevice>();
  request.candidate = reader.get<GpuWork>();
  request.baseline = reader.get<std::optional<GpuWork>>();
  request.buffers = with_zeroes(reader.get<BufferMessages>());
  request.variation = reader.get<Variation>();
  request.threshold = reader.get<std::optional<TimingThreshold>>();
  request.least_pairs = reader.get<std::size_t>();
  request.patience_ms = reader.get<double>();
  request.outputs = reader.get<std::size_t>();
  request.seed = reader.get<std::uint64_t>();
  request.time_limit_ms = reader.get<double>();
  job.helpers = reader.get<std::string>();
}

void get_job(Reader& reader, TransferJob& job) {
  TransferRequest& request = job.request;
  request.device = reader.get<GpuDevice>();
  request.work = reader.get<GpuWork>();
  request.buffers = with_zeroes(reader.get<BufferMessages>());
  request.memory = reader.get<MemoryKind>();
  request.least = reader.get<std::size_t>();
  request.most = reader.get<std::size_t>();
  request.patience_ms = reader.get<double>();
  request.time_limit_ms = reader.get<double>();
}

GpuJob job_of_kind(std::uint32_t kind) {
  switch (kind) {
    case 0:
      return DevicesJob{};
    case 1:
      return RunsJob{};
    case 2:
      return TimingJob{};
    case 3:
      return TransferJob{};
    default:
      throw WireError("a job of no known kind");
  }
}

}  // namespace

std::string encode(const GpuJob& job) {
  Writer writer;
  writer.put(kWorkerVersion).put(static_cast<std::uint32_t>(job.index()));
  std::visit([&](const auto& held) { put_job(writer, held); }, job);
  return writer.take();
}

GpuJob decode_gpu_job(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.get<std::uint32_t>() != kWorkerVersion)
    throw WireError("a job of another version: build `tessera` anew");
  GpuJob job = job_of_kind(reader.get<std::uint32_t>());
  std::visit([&](auto& held) { get_job(reader, held); }, job);
  reader.require_end();
  return job;
}

std::vector<GpuBuffer*> buffers_of(GpuJob& job) {
  std::vector<GpuBuffer*> all;
  const auto add = [&](std::vector<GpuBuffer>& buffers) {
    for (GpuBuffer& buffer : buffers) all.push_back(&buffer);
  };
  if (auto* runs = std::get_if<RunsJob>(&job)) {
    for (GpuRun& run : runs->runs) add(run.buffers);
  }
  if (auto* timing = std::get_if<TimingJob>(&job)) add(timing->request.buffers);
  if (auto* transfer = std::get_if<TransferJob>(&job)) add(transfer->request.buffers);
  return all;
}

std::vector<std::uint64_t> result_sizes(const GpuJob& job) {
  std::vector<std::uint64_t> sizes = {sizeof(Deadline)};
  if (std::holds_alternative<DevicesJob>(job)) sizes.push_back(sizeof(DevicesReport));
  if (const auto* runs = std::get_if<RunsJob>(&job)) {
    for (const GpuRun& run : runs->runs) {
      sizes.push_back(sizeof(RunReport));
      for (const GpuBuffer& buffer : run.buffers)
        sizes.insert(sizes.end(), {sizeof(BufferDamage), buffer.contents.size()});
    }
  }
  if (const auto* timing = std::get_if<TimingJob>(&job)) {
    const TimingRequest& request = timing->request;
    sizes.insert(sizes.end(),
                 {sizeof(TimingReport), request.outputs * output_bytes(request.buffers)});
  }
  if (const auto* transfer = std::get_if<TransferJob>(&job)) {
    sizes.insert(sizes.end(), {sizeof(TransferReport), output_bytes(transfer->request.buffers)});
  }
  return sizes;
}

std::vector<std::size_t> run_pieces(const std::vector<GpuRun>& runs) {
  std::vector<std::size_t> pieces;
  std::size_t next = 1;  // after the deadline
  for (const GpuRun& run : runs) {
    pieces.push_back(next);
    next += 1 + 2 * run.buffers.size();
  }
  return pieces;
}

}  // namespace tessera
