#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

constexpr std::string_view kMetadata = "submission_metadata.yml";

/// What the metadata say of one submission.
struct Metadata {
  std::vector<Identity> people;
  std::string submitted_at;
  std::string problem;
};

/// The text of `key`, which Gradescope writes with a colon before it; "" if there is none.
std::string text_of(const YAML::Node& node, const std::string& key) {
  const YAML::Node value = node[":" + key] ? node[":" + key] : node[key];
  return value && value.IsScalar() ? utf8_name(value.Scalar()) : "";
}

std::vector<Identity> people_of(const YAML::Node& submission) {
  const YAML::Node submitters =
      submission[":submitters"] ? submission[":submitters"] : submission["submitters"];
  std::vector<Identity> people;
  if (!submitters || !submitters.IsSequence()) return people;
  for (const YAML::Node& submitter : submitters) {
    if (!submitter.IsMap()) continue;
    people.push_back({.name = text_of(submitter, "name"),
                      .email = text_of(submitter, "email"),
                      .sis_id = text_of(submitter, "sid")});
  }
  return people;
}

/// One submission's lines -> its folder's name and what they say.
std::optional<std::pair<std::string, Metadata>> parse_block(const std::string& block) {
  Metadata metadata;
  try {
    const YAML::Node document = YAML::Load(block);
    if (!document.IsMap() || document.size() != 1) return std::nullopt;
    const YAML::Node submission = document.begin()->second;
    if (submission.IsMap()) {
      metadata.people = people_of(submission);
      metadata.submitted_at = utc_time(text_of(submission, "created_at"));
    }
    if (metadata.people.empty()) {
      metadata.problem = std::string(kMetadata) + " does not say who handed it in";
    }
    return std::pair(utf8_name(document.begin()->first.Scalar()), metadata);
  } catch (const YAML::Exception& failure) {
    metadata.problem =
        "cannot be understood in " + std::string(kMetadata) + ": " + printable_name(failure.msg);
    return std::pair(utf8_name(block.substr(0, block.find(':'))), metadata);
  }
}

/// Reads the file submission by submission, since it also holds the output of every test of all of
/// them. Only the names of folders stand at the left margin.
std::map<std::string, Metadata> read_metadata(const TreeEntry& file) {
  std::map<std::string, Metadata> all;
  std::ifstream stream(file.path, std::ios::binary);
  std::string block;
  const auto end_block = [&] {
    if (auto parsed = parse_block(block)) all.insert(std::move(*parsed));
    block.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    const bool starts = !line.empty() && std::string_view(" \t\r#-").find(line[0]) == line.npos;
    if (starts) end_block();
    if (line != "---") block += line + "\n";
  }
  end_block();
  return all;
}

bool is_metadata(const TreeEntry& entry) {
  return entry.is_file() && entry.name == kMetadata;
}

Draft draft_of_folder(const TreeEntry& entry, std::map<std::string, Metadata>& all) {
  Draft draft = draft_of({.name = entry.name}, entry, entry.name, "");
  const auto metadata = all.extract(entry.name);
  if (metadata.empty()) {
    draft.submission.problem = std::string(kMetadata) + " says nothing of it";
    return draft;
  }
  draft.submission.submitted_at = metadata.mapped().submitted_at;
  draft.submission.problem = metadata.mapped().problem;
  if (!metadata.mapped().people.empty()) draft.submission.people = metadata.mapped().people;
  return draft;
}

Draft draft_without_folder(const std::string& name, const Metadata& metadata) {
  Draft draft;
  draft.submission.people = metadata.people;
  if (metadata.people.empty()) draft.submission.people = {{.name = name}};
  draft.submission.origin = name;
  draft.submission.submitted_at = metadata.submitted_at;
  draft.submission.problem = "the download has no folder of this name";
  return draft;
}

}  // namespace

/// A student's own file may have this name, so most entries beside it must be folders named as
/// Gradescope does.
bool is_gradescope(const TreeEntry& folder) {
  const std::vector<TreeEntry> entries = entries_of(folder);
  const auto folders = std::ranges::count_if(entries, [](const TreeEntry& entry) {
    return !entry.is_file() && entry.name.starts_with("submission_");
  });
  const auto others = static_cast<std::ptrdiff_t>(entries.size()) - 1;
  return std::ranges::any_of(entries, is_metadata) && 2 * folders >= others;
}

std::vector<Draft> gradescope_drafts(const TreeEntry& folder) {
  const std::vector<TreeEntry> entries = entries_of(folder);
  const auto file = std::ranges::find_if(entries, is_metadata);
  std::map<std::string, Metadata> metadata;
  if (file != entries.end()) metadata = read_metadata(*file);
  std::vector<Draft> drafts;
  for (const TreeEntry& entry : entries) {
    if (!is_staff_file(entry)) drafts.push_back(draft_of_folder(entry, metadata));
  }
  for (const auto& [name, rest] : metadata) drafts.push_back(draft_without_folder(name, rest));
  return drafts;
}

}  // namespace tessera
