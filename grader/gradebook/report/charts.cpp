#include "grader/gradebook/report/charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/html/words.h"
#include "grader/report/pictures/svg.h"

namespace tessera {
namespace {

/// "Points 0 to 9: 3; 18 to 27: 1"
std::string counts_text(const std::vector<int>& counts, double full) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double part = full / static_cast<double>(counts.size());
    text += fmt::format("{}{} to {}: {}", text.empty() ? "Points " : "; ",
                        points_text(part * static_cast<double>(i)),
                        points_text(part * static_cast<double>(i + 1)), counts[i]);
  }
  return text.empty() ? "No points yet" : text;
}

/// Where bars stand: side by side from `left` on, at most `height` high.
struct Bars {
  double left = 0, step = 0, floor = 0, height = 0;

  double x(std::size_t bar) const { return left + step * static_cast<double>(bar); }

  /// A count of one in 2,000 is still visible.
  double tall(int count, const std::vector<int>& counts) const {
    return std::max(1.0, height * count / std::max(1, *std::ranges::max_element(counts)));
  }
};

Svg drawn(const std::vector<int>& counts, double full, const Bars& bars, double width,
          double height) {
  Svg svg("histogram", width, height, "Distribution of points", counts_text(counts, full));
  std::string path;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double tall = bars.tall(counts[i], counts);
    path += rect_path(bars.x(i) + 1, bars.floor - tall, bars.step - 2, tall);
  }
  svg.fill(path, Paint::count);
  svg.stroke(line_path(bars.left, bars.floor, bars.x(counts.size()), bars.floor), Paint::faint);
  return svg;
}

}  // namespace

Html histogram_chart(const std::vector<int>& counts, double full) {
  constexpr double kWidth = 380, kHeight = 160;
  constexpr Bars kBars{.left = 10, .step = 36, .floor = 136, .height = 116};
  if (counts.empty()) return {};
  Svg svg = drawn(counts, full, kBars, kWidth, kHeight);
  const double part = full / static_cast<double>(counts.size());
  const auto put = [&](double x, double y, const std::string& text, Paint paint) {
    svg.text(x, y, text, Anchor::middle, paint);
  };
  for (std::size_t i = 0; i <= counts.size(); ++i) {
    if (i % 2 == 0 || i == counts.size())
      put(kBars.x(i), kHeight - 8, points_text(part * static_cast<double>(i)), Paint::faint);
    if (i < counts.size() && counts[i] > 0)
      put(kBars.x(i) + kBars.step / 2, kBars.floor - kBars.tall(counts[i], counts) - 4,
          grouped(static_cast<std::uint64_t>(counts[i])), Paint::ink);
  }
  return Html::made(svg.str());
}

Html small_histogram(const std::vector<int>& counts, double full) {
  constexpr double kHeight = 18;
  constexpr Bars kBars{.left = 0, .step = 8, .floor = kHeight - 1, .height = kHeight - 2};
  return Html::made(drawn(counts, full, kBars, kBars.x(counts.size()), kHeight).str());
}

}  // namespace tessera
