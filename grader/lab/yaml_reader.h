// The base of classes that read a YAML file: keeps the first mistake; what is read after it is
// empty.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "common/expected.h"
#include "common/yaml_mapping.h"

namespace tessera {

class YamlReader {
 protected:
  explicit YamlReader(std::filesystem::path file) : file_(std::move(file)) {}

  /// Keeps the mapping's mistake; returns whether there is any mistake so far.
  bool keep(const YamlMapping& map) {
    if (!error_) error_ = map.error();
    return error_.has_value();
  }

  void fail(const YAML::Node& node, std::string message) {
    if (!error_) error_ = yaml_error(file_, node, std::move(message));
  }

  template <class T>
  T value_or_empty(Expected<T> read) {
    if (read) return std::move(*read);
    if (!error_) error_ = read.error();
    return {};
  }

  std::filesystem::path file_;
  std::optional<Error> error_;
};

}  // namespace tessera
