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

/// Starting the driver on a machine of many cards takes seconds.
constexpr double kFirstRunPatience = 60'000;

/// Loading and copying for one launch, beyond the first; all of a worker's runs together get it.
constexpr double kPatiencePerRun = 5'000;

/// What one run left, copied out of the worker's reach.
struct RunOutcome {
  RunReport report;
  std::vector<BufferDamage> damage;              // of each buffer
  std::vector<std::vector<std::byte>> contents;  // of each buffer
};

/// A run whose report cannot be true keeps nothing of it but why.
RunOutcome copied(const GpuRun& run, const SharedArena& results, std::size_t piece) {
  RunOutcome outcome{.report = results.at<RunReport>(piece), .damage = {}, .contents = {}};
  auto reason = why_impossible(outcome.report);
  for (std::size_t i = 0; i < run.buffers.size() && !reason; ++i) {
    outcome.damage.push_back(results.at<BufferDamage>(piece + 1 + 2 * i));
    const std::span<const std::byte> bytes = results.piece(piece + 2 + 2 * i);
    outcome.contents.emplace_back(bytes.begin(), bytes.end());
    reason = why_impossible(outcome.damage.back(), run.buffers[i]);
  }
  if (!reason) return outcome;
  outcome = RunOutcome{.report = {}, .damage = {}, .contents = {}};
  outcome.report.end = broken_worker("it reported what cannot be (" + *reason + ")");
  outcome.report.stage = Stage::ended;
  return outcome;
}

Finding finding_of(const EndReport& end, const std::string& source_file) {
  Finding finding;
  finding.kind = end.kind;
  finding.file = source_file;
  finding.message = plain(end.message);
  finding.hint = plain(end.hint);
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
  result.status = report.end.status;
  result.message = plain(report.end.message);
  result.hint = plain(report.end.hint);
  result.milliseconds = report.milliseconds;
  add_metrics(report.kernel, run.kernel.shape, result.metrics);
  if (report.end.told) result.findings.push_back(finding_of(report.end, source_file));
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
  } else if (is_broken(worker)) {
    report.end = broken_worker(how_it_ended(worker));
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

GpuRunResult not_run(std::string message) {
  GpuRunResult result;
  result.message = std::move(message);
  result.hint = "`tessera doctor` tells what is missing";
  return result;
}

/// What may take time even where the worker moves its deadline without end.
double most_ms(std::span<const GpuRun> runs) {
  double sum = kFirstRunPatience;
  for (const GpuRun& run : runs) sum += run.time_limit_ms + kPatiencePerRun;
  return sum;
}

/// The results of the first of `runs`, at least one: those that one worker came to.
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

  /// The worker ended within a launch as processes end that a kernel broke, or by chance.
  bool deserves_another() const { return !is_whole() && is_broken(*worker_); }

  std::vector<GpuRunResult> results(const std::string& source_file) {
    std::vector<GpuRunResult> results;
    std::uint64_t output_start = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      explain(*worker_, runs_[i], outcomes_[i].report);
      const std::uint64_t output_end = outcomes_[i].report.output_end;
      results.push_back(result_of(runs_[i], std::move(outcomes_[i]), source_file));
      results.back().output = piece_of(worker_->output, output_start, output_end);
      output_start = std::max(output_start, output_end);
    }
    for (Finding& finding : results.back().findings) tell_assert(finding, worker_->log);
    return results;
  }

 private:
  /// All outcomes so far tell how their runs ended.
  bool is_whole() const {
    return outcomes_.empty() || outcomes_.back().report.stage == Stage::ended;
  }
  /// A worker that ended before its last run did so within the next one.
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
    return std::vector<GpuRunResult>(runs.size(), not_run(std::string(missing_backend())));
  std::vector<GpuRunResult> all;
  const GpuLock lock(device);
  bool is_second = false;
  while (all.size() < runs.size()) {
    const std::span<const GpuRun> rest = runs.subspan(all.size());
    Attempt attempt(device, is_second ? rest.first(1) : rest);
    is_second = !is_second && attempt.deserves_another();
    for (GpuRunResult& result : attempt.results(source_file)) all.push_back(std::move(result));
    // Whether the kernel is to blame shows when it is tried again.
    if (is_second) all.pop_back();
  }
  return all;
}

}  // namespace tessera
