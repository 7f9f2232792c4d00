#include "grader/authoring/accepted_mutants.h"

#include <fmt/format.h>

#include "common/yaml_mapping.h"

namespace tessera {

namespace fs = std::filesystem;

using Accepted = std::map<std::string, std::string>;

namespace {

std::optional<Error> add_entry(const fs::path& file, const YAML::Node& node, Accepted& accepted) {
  YamlMapping map(file, node, "accepted mutant", {"id", "reason"});
  map.require("id");
  map.require("reason");
  const std::string id = map.text("id").value_or("");
  const std::string reason = map.text("reason").value_or("");
  if (map.error()) return map.error();
  if (reason.empty()) return yaml_error(file, node, "say in 'reason' why it may lose nothing");
  if (accepted.emplace(id, reason).second) return std::nullopt;
  return yaml_error(file, node, fmt::format("'{}' is accepted twice", id));
}

}  // namespace

Expected<Accepted> read_accepted_mutants(const fs::path& file) {
  Accepted accepted;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return accepted;
  const Expected<YAML::Node> root = read_yaml(file);
  if (!root) return root.error();
  YamlMapping map(file, *root, "list of mutants", {"accepted_mutants"});
  map.require("accepted_mutants");
  if (map.error()) return *map.error();
  const YAML::Node list = *map.find("accepted_mutants");
  if (!list.IsSequence()) return yaml_error(file, list, "'accepted_mutants' is a list");
  for (const YAML::Node& node : list) {
    if (auto error = add_entry(file, node, accepted)) return *error;
  }
  return accepted;
}

}  // namespace tessera
