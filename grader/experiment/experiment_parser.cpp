// experiment.yaml -> Experiment.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/text.h"
#include "grader/experiment/experiment.h"
#include "grader/experiment/experiment_keys.h"
#include "grader/experiment/number_text.h"
#include "grader/experiment/row_parser.h"
#include "grader/lab/yaml_reader.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kMostShape = 1 << 28;
constexpr double kMostFigure = 1e12;

/// The metrics whose values are numbers.
std::vector<Metric> metrics_with_numbers() {
  std::vector<Metric> metrics = metrics_asked_by(kExperiment);
  std::erase_if(metrics, [](Metric metric) { return about(metric).unit == Unit::word; });
  return metrics;
}

class ExperimentParser : private YamlReader {
 public:
  ExperimentParser(const fs::path& directory, const fs::path& labs)
      : YamlReader(directory / "experiment.yaml"), labs_(labs) {
    experiment_.directory = directory;
    experiment_.id = directory.filename().string();
  }

  Expected<Experiment> parse() {
    const Expected<YAML::Node> root = read_yaml(file_);
    if (!root) return root.error();
    YamlMapping map = mapping(*root, kExperimentKeys);
    for (const char* key : {"title", "question", "operation", "shapes", "rows", "measure"})
      map.require(key);
    experiment_.title = map.text("title").value_or("");
    experiment_.question = map.text("question").value_or("");
    experiment_.multiple_of = static_cast<int>(map.whole("multiple_of", 1, 4096).value_or(1));
    if (keep(map)) return *error_;
    read_all(map);
    if (error_) return *error_;
    check_ratio(*root);
    if (error_) return *error_;
    return std::move(experiment_);
  }

 private:
  YamlMapping mapping(const YAML::Node& node, const KeyList& list) const {
    return YamlMapping(file_, node, list.what, list.keys);
  }

  template <class Read>
  void with(const YamlMapping& map, const std::string& key, Read read) {
    const auto node = map.find(key);
    if (node && !error_) read(*node);
  }

  std::vector<YAML::Node> list(const YAML::Node& node, const std::string& key) {
    return value_or_empty(read_list(file_, node, key));
  }

  std::string word(const YAML::Node& node, const std::string& what,
                   const std::vector<std::string>& known) {
    return value_or_empty(read_word(file_, node, what, known));
  }

  Metric number_metric(const YAML::Node& node) {
    return value_or_empty(read_metric(file_, node, metrics_with_numbers()));
  }

  void read_all(YamlMapping& map) {
    const std::vector<std::string> elements = {"float32", "int32"};
    with(map, "operation", [&](const YAML::Node& node) {
      experiment_.operation = find_operation(word(node, "operation", operation_names()));
    });
    with(map, "element", [&](const YAML::Node& node) {
      experiment_.element =
          element_from(word(node, "element", elements)).value_or(Element::float32);
    });
    with(map, "shapes",
         [&](const YAML::Node& node) { experiment_.shapes = shapes(node, "shapes"); });
    with(map, "simulated",
         [&](const YAML::Node& node) { experiment_.simulated_shapes = shapes(node, "simulated"); });
    with(map, "devices", [&](const YAML::Node& node) {
      for (const YAML::Node& entry : list(node, "devices"))
        experiment_.devices.push_back(entry.as<std::string>(""));
    });
    with(map, "measure", [&](const YAML::Node& node) {
      experiment_.measure =
          value_or_empty(read_metrics(file_, node, "measure", metrics_asked_by(kExperiment)));
    });
    with(map, "rows", [&](const YAML::Node& node) {
      Expected<std::vector<Row>> rows = read_rows(file_, map, node, experiment_, labs_);
      experiment_.rows = value_or_empty(std::move(rows));
    });
    with(map, "ratio", [&](const YAML::Node& node) { read_ratio(node); });
    with(map, "plots", [&](const YAML::Node& node) {
      for (const YAML::Node& entry : list(node, "plots")) read_plot(entry);
    });
    with(map, "reported", [&](const YAML::Node& node) {
      for (const YAML::Node& entry : list(node, "reported")) read_reported(entry);
    });
    with(map, "measure", [&](const YAML::Node& node) { check_simulated(node); });
  }

  std::vector<int> shapes(const YAML::Node& node, const std::string& key) {
    std::vector<int> all;
    for (const YAML::Node& entry : list(node, key)) {
      const auto shape = whole(entry, 1, kMostShape);
      if (!shape) {
        fail(entry, fmt::format("'{}' holds whole numbers from 1 to {}: every extent of the "
                                "operation is that long",
                                key, kMostShape));
        return {};
      }
      if (*shape % experiment_.multiple_of != 0) {
        fail(entry, fmt::format("{} is no multiple of {}, which 'multiple_of' asks for", *shape,
                                experiment_.multiple_of));
        return {};
      }
      all.push_back(*shape);
    }
    return all;
  }

  static std::optional<int> whole(const YAML::Node& node, int least, int most) {
    if (!node.IsScalar()) return std::nullopt;
    const std::optional<int> value = whole_in(node.Scalar());
    return value && *value >= least && *value <= most ? value : std::nullopt;
  }

  /// Refuses counters without `simulated`: they need a shape small enough for the simulator.
  void check_simulated(const YAML::Node& node) {
    for (const Metric metric : experiment_.measure) {
      if (about(metric).origin != Origin::simulated || !experiment_.simulated_shapes.empty())
        continue;
      fail(node, fmt::format("'{}' is counted by the simulator; add 'simulated: [160]', the shapes "
                             "that it runs",
                             to_string(metric)));
      return;
    }
  }

  std::vector<std::string> row_names() const {
    std::vector<std::string> names;
    for (const Row& row : experiment_.rows) names.push_back(row.name);
    return names;
  }

  std::vector<std::string> setting_names() const {
    std::vector<std::string> names;
    for (const Row& row : experiment_.rows) {
      for (const auto& [name, values] : row.lists) {
        if (std::ranges::count(names, name) == 0) names.push_back(name);
      }
    }
    return names;
  }

  void read_ratio(const YAML::Node& node) {
    YamlMapping map = mapping(node, kRatioKeys);
    map.require("to");
    if (keep(map)) return;
    Ratio& ratio = experiment_.ratio;
    with(map, "to", [&](const YAML::Node& to) { ratio.to = word(to, "row", row_names()); });
    with(map, "of", [&](const YAML::Node& of) {
      const std::string time = word(of, "time", {"time_ms", "end_to_end_ms"});
      ratio.of = metric_named(time).value_or(ratio.of);
    });
    with(map, "interleaved", [&](const YAML::Node& entry) {
      ratio.interleaved = word(entry, "choice", {"true", "false"}) == "true";
    });
    if (!error_ && !experiment_.measures(ratio.of)) {
      fail(node,
           fmt::format("a ratio of {0} needs {0} among 'measure'; add it", to_string(ratio.of)));
    }
    if (!error_ && ratio.interleaved && ratio.of != Metric::time_ms)
      fail(node, "only time_ms is measured interleaved; leave 'interleaved' or 'of' out");
  }

  /// Checks that every variant has exactly one baseline.
  void check_ratio(const YAML::Node& root) {
    if (experiment_.ratio.to.empty()) return;
    const std::vector<Variant> variants = variants_of(experiment_);
    for (const Variant& variant : variants) {
      if (variant.row->name == experiment_.ratio.to) continue;
      if (matching_variant(variants, experiment_.ratio.to, variant.settings) != nullptr) continue;
      fail(root["ratio"], fmt::format("'{}' has no one variant of '{}' to be compared with; give "
                                      "both rows the same values, or '{}' a single one",
                                      variant.label(), experiment_.ratio.to, experiment_.ratio.to));
      return;
    }
  }

  Settings settings(const YAML::Node& node) {
    Settings all;
    if (!node.IsMap()) {
      fail(node, "expected a mapping of settings, as in {BLOCK: 16}");
      return all;
    }
    for (const auto& entry : node) {
      all.emplace_back(word(entry.first, "setting", setting_names()),
                       entry.second.as<std::string>(""));
    }
    return all;
  }

  void read_plot(const YAML::Node& node) {
    YamlMapping map = mapping(node, kPlotKeys);
    for (const char* key : {"name", "x", "y"}) map.require(key);
    if (keep(map)) return;
    Plot plot;
    with(map, "name", [&](const YAML::Node& name) {
      plot.name = value_or_empty(read_identifier(file_, name, "name"));
      if (std::ranges::count(experiment_.plots, plot.name, &Plot::name) > 0)
        fail(name, fmt::format("there is a plot '{}' already; choose another name", plot.name));
    });
    std::vector<std::string> known = setting_names();
    known.insert(known.end(), {"shape", "row"});
    with(map, "x", [&](const YAML::Node& x) { plot.x = word(x, "axis", known); });
    with(map, "y", [&](const YAML::Node& y) { plot.y = number_metric(y); });
    with(map, "rows", [&](const YAML::Node& rows) {
      plot.rows = value_or_empty(read_words(file_, rows, "rows", "row", row_names()));
    });
    with(map, "only", [&](const YAML::Node& only) { plot.only = settings(only); });
    with(map, "shape", [&](const YAML::Node& shape) { read_plot_shape(shape, plot); });
    with(map, "log", [&](const YAML::Node& log) {
      const auto axes = value_or_empty(read_words(file_, log, "log", "axis", {"x", "y"}));
      plot.log_x = std::ranges::count(axes, "x") > 0;
      plot.log_y = std::ranges::count(axes, "y") > 0;
    });
    experiment_.plots.push_back(std::move(plot));
  }

  void read_plot_shape(const YAML::Node& node, Plot& plot) {
    plot.shape = whole(node, 1, kMostShape);
    const bool known = plot.shape && std::ranges::count(experiment_.shapes, *plot.shape) > 0;
    if (plot.x == "shape" || !known)
      fail(node, "'shape' is one of 'shapes', for a plot over something else");
  }

  void read_reported(const YAML::Node& node) {
    YamlMapping map = mapping(node, kReportedKeys);
    for (const char* key : {"source", "device", "metric", "figures"}) map.require(key);
    Reported reported;
    reported.source = map.text("source").value_or("");
    reported.device = map.text("device").value_or("");
    if (keep(map)) return;
    with(map, "metric", [&](const YAML::Node& metric) { reported.metric = number_metric(metric); });
    with(map, "figures", [&](const YAML::Node& figures) {
      for (const YAML::Node& entry : list(figures, "figures"))
        reported.figures.push_back(read_figure(entry));
    });
    experiment_.reported.push_back(std::move(reported));
  }

  Reported::Figure read_figure(const YAML::Node& node) {
    Reported::Figure figure;
    YamlMapping map = mapping(node, kFigureKeys);
    map.require("row");
    map.require("values");
    if (keep(map)) return figure;
    with(map, "row", [&](const YAML::Node& row) { figure.row = word(row, "row", row_names()); });
    with(map, "settings", [&](const YAML::Node& set) { figure.settings = settings(set); });
    with(map, "values", [&](const YAML::Node& values) {
      if (!values.IsMap()) fail(values, "'values' maps shapes to figures: {2048: 40.81}");
      for (const auto& entry : values) {
        const auto shape = whole(entry.first, 1, kMostShape);
        double value = -1;
        const bool number = YAML::convert<double>::decode(entry.second, value);
        if (!shape || !number || !(value >= 0 && value <= kMostFigure)) {
          fail(entry.first, "expected a shape and a figure, as in {2048: 40.81}");
          return;
        }
        figure.values[*shape] = value;
      }
    });
    return figure;
  }

  const fs::path& labs_;
  Experiment experiment_;
};

}  // namespace

Expected<Experiment> load_experiment(const fs::path& directory, const fs::path& labs) {
  return ExperimentParser(directory, labs).parse();
}

}  // namespace tessera
