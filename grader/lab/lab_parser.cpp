#include "grader/lab/lab_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/lab/case_parser.h"
#include "grader/lab/lab_keys.h"
#include "grader/lab/operation_parser.h"
#include "grader/lab/threshold_parser.h"
#include "grader/lab/yaml_reader.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Reads the sections in turn.
class LabParser : private YamlReader {
 public:
  LabParser(const fs::path& file, const KnownNames& known, Lab& lab)
      : YamlReader(file), known_(known), lab_(lab) {}

  std::optional<Error> parse_operation_alone() {
    const Expected<YAML::Node> root = read_yaml(file_);
    if (!root) return root.error();
    YamlMapping map = mapping(*root, kLabKeys);
    read_operation(map);
    return error_;
  }

  std::optional<Error> parse() {
    const Expected<YAML::Node> root = read_yaml(file_);
    if (!root) return root.error();
    YamlMapping map = mapping(*root, kLabKeys);
    lab_.title = required_text(map, "title");
    map.require("kernel");
    map.require("arguments");
    map.require("correctness");
    read_operation(map);
    if (keep(map)) return error_;
    with(map, "kernel", [&](const YAML::Node& node) { lab_.kernel = identifier(node, "kernel"); });
    with(map, "parameters", [&](const YAML::Node& node) { read_parameters(node); });
    with(map, "arguments", [&](const YAML::Node& node) { read_arguments(node); });
    with(map, "technique", [&](const YAML::Node& node) { read_technique(node); });
    with(map, "correctness", [&](const YAML::Node& node) { read_correctness(node); });
    with(map, "checks", [&](const YAML::Node& node) { read_checks(node); });
    with(map, "performance", [&](const YAML::Node& node) { read_performance(node); });
    return error_;
  }

 private:
  template <class Read>
  void with(YamlMapping& map, const std::string& key, Read read) {
    if (error_) return;
    if (const auto node = map.find(key)) read(*node);
  }

  YamlMapping mapping(const YAML::Node& node, const KeyList& list) {
    return YamlMapping(file_, node, list.what, list.keys);
  }

  std::string identifier(const YAML::Node& node, const std::string& key) {
    return value_or_empty(read_identifier(file_, node, key));
  }

  static std::string required_text(YamlMapping& map, const std::string& key) {
    map.require(key);
    return map.text(key).value_or("");
  }

  static double required_number(YamlMapping& map, const std::string& key, double most) {
    map.require(key);
    return map.number(key, 0, most).value_or(0);
  }

  void read_operation(YamlMapping& map) {
    map.require("operation");
    if (keep(map)) return;
    const YAML::Node operation = *map.find("operation");
    if (operation.IsMap()) {
      declare_operation(operation);
      if (error_) return;
    } else {
      lab_.operation = find_operation(
          value_or_empty(read_word(file_, operation, "operation", operation_names())));
    }
    lab_.compute_capability =
        static_cast<int>(map.whole("compute_capability", 50, 999).value_or(0));
    const std::vector<std::string> elements = {"float32", "int32", "bfloat16", "float16"};
    with(map, "element", [&](const YAML::Node& node) {
      const std::string word = value_or_empty(read_word(file_, node, "element", elements));
      lab_.element = element_from(word).value_or(Element::float32);
      lab_.inputs = word == "bfloat16"  ? Storage::bfloat16
                    : word == "float16" ? Storage::float16
                                        : Storage::same;
    });
  }

  void declare_operation(const YAML::Node& node) {
    Expected<std::shared_ptr<const Operation>> declared = read_operation_declaration(file_, node);
    lab_.declared = value_or_empty(std::move(declared));
    lab_.operation = lab_.declared.get();
    lab_.reference_kernel = lab_.directory / "reference.cu";
    std::error_code ignored;
    if (!error_ && !fs::exists(lab_.reference_kernel, ignored)) {
      fail(node, fmt::format("the operation is declared here, but there is no {} that computes it",
                             lab_.reference_kernel.string()));
    }
  }

  /// The operands with all extents 1, for their names, which do not depend on the extents.
  std::vector<Operand> operands() const {
    Extents extents;
    for (const std::string& name : lab_.operation->extents()) extents[name] = 1;
    return lab_.operation->operands(extents);
  }

  void read_parameters(const YAML::Node& node) {
    std::vector<std::string> taken = lab_.operation->extents();
    for (const Operand& operand : operands()) taken.push_back(operand.name);
    taken.insert(taken.end(), kCaseKeys.keys.begin(), kCaseKeys.keys.end());
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "parameters"))) {
      const std::string name = identifier(entry, "parameters");
      if (error_) return;
      if (std::ranges::count(taken, name) > 0) {
        fail(entry, fmt::format("parameter '{}': the name is taken; choose another", name));
      }
      taken.push_back(name);
      lab_.parameters.push_back(name);
    }
  }

  void read_arguments(const YAML::Node& node) {
    std::vector<std::string> known;
    for (const Operand& operand : operands()) {
      known.push_back(operand.name);
      known.push_back(operand.name + ".data");
    }
    const std::vector<std::string>& extents = lab_.operation->extents();
    known.insert(known.end(), extents.begin(), extents.end());
    known.insert(known.end(), lab_.parameters.begin(), lab_.parameters.end());
    lab_.arguments = value_or_empty(read_words(file_, node, "arguments", "argument", known));
    const std::string output = operands().back().name;
    const bool given = std::ranges::any_of(lab_.arguments, [&](const std::string& argument) {
      return argument == output || argument == output + ".data";
    });
    if (!given) fail(node, fmt::format("'arguments' lacks the output {}; add it", output));
  }

  void read_correctness(const YAML::Node& node) {
    YamlMapping map = mapping(node, kCorrectnessKeys);
    lab_.correctness_points = required_number(map, "points", kMaxPoints);
    map.require("cases");
    if (keep(map)) return;
    lab_.cases = value_or_empty(read_cases(file_, *map.find("cases"), lab_, known_.datasets));
  }

  void read_checks(const YAML::Node& node) {
    YamlMapping map = mapping(node, kChecksKeys);
    lab_.checks_points = required_number(map, "points", kMaxPoints);
    map.require("forbid");
    if (keep(map)) return;
    std::vector<std::string> known;
    for (const FindingKind kind : kAllFindingKinds) known.emplace_back(to_string(kind));
    const YAML::Node forbid = *map.find("forbid");
    for (const std::string& word :
         value_or_empty(read_words(file_, forbid, "forbid", "check", known))) {
      lab_.forbid.push_back(*finding_kind(word));
    }
  }

  void read_technique(const YAML::Node& node) {
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "technique"))) {
      read_technique_item(entry);
    }
    for (const TechniqueItem& item : lab_.technique) {
      if (item.at_least && divisor_of(item.metric)) check_floor_on_mean(node, item);
    }
  }

  /// Refuses a floor on a mean alone: useless requests can raise a mean as well as lower it.
  void check_floor_on_mean(const YAML::Node& node, const TechniqueItem& item) {
    const Metric divisor = divisor_of(item.metric).value();
    const bool held = std::ranges::any_of(lab_.technique, [&](const TechniqueItem& other) {
      return other.metric == divisor && other.at_most;
    });
    if (!held)
      fail(node, fmt::format("a floor on {} is met by useless {}; add a ceiling on {}",
                             to_string(item.metric), counted_by(divisor), to_string(divisor)));
  }

  void read_technique_item(const YAML::Node& node) {
    YamlMapping map = mapping(node, kTechniqueKeys);
    map.require("metric");
    TechniqueItem item;
    item.at_least = map.number("at_least", 0, kMaxMetric);
    item.at_most = map.number("at_most", 0, kMaxMetric);
    item.naive = map.number("naive", 0, kMaxMetric);
    item.good = map.number("good", 0, kMaxMetric);
    item.points = required_number(map, "points", kMaxPoints);
    item.hint = map.text("hint").value_or("");
    if (keep(map)) return;
    if (const auto lesson = map.find("lesson"))
      item.lesson = value_or_empty(read_flag(file_, *lesson, "lesson"));
    if (const auto factors = map.find("scales_with")) item.scales_with = read_factors(*factors);
    item.metric = value_or_empty(read_metric(file_, *map.find("metric"), kTechnique, kThreshold,
                                             "is a time; put it under performance: thresholds"));
    if (const auto readers = map.find("readers")) {
      item.readers = static_cast<std::uint32_t>(map.whole("readers", 1, 2).value_or(1));
      if (item.metric != Metric::results_through_shared)
        return fail(*readers, "'readers' is for results_through_shared alone");
    }
    check_requirement(item, map, node);
    lab_.technique.push_back(std::move(item));
  }

  /// The counter over which the metric is a mean; nothing if it is none.
  static std::optional<Metric> divisor_of(Metric metric) {
    if (metric == Metric::active_threads_per_warp) return Metric::instructions;
    const auto [accesses, quantity] = about(metric).counts;
    return quantity == Quantity::per_request ? counter_of(accesses, Quantity::requests)
                                             : std::nullopt;
  }

  static const char* counted_by(Metric divisor) {
    return divisor == Metric::instructions ? "instructions" : "requests";
  }

  /// Reads the factors: "k" multiplies, "/block" divides.
  std::vector<Factor> read_factors(const YAML::Node& node) {
    std::vector<std::string> known = lab_.operation->extents();
    known.insert(known.end(), lab_.parameters.begin(), lab_.parameters.end());
    const std::size_t names = known.size();
    for (std::size_t i = 0; i < names; ++i) known.push_back("/" + known[i]);
    std::vector<Factor> factors;
    for (const std::string& word :
         value_or_empty(read_words(file_, node, "scales_with", "factor", known))) {
      const bool divides = word.starts_with("/");
      factors.push_back({divides ? word.substr(1) : word, divides});
    }
    return factors;
  }

  void check_requirement(const TechniqueItem& item, const YamlMapping& map,
                         const YAML::Node& node) {
    if (!item.at_least && !item.at_most)
      return fail(node, "a technique item needs 'at_least' or 'at_most'; add one");
    if (const auto divisor = divisor_of(item.metric); item.at_most && divisor) {
      const auto excess = counter_of(about(item.metric).counts.accesses, Quantity::excess);
      return fail(*map.find("at_most"),
                  fmt::format("a ceiling on a ratio is met by useless {}; set one on {}",
                              counted_by(*divisor), to_string(excess.value_or(*divisor))));
    }
    if (item.at_least && item.at_most && *item.at_least > *item.at_most)
      return fail(*map.find("at_least"), "'at_least' is above 'at_most'; no kernel could win this");
    if (item.good && item.at_most && *item.good > *item.at_most)
      fail(*map.find("good"),
           fmt::format("good: {:g} does not meet at_most: {:g}", *item.good, *item.at_most));
    if (item.good && item.at_least && *item.good < *item.at_least)
      fail(*map.find("good"),
           fmt::format("good: {:g} does not meet at_least: {:g}", *item.good, *item.at_least));
    if (item.points == 0) fail(*map.find("points"), "'points' is 0; nothing could be won here");
  }

  void read_performance(const YAML::Node& node) {
    YamlMapping map = mapping(node, kPerformanceKeys);
    map.require("shape");
    map.require("thresholds");
    if (keep(map)) return;
    const Shape shape = value_or_empty(read_shape(file_, *map.find("shape"), lab_));
    lab_.performance_shape = shape.extents;
    lab_.performance_parameters = shape.parameters;
    if (error_) return;
    // New signs for timed launches are made for two of them at once.
    for (const Operand& operand : lab_.operation->operands(shape.extents)) {
      const bool odd = operand.height % 2 != 0 && operand.width % 2 != 0;
      if (lab_.inputs != Storage::same && !operand.output && odd) {
        fail(*map.find("shape"),
             fmt::format("{} has an odd number of elements; 16-bit elements are timed in pairs",
                         operand.name));
      }
    }
    lab_.thresholds =
        value_or_empty(read_thresholds(file_, *map.find("thresholds"), lab_, known_.cards));
  }

  const KnownNames& known_;
  Lab& lab_;
};

}  // namespace

std::vector<KeyList> all_key_lists() {
  return {kLabKeys,    kOperationKeys, kHiddenKeys,      kCorrectnessKeys, kCaseKeys,
          kChecksKeys, kTechniqueKeys, kPerformanceKeys, kThresholdKeys,   kRangeKeys};
}

std::optional<Error> parse_lab(const fs::path& file, const KnownNames& known, Lab& lab) {
  return LabParser(file, known, lab).parse();
}

std::optional<Error> parse_operation(const fs::path& file, Lab& lab) {
  return LabParser(file, {}, lab).parse_operation_alone();
}

std::optional<Error> parse_hidden(const fs::path& file, const fs::path& datasets, Lab& lab) {
  const Expected<YAML::Node> root = read_yaml(file);
  if (!root) return root.error();
  YamlMapping map(file, *root, kHiddenKeys.what, kHiddenKeys.keys);
  map.require("cases");
  if (map.error()) return map.error();
  auto cases = read_cases(file, *map.find("cases"), lab, datasets);
  if (!cases) return cases.error();
  for (Case& test_case : *cases) {
    test_case.hidden = true;
    lab.cases.push_back(std::move(test_case));
  }
  return std::nullopt;
}

}  // namespace tessera
