#include <algorithm>
#include <map>
#include <optional>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

constexpr std::string_view kAnonymous = "anon_";
constexpr std::string_view kLate = "LATE_";

struct CanvasName {
  std::string name;
  bool late = false;
  std::string user;
  std::string file;
};

/// Removes and returns what stands before the next "_" of `text`; nothing if there is no "_".
std::optional<std::string_view> take_word(std::string_view& text) {
  const std::size_t end = text.find('_');
  if (end == text.npos) return std::nullopt;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end + 1);
  return word;
}

/// What follows the user: "<attachment>_<file>", or "text.html" of an answer typed into Canvas.
std::optional<std::string> file_after_user(std::string_view rest) {
  if (rest == "text.html" || rest == "link.html") return std::string(rest);
  const auto attachment = take_word(rest);
  if (!attachment || !is_number(*attachment) || rest.empty()) return std::nullopt;
  return std::string(rest);
}

/// "[LATE_]<user>_..." if `rest` starts with it; the user is a number, or "anon_" and a word.
std::optional<CanvasName> parse_after_name(std::string_view rest) {
  CanvasName parsed;
  if (rest.starts_with(kLate)) {
    parsed.late = true;
    rest.remove_prefix(kLate.size());
  }
  const bool anonymous = rest.starts_with(kAnonymous);
  if (anonymous) rest.remove_prefix(kAnonymous.size());
  const auto user = take_word(rest);
  if (!user || user->empty() || !(anonymous || is_number(*user))) return std::nullopt;
  const auto file = file_after_user(rest);
  if (!file) return std::nullopt;
  parsed.user = (anonymous ? std::string(kAnonymous) : "") + std::string(*user);
  parsed.file = *file;
  return parsed;
}

/// Takes the first match from the left: the student's own name for the file stands last and cannot
/// change the owner. A name may be a number; only without one stands "LATE" or "anon" in front.
std::optional<CanvasName> parse_name(std::string_view text) {
  const bool nameless = text.starts_with(kAnonymous) || text.starts_with(kLate);
  if (auto parsed = nameless ? parse_after_name(text) : std::nullopt) return parsed;
  for (std::size_t end = text.find('_'); end != text.npos; end = text.find('_', end + 1)) {
    if (auto parsed = parse_after_name(text.substr(end + 1))) {
      parsed->name = text.substr(0, end);
      return parsed;
    }
  }
  return parse_after_name(text);
}

}  // namespace

bool is_canvas(const TreeEntry& folder) {
  return half_are(entries_of(folder), [](const TreeEntry& entry) {
    return entry.is_file() && parse_name(entry.name).has_value();
  });
}

std::vector<Draft> canvas_drafts(const TreeEntry& folder) {
  std::vector<Draft> drafts;
  std::map<std::string, std::size_t> users;
  for (const TreeEntry& entry : entries_of(folder)) {
    if (is_staff_file(entry) && !parse_name(entry.name)) continue;
    const std::optional<CanvasName> parsed = parse_name(entry.name);
    if (!parsed) {
      drafts.push_back(ownerless_draft(entry, "<name>_<user>_<attachment>_<file>"));
      continue;
    }
    const auto [place, added] = users.emplace(parsed->user, drafts.size());
    if (added) {
      Draft draft = draft_of({.name = parsed->name, .canvas_id = parsed->user}, entry, entry.name,
                             parsed->file);
      draft.submission.feedback_name = entry.name;
      drafts.push_back(std::move(draft));
    } else {
      drafts[place->second].parts.push_back({entry, parsed->file});
    }
    drafts[place->second].submission.late |= parsed->late;
  }
  return drafts;
}

}  // namespace tessera
