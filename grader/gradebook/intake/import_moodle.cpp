#include <algorithm>
#include <map>
#include <optional>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

constexpr std::string_view kMark = "_assignsubmission_";

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

/// The ways in which the entry's name can be read. A folder's name ends with the mark, so its last
/// mark counts; a file's name goes on as its student likes, and begins with the student's name.
std::vector<MoodleName> readings(const TreeEntry& entry) {
  std::vector<MoodleName> all;
  const std::string& text = entry.name;
  for (std::size_t mark = text.find(kMark); mark != text.npos; mark = text.find(kMark, mark + 1)) {
    if (const auto reading = split_at(text, mark)) all.push_back(*reading);
  }
  if (entry.is_folder() && all.size() > 1) all.erase(all.begin(), all.end() - 1);
  return all;
}

/// If names are hidden, all are called "Participant", and Moodle's lists say "Participant 17".
std::string person_name(const MoodleName& parsed) {
  return parsed.name == "Participant" ? parsed.name + " " + parsed.participant : parsed.name;
}

/// "kernel.cu" of "file_kernel.cu".
std::string file_name(const MoodleName& parsed) {
  return parsed.rest.substr(parsed.rest.find('_') + 1);
}

std::string described(const MoodleName& reading) {
  return printable_name(reading.name) + " (participant " + printable_name(reading.participant) +
         ")";
}

/// Work that may be of any of `people`, at least two.
Draft unclear_draft(const TreeEntry& entry, const std::string& why,
                    const std::vector<MoodleName>& people) {
  Draft draft = ownerless_draft(entry, "");
  draft.submission.problem = why + " of " + described(people.front()) + " and of " +
                             described(people.back()) +
                             ", and what students call themselves and their files must not decide "
                             "between them; download the submissions in folders, or rename it";
  return draft;
}

/// The names that come with each participant's number.
using Participants = std::map<std::string, std::vector<MoodleName>>;

Participants participants_of(const std::vector<TreeEntry>& entries) {
  Participants participants;
  for (const TreeEntry& entry : entries) {
    const std::vector<MoodleName> all = readings(entry);
    if (all.size() != 1) continue;
    std::vector<MoodleName>& known = participants[all.front().participant];
    if (std::ranges::find(known, all.front().name, &MoodleName::name) == known.end())
      known.push_back(all.front());
  }
  return participants;
}

}  // namespace

bool is_moodle(const TreeEntry& folder) {
  return half_are(entries_of(folder),
                  [](const TreeEntry& entry) { return !readings(entry).empty(); });
}

std::vector<Draft> moodle_drafts(const TreeEntry& folder) {
  std::vector<Draft> drafts;
  const std::vector<TreeEntry> entries = entries_of(folder);
  const Participants participants = participants_of(entries);
  std::map<std::string, std::size_t> places;
  for (const TreeEntry& entry : entries) {
    const std::vector<MoodleName> all = readings(entry);
    if (all.empty()) {
      if (is_staff_file(entry)) continue;
      drafts.push_back(ownerless_draft(entry, "<name>_<number>_assignsubmission_file"));
      continue;
    }
    if (all.size() > 1) {
      drafts.push_back(unclear_draft(entry, "its name can be read as the work", all));
      continue;
    }
    const MoodleName& parsed = all.front();
    if (const auto& named = participants.at(parsed.participant); named.size() > 1) {
      drafts.push_back(unclear_draft(entry, "one participant's number is in the names", named));
      continue;
    }
    const std::string path = entry.is_folder() ? "" : file_name(parsed);
    const auto [place, added] = places.emplace(parsed.participant, drafts.size());
    if (added) {
      Draft draft = draft_of({.name = person_name(parsed), .moodle_id = parsed.participant}, entry,
                             entry.name, path);
      draft.submission.feedback_name = entry.name;
      drafts.push_back(std::move(draft));
    } else {
      drafts[place->second].parts.push_back({entry, path});
    }
  }
  return drafts;
}

}  // namespace tessera
