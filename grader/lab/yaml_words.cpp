#include "grader/lab/yaml_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

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

Expected<std::string> read_metric(const fs::path& file, const YAML::Node& node,
                                  const std::map<std::string, std::string>& allowed,
                                  const std::map<std::string, std::string>& elsewhere,
                                  const std::string& advice) {
  if (node.IsScalar() && elsewhere.contains(node.Scalar()))
    return yaml_error(file, node, fmt::format("metric '{}' {}", node.Scalar(), advice));
  std::vector<std::string> names;
  std::ranges::transform(allowed, std::back_inserter(names), [](const auto& m) { return m.first; });
  return read_word(file, node, "metric", names);
}

Expected<std::string> read_identifier(const fs::path& file, const YAML::Node& node,
                                      const std::string& key) {
  if (node.IsScalar() && is_identifier(node.Scalar())) return node.Scalar();
  return yaml_error(file, node, fmt::format("'{}' is {}; expected a C++ name", key, shown(node)));
}

}  // namespace tessera
