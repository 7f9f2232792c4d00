// What stands for the GPU backend where the build found no CUDA Toolkit.
#include "grader/gpu/backend.h"

namespace tessera {
namespace {

constexpr const char* kAdvice = "install CUDA Toolkit 12.8 or newer and build again";

}  // namespace

std::string_view missing_backend() {
  return "built without the CUDA Toolkit; install 12.8 or newer and build again to use a GPU";
}

int report_devices(DevicesReport& report) {
  report.reason.set(missing_backend());
  return 0;
}

int do_runs(const GpuDevice&, std::span<const GpuRun>, std::span<const RunSlot> slots,
            std::size_t first, Deadline&) {
  for (const RunSlot& slot : slots.subspan(first)) {
    slot.report->end.set(GpuStatus::infra, missing_backend(), kAdvice);
    slot.report->stage = Stage::ended;
  }
  return 0;
}

int do_timing(const TimingRequest&, const std::string&, TimingReport& report, std::byte*) {
  report.end.set(GpuStatus::infra, missing_backend(), kAdvice);
  report.ended = true;
  return 0;
}

int do_transfers(const TransferRequest&, TransferReport& report, std::byte*) {
  report.end.set(GpuStatus::infra, missing_backend(), kAdvice);
  report.ended = true;
  return 0;
}

}  // namespace tessera
