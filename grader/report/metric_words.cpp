#include "grader/report/metric_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

constexpr std::pair<std::string_view, std::string_view> kMetricWords[] = {
    {"global_load_requests", "global loads"},
    {"global_load_bytes", "bytes of global loads"},
    {"global_load_sectors", "sectors of global loads"},
    {"global_load_excess_sectors", "sectors too many, loads"},
    {"global_load_sectors_per_request", "sectors a global load"},
    {"global_store_requests", "global stores"},
    {"global_store_sectors", "sectors of global stores"},
    {"global_store_excess_sectors", "sectors too many, stores"},
    {"global_store_sectors_per_request", "sectors a global store"},
    {"worst_load_excess_sectors", "sectors too many, worst load"},
    {"global_atomic_requests", "global atomics"},
    {"global_atomic_sectors", "sectors of global atomics"},
    {"global_atomic_excess_sectors", "sectors too many, atomics"},
    {"shared_load_requests", "shared loads"},
    {"shared_load_wavefronts", "wavefronts of shared loads"},
    {"shared_load_bank_conflicts", "bank conflicts, loads"},
    {"shared_store_requests", "shared stores"},
    {"shared_store_wavefronts", "wavefronts of shared stores"},
    {"shared_store_bank_conflicts", "bank conflicts, stores"},
    {"shared_atomic_requests", "shared atomics"},
    {"shared_atomic_wavefronts", "wavefronts of shared atomics"},
    {"shared_atomic_bank_conflicts", "bank conflicts, atomics"},
    {"results_through_shared", "percent of results through shared memory"},
    {"parallel_warps", "warps at work"},
    {"static_shared_bytes", "static shared memory, bytes"},
    {"dynamic_shared_bytes", "dynamic shared memory, bytes"},
    {"registers_per_thread", "registers a thread"},
    {"theoretical_occupancy", "occupancy, percent"},
    {"speedup", "speed-up"},
    {"time_ms", "time, ms"},
    {"gflops", "GFLOP/s"},
    {"fraction_of_cublas", "share of cuBLAS's speed"},
    {"modelled_time_ms", "modelled time, ms"},
};

}  // namespace

std::string_view metric_words(std::string_view metric) {
  const auto* found = std::ranges::find(kMetricWords, metric,
                                        &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kMetricWords) ? metric : found->second;
}

std::string worded_title(const Item& item) {
  const std::string_view title = item.title;
  const std::string_view metric = title.substr(0, title.find_first_of(" ,"));
  const std::string_view words = metric_words(metric);
  if (words == metric) return item.title;
  return fmt::format("{}{} ({})", words, title.substr(metric.size()), metric);
}

}  // namespace tessera
