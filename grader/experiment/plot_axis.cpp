#include "grader/experiment/plot_axis.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace tessera {
namespace {

/// From this number on, labels are in thousands, millions or billions.
constexpr double kMany = 20'000;

struct Prefix {
  double size;
  const char* letter;
  const char* word;
};

constexpr Prefix kPrefixes[] = {
    {1e9, "G", "billions"}, {1e6, "M", "millions"}, {1e3, "k", "thousands"}};

/// The largest prefix that is not above `number`; nullptr if the number is too small for any.
const Prefix* prefix_of(double number) {
  for (const Prefix& prefix : kPrefixes) {
    if (number >= prefix.size) return &prefix;
  }
  return nullptr;
}

std::string label(double number, bool prefixes) {
  const Prefix* prefix = prefixes ? prefix_of(number) : nullptr;
  return prefix == nullptr ? fmt::format("{:.12g}", number)
                           : fmt::format("{:.12g} {}", number / prefix->size, prefix->letter);
}

/// The numbered steps of an axis: three to a decade (1, 2, 5), or one.
struct Steps {
  int to_a_decade;

  double at(int step) const {
    constexpr double kFactors[] = {1, 2, 5};
    const int decade = static_cast<int>(std::floor(static_cast<double>(step) / to_a_decade));
    const double factor = kFactors[step - decade * to_a_decade];
    // No power of ten below 1 is exact as a double: dividing by its inverse rounds only once.
    return decade < 0 ? factor / std::pow(10.0, -decade) : factor * std::pow(10.0, decade);
  }

  /// The last step at or below `number`.
  int below(double number) const {
    int step = (static_cast<int>(std::floor(std::log10(number))) - 1) * to_a_decade;
    while (at(step + 1) <= number) ++step;
    return step;
  }
};

}  // namespace

AxisUnit axis_unit(double most) {
  const Prefix* prefix = most < kMany ? nullptr : prefix_of(most);
  return prefix == nullptr ? AxisUnit{} : AxisUnit{prefix->size, prefix->word};
}

std::vector<AxisTick> logarithmic_ticks(double low, double high) {
  constexpr double kShort = 100;
  const Steps steps{high / low <= kShort ? 3 : 1};
  const int first = steps.below(low);
  int last = steps.below(high);
  if (last == first || steps.at(last) < high) ++last;
  std::vector<AxisTick> ticks;
  for (int step = first; step <= last; ++step)
    ticks.push_back({steps.at(step), label(steps.at(step), high >= kMany)});
  return ticks;
}

}  // namespace tessera
