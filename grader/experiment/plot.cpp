#include "grader/experiment/plot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "grader/experiment/number_text.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

/// Colours that people who see red and green alike can tell apart (Okabe and Ito).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#000000", "#f0e442"};

/// From here on counts are labelled in thousands and millions.
constexpr double kManyCounts = 20'000;

struct Point {
  std::string x;
  double y = 0;
  double low = 0;  // of an interval; `y` where there is none
  double high = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;
};

/// In single quotes gnuplot knows one special character; a line end would end the command.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : c == '\n' ? " " : std::string(1, c);
  return result + "'";
}

class PlotMaker {
 public:
  PlotMaker(const Experiment& experiment, const Plot& plot, const Results& results)
      : experiment_(experiment), plot_(plot), results_(results) {}

  std::string program() {
    choose();
    collect();
    std::size_t points = 0;
    for (const Series& one : series_) points += one.points.size();
    if (points < 2) return "";
    return head() + data() + curves();
  }

 private:
  /// One kind of figure and, where it is of one device each, one device.
  void choose() {
    metric_ = plot_.y;
    for (const Origin origin : {Origin::measured, Origin::modelled, Origin::simulated,
                                Origin::calculated, Origin::compiled}) {
      const bool model = origin == Origin::modelled && plot_.y == "time_ms";
      const std::string metric = model ? "modelled_time_ms" : plot_.y;
      for (const Value& value : results_.values) {
        if (value.metric != metric || value.origin != origin || !value.number) continue;
        origin_ = origin;
        metric_ = metric;
        device_ = value.device;
        return;
      }
    }
  }

  void collect() {
    for (const Variant& variant : variants_of(experiment_)) {
      const bool wanted =
          plot_.rows.empty() || std::ranges::count(plot_.rows, variant.row->name) > 0;
      const bool fits = std::ranges::all_of(plot_.only, [&](const auto& setting) {
        return variant.setting(setting.first).value_or(setting.second) == setting.second;
      });
      if (wanted && fits) collect(variant);
    }
  }

  void collect(const Variant& variant) {
    for (const Value& value : results_.values) {
      if (value.row != variant.row->name || value.settings != variant.settings) continue;
      if (value.metric != metric_ || value.origin != origin_ || !value.number) continue;
      if (plot_.shape && value.shape != *plot_.shape && value.shape != 0) continue;
      const bool one_device = origin_ != Origin::measured;
      if (one_device && value.device != device_) continue;
      if (std::ranges::count(devices_, value.device) == 0) devices_.push_back(value.device);
      const double y = *value.number;
      const auto x = place_of(variant, value);
      if (x)
        series_called(name_of(variant, value))
            .points.push_back({*x, y, value.low.value_or(y), value.high.value_or(y)});
    }
  }

  std::optional<std::string> place_of(const Variant& variant, const Value& value) const {
    if (plot_.x == "shape") return std::to_string(value.shape);
    return plot_.x == "row" ? variant.row->name : variant.setting(plot_.x);
  }

  /// What tells a curve from the others: row, settings, shape.
  std::string name_of(const Variant& variant, const Value& value) const {
    std::vector<std::string> parts;
    if (plot_.x != "row") parts.push_back(variant.row->name);
    for (const auto& [setting, text] : variant.settings) {
      const bool fixed = std::ranges::count(plot_.only, setting, &Settings::value_type::first) > 0;
      if (setting != plot_.x && !fixed) parts.push_back(setting + "=" + text);
    }
    const bool several = plot_.x != "shape" && value.shape != 0 && !plot_.shape;
    if (several) parts.push_back(fmt::format("n = {}", value.shape));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  double most() const {
    double most = 0;
    for (const Series& one : series_) {
      for (const Point& point : one.points) most = std::max(most, point.high);
    }
    return most;
  }

  Series& series_called(const std::string& name) {
    const auto found = std::ranges::find(series_, name, &Series::name);
    return found != series_.end() ? *found : series_.emplace_back(Series{name, {}});
  }

  bool has_numbers() const {
    return std::ranges::all_of(series_, [](const Series& one) {
      return std::ranges::all_of(one.points,
                                 [](const Point& point) { return number_in(point.x).has_value(); });
    });
  }

  /// Every x once, in order.
  std::vector<std::string> ticks() const {
    std::vector<std::string> all;
    for (const Series& one : series_) {
      for (const Point& point : one.points) {
        if (std::ranges::count(all, point.x) == 0) all.push_back(point.x);
      }
    }
    if (has_numbers())
      std::ranges::sort(all, {}, [](const std::string& x) { return *number_in(x); });
    return all;
  }

  /// Where the figures come from.
  std::string where() const {
    std::string text =
        std::string(to_string(origin_)) + (origin_ == Origin::measured ? " on " : " for ");
    for (std::size_t i = 0; i < devices_.size(); ++i) text += (i == 0 ? "" : " and ") + devices_[i];
    return origin_ == Origin::modelled ? text + ", NOT measured" : text;
  }

  /// Of which run they are.
  std::string when() const {
    const RunInfo& info = results_.info;
    const bool driver = !info.driver.empty() && origin_ == Origin::measured;
    return fmt::format("{}{}, seed {}", driver ? "driver " + info.driver + ", " : "", info.date,
                       info.seed);
  }

  /// What all points have in common.
  std::string common() const {
    std::vector<std::string> parts;
    if (!plot_.only.empty()) parts.push_back(to_string(plot_.only));
    if (plot_.shape) parts.push_back(fmt::format("n = {}", *plot_.shape));
    return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
  }

  std::string head() const {
    std::string text =
        "set terminal svg size 860,520 noenhanced font 'sans-serif,13' background 'white'\n";
    text += fmt::format("set title {} . \"\\n\" . {} . \"\\n\" . {} noenhanced\n",
                        quoted(experiment_.title + common()), quoted(where()), quoted(when()));
    if (plot_.x != "row") text += "set xlabel " + quoted(plot_.x == "shape" ? "n" : plot_.x) + "\n";
    if (most() >= kManyCounts) text += "set format y '%.0s %c'\n";
    text += "set ylabel " +
            quoted(metric_ == "ratio" ? "times as fast as " + experiment_.ratio.to : metric_) +
            "\n";
    text += "set key outside right top\nset grid\nset border 3\nset tics nomirror\n";
    text += plot_.log_y ? "set logscale y\n" : "set yrange [0:*]\n";
    return text + x_axis();
  }

  std::string x_axis() const {
    const std::vector<std::string> all = ticks();
    std::string text;
    if (!has_numbers()) {
      text = fmt::format("set xrange [-0.5:{}.5]\n", all.size() - 1);
    } else if (plot_.log_x) {
      text = fmt::format("set logscale x 2\nset xrange [{}*0.9:{}*1.1]\n", all.front(), all.back());
    }
    text += "set xtics (";
    for (std::size_t i = 0; i < all.size(); ++i) {
      text += (i == 0 ? "" : ", ") + quoted(all[i]) + " " +
              (has_numbers() ? all[i] : std::to_string(i));
    }
    return text + (has_numbers() ? ")\n" : ") rotate by -20\n");
  }

  /// Where a point of a series stands: series that share a word stand side by side.
  std::string position(const Point& point, std::size_t series,
                       const std::vector<std::string>& all) const {
    if (has_numbers()) return point.x;
    const double middle = (static_cast<double>(series_.size()) - 1) / 2;
    const double step = 0.6 / static_cast<double>(series_.size());
    const auto word = static_cast<double>(std::ranges::find(all, point.x) - all.begin());
    return fmt::format("{:.9g}", word + step * (static_cast<double>(series) - middle));
  }

  std::string data() const {
    std::string text;
    const std::vector<std::string> all = ticks();
    for (std::size_t i = 0; i < series_.size(); ++i) {
      text += fmt::format("$series{} << END\n", i);
      std::vector<Point> points = series_[i].points;
      std::ranges::stable_sort(points, {},
                               [&](const Point& point) { return std::ranges::find(all, point.x); });
      for (const Point& point : points) {
        text += fmt::format("{} {:.9g} {:.9g} {:.9g}\n", position(point, i, all), point.y,
                            point.low, point.high);
      }
      text += "END\n";
    }
    return text;
  }

  /// Curves that lie on one another are all seen: the first is the widest.
  std::string curves() const {
    std::string text = "plot ";
    const std::size_t colours = std::size(kColours);
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const double width = std::max(1.5, 5.0 - static_cast<double>(i));
      text += fmt::format(
          "{}$series{} using 1:2:3:4 with {} linewidth {} pointsize {} pointtype {} dashtype {} "
          "linecolor rgb '{}' title {}",
          i == 0 ? "" : ", \\\n  ", i, has_numbers() ? "yerrorlines" : "yerrorbars", width,
          0.3 + 0.2 * width, 5 + 2 * (i % 5), 1 + i / colours, kColours[i % colours],
          quoted(series_[i].name));
    }
    return text + "\n";
  }

  const Experiment& experiment_;
  const Plot& plot_;
  const Results& results_;
  Origin origin_ = Origin::measured;
  std::string metric_;
  std::string device_;
  std::vector<std::string> devices_;
  std::vector<Series> series_;
};

}  // namespace

std::string gnuplot_program(const Experiment& experiment, const Plot& plot,
                            const Results& results) {
  return PlotMaker(experiment, plot, results).program();
}

bool can_plot() {
  return !find_program("gnuplot").empty();
}

Expected<std::string> draw(const std::string& program) {
  const std::string gnuplot = find_program("gnuplot");
  if (gnuplot.empty()) return Error{"", 0, 0, "gnuplot is not here; ./setup.sh installs it"};
  const auto run = run_program({gnuplot}, program, {.cpu_seconds = 30});
  if (!run) return run.error();
  if (run->end == ChildResult::End::exited && run->status == 0 && !run->output.empty())
    return run->output;
  return Error{"", 0, 0, "gnuplot did not draw the plot: " + run->log};
}

}  // namespace tessera
