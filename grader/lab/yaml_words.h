// Lists and words of a YAML file, with errors that name the place and the nearest known word.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/metric.h"

namespace tessera {

/// The entries of the list at `node`, at least one. `key` names it in messages.
Expected<std::vector<YAML::Node>> read_list(const std::filesystem::path& file,
                                            const YAML::Node& node, const std::string& key);

/// The word at `node`, which must be one of `known`. `what` is its name in messages: "metric".
Expected<std::string> read_word(const std::filesystem::path& file, const YAML::Node& node,
                                const std::string& what, const std::vector<std::string>& known);

/// The entries of a list of words.
Expected<std::vector<std::string>> read_words(const std::filesystem::path& file,
                                              const YAML::Node& node, const std::string& key,
                                              const std::string& what,
                                              const std::vector<std::string>& known);

/// The `true` or `false` at `node`.
Expected<bool> read_flag(const std::filesystem::path& file, const YAML::Node& node,
                         const std::string& key);

/// The metric at `node`, which `who` (kTechnique, kThreshold) may ask for. If only `others` may,
/// the Error is "metric 'x' ADVICE".
Expected<Metric> read_metric(const std::filesystem::path& file, const YAML::Node& node,
                             unsigned who, unsigned others, const std::string& advice);

/// The metric at `node`, which must be one of `known`.
Expected<Metric> read_metric(const std::filesystem::path& file, const YAML::Node& node,
                             const std::vector<Metric>& known);

/// The entries of a list of metrics.
Expected<std::vector<Metric>> read_metrics(const std::filesystem::path& file,
                                           const YAML::Node& node, const std::string& key,
                                           const std::vector<Metric>& known);

/// The name at `node`, which must be an identifier as in C++.
Expected<std::string> read_identifier(const std::filesystem::path& file, const YAML::Node& node,
                                      const std::string& key);

}  // namespace tessera
