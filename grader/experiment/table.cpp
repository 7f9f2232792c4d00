#include "grader/experiment/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "grader/experiment/shown.h"

namespace tessera {
namespace {

using Key = std::pair<Metric, int>;  // metric, shape

/// Values that may share a table.
struct Section {
  Origin origin = Origin::measured;
  std::vector<std::string> devices;
  std::vector<const Value*> values;
};

bool one_table_a_device(Origin origin) {
  return origin == Origin::calculated || origin == Origin::compiled;
}

std::vector<Section> sections_of(const Results& results) {
  std::vector<Section> sections;
  for (const Origin origin : {Origin::measured, Origin::modelled, Origin::simulated,
                              Origin::calculated, Origin::compiled}) {
    const std::size_t first = sections.size();
    for (const Value& value : results.values) {
      if (value.origin != origin) continue;
      auto found = std::find_if(sections.begin() + static_cast<std::ptrdiff_t>(first),
                                sections.end(), [&](const Section& section) {
                                  return !one_table_a_device(origin) ||
                                         section.devices.front() == value.device;
                                });
      if (found == sections.end()) found = sections.insert(sections.end(), {origin, {}, {}});
      if (std::ranges::count(found->devices, value.device) == 0)
        found->devices.push_back(value.device);
      found->values.push_back(&value);
    }
  }
  return sections;
}

std::string label_of(const Value& value) {
  return value.settings.empty() ? value.row : value.row + " " + to_string(value.settings);
}

/// The labels that have values, in the order of the experiment.
std::vector<std::string> labels_of(const Experiment& experiment,
                                   const std::vector<const Value*>& values) {
  std::vector<std::string> labels;
  for (const Variant& variant : variants_of(experiment)) {
    const bool present = std::ranges::any_of(
        values, [&](const Value* value) { return label_of(*value) == variant.label(); });
    if (present) labels.push_back(variant.label());
  }
  return labels;
}

/// The metrics that have values: times first, then those of `measure` in its order, the ratio last.
std::vector<Metric> metrics_of(const Experiment& experiment,
                               const std::vector<const Value*>& values) {
  std::vector<Metric> order = {Metric::time_ms, Metric::modelled_time_ms};
  order.insert(order.end(), experiment.measure.begin(), experiment.measure.end());
  order.push_back(Metric::ratio);
  std::vector<Metric> metrics;
  for (const Metric metric : order) {
    const bool present =
        std::ranges::count(values, metric, [](const Value* value) { return value->metric; }) > 0;
    if (present && std::ranges::count(metrics, metric) == 0) metrics.push_back(metric);
  }
  return metrics;
}

std::vector<int> shapes_of(const std::vector<const Value*>& values) {
  std::set<int> shapes;
  for (const Value* value : values) {
    if (value->shape != 0) shapes.insert(value->shape);
  }
  return {shapes.begin(), shapes.end()};
}

const Value* find_value(const std::vector<const Value*>& values, const std::string& label,
                        Metric metric, int shape) {
  // The last value counts: a file may hold a row twice.
  const auto found = std::find_if(values.rbegin(), values.rend(), [&](const Value* value) {
    return value->metric == metric && (value->shape == shape || value->shape == 0) &&
           label_of(*value) == label;
  });
  return found == values.rend() ? nullptr : *found;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string place_of(const Section& section, const Results& results) {
  const std::string devices = joined(section.devices);
  switch (section.origin) {
    case Origin::measured:
      return "Measured on " + devices + (results.info.date.empty() ? "" : ", " + results.info.date);
    case Origin::modelled:
      return "Modelled for " + devices + ", not measured";
    case Origin::simulated:
      return "Counted by the simulator, " + devices;
    case Origin::calculated:
      return "Calculated for " + devices;
    case Origin::compiled:
      return "Instructions in the kernel's text: " + devices;
  }
  return "";
}

class TableMaker {
 public:
  TableMaker(const Experiment& experiment, const Results& results)
      : experiment_(experiment), results_(results) {}

  std::vector<Table> make() {
    for (const Section& section : sections_of(results_)) add_section(section);
    for (const Reported& reported : experiment_.reported) {
      add_reported(reported);
      add_beside(reported);
    }
    return std::move(tables_);
  }

 private:
  void add_section(const Section& section) {
    const std::vector<int> shapes = shapes_of(section.values);
    const std::vector<Metric> metrics = metrics_of(experiment_, section.values);
    const std::vector<std::string> labels = labels_of(experiment_, section.values);
    const std::string place = place_of(section, results_);
    if (shapes.size() > 1) {
      for (const Metric metric : metrics) {
        std::vector<Key> keys;
        for (const int shape : shapes) keys.emplace_back(metric, shape);
        add_table(place + ": " + heading(metric), section, labels, keys, true);
      }
      return;
    }
    std::vector<Key> keys;
    const int shape = shapes.empty() ? 0 : shapes.front();
    for (const Metric metric : metrics) keys.emplace_back(metric, shape);
    const std::string title = shape == 0 ? place : fmt::format("{}, n = {}", place, shape);
    add_table(title, section, labels, keys, false);
  }

  void add_table(const std::string& title, const Section& section,
                 const std::vector<std::string>& labels, const std::vector<Key>& keys,
                 bool by_shape) {
    Table table;
    table.title = title;
    table.columns.push_back(by_shape ? "n" : "");
    for (const auto& [metric, shape] : keys)
      table.columns.push_back(by_shape ? std::to_string(shape) : heading(metric));
    for (const std::string& label : labels) {
      std::vector<std::string> cells = {label};
      bool any = false;
      for (const auto& [metric, shape] : keys) {
        const Value* value = find_value(section.values, label, metric, shape);
        cells.push_back(value == nullptr ? "" : shown(*value, !by_shape));
        any = any || value != nullptr;
        if (value != nullptr) add_note(*value, label, table);
      }
      if (any) table.rows.push_back(std::move(cells));
    }
    tables_.push_back(std::move(table));
  }

  static void add_note(const Value& value, const std::string& label, Table& table) {
    if (value.number || value.note.empty()) return;
    const std::string note = label + ": " + value.note;
    if (std::ranges::count(table.notes, note) == 0) table.notes.push_back(note);
  }

  /// The metric's name; for ratios with what they compare to.
  std::string heading(Metric metric) const {
    return metric == Metric::ratio ? experiment_.ratio.words() : std::string(to_string(metric));
  }

  void add_reported(const Reported& reported) {
    Table table;
    table.title = fmt::format("Reported by {} for {}: {}", reported.source, reported.device,
                              to_string(reported.metric));
    table.columns = {"n"};
    const std::vector<int> shapes = shapes_in(reported);
    for (const int shape : shapes) table.columns.push_back(std::to_string(shape));
    for (const Reported::Figure& figure : reported.figures) {
      std::vector<std::string> cells = {label_of(figure)};
      for (const int shape : shapes) {
        const auto found = figure.values.find(shape);
        cells.push_back(found == figure.values.end() ? "" : shown_number(found->second));
      }
      table.rows.push_back(std::move(cells));
    }
    tables_.push_back(std::move(table));
  }

  static std::string label_of(const Reported::Figure& figure) {
    return figure.settings.empty() ? figure.row : figure.row + " " + to_string(figure.settings);
  }

  static std::vector<int> shapes_in(const Reported& reported) {
    std::set<int> shapes;
    for (const Reported::Figure& figure : reported.figures) {
      for (const auto& [shape, value] : figure.values) shapes.insert(shape);
    }
    return {shapes.begin(), shapes.end()};
  }

  /// Adds a table of the ratios of the document's times beside ours.
  void add_beside(const Reported& reported) {
    if (experiment_.ratio.to.empty() || reported.metric != experiment_.ratio.of) return;
    const auto values = ratios();
    Table table;
    table.title = fmt::format("Here ({}), and in {} on {}: {}", kind_of(values), reported.source,
                              reported.device, experiment_.ratio.words());
    table.columns = {"n"};
    const std::vector<int> shapes = shapes_in(reported);
    for (const int shape : shapes) {
      table.columns.push_back(fmt::format("{} here", shape));
      table.columns.push_back(fmt::format("{} {}", shape, reported.source));
    }
    for (const Reported::Figure& figure : reported.figures) {
      std::vector<std::string> cells = {label_of(figure)};
      bool any = false;
      for (const int shape : shapes) {
        const Value* ours = find_value(values, label_of(figure), Metric::ratio, shape);
        const auto theirs = reported_ratio(reported, figure, shape);
        cells.push_back(ours != nullptr && ours->number ? shown_number(*ours->number) : "");
        cells.push_back(theirs ? shown_number(*theirs) : "");
        any = any || theirs.has_value();
      }
      if (any) table.rows.push_back(std::move(cells));
    }
    if (!table.rows.empty()) tables_.push_back(std::move(table));
  }

  /// The measured ratios, or the modelled ones if there are none.
  std::vector<const Value*> ratios() const {
    for (const Origin origin : {Origin::measured, Origin::modelled}) {
      std::vector<const Value*> found;
      for (const Value& value : results_.values) {
        if (value.metric == Metric::ratio && value.origin == origin) found.push_back(&value);
      }
      if (!found.empty()) return found;
    }
    return {};
  }

  static std::string kind_of(const std::vector<const Value*>& values) {
    if (values.empty()) return "not run";
    std::vector<std::string> devices;
    for (const Value* value : values) {
      if (std::ranges::count(devices, value->device) == 0) devices.push_back(value->device);
    }
    return std::string(to_string(values.front()->origin)) + ", " + joined(devices);
  }

  std::optional<double> reported_ratio(const Reported& reported, const Reported::Figure& figure,
                                       int shape) const {
    const auto own = figure.values.find(shape);
    if (own == figure.values.end() || figure.row == experiment_.ratio.to) return std::nullopt;
    for (const Reported::Figure& base : reported.figures) {
      const auto other = base.values.find(shape);
      const bool fits = std::ranges::all_of(base.settings, [&](const auto& setting) {
        const auto same =
            std::ranges::find(figure.settings, setting.first, &Settings::value_type::first);
        return same == figure.settings.end() || same->second == setting.second;
      });
      if (base.row == experiment_.ratio.to && fits && other != base.values.end())
        return other->second / own->second;
    }
    return std::nullopt;
  }

  const Experiment& experiment_;
  const Results& results_;
  std::vector<Table> tables_;
};

}  // namespace

std::vector<Table> tables_of(const Experiment& experiment, const Results& results) {
  return TableMaker(experiment, results).make();
}

}  // namespace tessera
