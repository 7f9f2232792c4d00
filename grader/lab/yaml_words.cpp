#include "grader/lab/yaml_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/text.h"
#include "common/yaml_mapping.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool is_identifier(const std::string& text) {
  const auto letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto later = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), later);
}

std::string shown(const YAML::Node& node) {
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  if (node.IsSequence()) return "a list";
  return node.IsMap() ? "a mapping" : "nothing";
}

std::vector<std::string> names_of(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric metric : metrics) names.emplace_back(to_string(metric));
  return names;
}

}  // namespace

Expected<std::vector<YAML::Node>> read_list(const fs::path& file, const YAML::Node& node,
                                            const std::string& key) {
  if (!node.IsSequence()) {
    return yaml_error(file, node, fmt::format("'{}' is {}; expected a list", key, shown(node)));
  }
  if (node.size() == 0) {
    return yaml_error(file, node, fmt::format("'{}' is empty; expected at least one entry", key));
  }
  return std::vector<YAML::Node>(node.begin(), node.end());
}

Expected<std::string> read_word(const fs::path& file, const YAML::Node& node,
                                const std::string& what, const std::vector<std::string>& known) {
  if (!node.IsScalar()) {
    return yaml_error(file, node,
                      fmt::format("expected the name of a {}, found {}", what, shown(node)));
  }
  const std::string& word = node.Scalar();
  if (std::ranges::count(known, word) == 0) {
    return yaml_error(file, node,
                      fmt::format("unknown {} '{}'{}; known are {}", what, word,
                                  did_you_mean(word, known), fmt::join(known, ", ")));
  }
  return word;
}

Expected<std::vector<std::string>> read_words(const fs::path& file, const YAML::Node& node,
                                              const std::string& key, const std::string& what,
                                              const std::vector<std::string>& known) {
  const auto entries = read_list(file, node, key);
  if (!entries) return entries.error();
  std::vector<std::string> words;
  for (const YAML::Node& entry : *entries) {
    const Expected<std::string> word = read_word(file, entry, what, known);
    if (!word) return word.error();
    words.push_back(*word);
  }
  return words;
}

Expected<bool> read_flag(const fs::path& file, const YAML::Node& node, const std::string& key) {
  const std::string word = node.IsScalar() ? node.Scalar() : "";
  if (word == "true" || word == "false") return word == "true";
  return yaml_error(file, node,
                    fmt::format("'{}' is {}; expected true or false", key, shown(node)));
}

Expected<Metric> read_metric(const fs::path& file, const YAML::Node& node, unsigned who,
                             unsigned others, const std::string& advice) {
  const auto metric = metric_named(node.IsScalar() ? node.Scalar() : "");
  if (metric && (about(*metric).asked_by & others) != 0)
    return yaml_error(file, node, fmt::format("metric '{}' {}", node.Scalar(), advice));
  return read_metric(file, node, metrics_asked_by(who));
}

Expected<Metric> read_metric(const fs::path& file, const YAML::Node& node,
                             const std::vector<Metric>& known) {
  const Expected<std::string> name = read_word(file, node, "metric", names_of(known));
  if (!name) return name.error();
  return *metric_named(*name);
}

Expected<std::vector<Metric>> read_metrics(const fs::path& file, const YAML::Node& node,
                                           const std::string& key,
                                           const std::vector<Metric>& known) {
  const auto names = read_words(file, node, key, "metric", names_of(known));
  if (!names) return names.error();
  std::vector<Metric> metrics;
  for (const std::string& name : *names) metrics.push_back(*metric_named(name));
  return metrics;
}

Expected<std::string> read_identifier(const fs::path& file, const YAML::Node& node,
                                      const std::string& key) {
  if (node.IsScalar() && is_identifier(node.Scalar())) return node.Scalar();
  return yaml_error(file, node, fmt::format("'{}' is {}; expected a C++ name", key, shown(node)));
}

}  // namespace tessera
