#include "grader/lab/threshold_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "common/text.h"
#include "grader/lab/lab_keys.h"
#include "grader/lab/lab_parser.h"
#include "grader/lab/yaml_reader.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// What a name has in common with its other spellings: "NVIDIA H200" and "nvidia-h200".
std::string letters_and_digits(const std::string& name) {
  std::string kept = lower_case(name);
  std::erase_if(kept, [](unsigned char letter) { return std::isalnum(letter) == 0; });
  return kept;
}

/// "matmul (m, n, k)"
std::string signature(const Operation& operation) {
  return fmt::format("{} ({})", operation.name(), fmt::join(operation.extents(), ", "));
}

/// Whether two operations with the same extents have the same operands.
bool same_operands(const Operation& first, const Operation& second) {
  Extents extents;
  int next = 2;
  for (const std::string& name : first.extents()) extents[name] = next++;
  return std::ranges::equal(first.operands(extents), second.operands(extents),
                            [](const Operand& a, const Operand& b) {
                              return a.name == b.name && a.height == b.height &&
                                     a.width == b.width && a.output == b.output;
                            });
}

/// Why the time of `baseline` cannot be compared with that of `lab`, or "".
std::string difference(const Lab& lab, const Lab& baseline) {
  const Operation& first = *baseline.operation;
  const Operation& second = *lab.operation;
  if (first.name() != second.name() || first.extents() != second.extents())
    return fmt::format("{} computes {}, this lab {}", baseline.id, signature(first),
                       signature(second));
  if (!same_operands(first, second))
    return fmt::format("{} has other operands than this lab", baseline.id);
  if (baseline.inputs != lab.inputs)
    return fmt::format("{} reads elements of another type than this lab", baseline.id);
  if (baseline.element != lab.element)
    return fmt::format("{} computes with {}, this lab with {}", baseline.id,
                       to_string(baseline.element), to_string(lab.element));
  return "";
}

class ThresholdParser : private YamlReader {
 public:
  ThresholdParser(const fs::path& file, const Lab& lab, const std::vector<std::string>& cards)
      : YamlReader(file), lab_(lab), cards_(cards) {}

  Expected<std::vector<Threshold>> parse(const YAML::Node& node) {
    std::vector<Threshold> thresholds;
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "thresholds"))) {
      thresholds.push_back(read(entry));
    }
    if (error_) return *error_;
    return thresholds;
  }

 private:
  YamlMapping mapping(const YAML::Node& node, const KeyList& list) {
    return YamlMapping(file_, node, list.what, list.keys);
  }

  static double required_number(YamlMapping& map, const std::string& key, double most) {
    map.require(key);
    return map.number(key, 0, most).value_or(0);
  }

  Threshold read(const YAML::Node& node) {
    Threshold threshold;
    YamlMapping map = mapping(node, kThresholdKeys);
    map.require("metric");
    threshold.points = required_number(map, "points", kMaxPoints);
    if (keep(map)) return threshold;
    threshold.metric =
        value_or_empty(read_metric(file_, *map.find("metric"), kThreshold, kTechnique,
                                   "is a counter; put it under technique"));
    if (threshold.points == 0)
      fail(*map.find("points"), "'points' is 0; nothing could be won here");
    if (const auto over = map.find("over")) threshold.over = read_baseline(*over);
    if ((threshold.metric == Metric::speedup) != map.has("over"))
      fail(node, "'over' (a lab's name) belongs to the metric speedup, and to no other");
    if (map.has("zero") || map.has("full"))
      threshold.range = read_range(threshold.metric, map, node);
    if (const auto devices = map.find("devices")) read_devices(*devices, threshold);
    if (!threshold.range && threshold.devices.empty())
      fail(node, "a threshold needs 'zero' and 'full', or 'devices'; add them");
    keep(map);
    return threshold;
  }

  std::string read_baseline(const YAML::Node& node) {
    const fs::path labs = lab_.directory.parent_path();
    std::vector<std::string> names;
    for (const fs::path& folder : find_labs(labs)) names.push_back(folder.filename().string());
    const std::string id = value_or_empty(read_word(file_, node, "lab", names));
    if (error_) return id;
    if (id == lab_.id) {
      fail(node, "a lab cannot be its own baseline");
      return id;
    }
    Lab baseline;
    baseline.id = id;
    baseline.directory = labs / id;
    if (auto error = parse_operation(baseline.directory / "lab.yaml", baseline)) {
      error_ = std::move(error);
    } else if (const std::string reason = difference(lab_, baseline); !reason.empty()) {
      fail(node, reason + ": nothing to compare");
    }
    return id;
  }

  Threshold::Range read_range(Metric metric, YamlMapping& map, const YAML::Node& node) {
    const Threshold::Range range{required_number(map, "zero", kMaxMetric),
                                 required_number(map, "full", kMaxMetric)};
    if (keep(map)) return range;
    const bool time = !about(metric).more_is_better;
    if (range.zero == range.full) {
      fail(node, "'zero' and 'full' are equal; points run from one to the other");
    } else if (time != (range.full < range.zero)) {
      fail(node, fmt::format("a {} is better: 'full' ({:g}) must be {} 'zero' ({:g}); swapped?",
                             time ? "shorter time" : fmt::format("larger {}", to_string(metric)),
                             range.full, time ? "below" : "above", range.zero));
    }
    return range;
  }

  void read_devices(const YAML::Node& node, Threshold& threshold) {
    if (!node.IsMap() || node.size() == 0)
      return fail(node, "'devices' maps a device's name to its 'zero' and 'full'");
    for (const auto& entry : node) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (name.empty() || threshold.devices.contains(name))
        fail(entry.first, "expected the name of a device, each once");
      check_card(entry.first, name, threshold.is_modelled());
      YamlMapping map = mapping(entry.second, kRangeKeys);
      threshold.devices[name] = read_range(threshold.metric, map, entry.second);
    }
  }

  /// Checks a card's name; a card without a profile can be measured, but not modelled.
  void check_card(const YAML::Node& node, const std::string& name, bool modelled) {
    if (cards_.empty() || std::ranges::count(cards_, name) > 0) return;
    const auto meant = std::ranges::find(cards_, letters_and_digits(name), letters_and_digits);
    if (meant != cards_.end()) {
      fail(node, fmt::format("unknown card '{}' (did you mean '{}'?)", name, *meant));
    } else if (modelled) {
      fail(node, fmt::format("unknown card '{}'{}; known are {}", name, did_you_mean(name, cards_),
                             fmt::join(cards_, ", ")));
    }
  }

  const Lab& lab_;
  const std::vector<std::string>& cards_;
};

}  // namespace

Expected<std::vector<Threshold>> read_thresholds(const fs::path& file, const YAML::Node& node,
                                                 const Lab& lab,
                                                 const std::vector<std::string>& cards) {
  return ThresholdParser(file, lab, cards).parse(node);
}

}  // namespace tessera
