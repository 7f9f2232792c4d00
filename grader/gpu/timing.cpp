#include "grader/gpu/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "grader/gpu/backend.h"
#include "grader/gpu/helper_kernels.h"
#include "grader/gpu/lock.h"
#include "grader/gpu/worker.h"
#include "grader/gpu/worker/report_check.h"

namespace tessera {
namespace {

/// In milliseconds: for starting the driver, loading cuBLAS, translating PTX.
constexpr double kTimingPatience = 120'000;

/// One worker's report and outputs, copied to memory that the worker cannot reach.
struct Measured {
  WorkerEnd worker;
  TimingReport report{};
  JobEnd end;  // valid once report.ended
  std::vector<TimedOutput> outputs;
};

TimingResult infra(Text message, Text hint) {
  TimingResult result;
  result.message = std::move(message);
  result.hint = std::move(hint);
  return result;
}

/// The end of a measurement whose worker ended before it reported the end.
JobEnd explained(const WorkerEnd& worker, const TimingRequest& request,
                 const TimingReport& report) {
  const Party active = report.active;
  const bool overdue = worker.end == WorkerEnd::End::overdue;
  const bool slower = report.candidate_busy_ms > report.baseline_busy_ms;
  if (overdue && (active == Party::candidate || slower)) {
    const Detail seconds = fmt::format("{:.4g}", request.time_limit_ms / 1000);
    return {GpuStatus::timeout, FindingKind::step_limit, say(Phrase::measuring_overdue, seconds),
            Phrase::measuring_overdue_hint};
  }
  if (overdue) {
    return {GpuStatus::infra, std::nullopt,
            active == Party::baseline ? Phrase::baseline_overdue : Phrase::start_overdue,
            Phrase::gpu_in_use_hint};
  }
  return failed_worker(worker, active == Party::baseline);
}

/// A baseline that fails is not the candidate's fault.
void excuse_candidate(Party active, JobEnd& end) {
  if (end.status == GpuStatus::completed || end.status == GpuStatus::timeout) return;
  if (end.kind == FindingKind::grader_crash) return;
  if (active == Party::candidate) return;
  if (active == Party::baseline && end.kind) end.message = Phrase::baseline_failed + end.message;
  end.status = GpuStatus::infra;
  end.kind.reset();
}

std::vector<TimedOutput> outputs_of(const TimingRequest& request, const TimingReport& report,
                                    const std::byte* bytes) {
  std::vector<TimedOutput> outputs;
  for (std::size_t i = 0; i < std::min<std::size_t>(request.outputs, report.pairs); ++i) {
    TimedOutput& output =
        outputs.emplace_back(TimedOutput{.salt = report.salts[i], .contents = {}});
    for (const GpuBuffer& buffer : request.buffers) {
      output.contents.emplace_back();
      if (buffer.input) continue;
      output.contents.back().assign(bytes, bytes + buffer.contents.size());
      bytes += buffer.contents.size();
    }
  }
  return outputs;
}

double dynamic_shared_bytes(const GpuWork& work) {
  const auto* kernel = std::get_if<GpuKernel>(&work);
  return kernel == nullptr ? 0 : static_cast<double>(kernel->shape.shared_bytes);
}

TimingResult result_of(const TimingRequest& request, Measured measured,
                       const std::string& source_file) {
  const TimingReport& report = measured.report;
  TimingResult result;
  result.status = measured.end.status;
  result.message = measured.end.message;
  result.hint = measured.end.hint;
  if (const auto finding = measured.end.finding(source_file)) result.findings.push_back(*finding);
  if (report.candidate.known) {
    result.metrics = {
        {Metric::registers_per_thread, report.candidate.registers_per_thread},
        {Metric::static_shared_bytes, static_cast<double>(report.candidate.static_shared_bytes)},
        {Metric::dynamic_shared_bytes, dynamic_shared_bytes(request.candidate)},
        {Metric::theoretical_occupancy, report.candidate.theoretical_occupancy}};
  }
  if (result.status != GpuStatus::completed) return result;
  result.pairs.assign(report.pair, report.pair + report.pairs);
  result.statistics = evaluate(result.pairs, request.threshold, true);
  result.candidate_launches = report.candidate_launches;
  result.baseline_launches = report.baseline_launches;
  // If the measurement was given up early, not all outputs were written.
  if (report.pairs >= std::min(request.least_pairs, kFirstPairs))
    result.outputs = std::move(measured.outputs);
  return result;
}

void require_valid(const TimingRequest& request) {
  if (request.outputs < 1 || request.outputs > kTimedOutputs)
    throw std::invalid_argument("a request can ask for the outputs of 1 to 8 timed launches");
  require_addresses(request.candidate, request.buffers.size());
  if (request.baseline) require_addresses(*request.baseline, request.buffers.size());
  for (const GpuBuffer& buffer : request.buffers) {
    if (buffer.contents.size() % sizeof(std::uint32_t) != 0) {
      throw std::invalid_argument("timed buffers hold whole 4-byte elements");
    }
  }
}

/// Runs `task`. Throws std::runtime_error if its process cannot be started.
Measured measured(WorkerTask& task) {
  const TimingRequest& request = std::get<TimingJob>(task.job()).request;
  auto worker =
      task.run(request.device.worker, kTimingPatience, kTimingPatience + request.time_limit_ms);
  if (!worker) throw std::runtime_error(worker.error().str());
  Measured all{.worker = std::move(*worker),
               .report = task.results().at<TimingReport>(1),
               .end = {},
               .outputs = {}};
  if (const auto reason = why_impossible(all.report, request, all.worker.milliseconds)) {
    all.report = TimingReport{};
    all.report.ended = true;
    all.end = impossible_report(*reason);
    return all;
  }
  if (all.report.ended) all.end = reported(all.report.end);
  all.outputs = outputs_of(request, all.report, task.results().piece(2).data());
  return all;
}

}  // namespace

TimingResult time_on_gpu(const TimingRequest& request, const std::string& source_file) {
  require_valid(request);
  if (!missing_backend().empty()) return infra(missing_backend(), {});
  const auto helpers = helper_module(request.device.profile.compute_capability, request.compiler);
  if (!helpers) return infra(helpers.error().str(), Phrase::doctor_hint);
  const GpuLock lock(request.device);
  const auto measure = [&] {
    WorkerTask task(TimingJob{.request = request, .helpers = *helpers});
    return measured(task);
  };
  Measured all = measure();
  // A second try shows whether the kernel is to blame.
  if (!all.report.ended && is_broken(all.worker)) all = measure();
  if (!all.report.ended) all.end = explained(all.worker, request, all.report);
  excuse_candidate(all.report.active, all.end);
  return result_of(request, std::move(all), source_file);
}

void set_timed_input(const TimingRequest& request, std::size_t buffer, std::uint64_t salt,
                     std::vector<std::byte>& contents) {
  contents = request.buffers.at(buffer).contents;
  vary({reinterpret_cast<std::uint32_t*>(contents.data()), contents.size() / sizeof(std::uint32_t)},
       request.variation, buffer_salt(salt, buffer));
}

}  // namespace tessera
