#include "grader/interpreter/reply_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "grader/process/wire_text.h"
#include "grader/simulator/check/lanes.h"

namespace tessera {
namespace {

using wire::require;

constexpr std::size_t kMostKernels = 4096;
/// More findings help no one, and the judge compares each with each.
constexpr std::size_t kMostFindings = 200;
/// The most bytes of one finding. A launch's findings are cut after the first that brings their sum
/// above this.
constexpr std::size_t kMostFindingBytes = 128u << 10;
constexpr std::size_t kMostLines = 500;
constexpr std::uint32_t kBytesOfWidestAccess = 32;
/// Steps that a warp may take beyond its limit, which is checked only where a loop closes.
constexpr double kStepsBeyondLimit = 1 << 24;
/// Passes of one warp's access: 32 lanes of 32 bytes that straddle, in each of three memories.
constexpr double kMostPasses = 1024;
constexpr double kMostTensorWork = 16 * 256 * 16;  // multiply-adds of one instruction
constexpr double kMostProducts = 32;               // of 16 x 16 by 16 x 8, likewise
constexpr double kMostLoadBytes = 1024;            // of a warp: 32 lanes, 32 bytes each
/// Instructions of one warp in a sampled launch: beyond every step limit that the grader sets, if
/// each step is the longest ptx::Sequence.
constexpr double kMostModelledSteps = 128.0 * (1 << 30);
constexpr double kRoundedUp = 1 + 1e-9;  // of counts that are scaled

std::size_t bytes_of(const Finding& finding) {
  std::size_t bytes = tessera::bytes_of(finding.message) + tessera::bytes_of(finding.hint);
  for (const auto& [key, value] : finding.example) bytes += key.size() + value.size();
  return bytes;
}

void check_finding(Finding& finding) {
  require((about(finding.kind).raised_by & kSimulator) != 0,
          "a finding of a kind that no execution has");
  require(finding.line >= 0 && finding.line <= kMostLine && finding.column >= 0,
          "a finding in a line that no source has");
  require(finding.example.size() <= 64, "an example with too many words");
  require(bytes_of(finding) <= kMostFindingBytes, "a finding that is too long");
  make_plain(finding.file);
  make_plain(finding.message);
  make_plain(finding.hint);
  for (auto& [key, value] : finding.example) {
    make_plain(key);
    make_plain(value);
  }
}

/// The counters that every run has.
struct Counters {
  const Metrics& all;

  double operator()(std::optional<Metric> metric) const {
    const auto found = all.find(metric.value());
    require(found != all.end(), "a counter is missing");
    return found->second;
  }
};

bool is_of_run(Metric metric) {
  return about(metric).origin == Origin::simulated || metric == Metric::static_shared_bytes ||
         metric == Metric::dynamic_shared_bytes;
}

void check_ratio(const Metrics& metrics, Metric ratio, double passes, double requests) {
  const auto found = metrics.find(ratio);
  require((found != metrics.end()) == (requests > 0),
          "a mean without requests, or requests without a mean");
  if (requests > 0)
    require(found->second == passes / requests, "a mean that differs from its counters");
}

double warps_of(const LaunchShape& shape) {
  const auto threads = static_cast<double>(shape.block.count());
  return static_cast<double>(shape.grid.x) * shape.grid.y * shape.grid.z * std::ceil(threads / 32);
}

void check_metrics(const RunResult& result, const RunRequest& request, const KernelInfo& kernel) {
  if (result.status == RunStatus::not_launched) {
    require(result.metrics.empty(), "counters of a kernel that was not launched");
    return;
  }
  for (const auto& [metric, value] : result.metrics) {
    require(is_of_run(metric), "a counter that no run has");
    require(value >= 0 && value < 0x1p63, "a counter that is no number");
  }
  const Counters counters{result.metrics};
  const auto through_shared = result.metrics.find(Metric::results_through_shared);
  require(through_shared == result.metrics.end() ||
              (request.shared_readers && through_shared->second <= 100),
          "results through shared memory that were not requested, or more than 100 %");
  require(
      counters(Metric::static_shared_bytes) == static_cast<double>(kernel.static_shared_bytes) &&
          counters(Metric::dynamic_shared_bytes) == static_cast<double>(request.shape.shared_bytes),
      "not the shared memory of the launch");
  for (const Metric metric : kAllMetrics) {
    const auto [accesses, quantity] = about(metric).counts;
    if (quantity != Quantity::per_request) continue;
    check_ratio(result.metrics, metric, counters(counter_of(accesses, Quantity::passes)),
                counters(counter_of(accesses, Quantity::requests)));
  }
  require(counters(Metric::active_threads_per_warp) <= sim::kLanes, "more threads than a warp has");
  if (result.status != RunStatus::completed) return;
  const double instructions = counters(Metric::instructions);
  if (request.step_limit != 0) {
    const double limit = static_cast<double>(request.step_limit) + kStepsBeyondLimit;
    require(instructions <= warps_of(request.shape) * limit,
            "more instructions than its warps had");
  }
  require(counters(Metric::barriers) <= instructions, "more barriers than instructions");
  require(counters(Metric::branches) <= instructions, "more branches than instructions");
  // A wmma.mma is one instruction of PTX and two of the card.
  require(counters(Metric::tensor_instructions) <= kMostProducts * instructions,
          "more products of matrices than instructions");
  require(counters(Metric::local_requests) <= instructions,
          "more local accesses than instructions");
  require(
      counters(Metric::floating_point_instructions) + counters(Metric::shuffles) <= instructions,
      "more floating-point instructions or shuffles than instructions");
  require(counters(Metric::floating_point_imbalance) <= warps_of(request.shape),
          "a warp with more floating-point instructions than all");
  require(counters(Metric::longest_warp_instructions) <= instructions &&
              counters(Metric::longest_warp_load_bytes) <= counters(Metric::global_load_bytes),
          "more of one warp than of all");
  const auto repeated = result.metrics.find(Metric::global_load_repeated_bytes);
  require(repeated == result.metrics.end() ||
              (request.shared_readers && repeated->second <= counters(Metric::global_load_bytes)),
          "repeated loads that were not requested, or more than all loads");
  const auto load_use = result.metrics.find(Metric::load_use_distance);
  require((load_use != result.metrics.end()) == request.load_use,
          "the use of loads, which was not requested, or requested and missing");
  require(!request.load_use || load_use->second <= counters(Metric::longest_warp_instructions),
          "a load that is used after the longest warp has ended");
  require(counters(Metric::worst_load_excess_sectors) <= kMostPasses, "a load of too many sectors");
  require(counters(Metric::loads_to_registers) <=
              counters(Metric::global_load_requests) + counters(Metric::global_atomic_requests),
          "more loads to registers than loads");
  require(counters(Metric::global_load_bytes) <=
              kMostLoadBytes * (counters(Metric::global_load_requests) +
                                counters(Metric::global_atomic_requests)),
          "more bytes loaded than loads can ask for");
  for (const Metric metric : kAllMetrics) {
    const auto [accesses, quantity] = about(metric).counts;
    if (accesses == Accesses::none || quantity != Quantity::requests) continue;
    const double requests = counters(metric);
    const double passes = counters(counter_of(accesses, Quantity::passes));
    require(requests <= instructions, "more requests than instructions");
    require(passes >= requests && passes <= requests * kMostPasses, "passes without requests");
    require(counters(counter_of(accesses, Quantity::excess)) <= passes,
            "more excess passes than passes");
    const auto lines = counter_of(accesses, Quantity::cache_lines);
    if (!lines) continue;
    require(result.metrics.contains(*lines) == request.cache_lines,
            "cache lines that were not requested, or requested and missing");
    if (request.cache_lines)
      require(counters(*lines) >= requests && counters(*lines) <= passes,
              "cache lines without sectors");
  }
}

void check_lines(std::vector<LineAccess>& lines) {
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  for (LineAccess& access : lines) {
    make_plain(access.worst.variable);
    require(access.line >= 0 && access.line <= kMostLine, "an access in a line that no source has");
    require(access.worst.lanes <= kWarpLanes &&
                (access.worst.offsets.empty() || access.worst.offsets.size() == kWarpLanes),
            "a warp of other than 32 lanes");
    require(access.worst.offsets.empty() || (access.worst.width <= kBytesOfWidestAccess &&
                                             std::has_single_bit(access.worst.width)),
            "an access that no lane can make");
  }
}

const KernelInfo& kernel_named(const std::vector<KernelInfo>& kernels, const std::string& entry) {
  const auto found = std::ranges::find(kernels, entry, &KernelInfo::entry);
  require(found != kernels.end(), "no kernel of that name");
  return *found;
}

/// Keeps as many findings as are worth reading: the first of each kind, the second of each, and so
/// on, so that many of one kind hide no other.
void cut_findings(std::vector<Finding>& findings) {
  std::map<FindingKind, std::size_t> of_kind;
  std::vector<std::pair<std::size_t, std::size_t>> turns;  // number within its kind, and place
  for (std::size_t i = 0; i < findings.size(); ++i)
    turns.emplace_back(of_kind[findings[i].kind]++, i);
  std::ranges::sort(turns);
  std::size_t bytes = 0, count = 0;
  while (count < std::min(turns.size(), kMostFindings) && bytes <= kMostFindingBytes)
    bytes += bytes_of(findings[turns[count++].second]);
  turns.resize(count);
  std::ranges::sort(turns, {}, [](const auto& turn) { return turn.second; });
  std::vector<Finding> kept;
  for (const auto& [number, place] : turns) kept.push_back(std::move(findings[place]));
  findings = std::move(kept);
}

void check_result(RunResult& result, const RunRequest& request,
                  const std::vector<KernelInfo>& kernels) {
  cut_findings(result.findings);
  for (Finding& finding : result.findings) check_finding(finding);
  require(result.output.size() <= request.output_limit, "more output than was asked for");
  check_metrics(result, request, kernel_named(kernels, request.entry));
  check_lines(result.lines);
  require(result.extra_order.line >= 0 && result.extra_order.line <= kMostLine,
          "an order of threads in a line that no source has");
  const bool may_end_well = result.status == RunStatus::completed;
  require(may_end_well || !result.findings.empty() || result.status == RunStatus::unsupported ||
              result.status == RunStatus::stopped,
          "a launch that was refused without a reason");
}

void check_counters(const LaunchCounters& counters, const LaunchShape& shape) {
  const auto is_count = [](double value) { return std::isfinite(value) && value >= 0; };
  require(std::ranges::all_of(counters.instructions, is_count) && is_count(counters.global_lines) &&
              is_count(counters.shared_wavefronts) && is_count(counters.tensor_work) &&
              is_count(counters.async_tensor_work) && is_count(counters.copied_sectors) &&
              is_count(counters.loaded_sectors) && is_count(counters.stored_sectors) &&
              is_count(counters.stored_once) && is_count(counters.shared_along_x) &&
              is_count(counters.shared_along_y) && is_count(counters.shared_along_both) &&
              is_count(counters.wait.from_l2) && is_count(counters.wait.from_dram) &&
              is_count(counters.edge_cycles),
          "a count that is no number");
  // At most: every block of the grid with 32 warps of kMostModelledSteps instructions each.
  const double most = static_cast<double>(shape.grid.count()) * 32 * kMostModelledSteps;
  const double instructions =
      std::accumulate(counters.instructions.begin(), counters.instructions.end(), 0.0);
  const double most_shared = counters.loaded_sectors * kRoundedUp;
  require(instructions <= most && counters.global_lines <= instructions * kMostPasses &&
              counters.shared_wavefronts <= instructions * kMostPasses &&
              counters.tensor_work <= instructions * kMostTensorWork &&
              counters.async_tensor_work <= instructions * kMostTensorWork &&
              counters.copied_sectors <= counters.loaded_sectors * kRoundedUp &&
              counters.loaded_sectors <= instructions * kMostPasses &&
              counters.stored_sectors <= instructions * kMostPasses &&
              counters.stored_once <= counters.stored_sectors &&
              counters.shared_along_x <= most_shared && counters.shared_along_y <= most_shared &&
              counters.shared_along_both <= most_shared && counters.wait.from_l2 <= most &&
              counters.wait.from_dram <= most * kMostPasses && counters.edge_cycles <= most,
          "more than the sampled blocks can have counted");
  require(counters.sampled_blocks >= 1 && counters.sampled_blocks <= shape.grid.count(),
          "a sample of more blocks than there are");
}

}  // namespace

LoadError checked(LoadError error) {
  require(error.line >= 0, "an error in a line that no PTX has");
  make_plain(error.name);
  make_plain(error.message);
  return error;
}

FailedReply checked(FailedReply reply) {
  make_plain(reply.message);
  return reply;
}

std::vector<KernelInfo> checked(std::vector<KernelInfo> kernels) {
  require(kernels.size() <= kMostKernels, "too many kernels");
  for (KernelInfo& kernel : kernels) {
    for (std::string* text : {&kernel.entry, &kernel.name, &kernel.signature}) make_plain(*text);
    const Dim3& cluster = kernel.bounds.cluster;
    require(cluster.x != 0 && cluster.y != 0 && cluster.z != 0, "a cluster without blocks");
  }
  return kernels;
}

void check_reply(RunReply& reply, const RunMessage& message,
                 const std::vector<KernelInfo>& kernels) {
  require(message.sample ? !std::holds_alternative<RunResult>(reply)
                         : !std::holds_alternative<std::optional<LaunchCounters>>(reply),
          "an answer to another question");
  if (auto* result = std::get_if<RunResult>(&reply))
    return check_result(*result, message.request, kernels);
  if (const auto* counters = std::get_if<std::optional<LaunchCounters>>(&reply);
      counters != nullptr && *counters) {
    check_counters(**counters, message.request.shape);
  }
}

}  // namespace tessera
