// Timing in the worker: samples of candidate and baseline in turn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "grader/gpu/cuda_bench.h"

namespace tessera {
namespace {

/// An idle card needs at least this long to raise its clock; the warm-up ends by kMostWarmUpMs.
constexpr double kLeastWarmUpMs = 100;
constexpr double kMostWarmUpMs = 1000;

/// A time slice of another process takes milliseconds; on an unshared card no gap is this long.
constexpr double kMostTakenAwayMs = 0.2;

/// Measuring is given up if the GPU was shared in every one of this many first pairs.
constexpr std::size_t kHopeless = 8;

/// The part of the time limit after which sampling stops if there are enough pairs.
constexpr double kEnough = 0.8;

double now_ms() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Match {
 public:
  Match(const TimingRequest& request, const TimingPlace& place)
      : request_(request),
        report_(place.report),
        outputs_(place.outputs),
        deadline_(place.deadline) {}

  void play(const std::string& helpers) {
    auto candidate = enter(request_.candidate, Party::candidate, &report_.candidate);
    if (!candidate) return;
    std::optional<Contestant> baseline;
    if (request_.baseline) {
      baseline = enter(*request_.baseline, Party::baseline, nullptr);
      if (!baseline) return;
    }
    report_.active = Party::grader;
    Bench bench(request_, helpers);
    deadline_.set(request_.time_limit_ms);
    enough_at_ = now_ms() + kEnough * request_.time_limit_ms;
    measure(bench, *candidate, baseline ? &*baseline : nullptr);
    report_.end.set(GpuStatus::completed);
  }

 private:
  std::optional<Contestant> enter(const GpuWork& work, Party party, KernelReport* report) {
    report_.active = party;
    auto launcher = load_work(work, request_.buffers, request_.device.profile, report, report_.end);
    if (!launcher) return std::nullopt;
    return Contestant(party, std::move(*launcher));
  }

  /// Runs `work`, whose failure or hang counts as the contestant's.
  template <class Work>
  void charge(const Contestant& contestant, Work work) {
    const double start = now_ms();
    report_.active = contestant.party();
    work();
    report_.active = Party::grader;
    const bool candidate = contestant.party() == Party::candidate;
    (candidate ? report_.candidate_busy_ms : report_.baseline_busy_ms) += now_ms() - start;
  }

  TimingSample sample(Bench& bench, const Contestant& contestant) {
    TimingSample sample;
    charge(contestant, [&] { sample = bench.sample(contestant); });
    return sample;
  }

  /// Takes samples until the clock has settled, and returns the last pair.
  TimingPair warm_up(Bench& bench, const Contestant& candidate, const Contestant* baseline) {
    const double start = now_ms();
    charge(candidate, [&] { bench.load(candidate); });
    if (baseline != nullptr) charge(*baseline, [&] { bench.load(*baseline); });
    double clock = 0;
    bool settled = false;
    TimingPair last;
    do {
      last.candidate = sample(bench, candidate);
      if (baseline != nullptr) last.baseline = sample(bench, *baseline);
      const double moved = std::abs(last.candidate.clock_mhz - clock);
      settled = now_ms() - start > kLeastWarmUpMs && moved <= 0.02 * clock;
      clock = last.candidate.clock_mhz;
    } while (!settled && now_ms() - start < kMostWarmUpMs);
    return last;
  }

  void measure(Bench& bench, Contestant& candidate, Contestant* baseline) {
    const TimingPair warm = warm_up(bench, candidate, baseline);
    charge(candidate, [&] { bench.calibrate(candidate, warm.candidate.milliseconds); });
    if (baseline != nullptr)
      charge(*baseline, [&] { bench.calibrate(*baseline, warm.baseline.milliseconds); });
    enough_at_ = std::min(enough_at_, now_ms() + request_.patience_ms);
    report_.candidate_launches = candidate.launches;
    report_.baseline_launches = baseline == nullptr ? 0 : baseline->launches;
    bool shared = bench.taken_away_ms() > kMostTakenAwayMs;
    bool always_shared = true;
    sample_pairs(
        [&]() -> std::optional<TimingPair> {
          if (report_.pairs >= least_pairs() && now_ms() > enough_at_) return std::nullopt;
          if (report_.pairs >= kHopeless && always_shared) return std::nullopt;
          TimingPair& pair = report_.pair[report_.pairs];
          pair.shared = shared;
          const bool baseline_first = baseline != nullptr && bench.coin();
          if (baseline_first) pair.baseline = sample(bench, *baseline);
          pair.candidate = sample(bench, candidate);
          keep_outputs(bench, candidate);
          if (baseline != nullptr && !baseline_first) pair.baseline = sample(bench, *baseline);
          shared = bench.taken_away_ms() > kMostTakenAwayMs;
          pair.shared |= shared;
          always_shared &= pair.shared;
          return report_.pair[report_.pairs++];
        },
        request_.threshold);
  }

  /// Keeps the outputs of the pair, unless chance decides otherwise: whenever sampling stops, each
  /// pair so far is among those kept with the same probability.
  void keep_outputs(Bench& bench, const Contestant& candidate) {
    const std::size_t place =
        report_.pairs < request_.outputs ? report_.pairs : bench.random_below(report_.pairs + 1);
    if (place >= request_.outputs) return;
    report_.salts[place] =
        bench.copy_outputs(candidate, outputs_ + place * output_bytes(request_.buffers));
  }

  std::size_t least_pairs() const { return std::clamp(request_.least_pairs, 2ul, kFirstPairs); }

  const TimingRequest& request_;
  TimingReport& report_;
  std::byte* outputs_;
  Deadline& deadline_;
  double enough_at_ = 0;  // from then on the least number of pairs is enough
};

/// Reports an error of a launch as its kernel's; an error of the grader's own calls is `infra`.
void report_failure(const CudaError& error, TimingReport& report) {
  EndReport& end = report.end;
  if (report.active != Party::grader) return report_error(error, end);
  end.set(GpuStatus::infra, error.what(), Phrase::doctor_hint);
}

}  // namespace

int do_timing(const TimingJob& job, const TimingPlace& place) {
  try {
    Match(job.request, place).play(job.helpers);
  } catch (const CudaError& error) {
    report_failure(error, place.report);
  }
  place.report.ended = true;
  return 0;
}

}  // namespace tessera
