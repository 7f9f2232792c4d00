#include "grader/authoring/mutation/accepted_mutants.h"

#include <fmt/format.h>

#include "common/yaml_mapping.h"

namespace tessera {

namespace fs = std::filesystem;

namespace {

using Reasons = std::map<std::string, std::string>;

std::optional<Error> add_entry(const fs::path& file, const YAML::Node& node, const std::string& key,
                               Reasons& accepted) {
  YamlMapping map(file, node, key == "id" ? "accepted mutant" : "accepted reference",
                  {key, "reason"});
  map.require(key);
  map.require("reason");
  const std::string id = map.text(key).value_or("");
  const std::string reason = map.text("reason").value_or("");
  if (map.error()) return map.error();
  if (reason.empty()) return yaml_error(file, node, "say in 'reason' why that is right");
  if (accepted.emplace(id, reason).second) return std::nullopt;
  return yaml_error(file, node, fmt::format("'{}' is accepted twice", id));
}

std::optional<Error> add_list(const fs::path& file, const YamlMapping& map,
                              const std::string& list_key, const std::string& key,
                              Reasons& accepted) {
  const auto list = map.find(list_key);
  if (!list) return std::nullopt;
  if (!list->IsSequence()) return yaml_error(file, *list, fmt::format("'{}' is a list", list_key));
  for (const YAML::Node& node : *list) {
    if (auto error = add_entry(file, node, key, accepted)) return error;
  }
  return std::nullopt;
}

}  // namespace

Expected<Accepted> read_accepted(const fs::path& file) {
  Accepted accepted;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return accepted;
  const Expected<YAML::Node> root = read_yaml(file);
  if (!root) return root.error();
  YamlMapping map(file, *root, "list of what is accepted",
                  {"accepted_mutants", "accepted_references"});
  if (map.error()) return *map.error();
  if (auto error = add_list(file, map, "accepted_mutants", "id", accepted.mutants)) return *error;
  if (auto error = add_list(file, map, "accepted_references", "lab", accepted.references))
    return *error;
  return accepted;
}

}  // namespace tessera
