#include "grader/experiment/host_time.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <fstream>

#include "common/host_product.h"
#include "common/recipe.h"
#include "common/stopwatch.h"
#include "grader/experiment/number_text.h"
#include "grader/experiment/simulated.h"
#include "grader/gpu/statistics.h"

namespace tessera {
namespace {

constexpr std::size_t kLeastRuns = 3;
constexpr std::size_t kMostRuns = 21;
constexpr double kHostPatienceMs = 1000;

/// Sets OpenMP's number of threads for the life of this object.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

/// Times in ascending order. The first run, which wakes threads and touches pages, counts only if
/// there is time for no other.
std::vector<double> run_times(const HostProduct& product, const HostMatrix& a, const HostMatrix& b,
                              HostMatrix& c) {
  std::vector<double> times;
  const Stopwatch all;
  const auto run = [&] {
    const Stopwatch stopwatch;
    product.multiply(a, b, c);
    return stopwatch.milliseconds();
  };
  const double first = run();
  if (first > kHostPatienceMs) return {first};
  while (times.size() < kMostRuns) {
    if (times.size() >= kLeastRuns && all.milliseconds() > kHostPatienceMs) break;
    times.push_back(run());
  }
  std::ranges::sort(times);
  return times;
}

Value value_of(Metric metric, int shape) {
  Value value;
  value.metric = metric;
  value.shape = shape;
  value.device = host_name();
  return value;
}

}  // namespace

std::string host_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, model = "host";
  while (std::getline(info, line)) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(std::min(line.find(": ") + 2, line.size()));
    break;
  }
  return fmt::format("{} ({} threads)", model, omp_get_num_procs());
}

int threads_of(const Variant& variant) {
  const HostProduct* product = find_host_product(variant.row->what);
  const std::string text = variant.setting("threads").value_or(product->threaded ? "all" : "1");
  return text == "all" ? omp_get_num_procs() : whole_in(text).value_or(1);
}

std::vector<Value> time_on_host(const Experiment& experiment, const Variant& variant, int shape,
                                const std::vector<OperandData>& operands,
                                const GradeOptions& options) {
  Value time = value_of(experiment.ratio.of, shape);
  const int threads = threads_of(variant);
  if (threads > omp_get_num_procs()) {
    time.text = "-";
    time.note = fmt::format("this machine runs {} threads at a time", omp_get_num_procs());
    return {time};
  }
  const HostProduct& product = *find_host_product(variant.row->what);
  HostMatrix c = operands[2].host;
  poison(c);
  std::vector<double> times;
  {
    const Threads limit(threads);
    times = run_times(product, operands[0].host, operands[1].host, c);
  }
  const Lab lab = plain_lab(experiment);
  const Case test_case = case_of(lab, variant, shape);
  const Program none;
  const Comparison comparison =
      verify_output({lab, none, test_case, options}, {operands[0].host, operands[1].host}, c, "C");
  if (!comparison.findings.empty()) {
    time.text = "wrong";
    time.note = comparison.findings.front().message;
    return {time};
  }
  time.number = times[times.size() / 2];
  const std::size_t rank = median_rank(times.size());
  if (rank > 0) {
    time.low = times[rank - 1];
    time.high = times[times.size() - rank];
  } else {
    time.note = fmt::format("{} run{}, no interval", times.size(), times.size() == 1 ? "" : "s");
  }
  std::vector<Value> values;
  for (const Metric metric : {Metric::time_ms, Metric::end_to_end_ms}) {
    if (!experiment.measures(metric)) continue;
    values.push_back(time);
    values.back().metric = metric;
  }
  add_rates(experiment, shape, time, values);
  return values;
}

}  // namespace tessera
