#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "grader/gradebook/intake/import.h"

namespace tessera {
namespace {

constexpr std::string_view kAutolabName = "<email>_<version>_<file>";

struct Version {
  int number = 0;
  std::string file;
};

/// "<version>_<file>".
std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const auto [stop, status] =
      std::from_chars(text.data(), text.data() + text.size(), version.number);
  const auto digits = static_cast<std::size_t>(stop - text.data());
  if (status != std::errc() || version.number < 0 || digits + 1 >= text.size() ||
      text[digits] != '_') {
    return std::nullopt;
  }
  version.file = text.substr(digits + 1);
  return version;
}

struct FlatName {
  std::string email;
  Version version;
};

/// "<email>_<version>_<file>"; the part of an address after "@" has no "_".
std::optional<FlatName> parse_flat(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::size_t end = at == text.npos ? at : text.find('_', at);
  if (at == 0 || end == text.npos || end == at + 1) return std::nullopt;
  const std::optional<Version> version = parse_version(text.substr(end + 1));
  if (!version) return std::nullopt;
  return FlatName{std::string(text.substr(0, end)), *version};
}

bool is_mail_folder(const TreeEntry& entry) {
  return entry.is_folder() && entry.name.find('@') != entry.name.npos;
}

/// The folder `handin` of an assessment. Beside folders that are not the assessment's own it is a
/// student's work, whatever its name.
TreeEntry handin_of(const TreeEntry& folder) {
  static constexpr std::string_view kAssessment[] = {"handin", "handout", "src", "writeup",
                                                     "autograder"};
  const std::vector<TreeEntry> entries = entries_of(folder);
  const bool of_assessment = std::ranges::all_of(entries, [](const TreeEntry& entry) {
    return !entry.is_folder() ||
           std::ranges::find(kAssessment, entry.name) != std::end(kAssessment);
  });
  const auto handin = std::ranges::find(entries, "handin", &TreeEntry::name);
  const bool found = handin != entries.end() && handin->is_folder();
  return of_assessment && found ? *handin : folder;
}

/// Collects the files of one version of one person in one draft.
class Versions {
 public:
  void add(const std::string& email, const Version& version, const TreeEntry& entry,
           std::string origin) {
    const auto [place, added] = places_.emplace(std::pair(email, version.number), drafts_.size());
    if (added) {
      drafts_.push_back(draft_of({.email = email}, entry, std::move(origin), version.file));
      drafts_.back().submission.attempt = version.number;
    } else {
      drafts_[place->second].parts.push_back({entry, version.file});
    }
  }

  void add_ownerless(const TreeEntry& entry) {
    drafts_.push_back(ownerless_draft(entry, kAutolabName));
  }

  void add_unnumbered(const std::string& email, const TreeEntry& entry, std::string origin) {
    Draft draft = draft_of({.email = email}, entry, std::move(origin), entry.name);
    draft.submission.problem = "its name does not say the version; expected <version>_<file>";
    drafts_.push_back(std::move(draft));
  }

  std::vector<Draft> take() { return std::move(drafts_); }

 private:
  std::map<std::pair<std::string, int>, std::size_t> places_;
  std::vector<Draft> drafts_;
};

void add_mail_folder(const TreeEntry& folder, Versions& versions) {
  for (const TreeEntry& entry : entries_of(folder)) {
    const std::string origin = folder.name + "/" + entry.name;
    if (const auto version = parse_version(entry.name)) {
      versions.add(folder.name, *version, entry, origin);
    } else {
      versions.add_unnumbered(folder.name, entry, origin);
    }
  }
}

}  // namespace

bool is_autolab(const TreeEntry& folder) {
  return half_are(entries_of(handin_of(folder)), [](const TreeEntry& entry) {
    if (parse_flat(entry.name)) return true;
    return is_mail_folder(entry) &&
           std::ranges::any_of(entries_of(entry), [](const TreeEntry& file) {
             return parse_version(file.name).has_value();
           });
  });
}

std::vector<Draft> autolab_drafts(const TreeEntry& folder) {
  Versions versions;
  for (const TreeEntry& entry : entries_of(handin_of(folder))) {
    if (const auto flat = parse_flat(entry.name)) {
      versions.add(flat->email, flat->version, entry, entry.name);
    } else if (is_mail_folder(entry)) {
      add_mail_folder(entry, versions);
    } else if (!is_staff_file(entry)) {
      versions.add_ownerless(entry);
    }
  }
  return versions.take();
}

}  // namespace tessera
