#include "grader/gradebook/intake/one_submission.h"

#include <algorithm>
#include <string_view>

#include "grader/gradebook/intake/archive.h"
#include "grader/gradebook/intake/lab_name.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

/// Whether `entry` is like 03.cu, which may be lab 3 or student 3.
bool is_numbered_kernel(const TreeEntry& entry, const std::vector<std::string>& labs) {
  return !entry.is_folder() && is_kernel_name(entry.name) && !lab_of_path(entry.name, labs).empty();
}

/// Whether a student's work may be in it.
bool holds_work(const TreeEntry& entry) {
  if (entry.name.starts_with('.')) return false;  // .vscode
  return entry.is_folder() || is_archive_name(entry.name) || is_kernel_name(entry.name);
}

bool holds_labs(const TreeEntry& folder, const std::vector<std::string>& labs) {
  return std::ranges::any_of(entries_of(folder), [&](const TreeEntry& entry) {
    return entry.is_folder() && is_named_like_work(entry, labs);
  });
}

}  // namespace

bool is_named_like_work(const TreeEntry& entry, const std::vector<std::string>& labs) {
  if (entry.is_folder()) return !is_number(entry.name) && !lab_named(entry.name, labs).empty();
  std::string_view name = entry.name;
  if (is_archive_name(name)) {
    name = without_archive_ending(name);
  } else if (is_kernel_name(name)) {
    name = without_kernel_ending(name);
    if (folded(without_copy_number(name)) == "kernel") return true;
  } else {
    return false;
  }
  return !is_number(name) && !lab_of_file_name(name, labs).empty();
}

bool is_one_submission(const TreeEntry& folder, const std::vector<std::string>& labs) {
  std::vector<TreeEntry> entries = entries_of(folder);
  std::erase_if(entries, [](const TreeEntry& entry) { return !holds_work(entry); });
  const auto is_handout = [&](const TreeEntry& entry) {
    return entry.is_folder() && folded(entry.name) == "labs" && holds_labs(entry, labs);
  };
  const auto is_work = [&](const TreeEntry& entry) {
    return is_named_like_work(entry, labs) || is_numbered_kernel(entry, labs);
  };
  return std::ranges::any_of(entries, is_handout) ||
         (!entries.empty() && std::ranges::all_of(entries, is_work));
}

}  // namespace tessera
