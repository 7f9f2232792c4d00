// Correctness runs in the worker.
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "grader/gpu/backend.h"
#include "grader/gpu/cuda_call.h"
#include "grader/gpu/loaded_kernel.h"

namespace tessera {
namespace {

/// Time in milliseconds for loading, translating PTX and copying.
constexpr double kPatience = 60'000;

/// A buffer between its guard bands.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(const GpuBuffer& buffer)
      : buffer_(buffer), guard_(guard_bytes(buffer)), block_(2 * guard_ + buffer.contents.size()) {
    std::vector<std::byte> band(guard_);
    fill_guard(band, 0);
    copy_to_device(block_.data(), band);
    copy_to_device(data(), buffer.contents);
    fill_guard(band, after());
    copy_to_device(block_.data() + after(), band);
  }

  std::byte* data() const { return block_.data() + guard_; }

  /// Reports what the launch changed. Copies the contents to `contents` if the buffer is an output
  /// or was changed.
  void inspect(BufferDamage& damage, std::byte* contents) const {
    std::vector<std::byte> band(guard_);
    copy_from_device(band, block_.data());
    damage.before = inspect_guard(band, 0, buffer_.element_bytes);
    copy_from_device(band, block_.data() + after());
    damage.after = inspect_guard(band, after(), buffer_.element_bytes);
    const std::span<std::byte> result(contents, buffer_.contents.size());
    if (!buffer_.input) {
      copy_from_device(result, data());
      return;
    }
    std::vector<std::byte> now(buffer_.contents.size());
    copy_from_device(now, data());
    inspect_input(buffer_.contents, now, buffer_.element_bytes, damage);
    if (damage.modified > 0) std::copy(now.begin(), now.end(), result.begin());
  }

 private:
  std::size_t after() const { return guard_ + buffer_.contents.size(); }

  const GpuBuffer& buffer_;
  std::size_t guard_;
  DeviceMemoryBlock block_;
};

/// Launches the kernel and waits for it within the run's time limit.
cudaError_t launch_and_wait(const LoadedKernel& kernel, const std::vector<std::byte*>& addresses,
                            const GpuRun& run, RunReport& report, Deadline& deadline) {
  const Event start, stop;
  require(cudaDeviceSynchronize(), "waiting for the copies");
  deadline.set(run.time_limit_ms);
  report.stage = Stage::launched;
  start.record();
  cudaError_t code = kernel.launch(addresses);
  if (code == cudaSuccess) {
    stop.record();
    code = cudaDeviceSynchronize();
  }
  report.stage = Stage::preparing;
  deadline.set(kPatience);
  if (code == cudaSuccess) report.milliseconds = stop.milliseconds_since(start);
  return code;
}

void do_run(const GpuDevice& device, const GpuRun& run, const RunSlot& slot, Deadline& deadline) {
  RunReport& report = *slot.report;
  const LoadedKernel kernel(run.kernel);
  const auto finding = kernel.refused(device.profile);
  if (!finding) kernel.prepare();
  report.kernel = kernel.report(device.profile);
  if (finding) {
    report.end.set(GpuStatus::not_launched, *finding);
    return;
  }
  if (!kernel.takes_arguments()) {
    report.end.set(GpuStatus::infra, say(Phrase::other_arguments, Name{run.kernel.entry}),
                   Phrase::fault_of_grader_hint);
    return;
  }
  std::vector<GuardedBuffer> buffers;
  buffers.reserve(run.buffers.size());
  std::vector<std::byte*> addresses;
  for (const GpuBuffer& buffer : run.buffers) {
    addresses.push_back(buffers.emplace_back(buffer).data());
  }
  const cudaError_t code = launch_and_wait(kernel, addresses, run, report, deadline);
  if (code != cudaSuccess) {
    report_error(code, report.end);
    return;
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    buffers[i].inspect(*slot.damage[i], slot.contents[i]);
  }
  report.end.set(GpuStatus::completed);
}

/// Whether the context can serve another run.
bool is_sound(GpuStatus status) {
  return status == GpuStatus::completed || status == GpuStatus::not_launched;
}

}  // namespace

int do_runs(const GpuDevice& device, std::span<const GpuRun> runs, std::span<const RunSlot> slots,
            Deadline& deadline) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RunReport& report = *slots[i].report;
    report.stage = Stage::preparing;
    deadline.set(kPatience);
    try {
      do_run(device, runs[i], slots[i], deadline);
    } catch (const CudaError& error) {
      report_error(error, report.end);
    }
    std::fflush(stdout);
    const off_t written = lseek(STDOUT_FILENO, 0, SEEK_CUR);
    report.output_end = written > 0 ? static_cast<std::uint64_t>(written) : 0;
    report.stage = Stage::ended;
    if (!is_sound(report.end.status)) break;
  }
  return 0;
}

}  // namespace tessera
