// A mapping of a YAML file, read strictly: every mistake is an Error with file, line and column.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The document in `path`. Errors: unreadable, over 1 MiB, not YAML, empty.
Expected<YAML::Node> read_yaml(const std::filesystem::path& path);

/// An Error at the place of `node`, with `line` and `column` counted from 1.
Error yaml_error(const std::filesystem::path& path, const YAML::Node& node, std::string message);

/// One mapping, read key by key. error() returns the first mistake; after it every key reads as
/// missing.
class YamlMapping {
 public:
  /// `what` is the mapping's name in messages: "device profile". Mistakes: not a mapping, a key
  /// that is not in `keys` (with the nearest key), a key given twice.
  YamlMapping(std::filesystem::path path, const YAML::Node& node, std::string what,
              std::vector<std::string> keys);

  bool has(const std::string& key) const;

  /// The node of `key`; nothing if the key is missing.
  std::optional<YAML::Node> find(const std::string& key) const;

  /// The value of `key`; nothing if it is missing. Mistakes: another type, out of range.
  std::optional<std::string> text(const std::string& key);
  std::optional<double> number(const std::string& key, double least, double most);
  std::optional<std::int64_t> whole(const std::string& key, std::int64_t least, std::int64_t most);
  std::optional<std::vector<std::int64_t>> wholes(const std::string& key, std::size_t count,
                                                  std::int64_t least, std::int64_t most);

  /// Makes a missing `key` a mistake.
  void require(const std::string& key);

  /// Reports a mistake at `key`, or at the mapping if the key is missing.
  void fail(const std::string& key, const std::string& message);

  const std::optional<Error>& error() const { return error_; }

 private:
  void fail_at(const YAML::Node& node, const std::string& message);
  std::optional<YAML::Node> scalar(const std::string& key, const std::string& expected);
  std::optional<std::int64_t> whole_value(const std::string& key, const YAML::Node& node,
                                          std::int64_t least, std::int64_t most);

  std::filesystem::path path_;
  YAML::Node node_;
  std::string what_;
  std::optional<Error> error_;
};

}  // namespace tessera
