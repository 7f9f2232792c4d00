#include <algorithm>
#include <optional>

#include "grader/gradebook/intake/import.h"

namespace tessera {
namespace {

constexpr std::string_view kEnding = "-submissions";

/// "lab3-" of "lab3-submissions".
std::optional<std::string> prefix_by_folder(const TreeEntry& folder) {
  if (!folder.name.ends_with(kEnding) || folder.name.size() == kEnding.size()) return std::nullopt;
  return folder.name.substr(0, folder.name.size() - kEnding.size()) + "-";
}

/// The start that all repositories share, up to a "-"; "" if there are fewer than two.
std::string common_prefix(const std::vector<TreeEntry>& repositories) {
  if (repositories.size() < 2) return "";
  std::string prefix = repositories.front().name;
  for (const TreeEntry& repository : repositories) {
    const auto difference = std::ranges::mismatch(prefix, repository.name).in1;
    prefix.erase(difference, prefix.end());
  }
  return prefix.substr(0, prefix.rfind('-') + 1);
}

}  // namespace

bool is_github_classroom(const TreeEntry& folder) {
  const std::optional<std::string> prefix = prefix_by_folder(folder);
  if (!prefix) return false;
  return std::ranges::any_of(entries_of(folder), [&](const TreeEntry& entry) {
    return entry.is_folder() && entry.name.starts_with(*prefix) && entry.name != *prefix;
  });
}

std::vector<Draft> github_classroom_drafts(const TreeEntry& folder) {
  std::vector<TreeEntry> repositories = entries_of(folder);
  std::erase_if(repositories, [](const TreeEntry& entry) { return entry.is_file(); });
  const std::string prefix = prefix_by_folder(folder).value_or(common_prefix(repositories));
  std::vector<Draft> drafts;
  for (const TreeEntry& repository : repositories) {
    const bool named = repository.name.starts_with(prefix) && repository.name != prefix;
    drafts.push_back(draft_of({.github = repository.name.substr(named ? prefix.size() : 0)},
                              repository, repository.name, ""));
  }
  return drafts;
}

}  // namespace tessera
