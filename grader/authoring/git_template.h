// A folder as a Git repository.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera {

/// Makes `folder` a repository with one commit on the branch main, whatever the user's own
/// configuration of Git says. Returns why it is none: Git is not installed, or what Git said.
std::optional<std::string> make_repository(const std::filesystem::path& folder);

}  // namespace tessera
