#include <algorithm>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/read_file.h"

namespace tessera {
namespace {

constexpr std::string_view kTimestamp = "timestamp.txt";
constexpr std::string_view kSubmitted = "submitted";
constexpr std::uint64_t kMostTimestampBytes = 1u << 20;

bool has_timestamp(const TreeEntry& assignment) {
  return assignment.is_folder() &&
         std::ranges::any_of(entries_of(assignment),
                             [](const TreeEntry& file) { return file.name == kTimestamp; });
}

/// The folder `submitted` of a course that nbgrader keeps. Beside folders that are not the course's
/// own it is a student's work, whatever its name.
TreeEntry submitted_of(const TreeEntry& folder) {
  static constexpr std::string_view kCourse[] = {kSubmitted, "source",   "release",   "autograded",
                                                 "feedback", "exchange", "downloaded"};
  const std::vector<TreeEntry> entries = entries_of(folder);
  const bool of_course = std::ranges::all_of(entries, [](const TreeEntry& entry) {
    return !entry.is_folder() || std::ranges::find(kCourse, entry.name) != std::end(kCourse);
  });
  const auto submitted = std::ranges::find(entries, kSubmitted, &TreeEntry::name);
  const bool found = submitted != entries.end() && submitted->is_folder();
  return of_course && found ? *submitted : folder;
}

/// Students' folders hold only folders; without a timestamp.txt, which nbgrader does not need, the
/// name of the folder around them must show the layout.
bool holds_assignments(const TreeEntry& student, bool needs_timestamp) {
  if (!student.is_folder()) return false;
  const std::vector<TreeEntry> assignments = entries_of(student);
  return std::ranges::any_of(assignments, [&](const TreeEntry& assignment) {
    return needs_timestamp ? has_timestamp(assignment) : assignment.is_folder();
  });
}

Draft draft_of_assignment(const TreeEntry& student, const TreeEntry& assignment) {
  Draft draft =
      draft_of({.login = student.name}, assignment, student.name + "/" + assignment.name, "");
  draft.submission.assignment = assignment.name;
  const Listing files = list_folder(assignment);
  if (!files.problem.empty()) return draft;
  draft.parts.clear();
  for (const TreeEntry& file : files.entries) {
    if (file.name == kTimestamp && file.is_file()) {
      draft.submission.submitted_at =
          utc_time(read_submitted_file(file.path, kMostTimestampBytes).content);
    } else {
      draft.parts.push_back({file, file.name});
    }
  }
  return draft;
}

Draft stray_draft(const TreeEntry& student, const TreeEntry& file) {
  Draft draft = draft_of({.login = student.name}, file, student.name + "/" + file.name, file.name);
  draft.submission.problem = "not in an assignment's folder; expected <student>/<assignment>/";
  return draft;
}

void add_student(const TreeEntry& student, std::vector<Draft>& drafts) {
  const Listing assignments = list_folder(student);
  if (!assignments.problem.empty()) {
    drafts.push_back(draft_of({.login = student.name}, student, student.name, ""));
  }
  for (const TreeEntry& entry : assignments.entries) {
    drafts.push_back(entry.is_folder() ? draft_of_assignment(student, entry)
                                       : stray_draft(student, entry));
  }
}

}  // namespace

bool is_nbgrader(const TreeEntry& folder) {
  const TreeEntry submitted = submitted_of(folder);
  const bool needs_timestamp = submitted.name != kSubmitted;
  return half_are(entries_of(submitted), [&](const TreeEntry& student) {
    return holds_assignments(student, needs_timestamp);
  });
}

std::vector<Draft> nbgrader_drafts(const TreeEntry& folder) {
  std::vector<Draft> drafts;
  for (const TreeEntry& student : entries_of(submitted_of(folder))) {
    if (student.is_folder()) {
      add_student(student, drafts);
    } else if (!is_staff_file(student)) {
      drafts.push_back(ownerless_draft(student, "<student>/<assignment>/"));
    }
  }
  return drafts;
}

}  // namespace tessera
