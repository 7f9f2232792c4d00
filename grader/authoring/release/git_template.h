// A folder as a Git repository.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera {

/// Makes `folder` a repository with one commit on the branch main, whatever the user's own
/// configuration of Git says. Returns why it is none: Git is not installed, or what Git said.
std::optional<std::string> make_repository(const std::filesystem::path& folder);

/// Makes the handout in `folder` the next commit of the repository `repo`, the template that
/// students pull from. A file of the last commit of this function or of make_repository() that the
/// handout lacks is removed; what others have added to the repository stays. Returns why it could
/// not be done: no repository, changes in it that nobody has committed, what Git said. Where the
/// repository holds the handout already there is no commit.
std::optional<std::string> update_repository(const std::filesystem::path& folder,
                                             const std::filesystem::path& repo);

}  // namespace tessera
