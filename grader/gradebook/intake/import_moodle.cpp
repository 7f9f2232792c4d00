#include <algorithm>
#include <map>
#include <optional>

#include "grader/gradebook/intake/import.h"

namespace tessera {
namespace {

constexpr std::string_view kMark = "_assignsubmission_";
constexpr std::string_view kDigits = "0123456789";

struct MoodleName {
  std::string name;
  std::string participant;
  std::string rest;  // "file", "onlinetext", "file_kernel.cu"
};

std::optional<MoodleName> split_at(std::string_view text, std::size_t mark) {
  if (mark == text.npos) return std::nullopt;
  const std::string_view before = text.substr(0, mark);
  const std::size_t name_end = before.find_last_not_of(kDigits);
  if (name_end == before.npos || before[name_end] != '_' || name_end + 1 == before.size()) {
    return std::nullopt;
  }
  return MoodleName{.name = std::string(before.substr(0, name_end)),
                    .participant = std::string(before.substr(name_end + 1)),
                    .rest = std::string(text.substr(mark + kMark.size()))};
}

/// A folder's name ends in the mark; a file's name goes on as its student likes.
std::optional<MoodleName> parse_name(const TreeEntry& entry) {
  const std::string& text = entry.name;
  return split_at(text, entry.is_folder() ? text.rfind(kMark) : text.find(kMark));
}

/// Where names are hidden, all are called "Participant", and Moodle's lists say "Participant 17".
std::string person_name(const MoodleName& parsed) {
  return parsed.name == "Participant" ? parsed.name + " " + parsed.participant : parsed.name;
}

/// "kernel.cu" of "file_kernel.cu".
std::string file_name(const MoodleName& parsed) {
  return parsed.rest.substr(parsed.rest.find('_') + 1);
}

}  // namespace

bool is_moodle(const TreeEntry& folder) {
  return half_are(entries_of(folder),
                  [](const TreeEntry& entry) { return parse_name(entry).has_value(); });
}

std::vector<Draft> moodle_drafts(const TreeEntry& folder) {
  std::vector<Draft> drafts;
  std::map<std::string, std::size_t> participants;
  for (const TreeEntry& entry : entries_of(folder)) {
    const std::optional<MoodleName> parsed = parse_name(entry);
    if (!parsed) {
      if (is_staff_file(entry)) continue;
      drafts.push_back(ownerless_draft(entry, "<name>_<number>_assignsubmission_file"));
      continue;
    }
    const std::string path = entry.is_folder() ? "" : file_name(*parsed);
    const auto [place, added] = participants.emplace(parsed->participant, drafts.size());
    if (added) {
      Draft draft = draft_of({.name = person_name(*parsed), .moodle_id = parsed->participant},
                             entry, entry.name, path);
      draft.submission.feedback_name = entry.name;
      drafts.push_back(std::move(draft));
    } else {
      drafts[place->second].parts.push_back({entry, path});
    }
  }
  return drafts;
}

}  // namespace tessera
