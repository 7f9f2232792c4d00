#include "grader/experiment/plot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/experiment/number_text.h"
#include "grader/experiment/plot_axis.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

/// Colours that people with red-green blindness can distinguish (Okabe and Ito).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};

/// Widths in pixels: of the picture, the axis with its labels, a curve's sample in the key, and a
/// letter.
constexpr std::size_t kWidth = 860;
constexpr std::size_t kAxisWidth = 100;
constexpr std::size_t kSampleWidth = 80;
constexpr std::size_t kLetterWidth = 8;

struct Point {
  std::string x;
  double y = 0;
  double low = 0;  // of an interval; `y` if there is none
  double high = 0;
};

/// Row, settings and shape identify a curve; what the x axis shows is left out of them.
struct Series {
  std::string row;
  Settings settings;
  int shape = 0;
  std::vector<Point> points;
};

/// `text` in single quotes, where gnuplot knows a single special character; a line end would end
/// the command.
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
    for (const Series& curve : series_) points += curve.points.size();
    if (points < 2) return "";
    return head() + data() + curves();
  }

 private:
  /// Chooses the metric, origin and device to draw: those of the first value that the plot can
  /// show.
  void choose() {
    metric_ = plot_.y;
    for (const Origin origin : {Origin::measured, Origin::modelled, Origin::simulated,
                                Origin::calculated, Origin::compiled}) {
      const bool model = origin == Origin::modelled && plot_.y == Metric::time_ms;
      const Metric metric = model ? Metric::modelled_time_ms : plot_.y;
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
      const auto x = place_of(variant, value);
      if (!x) continue;
      if (std::ranges::count(devices_, value.device) == 0) devices_.push_back(value.device);
      gpu_ = gpu_ || variant.row->runner != Runner::host;
      const double y = *value.number;
      add(series_of(variant, value), {*x, y, value.low.value_or(y), value.high.value_or(y)});
    }
  }

  std::optional<std::string> place_of(const Variant& variant, const Value& value) const {
    if (plot_.x == "shape") return std::to_string(value.shape);
    return plot_.x == "row" ? variant.row->name : variant.setting(plot_.x);
  }

  Series& series_of(const Variant& variant, const Value& value) {
    Series wanted;
    if (plot_.x != "row") wanted.row = variant.row->name;
    if (plot_.x != "shape") wanted.shape = value.shape;
    for (const auto& setting : variant.settings) {
      if (setting.first != plot_.x) wanted.settings.push_back(setting);
    }
    const auto found = std::ranges::find_if(series_, [&](const Series& curve) {
      return curve.row == wanted.row && curve.settings == wanted.settings &&
             curve.shape == wanted.shape;
    });
    return found != series_.end() ? *found : series_.emplace_back(std::move(wanted));
  }

  /// Adds a point; the last at a place counts, since a file may hold a row twice.
  static void add(Series& series, Point point) {
    const auto found = std::ranges::find(series.points, point.x, &Point::x);
    if (found != series.points.end())
      *found = std::move(point);
    else
      series.points.push_back(std::move(point));
  }

  bool is_common(const std::pair<std::string, std::string>& setting) const {
    return std::ranges::all_of(series_, [&](const Series& curve) {
      return std::ranges::count(curve.settings, setting) > 0;
    });
  }

  template <class Field>
  bool is_common(Field Series::*field) const {
    return std::ranges::all_of(
        series_, [&](const Series& curve) { return curve.*field == series_.front().*field; });
  }

  /// Row, settings and shape of a curve: those that all curves share, or the others.
  std::string parts_of(const Series& curve, bool common) const {
    std::vector<std::string> parts;
    if (!curve.row.empty() && is_common(&Series::row) == common) parts.push_back(curve.row);
    for (const auto& setting : curve.settings) {
      if (is_common(setting) == common) parts.push_back(setting.first + "=" + setting.second);
    }
    if (curve.shape != 0 && is_common(&Series::shape) == common)
      parts.push_back(fmt::format("n = {}", curve.shape));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  double most() const {
    double most = 0;
    for (const Series& curve : series_) {
      for (const Point& point : curve.points) most = std::max(most, point.high);
    }
    return most;
  }

  /// The least of the numbers that a logarithmic axis can show; most() if there is none.
  double least() const {
    double least = most();
    for (const Series& curve : series_) {
      for (const Point& point : curve.points) {
        if (point.low > 0) least = std::min(least, point.low);
      }
    }
    return least;
  }

  bool has_numbers() const {
    return std::ranges::all_of(series_, [](const Series& curve) {
      return std::ranges::all_of(curve.points,
                                 [](const Point& point) { return number_in(point.x).has_value(); });
    });
  }

  /// Every x once, in order.
  std::vector<std::string> ticks() const {
    std::vector<std::string> all;
    for (const Series& curve : series_) {
      for (const Point& point : curve.points) {
        if (std::ranges::count(all, point.x) == 0) all.push_back(point.x);
      }
    }
    if (has_numbers())
      std::ranges::sort(all, {}, [](const std::string& x) { return *number_in(x); });
    return all;
  }

  /// Where the values come from: the origin and the device.
  std::string where() const {
    std::string text =
        std::string(to_string(origin_)) + (origin_ == Origin::measured ? " on " : " for ");
    for (std::size_t i = 0; i < devices_.size(); ++i) text += (i == 0 ? "" : " and ") + devices_[i];
    return origin_ == Origin::modelled ? text + ", NOT measured" : text;
  }

  /// Which run the values are from.
  std::string when() const {
    const RunInfo& info = results_.info;
    const bool driver = !info.driver.empty() && origin_ == Origin::measured && gpu_;
    return fmt::format("{}{}, seed {}", driver ? "driver " + info.driver + ", " : "", info.date,
                       info.seed);
  }

  std::string head() const {
    const std::string common = parts_of(series_.front(), true);
    const std::string title = experiment_.title + (common.empty() ? "" : " (" + common + ")");
    std::string text = fmt::format(
        "set terminal svg size {},520 noenhanced font 'sans-serif,13' background 'white'\n",
        kWidth);
    text += fmt::format("set title {} . \"\\n\" . {} . \"\\n\" . {} noenhanced\n", quoted(title),
                        quoted(where()), quoted(when()));
    text += series_.size() == 1 ? "set key off\n" : "set key outside right top\n";
    text += "set grid\nset border 3\nset tics nomirror\n";
    return text + y_axis() + x_axis();
  }

  bool has_log_y() const { return plot_.log_y && most() > 0; }

  /// The metric's name and the unit of its numbers.
  std::string y_label(const std::string& unit) const {
    if (metric_ == Metric::ratio) return experiment_.ratio.words();
    const std::string name(to_string(metric_));
    if (about(metric_).unit == Unit::percent) return name + ", percent";
    return unit.empty() ? name : name + ", " + unit;
  }

  std::string y_axis() const {
    if (!has_log_y())
      return "set yrange [0:*]\nset ylabel " + quoted(y_label(axis_unit(most()).word)) + "\n";
    const std::vector<AxisTick> ticks = logarithmic_ticks(least(), most());
    std::string text = "set logscale y\nset ylabel " + quoted(y_label("")) + "\n";
    // A hair wider, since rounding could make gnuplot leave out the first or the last tick.
    text += fmt::format("set yrange [{:.12g}:{:.12g}]\n", ticks.front().at * 0.999,
                        ticks.back().at * 1.001);
    std::vector<std::string> labels;
    for (const AxisTick& tick : ticks)
      labels.push_back(fmt::format("{} {:.12g}", quoted(tick.label), tick.at));
    return text + fmt::format("set ytics ({})\n", fmt::join(labels, ", "));
  }

  std::string x_axis() const {
    const std::vector<std::string> all = ticks();
    const bool numbers = has_numbers();
    std::string text;
    if (plot_.x != "row") text += "set xlabel " + quoted(plot_.x == "shape" ? "n" : plot_.x) + "\n";
    if (!numbers)
      text += fmt::format("set xrange [-0.5:{}.5]\n", all.size() - 1);
    else if (plot_.log_x && *number_in(all.front()) > 0)
      text += logarithmic_x(*number_in(all.front()), *number_in(all.back()));
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < all.size(); ++i)
      labels.push_back(quoted(all[i]) + " " + (numbers ? all[i] : std::to_string(i)));
    const bool turned = !numbers && !fit_side_by_side(all);
    return text + fmt::format("set xtics ({}){}\n", fmt::join(labels, ", "),
                              turned ? " rotate by 20 right" : "");
  }

  /// The range of the axis, with room beside the first and the last point, however long it is.
  static std::string logarithmic_x(double first, double last) {
    const double room = std::max(1.1, std::pow(last / first, 0.03));
    return fmt::format("set logscale x 2\nset xrange [{:.9g}:{:.9g}]\n", first / room, last * room);
  }

  /// Whether words below the axis do not run into one another.
  bool fit_side_by_side(const std::vector<std::string>& words) const {
    std::size_t key = 0;
    for (const Series& curve : series_) key = std::max(key, parts_of(curve, false).size());
    const std::size_t taken =
        kAxisWidth + (series_.size() == 1 ? 0 : key * kLetterWidth + kSampleWidth);
    std::size_t longest = 1;
    for (const std::string& word : words) longest = std::max(longest, word.size() + 1);
    return taken < kWidth && longest * kLetterWidth * words.size() <= kWidth - taken;
  }

  /// Where a point of a series is drawn: series that share a word stand side by side.
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
    const double unit = has_log_y() ? 1 : axis_unit(most()).size;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      text += fmt::format("$series{} << END\n", i);
      std::vector<Point> points = series_[i].points;
      std::ranges::stable_sort(points, {},
                               [&](const Point& point) { return std::ranges::find(all, point.x); });
      for (const Point& point : points) {
        text += fmt::format("{} {:.9g} {:.9g} {:.9g}\n", position(point, i, all), point.y / unit,
                            point.low / unit, point.high / unit);
      }
      text += "END\n";
    }
    return text;
  }

  /// The commands that draw the curves; the first is the widest, so that all are seen if they
  /// coincide.
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
          quoted(parts_of(series_[i], false)));
    }
    return text + "\n";
  }

  const Experiment& experiment_;
  const Plot& plot_;
  const Results& results_;
  Origin origin_ = Origin::measured;
  Metric metric_{};
  std::string device_;
  std::vector<std::string> devices_;
  bool gpu_ = false;  // a GPU took part in the values
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
  if (gnuplot.empty()) return Error{.message = "gnuplot is not here; ./setup.sh installs it"};
  const auto run = run_program({gnuplot}, program, {.cpu_seconds = 30});
  if (!run) return run.error();
  if (run->end == ChildResult::End::exited && run->status == 0 && !run->output.empty())
    return run->output;
  return Error{.message = "gnuplot did not draw the plot: " +
                          run->log.substr(0, run->log.find_last_not_of("\n") + 1)};
}

}  // namespace tessera
