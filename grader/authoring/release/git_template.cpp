#include "grader/authoring/release/git_template.h"

#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAddress = "tessera@localhost";

/// The output of `git -C folder arguments...`; the Error says what went wrong.
Expected<std::string> git_output(const fs::path& folder,
                                 const std::vector<std::string>& arguments) {
  const std::string program = find_program("git");
  if (program.empty()) return Error{.message = "Git is not installed"};
  std::vector<std::string> command = {"/usr/bin/env",
                                      "-u",
                                      "GIT_DIR",
                                      "-u",
                                      "GIT_WORK_TREE",
                                      "-u",
                                      "GIT_INDEX_FILE",
                                      "GIT_CONFIG_GLOBAL=/dev/null",
                                      "GIT_CONFIG_SYSTEM=/dev/null",
                                      program,
                                      "-C",
                                      folder.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Expected<ChildResult> result = run_program(command, "", ChildLimits{});
  if (!result) return result.error();
  if (result->end == ChildResult::End::exited && result->status == 0) return result->output;
  return Error{.message = "git " + arguments.front() + " failed: " + result->log};
}

/// The same without the output.
std::optional<std::string> git(const fs::path& folder, const std::vector<std::string>& arguments) {
  const Expected<std::string> output = git_output(folder, arguments);
  return output ? std::nullopt : std::optional(output.error().str());
}

std::optional<std::string> commit(const fs::path& folder, const std::string& message) {
  // Git writes large files into a pack. With this threshold all are large: a pack, not hundreds of
  // objects.
  if (auto failure = git(folder, {"-c", "core.bigFileThreshold=1", "add", "--all"})) return failure;
  return git(folder, {"-c", "user.name=Tessera", "-c", std::string("user.email=") + kAddress,
                      "commit", "--quiet", "--message=" + message});
}

/// The texts in a list of which each ends in a NUL.
std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> texts;
  std::size_t start = 0;
  for (std::size_t end = list.find('\0'); end != std::string::npos; end = list.find('\0', start)) {
    texts.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return texts;
}

/// The files of `repo` that releases added; none if it never got a release. A file that another
/// person added after that is that person's.
Expected<std::vector<std::string>> released_files(const fs::path& repo) {
  const auto log = git_output(repo, {"log", "--diff-filter=A", "--no-renames", "--name-only", "-z",
                                     "--format=%x01%ae", "HEAD"});
  if (!log) return log.error();
  std::vector<std::string> released;
  std::set<std::string> known;  // the latest commit comes first
  bool by_release = false;
  for (std::string& text : split_list(*log)) {
    if (text.starts_with('\x01')) {
      by_release = text.substr(1) == kAddress;
      continue;
    }
    if (text.starts_with('\n')) text.erase(0, 1);  // separates the names from the address
    if (known.insert(text).second && by_release) released.push_back(std::move(text));
  }
  return released;
}

/// Copies every file below `from` except Git's own.
void copy_over(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().filename() == ".git") continue;
    fs::copy(entry.path(), to / entry.path().filename(),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
}

}  // namespace

std::optional<std::string> make_repository(const fs::path& folder) {
  const fs::path place = fs::absolute(folder);
  if (auto failure = git(place, {"init", "--quiet", "--initial-branch=main"})) return failure;
  return commit(place, "The labs");
}

std::optional<std::string> update_repository(const fs::path& folder, const fs::path& repo) {
  const fs::path place = fs::absolute(repo);
  std::error_code ignored;
  if (!fs::exists(place / ".git", ignored)) return "is not a Git repository with a working tree";
  const auto changes = git_output(place, {"status", "--porcelain"});
  if (!changes) return changes.error().str();
  if (!changes->empty()) return "has changes that are not committed; commit them first";
  const auto before = released_files(place);
  if (!before) return before.error().str();
  for (const std::string& name : *before) {
    if (!fs::exists(folder / name)) fs::remove(place / name);
  }
  copy_over(folder, place);
  const auto made = git_output(place, {"status", "--porcelain"});
  if (!made) return made.error().str();
  return made->empty() ? std::nullopt : commit(place, "The labs, updated");
}

}  // namespace tessera
