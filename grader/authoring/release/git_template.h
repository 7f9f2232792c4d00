// A folder as a Git repository.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera {

/// Makes `folder` a repository with a single commit on the branch main, whatever the user's
/// configuration of Git says. Returns what failed: Git is not installed, or Git's message.
std::optional<std::string> make_repository(const std::filesystem::path& folder);

/// Makes the handout in `folder` the next commit of the repository `repo`, the template from which
/// students pull. A file that this function or make_repository() added and that the handout lacks
/// is removed; what others added to the repository stays. There is no commit if the
/// repository holds the handout already. Returns what failed: there is no repository, it has
/// uncommitted changes, or Git's message.
std::optional<std::string> update_repository(const std::filesystem::path& folder,
                                             const std::filesystem::path& repo);

}  // namespace tessera
