#include <algorithm>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

constexpr std::string_view kKernelEnding = ".cu";

bool is_kernel_file(const TreeEntry& entry) {
  return !entry.is_folder() && entry.name.size() > kKernelEnding.size() &&
         folded(entry.name).ends_with(kKernelEnding);
}

bool is_archive_file(const TreeEntry& entry) {
  return entry.is_file() && is_archive_name(entry.name);
}

Draft draft_of_student(const TreeEntry& entry) {
  if (is_kernel_file(entry)) {
    const std::string login = entry.name.substr(0, entry.name.size() - kKernelEnding.size());
    return draft_of({.login = login}, entry, entry.name, entry.name);
  }
  if (entry.is_folder()) return draft_of({.login = entry.name}, entry, entry.name, "");
  if (entry.is_file() && !is_archive_name(entry.name)) {
    return ownerless_draft(entry, "a folder, an archive or a .cu file a student");
  }
  return draft_of({.login = std::string(without_archive_ending(entry.name))}, entry, entry.name,
                  "");
}

}  // namespace

/// A folder with a file in it is one student's; around the students' folders and archives there is
/// nothing but what staff put there.
bool is_plain(const TreeEntry& folder) {
  const std::vector<TreeEntry> entries = entries_of(folder);
  const auto is_student = [](const TreeEntry& entry) {
    return entry.is_folder() || is_archive_file(entry);
  };
  return std::ranges::any_of(entries, is_student) &&
         std::ranges::all_of(entries, [&](const TreeEntry& entry) {
           return is_student(entry) || is_staff_file(entry) || !entry.problem.empty();
         });
}

std::vector<Draft> plain_drafts(const TreeEntry& folder) {
  std::vector<Draft> drafts;
  for (const TreeEntry& entry : entries_of(folder)) {
    const bool hidden = entry.name.starts_with('.') && !entry.name.starts_with("../");
    if (!hidden && !is_staff_file(entry)) drafts.push_back(draft_of_student(entry));
  }
  return drafts;
}

}  // namespace tessera
