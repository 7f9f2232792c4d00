#include <algorithm>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/names.h"
#include "grader/gradebook/intake/one_submission.h"

namespace tessera {
namespace {

bool is_kernel_file(const TreeEntry& entry) {
  return !entry.is_folder() && is_kernel_name(entry.name);
}

bool is_archive_file(const TreeEntry& entry) {
  return entry.is_file() && is_archive_name(entry.name);
}

constexpr std::string_view kPlainName = "a folder, an archive or a .cu file a student";

/// A student's labs among the folders of others: their owner is unknown.
Draft work_without_student(const TreeEntry& entry) {
  Draft draft = ownerless_draft(entry, kPlainName);
  draft.submission.problem = "it is named like work for a lab, not like a student; expected " +
                             std::string(kPlainName) +
                             ": put it into a folder with the student's name";
  return draft;
}

Draft draft_of_student(const TreeEntry& entry) {
  if (is_kernel_file(entry)) {
    return draft_of({.login = std::string(without_kernel_ending(entry.name))}, entry, entry.name,
                    entry.name);
  }
  if (entry.is_folder()) return draft_of({.login = entry.name}, entry, entry.name, "");
  if (entry.is_file() && !is_archive_name(entry.name)) {
    return ownerless_draft(entry, kPlainName);
  }
  return draft_of({.login = std::string(without_archive_ending(entry.name))}, entry, entry.name,
                  "");
}

}  // namespace

/// A folder with a file in it is one student's; beside the students' folders and archives there are
/// only staff files.
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

std::vector<Draft> plain_drafts(const TreeEntry& folder, const std::vector<std::string>& labs) {
  std::vector<Draft> drafts;
  for (const TreeEntry& entry : entries_of(folder)) {
    const bool hidden = entry.name.starts_with('.') && !entry.name.starts_with("../");
    if (hidden || is_staff_file(entry)) continue;
    drafts.push_back(is_named_like_work(entry, labs) ? work_without_student(entry)
                                                     : draft_of_student(entry));
  }
  return drafts;
}

}  // namespace tessera
