#include "grader/gpu/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "grader/gpu/assert_line.h"
#include "grader/gpu/backend.h"
#include "grader/gpu/lock.h"

namespace tessera {
namespace {

/// Starting the driver on a machine of many cards takes seconds.
constexpr double kStartPatience = 60'000;

/// Reports and results of all runs, in one piece of shared memory.
class Results {
 public:
  explicit Results(std::span<const GpuRun> runs) : memory_(bytes_for(runs)) {
    std::size_t at = 0;
    const auto take = [&](std::size_t bytes) {
      std::byte* place = memory_.data() + at;
      at += rounded(bytes);
      return place;
    };
    deadline_ = new (take(sizeof(Deadline))) Deadline();
    for (const GpuRun& run : runs) {
      RunSlot slot{
          .report = new (take(sizeof(RunReport))) RunReport(), .damage = {}, .contents = {}};
      for (const GpuBuffer& buffer : run.buffers) {
        slot.damage.push_back(new (take(sizeof(BufferDamage))) BufferDamage());
        slot.contents.push_back(take(buffer.contents.size()));
      }
      slots_.push_back(std::move(slot));
    }
  }

  Deadline& deadline() { return *deadline_; }
  std::span<const RunSlot> slots() const { return slots_; }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

  static std::size_t bytes_for(std::span<const GpuRun> runs) {
    std::size_t bytes = rounded(sizeof(Deadline));
    for (const GpuRun& run : runs) {
      bytes += rounded(sizeof(RunReport));
      for (const GpuBuffer& buffer : run.buffers) {
        bytes += rounded(sizeof(BufferDamage)) + rounded(buffer.contents.size());
      }
    }
    return bytes;
  }

  SharedMemory memory_;
  Deadline* deadline_ = nullptr;
  std::vector<RunSlot> slots_;
};

Finding finding_of(const EndReport& end, const std::string& source_file) {
  Finding finding;
  finding.kind = end.kind;
  finding.file = source_file;
  finding.message = end.message.view();
  finding.hint = end.hint.view();
  return finding;
}

void tell_assert(Finding& finding, const std::string& log) {
  const auto assert = failed_assert(log);
  if (finding.kind != FindingKind::trap || !assert) return;
  finding.line = assert->line;
  finding.message = fmt::format("assert({}) failed", assert->condition);
  finding.hint = "the condition does not hold for the thread that is named";
  finding.example = {{"block", assert->block}, {"thread", assert->thread}};
}

void add_metrics(const KernelReport& kernel, const LaunchShape& shape,
                 std::map<std::string, double>& metrics) {
  if (!kernel.known) return;
  metrics["registers_per_thread"] = kernel.registers_per_thread;
  metrics["static_shared_bytes"] = static_cast<double>(kernel.static_shared_bytes);
  metrics["dynamic_shared_bytes"] = static_cast<double>(shape.shared_bytes);
  if (kernel.theoretical_occupancy > 0) {
    metrics["theoretical_occupancy"] = kernel.theoretical_occupancy;
  }
}

GpuRunResult result_of(const GpuRun& run, const RunSlot& slot, const std::string& source_file) {
  const RunReport& report = *slot.report;
  GpuRunResult result;
  result.status = report.end.status;
  result.message = report.end.message.view();
  result.hint = report.end.hint.view();
  result.milliseconds = report.milliseconds;
  add_metrics(report.kernel, run.kernel.shape, result.metrics);
  if (report.end.told) result.findings.push_back(finding_of(report.end, source_file));
  if (result.status != GpuStatus::completed) return result;
  for (std::size_t i = 0; i < run.buffers.size(); ++i) {
    const GpuBuffer& buffer = run.buffers[i];
    const BufferDamage& damage = *slot.damage[i];
    for (Finding& finding : damage_findings(buffer, damage)) {
      finding.file = source_file;
      result.findings.push_back(std::move(finding));
    }
    result.contents.emplace_back();
    if (buffer.input && damage.modified == 0) continue;
    result.contents.back().assign(slot.contents[i], slot.contents[i] + buffer.contents.size());
  }
  return result;
}

/// Fills in the end of a run that its worker did not live to tell.
void explain(const WorkerEnd& worker, const GpuRun& run, RunReport& report) {
  const Stage stage = report.stage;
  if (stage == Stage::ended) return;
  if (worker.end == WorkerEnd::End::overdue && stage == Stage::launched) {
    Finding finding;
    finding.kind = FindingKind::step_limit;
    finding.message =
        fmt::format("the kernel did not end within {:.4g} s", run.time_limit_ms / 1000);
    finding.hint =
        "does every loop end, and does every thread reach every barrier? `--backend "
        "simulator` names the line";
    report.end.set(GpuStatus::timeout, finding);
  } else if (worker.end == WorkerEnd::End::overdue) {
    report.end.set(GpuStatus::infra, "the driver gave no answer for a minute",
                   "see whether `nvidia-smi` answers");
  } else {
    report.end.set(GpuStatus::infra, how_it_ended(worker),
                   "`tessera doctor` tells what is missing");
  }
  report.stage = Stage::ended;
}

/// A run that broke did not say where its output ends: at the end of all.
std::string piece_of(const std::string& output, std::uint64_t start, std::uint64_t end) {
  if (start >= output.size()) return "";
  return end < start ? output.substr(start) : output.substr(start, end - start);
}

}  // namespace

std::vector<GpuRunResult> run_on_gpu(const GpuDevice& device, std::span<const GpuRun> runs,
                                     const std::string& source_file) {
  for (const GpuRun& run : runs) require_addresses(run.kernel, run.buffers.size());
  Results results(runs);
  std::vector<GpuRunResult> told(runs.size());
  const GpuLock lock(device);
  std::size_t next = 0;
  while (next < runs.size()) {
    const std::size_t first = next;
    results.deadline().set(kStartPatience);
    const auto worker = run_worker(
        [&] { return do_runs(device, runs, results.slots(), first, results.deadline()); },
        results.deadline());
    if (!worker) throw std::runtime_error(worker.error().str());
    while (next < runs.size() && results.slots()[next].report->stage == Stage::ended) ++next;
    // A worker that ended before its last run did so within the next one.
    const bool died = worker->end != WorkerEnd::End::exited || worker->status != 0;
    if (next < runs.size() && (died || next == first)) {
      explain(*worker, runs[next], *results.slots()[next].report);
      ++next;
    }
    std::uint64_t output_start = 0;
    for (std::size_t i = first; i < next; ++i) {
      const RunReport& report = *results.slots()[i].report;
      told[i] = result_of(runs[i], results.slots()[i], source_file);
      told[i].output = piece_of(worker->output, output_start, report.output_end);
      output_start = std::max(output_start, report.output_end);
    }
    for (Finding& finding : told[next - 1].findings) tell_assert(finding, worker->log);
  }
  return told;
}

}  // namespace tessera
