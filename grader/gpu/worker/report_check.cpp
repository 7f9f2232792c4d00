#include "grader/gpu/worker/report_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "grader/process/wire_text.h"

namespace tessera {
namespace {

/// In milliseconds: no card starts a kernel in less.
constexpr double kLeastLaunchMs = 2e-4;
constexpr double kMostClockMhz = 100'000;
constexpr int kMostLaunches = 1'000'000'000;

struct Impossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require_that(bool holds, const char* otherwise) {
  if (!holds) throw Impossible(otherwise);
}

template <class Check>
std::optional<std::string> reason_of(const Check& check) {
  try {
    check();
    return std::nullopt;
  } catch (const Impossible& impossible) {
    return impossible.what();
  }
}

/// Checks the byte: reading a bool that is neither 0 nor 1 is undefined.
void check_truth(const bool& value) {
  unsigned char byte = 0;
  std::memcpy(&byte, &value, 1);
  require_that(byte <= 1, "a bool is neither 0 nor 1");
}

/// False for NaN too.
bool is_within(double value, double least, double most) {
  return value >= least && value <= most;
}

void check_time(double milliseconds, double most) {
  require_that(is_within(milliseconds, kLeastLaunchMs, most),
               "a launch took no time, or more than there was");
}

/// Whether a launch can have this finding. `kind` may be any number that the worker wrote.
bool is_of_card(FindingKind kind) {
  return std::ranges::count(kAllFindingKinds, kind) > 0 && (about(kind).raised_by & kCard) != 0;
}

void check_end(const EndReport& end) {
  require_that(end.status >= GpuStatus::completed && end.status <= GpuStatus::infra,
               "a status that does not exist");
  check_truth(end.has_finding);
  require_that(!end.has_finding || is_of_card(end.kind), "a finding that no launch has");
  require_that(!end.has_finding || end.status != GpuStatus::completed,
               "a launch ended in two ways");
  try {
    reported(end);
  } catch (const wire::WireError& error) {
    throw Impossible(error.what());
  }
}

void check_kernel(const KernelReport& kernel) {
  check_truth(kernel.known);
  if (!kernel.known) return;
  require_that(kernel.registers_per_thread >= 0 && kernel.registers_per_thread <= 1024,
               "a kernel with more registers than any card has");
  require_that(kernel.static_shared_bytes <= (1u << 20), "a kernel with too much shared memory");
  require_that(is_within(kernel.theoretical_occupancy, 0, 100.01), "an occupancy beyond 100 %");
}

void check_guard(const GuardDamage& damage, std::uint64_t words) {
  if (damage.count == 0) return;
  require_that(damage.first <= damage.last && damage.last < words &&
                   damage.count <= damage.last - damage.first + 1,
               "stray stores where no guard is");
}

void check_sample(const TimingSample& sample, double most) {
  check_time(sample.milliseconds, most);
  require_that(is_within(sample.clock_mhz, 0, kMostClockMhz), "a clock that no card has");
}

void check_absent(const TimingSample& sample) {
  require_that(sample.milliseconds == 0, "a baseline that does not exist took time");
  require_that(is_within(sample.clock_mhz, 0, kMostClockMhz), "a clock that no card has");
}

void check_measured(const TimingReport& report, const TimingRequest& request, double lived_ms) {
  const bool has_baseline = request.baseline.has_value();
  require_that(report.pairs >= 1 && report.pairs <= kMostPairs, "an impossible number of samples");
  require_that(report.candidate_launches >= 1 && report.candidate_launches <= kMostLaunches,
               "a sample without a launch");
  require_that(report.baseline_launches >= (has_baseline ? 1 : 0) &&
                   report.baseline_launches <= (has_baseline ? kMostLaunches : 0),
               "a sample without a launch");
  double spent = 0;
  for (const TimingPair& pair : std::span(report.pair, report.pairs)) {
    check_truth(pair.shared);
    check_sample(pair.candidate, lived_ms);
    spent += pair.candidate.milliseconds * report.candidate_launches;
    has_baseline ? check_sample(pair.baseline, lived_ms) : check_absent(pair.baseline);
    spent += pair.baseline.milliseconds * report.baseline_launches;
  }
  require_that(spent <= lived_ms, "the launches took longer than the process lived");
}

}  // namespace

std::optional<std::string> why_impossible(const DevicesReport& report) {
  return reason_of([&] {
    require_that(report.count >= 0 && report.count <= kMostDevices, "more cards than there are");
  });
}

std::optional<std::string> why_impossible(const RunReport& report) {
  return reason_of([&] {
    require_that(report.stage <= Stage::ended, "a stage that does not exist");
    if (report.stage == Stage::ended) check_end(report.end);
    check_kernel(report.kernel);
    require_that(std::isfinite(report.milliseconds) && report.milliseconds >= 0,
                 "a launch took an impossible time");
    require_that(report.output_end <= kMostWorkerOutput, "more output than a worker may have");
  });
}

std::optional<std::string> why_impossible(const BufferDamage& damage, const GpuBuffer& buffer) {
  return reason_of([&] {
    const std::uint64_t size = buffer.element_bytes;
    const std::uint64_t band = guard_bytes(buffer) / size;
    check_guard(damage.before, band);
    check_guard(damage.after, band);
    if (damage.modified == 0) return;
    const std::uint64_t elements = (buffer.contents.size() + size - 1) / size;
    require_that(buffer.input, "an output is reported as a changed input");
    require_that(damage.modified <= elements && damage.first_modified < elements,
                 "changes where no buffer is");
  });
}

std::optional<std::string> why_impossible(const TimingReport& report, const TimingRequest& request,
                                          double lived_ms) {
  return reason_of([&] {
    check_truth(report.ended);
    require_that(report.active <= Party::baseline, "a party that does not exist");
    require_that(std::isfinite(report.candidate_busy_ms) && std::isfinite(report.baseline_busy_ms),
                 "a time that is not a number");
    check_kernel(report.candidate);
    if (!report.ended) return;
    check_end(report.end);
    if (report.end.status == GpuStatus::completed) check_measured(report, request, lived_ms);
  });
}

std::optional<std::string> why_impossible(const TransferReport& report,
                                          const TransferRequest& request) {
  return reason_of([&] {
    check_truth(report.ended);
    if (!report.ended) return;
    check_end(report.end);
    if (report.end.status != GpuStatus::completed) return;
    require_that(report.count <= std::min(request.most, kMostTransfers),
                 "more samples than were asked for");
    for (const TransferSample& sample : std::span(report.samples, report.count)) {
      for (const double part : {sample.to_device, sample.launch, sample.to_host})
        require_that(std::isfinite(part) && part >= 0,
                     "a part of a transfer took an impossible time");
      require_that(std::isfinite(sample.end_to_end) && sample.end_to_end > 0,
                   "a transfer took an impossible time");
    }
  });
}

namespace {

/// The end that blames the kernel and asks a person to look.
JobEnd broken_worker(const Text& how) {
  return {GpuStatus::trapped, FindingKind::grader_crash, Phrase::broke_gpu_process + how,
          Phrase::for_a_person_hint};
}

/// "the process on the GPU ended with signal 11", and what it left in its log.
Text how_it_ended(const WorkerEnd& worker) {
  const bool by_signal = worker.end == WorkerEnd::End::crashed;
  const Text end =
      say(by_signal ? Phrase::gpu_process_signal : Phrase::gpu_process_status, worker.status);
  if (worker.log.empty()) return end;
  FixedText<512> log;
  log.set(worker.log);
  return end + say(Phrase::gpu_process_log, Detail(plain(log)));
}

}  // namespace

std::optional<Finding> JobEnd::finding(const std::string& source_file) const {
  if (!kind) return std::nullopt;
  Finding finding;
  finding.kind = *kind;
  finding.file = source_file;
  finding.message = message;
  finding.hint = hint;
  return finding;
}

JobEnd reported(const EndReport& report) {
  return {report.status, report.has_finding ? std::optional(report.kind) : std::nullopt,
          report.message.get(), report.hint.get()};
}

JobEnd impossible_report(const std::string& reason) {
  return broken_worker(say(Phrase::reported_nonsense, Detail(reason)));
}

bool is_broken(const WorkerEnd& worker) {
  if (worker.end == WorkerEnd::End::crashed) return true;
  return worker.end == WorkerEnd::End::exited && worker.status == EXIT_SUCCESS;
}

JobEnd failed_worker(const WorkerEnd& worker, bool excused) {
  if (is_broken(worker) && !excused) return broken_worker(how_it_ended(worker));
  return {GpuStatus::infra, std::nullopt, how_it_ended(worker), Phrase::doctor_hint};
}

void replace_control_characters(std::string& text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 127; }, '?');
}

}  // namespace tessera
