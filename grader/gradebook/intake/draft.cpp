#include "grader/gradebook/intake/draft.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grader/gradebook/intake/names.h"
#include "grader/lab/course.h"

namespace tessera {

Draft draft_of(Identity person, const TreeEntry& entry, std::string origin,
               std::string path_in_submission) {
  Draft draft;
  draft.submission.people.push_back(std::move(person));
  draft.submission.origin = std::move(origin);
  draft.parts.push_back({entry, std::move(path_in_submission)});
  return draft;
}

Draft ownerless_draft(const TreeEntry& entry, std::string_view expected) {
  Draft draft = draft_of({.name = entry.name}, entry, entry.name, entry.name);
  draft.submission.problem = "its name does not say whose it is; expected " +
                             std::string(expected) + ": rename it, or take it out";
  return draft;
}

bool half_are(std::vector<TreeEntry> entries, const std::function<bool(const TreeEntry&)>& so) {
  std::erase_if(entries, is_staff_file);
  const auto count = std::ranges::count_if(entries, so);
  return count > 0 && 2 * count >= std::ssize(entries);
}

bool is_staff_file(const TreeEntry& entry) {
  constexpr std::array<std::string_view, 7> kEndings = {".csv", ".yaml", ".yml", ".json",
                                                        ".md",  ".db",   ".log"};
  if (!entry.is_file()) return false;
  const std::string name = folded(entry.name);
  return name.starts_with('.') ||
         std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

std::string utc_time(std::string text) {
  constexpr std::string_view kUtc = "UTC";
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.ends_with(kUtc)) text.replace(text.size() - kUtc.size(), kUtc.size(), "Z");
  const bool without_offset = parse_time(text + "Z").has_value();
  const std::optional<UnixTime> time = without_offset ? std::nullopt : parse_time(text);
  return time ? format_time(*time) : "";
}

}  // namespace tessera
