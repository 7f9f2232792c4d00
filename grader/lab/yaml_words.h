// Lists and words of a YAML file, with errors that name the place and the nearest known word.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The entries of the list at `node`, at least one. `key` names it in messages.
Expected<std::vector<YAML::Node>> read_list(const std::filesystem::path& file,
                                            const YAML::Node& node, const std::string& key);

/// The word at `node`, one of `known`. `what` is what messages call it: "metric".
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

/// The name of a metric at `node`, one of `allowed`. For one of `elsewhere` the Error is
/// "metric 'x' ADVICE".
Expected<std::string> read_metric(const std::filesystem::path& file, const YAML::Node& node,
                                  const std::map<std::string, std::string>& allowed,
                                  const std::map<std::string, std::string>& elsewhere,
                                  const std::string& advice);

/// The name at `node`: letters, digits and underscores, as C++ has them.
Expected<std::string> read_identifier(const std::filesystem::path& file, const YAML::Node& node,
                                      const std::string& key);

}  // namespace tessera
