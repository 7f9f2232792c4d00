#include "grader/gpu/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "grader/gpu/assert_line.h"
#include "grader/gpu/backend.h"
#include "grader/gpu/lock.h"
#include "grader/gpu/worker.h"
#include "grader/gpu/worker/report_check.h"

namespace tessera {
namespace {

/// In milliseconds: starting the driver on a machine of many cards takes seconds.
constexpr double kFirstRunPatience = 60'000;

/// For loading and copying of each run after the first; all of a worker's runs share the sum.
constexpr double kPatiencePerRun = 5'000;

/// What one run left, copied to memory that the worker cannot reach.
struct RunOutcome {
  RunReport report;
  JobEnd end;                                    // valid once report.stage is `ended`
  std::vector<BufferDamage> damage;              // of each buffer
  std::vector<std::vector<std::byte>> contents;  // of each buffer
};

/// Copies the results of `run`. If its report cannot be true, the outcome holds only the reason.
RunOutcome copied(const GpuRun& run, const SharedArena& results, std::size_t piece) {
  RunOutcome outcome{
      .report = results.at<RunReport>(piece), .end = {}, .damage = {}, .contents = {}};
  auto reason = why_impossible(outcome.report);
  if (!reason && outcome.report.stage == Stage::ended) outcome.end = reported(outcome.report.end);
  for (std::size_t i = 0; i < run.buffers.size() && !reason; ++i) {
    outcome.damage.push_back(results.at<BufferDamage>(piece + 1 + 2 * i));
    const std::span<const std::byte> bytes = results.piece(piece + 2 + 2 * i);
    outcome.contents.emplace_back(bytes.begin(), bytes.end());
    reason = why_impossible(outcome.damage.back(), run.buffers[i]);
  }
  if (!reason) return outcome;
  outcome =
      RunOutcome{.report = {}, .end = impossible_report(*reason), .damage = {}, .contents = {}};
  outcome.report.stage = Stage::ended;
  return outcome;
}

void explain_assert(Finding& finding, const std::string& log) {
  const auto assert = failed_assert(log);
  if (finding.kind != FindingKind::trap || !assert) return;
  finding.line = assert->line;
  finding.message = say(Phrase::assert_failed, Name{assert->condition});
  finding.hint = Phrase::assert_failed_hint;
  finding.example = {{"block", assert->block}, {"thread", assert->thread}};
}

void add_metrics(const KernelReport& kernel, const LaunchShape& shape, Metrics& metrics) {
  if (!kernel.known) return;
  metrics[Metric::registers_per_thread] = kernel.registers_per_thread;
  metrics[Metric::static_shared_bytes] = static_cast<double>(kernel.static_shared_bytes);
  metrics[Metric::dynamic_shared_bytes] = static_cast<double>(shape.shared_bytes);
  if (kernel.theoretical_occupancy > 0) {
    metrics[Metric::theoretical_occupancy] = kernel.theoretical_occupancy;
  }
}

GpuRunResult result_of(const GpuRun& run, RunOutcome outcome, const std::string& source_file) {
  const RunReport& report = outcome.report;
  GpuRunResult result;
  result.status = outcome.end.status;
  result.message = outcome.end.message;
  result.hint = outcome.end.hint;
  result.milliseconds = report.milliseconds;
  add_metrics(report.kernel, run.kernel.shape, result.metrics);
  if (const auto finding = outcome.end.finding(source_file)) result.findings.push_back(*finding);
  if (result.status != GpuStatus::completed) return result;
  for (std::size_t i = 0; i < run.buffers.size(); ++i) {
    const GpuBuffer& buffer = run.buffers[i];
    const BufferDamage& damage = outcome.damage[i];
    for (Finding& finding : damage_findings(buffer, damage)) {
      finding.file = source_file;
      result.findings.push_back(std::move(finding));
    }
    result.contents.emplace_back();
    if (buffer.input && damage.modified == 0) continue;
    result.contents.back() = std::move(outcome.contents[i]);
  }
  return result;
}

/// The end of a run whose worker ended before it reported the run's end.
JobEnd explained(const WorkerEnd& worker, const GpuRun& run, Stage stage) {
  if (worker.end == WorkerEnd::End::overdue && stage == Stage::launched) {
    return {GpuStatus::timeout, FindingKind::step_limit,
            say(Phrase::kernel_overdue, Detail(fmt::format("{:.4g}", run.time_limit_ms / 1000))),
            Phrase::kernel_overdue_hint};
  }
  if (worker.end == WorkerEnd::End::overdue) {
    return {GpuStatus::infra, std::nullopt, Phrase::driver_overdue, Phrase::driver_overdue_hint};
  }
  return failed_worker(worker);
}

/// The output of one run. A run that broke has no end of its output: it gets the rest.
std::string piece_of(const std::string& output, std::uint64_t start, std::uint64_t end) {
  if (start >= output.size()) return "";
  return end < start ? output.substr(start) : output.substr(start, end - start);
}

GpuRunResult not_run(Text message) {
  GpuRunResult result;
  result.message = std::move(message);
  result.hint = Phrase::doctor_hint;
  return result;
}

/// The longest time in milliseconds for `runs`, however often the worker moves its deadline.
double most_ms(std::span<const GpuRun> runs) {
  double sum = kFirstRunPatience;
  for (const GpuRun& run : runs) sum += run.time_limit_ms + kPatiencePerRun;
  return sum;
}

/// One worker's results: those of the first of `runs`, at least one.
class Attempt {
 public:
  Attempt(const GpuDevice& device, std::span<const GpuRun> runs)
      : runs_(runs),
        task_(RunsJob{.device = device, .runs = {runs.begin(), runs.end()}}),
        worker_(task_.run(device.worker, kFirstRunPatience, most_ms(runs))) {
    if (!worker_) throw std::runtime_error(worker_.error().str());
    const std::vector<std::size_t> pieces = run_pieces(std::get<RunsJob>(task_.job()).runs);
    for (std::size_t i = 0; i < runs.size() && is_whole(); ++i)
      outcomes_.push_back(copied(runs[i], task_.results(), pieces[i]));
    if (!is_whole() && outcomes_.size() > 1 && !has_died()) outcomes_.pop_back();
  }

  /// The worker ended within a launch, as it does after a kernel broke it, or by chance.
  bool deserves_retry() const { return !is_whole() && is_broken(*worker_); }

  std::vector<GpuRunResult> results(const std::string& source_file) {
    std::vector<GpuRunResult> results;
    std::uint64_t output_start = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const Stage stage = outcomes_[i].report.stage;
      if (stage != Stage::ended) outcomes_[i].end = explained(*worker_, runs_[i], stage);
      const std::uint64_t output_end = outcomes_[i].report.output_end;
      results.push_back(result_of(runs_[i], std::move(outcomes_[i]), source_file));
      results.back().output = piece_of(worker_->output, output_start, output_end);
      output_start = std::max(output_start, output_end);
    }
    for (Finding& finding : results.back().findings) explain_assert(finding, worker_->log);
    return results;
  }

 private:
  /// Every outcome so far includes how its run ended.
  bool is_whole() const {
    return outcomes_.empty() || outcomes_.back().report.stage == Stage::ended;
  }
  /// True if the worker failed: it then ended within the run after the last complete one.
  bool has_died() const { return worker_->end != WorkerEnd::End::exited || worker_->status != 0; }

  std::span<const GpuRun> runs_;
  WorkerTask task_;
  Expected<WorkerEnd> worker_;
  std::vector<RunOutcome> outcomes_;
};

}  // namespace

std::vector<GpuRunResult> run_on_gpu(const GpuDevice& device, std::span<const GpuRun> runs,
                                     const std::string& source_file) {
  for (const GpuRun& run : runs) require_addresses(run.kernel, run.buffers.size());
  if (!missing_backend().empty())
    return std::vector<GpuRunResult>(runs.size(), not_run(missing_backend()));
  std::vector<GpuRunResult> all;
  const GpuLock lock(device);
  bool is_second = false;
  while (all.size() < runs.size()) {
    const std::span<const GpuRun> rest = runs.subspan(all.size());
    Attempt attempt(device, is_second ? rest.first(1) : rest);
    is_second = !is_second && attempt.deserves_retry();
    for (GpuRunResult& result : attempt.results(source_file)) all.push_back(std::move(result));
    // A second try of the same run shows whether the kernel is to blame.
    if (is_second) all.pop_back();
  }
  return all;
}

}  // namespace tessera
