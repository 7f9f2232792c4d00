#include "grader/authoring/git_template.h"

#include <vector>

#include "grader/process/child_process.h"

namespace tessera {
namespace {

constexpr int kNotFound = 127;

/// `git -C folder arguments...`; what went wrong.
std::optional<std::string> git(const std::filesystem::path& folder,
                               const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"/usr/bin/env",
                                      "-u",
                                      "GIT_DIR",
                                      "-u",
                                      "GIT_WORK_TREE",
                                      "-u",
                                      "GIT_INDEX_FILE",
                                      "GIT_CONFIG_GLOBAL=/dev/null",
                                      "GIT_CONFIG_SYSTEM=/dev/null",
                                      "git",
                                      "-C",
                                      folder.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Expected<ChildResult> result = run_program(command, "", ChildLimits{});
  if (!result) return result.error().str();
  if (result->end == ChildResult::End::exited && result->status == 0) return std::nullopt;
  if (result->end == ChildResult::End::exited && result->status == kNotFound)
    return "Git is not installed";
  return "git " + arguments.front() + " failed: " + result->log;
}

}  // namespace

std::optional<std::string> make_repository(const std::filesystem::path& folder) {
  const std::filesystem::path place = std::filesystem::absolute(folder);
  if (auto failure = git(place, {"init", "--quiet", "--initial-branch=main"})) return failure;
  if (auto failure = git(place, {"add", "--all"})) return failure;
  return git(place, {"-c", "user.name=Tessera", "-c", "user.email=tessera@localhost", "commit",
                     "--quiet", "--message=The labs"});
}

}  // namespace tessera
