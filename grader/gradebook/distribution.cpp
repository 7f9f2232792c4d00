#include "grader/gradebook/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera {
namespace {

/// Shares of points are sums of thirds and sevenths: one just below a border means the border.
constexpr double kRounding = 1e-9;

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - std::floor(at));
}

}  // namespace

std::optional<Distribution> distribution_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  Distribution distribution;
  distribution.count = values.size();
  distribution.mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  distribution.least = values.front();
  distribution.lower_quartile = quantile(values, 0.25);
  distribution.median = quantile(values, 0.5);
  distribution.upper_quartile = quantile(values, 0.75);
  distribution.most = values.back();
  return distribution;
}

std::vector<int> histogram(const std::vector<double>& values, double full, int bins) {
  std::vector<int> counts(static_cast<std::size_t>(bins), 0);
  for (const double value : values) {
    const double part = std::floor(value / full * bins + kRounding);
    ++counts[static_cast<std::size_t>(std::clamp(part, 0.0, bins - 1.0))];
  }
  return counts;
}

}  // namespace tessera
