#include "grader/gradebook/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/numbers.h"
#include "grader/report/html/words.h"

namespace tessera {
namespace {

Html picture(const std::string& look, double width, double height, const std::string& title,
             const Html& content) {
  return element("svg",
                 {{"class", look},
                  {"role", "img"},
                  {"aria-label", title},
                  {"viewBox", fmt::format("0 0 {:g} {:g}", width, height)}},
                 content);
}

Html text_at(double x, double y, const std::string& look, const std::string& text) {
  return element(
      "text", {{"x", fmt::format("{:.1f}", x)}, {"y", fmt::format("{:.1f}", y)}, {"class", look}},
      text);
}

Html line_between(double x1, double y1, double x2, double y2, const std::string& look) {
  return element("line", {{"x1", fmt::format("{:.1f}", x1)},
                          {"y1", fmt::format("{:.1f}", y1)},
                          {"x2", fmt::format("{:.1f}", x2)},
                          {"y2", fmt::format("{:.1f}", y2)},
                          {"class", look}});
}

/// "0 to 9: 3; 9 to 18: none; ..."
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

/// Bars of at most `height` that stand on `floor`, `step` apart from `left`, as one path.
Html bars(const std::vector<int>& counts, double left, double step, double floor, double height) {
  const int most = std::max(1, *std::ranges::max_element(counts));
  std::string path;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    // A count of one in 2,000 is still visible.
    const double tall = std::max(1.0, height * counts[i] / most);
    path += fmt::format("M{:.1f} {:.1f}v{:.1f}h{:.1f}v{:.1f}z",
                        left + step * static_cast<double>(i) + 1, floor, -tall, step - 2, tall);
  }
  return element("path", {{"class", "bars"}, {"d", path}});
}

/// A logarithmic axis, from bottom to top.
class LogAxis {
 public:
  LogAxis(double least, double most, double bottom, double top)
      : low_(std::log(least) - kMargin),
        high_(std::log(most) + kMargin),
        bottom_(bottom),
        top_(top) {}

  double at(double value) const {
    return bottom_ + (std::log(value) - low_) / (high_ - low_) * (top_ - bottom_);
  }

  /// A few round numbers: 1, 2, 5, 10, ...; if fewer than two of them fit, every tenth.
  std::vector<double> ticks() const {
    std::vector<double> ticks = multiples({1, 2, 5});
    if (ticks.size() > kMostTicks) ticks = multiples({1});
    if (ticks.size() >= 2) return ticks;
    return multiples({1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9});
  }

 private:
  static constexpr double kMargin = 0.08;
  static constexpr std::size_t kMostTicks = 9;

  std::vector<double> multiples(const std::vector<double>& steps) const {
    std::vector<double> values;
    const int first = static_cast<int>(std::floor(low_ / std::log(10.0)));
    const int last = static_cast<int>(std::ceil(high_ / std::log(10.0)));
    for (int power = first; power <= last; ++power) {
      for (const double step : steps) {
        const double value = step * std::pow(10.0, power);
        if (std::log(value) >= low_ && std::log(value) <= high_) values.push_back(value);
      }
    }
    return values;
  }

  double low_, high_, bottom_, top_;
};

LogAxis axis_of(const TimeScatter& scatter, double bottom, double top) {
  double least = scatter.kernels.front().value;
  double most = least;
  const auto take = [&](double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  };
  for (const TimedKernel& kernel : scatter.kernels) take(kernel.value);
  for (const TimeLimit& limit : scatter.limits) take(limit.at);
  return {least, most, bottom, top};
}

struct Look {
  Status status;
  const char* name;  // of the class
  const char* dot;   // after "Mx y": round and square dots are caps of a line without length
};

constexpr std::array kLooks = {Look{Status::fail, "dots lost", "m-2.5-2.5l5 5m0-5l-5 5"},
                               Look{Status::partial, "dots partly", "h.01"},
                               Look{Status::pass, "dots won", "h.01"}};

Html dots(const TimeScatter& scatter, const LogAxis& axis, double left, double width) {
  Html all;
  const double step = width / static_cast<double>(scatter.kernels.size());
  for (const Look& look : kLooks) {
    std::string path;
    for (std::size_t i = 0; i < scatter.kernels.size(); ++i) {
      const TimedKernel& kernel = scatter.kernels[i];
      if (kernel.status != look.status) continue;
      path += fmt::format("M{:.1f} {:.1f}{}", left + step * (static_cast<double>(i) + 0.5),
                          axis.at(kernel.value), look.dot);
    }
    if (!path.empty()) all += element("path", {{"class", look.name}, {"d", path}});
  }
  return all;
}

std::string chart_summary(const TimeScatter& scatter) {
  const auto& kernels = scatter.kernels;
  std::string text = fmt::format(
      "{} of {}, best {}, median {}, worst {}", scatter.axis, counted(kernels.size(), "kernel"),
      short_number(kernels.front().value), short_number(kernels[kernels.size() / 2].value),
      short_number(kernels.back().value));
  for (const TimeLimit& limit : scatter.limits) text += "; " + limit.text;
  return text;
}

}  // namespace

Html histogram_chart(const std::vector<int>& counts, double full) {
  constexpr double kWidth = 380, kHeight = 160, kFloor = 136, kStep = 36, kLeft = 10;
  if (counts.empty()) return {};
  Html content = bars(counts, kLeft, kStep, kFloor, kFloor - 20);
  const int most = std::max(1, *std::ranges::max_element(counts));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double x = kLeft + kStep * static_cast<double>(i);
    const double tall = std::max(1.0, (kFloor - 20) * counts[i] / most);
    if (counts[i] > 0)
      content += text_at(x + kStep / 2, kFloor - tall - 4, "middle",
                         grouped(static_cast<std::uint64_t>(counts[i])));
    if (i % 2 == 0)
      content +=
          text_at(x, kHeight - 8, "middle faint",
                  points_text(full * static_cast<double>(i) / static_cast<double>(counts.size())));
  }
  const double right = kLeft + kStep * static_cast<double>(counts.size());
  content += text_at(right, kHeight - 8, "middle faint", points_text(full));
  content += line_between(kLeft, kFloor, right, kFloor, "axis");
  return picture("chart", kWidth, kHeight, counts_text(counts, full), content);
}

Html small_histogram(const std::vector<int>& counts, double full) {
  constexpr double kHeight = 18, kStep = 8;
  const double width = kStep * static_cast<double>(counts.size());
  Html content = bars(counts, 0, kStep, kHeight - 1, kHeight - 2);
  content += line_between(0, kHeight - 0.5, width, kHeight - 0.5, "axis");
  return picture("small chart", width, kHeight, counts_text(counts, full), content);
}

Html time_chart(const TimeScatter& scatter) {
  constexpr double kWidth = 440, kHeight = 280, kLeft = 46, kRight = 430, kTop = 24, kBottom = 250;
  if (scatter.kernels.empty()) return {};
  const LogAxis axis = axis_of(scatter, kBottom, kTop);
  Html content = text_at(2, 12, "faint", scatter.axis);
  for (const double tick : axis.ticks()) {
    content += line_between(kLeft, axis.at(tick), kRight, axis.at(tick), "grid");
    content += text_at(kLeft - 5, axis.at(tick) + 4, "end faint", short_number(tick));
  }
  content += dots(scatter, axis, kLeft, kRight - kLeft);
  double last = -100;
  for (const TimeLimit& limit : scatter.limits) {
    const double y = axis.at(limit.at);
    // If two lines are close, their labels stand on opposite sides.
    const double words = std::abs(y - last) < 18 && y > last ? y + 13 : y - 4;
    content += line_between(kLeft, y, kRight, y, "limit");
    content += text_at(kRight, words, "end limit", limit.text);
    last = y;
  }
  content += line_between(kLeft, kBottom, kRight, kBottom, "axis");
  content += text_at(kLeft, kHeight - 12, "faint", "best");
  content += text_at(kRight, kHeight - 12, "end faint",
                     fmt::format("worst of {}", counted(scatter.kernels.size(), "kernel")));
  return picture("chart", kWidth, kHeight, chart_summary(scatter), content);
}

}  // namespace tessera
