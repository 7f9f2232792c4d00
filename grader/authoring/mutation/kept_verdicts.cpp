#include "grader/authoring/mutation/kept_verdicts.h"

#include <nlohmann/json.hpp>

#include "common/content_cache.h"
#include "grader/lab/lab_hash.h"
#include "grader/process/wire_launch.h"

namespace tessera {

using nlohmann::json;

KeptVerdicts::KeptVerdicts(const Lab& lab, const std::filesystem::path& solutions,
                           const GradeOptions& options, const std::string& program, bool fresh)
    : fresh_(fresh) {
  KitFolders kit = options.kit;
  kit.solutions = solutions;
  const Expected<std::string> hash = lab_hash(lab, kit);
  if (!hash || program.empty()) return;
  folder_ = options.compiler.cache_dir;
  // Messages name the lab and its files, so a copy of the lab counts as another lab.
  basis_ = entry_key({"verdicts", program, lab.id, lab.directory.string(), *hash,
                      wire::Writer().put(options.machine.device).take()});
}

std::optional<json> KeptVerdicts::find(const std::vector<std::string>& subject) const {
  if (folder_.empty() || fresh_) return std::nullopt;
  const std::optional<std::string> contents = load_entry(folder_, key_of(subject));
  return contents ? std::optional(json::parse(*contents)) : std::nullopt;
}

void KeptVerdicts::keep(const std::vector<std::string>& subject, const json& verdict) const {
  if (!folder_.empty()) store_entry(folder_, key_of(subject), verdict.dump());
}

std::string KeptVerdicts::key_of(const std::vector<std::string>& subject) const {
  std::vector<std::string> parts = {basis_};
  parts.insert(parts.end(), subject.begin(), subject.end());
  return entry_key(parts);
}

}  // namespace tessera
