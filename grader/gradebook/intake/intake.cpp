#include "grader/gradebook/intake/intake.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "grader/gradebook/intake/import.h"
#include "grader/gradebook/intake/names.h"
#include "grader/gradebook/intake/one_submission.h"
#include "grader/gradebook/intake/roster.h"

namespace tessera {
namespace {

struct Importer {
  SourceFormat format = SourceFormat::plain;
  std::string_view word;
  bool (*recognises)(const TreeEntry& folder) = nullptr;
  /// Null for plain, whose drafts also depend on the labs' names.
  std::vector<Draft> (*drafts)(const TreeEntry& folder) = nullptr;
};

// In the order in which they are tried: the most distinctive layouts first.
constexpr std::array<Importer, 7> kImporters = {{
    {SourceFormat::gradescope, "gradescope", is_gradescope, gradescope_drafts},
    {SourceFormat::moodle, "moodle", is_moodle, moodle_drafts},
    {SourceFormat::autolab, "autolab", is_autolab, autolab_drafts},
    {SourceFormat::canvas, "canvas", is_canvas, canvas_drafts},
    {SourceFormat::github_classroom, "github-classroom", is_github_classroom,
     github_classroom_drafts},
    {SourceFormat::nbgrader, "nbgrader", is_nbgrader, nbgrader_drafts},
    {SourceFormat::plain, "plain", is_plain, nullptr},
}};

const Importer& importer_of(SourceFormat format) {
  return *std::ranges::find(kImporters, format, &Importer::format);
}

/// The folder that is the only entry of `root`: systems and people wrap downloads in one.
std::optional<TreeEntry> lone_folder(const TreeEntry& root) {
  std::vector<TreeEntry> entries = entries_of(root);
  if (entries.size() != 1 || !entries.front().is_folder()) return std::nullopt;
  return std::move(entries.front());
}

/// The folder that holds the submissions, for an importer that knows its layout.
std::optional<TreeEntry> folder_of_layout(const Download& download, const Importer& importer) {
  if (importer.recognises(download.root())) return download.root();
  std::optional<TreeEntry> inner = lone_folder(download.root());
  return inner && importer.recognises(*inner) ? inner : std::nullopt;
}

/// A TA's folder of students' folders is taken as it is; an archive holds the folder from which it
/// was made.
TreeEntry folder_of_students(const Download& download, const std::vector<std::string>& labs) {
  if (!download.is_archive()) return download.root();
  const std::optional<TreeEntry> inner = lone_folder(download.root());
  const bool students = inner && is_plain(*inner) && !is_one_submission(*inner, labs);
  return students ? *inner : download.root();
}

Draft all_of(const Download& download) {
  const std::string& name = download.root().name;
  Draft draft = draft_of({.login = name}, download.root(), name, "");
  draft.submission.is_whole_download = true;
  return draft;
}

std::vector<Draft> drafts_of(const Download& download, const Importer& importer,
                             const std::vector<std::string>& labs) {
  if (importer.format != SourceFormat::plain)
    return importer.drafts(folder_of_layout(download, importer).value_or(download.root()));
  if (is_one_submission(download.root(), labs)) return {all_of(download)};
  return plain_drafts(folder_of_students(download, labs), labs);
}

/// What distinguishes a person from others of the same name; "" if nothing does.
std::string ids_of(const Identity& person) {
  std::string ids;
  for (const std::string* id : {&person.canvas_id, &person.moodle_id, &person.sis_id, &person.email,
                                &person.login, &person.github}) {
    if (!id->empty()) ids += '\0' + *id;
  }
  return ids;
}

/// The submissions under one name, letter case aside.
struct NameUse {
  std::set<std::string> ids;
  std::vector<std::string> origins;

  /// Without an id, two submissions may be from two people.
  bool is_shared() const { return ids.size() > 1 || (ids.contains("") && origins.size() > 1); }
};

void mark_shared_names(std::vector<Draft>& drafts) {
  std::map<std::string, NameUse> uses;
  for (const Draft& draft : drafts) {
    for (const Identity& person : draft.submission.people) {
      NameUse& use = uses[folded(person.name)];
      use.ids.insert(ids_of(person));
      use.origins.push_back(draft.submission.origin);
    }
  }
  for (Draft& draft : drafts) {
    for (const Identity& person : draft.submission.people) {
      const NameUse& use = uses[folded(person.name)];
      if (!person.name.empty() && use.is_shared())
        draft.submission.shared_names[person.name] = use.origins;
    }
  }
}

void mark_similar_names(std::vector<Draft>& drafts) {
  using Use = std::pair<std::string, std::string>;  // name, ids
  std::map<std::string, std::set<Use>> uses;        // by form of the name
  const auto use_of = [](const Identity& person) {
    return Use(folded(person.name), ids_of(person));
  };
  for (const Draft& draft : drafts) {
    for (const Identity& person : draft.submission.people) {
      for (const std::string& form : name_forms(person.name)) uses[form].insert(use_of(person));
    }
  }
  for (Draft& draft : drafts) {
    for (const Identity& person : draft.submission.people) {
      const Use own = use_of(person);
      const auto is_anothers = [&](const Use& use) {
        return use.first != own.first && (use.second != own.second || own.second.empty());
      };
      const auto is_shared = [&](const std::string& form) {
        return std::ranges::any_of(uses.at(form), is_anothers);
      };
      if (std::ranges::any_of(name_forms(person.name), is_shared))
        draft.submission.similar_names.insert(person.name);
    }
  }
}

}  // namespace

std::string_view to_string(SourceFormat format) {
  return importer_of(format).word;
}

std::optional<SourceFormat> source_format(std::string_view word) {
  const auto importer = std::ranges::find(kImporters, word, &Importer::word);
  if (importer == kImporters.end()) return std::nullopt;
  return importer->format;
}

const std::vector<SourceFormat>& all_source_formats() {
  static const std::vector<SourceFormat> formats = {
      SourceFormat::plain,           SourceFormat::gradescope, SourceFormat::canvas,
      SourceFormat::moodle,          SourceFormat::autolab,    SourceFormat::nbgrader,
      SourceFormat::github_classroom};
  return formats;
}

SourceFormat recognise(const Download& download) {
  for (const Importer& importer : kImporters) {
    if (folder_of_layout(download, importer)) return importer.format;
  }
  return SourceFormat::plain;
}

std::optional<Error> read_submissions(const Download& download, SourceFormat format,
                                      const std::vector<std::string>& labs,
                                      const std::function<void(Submission)>& visit) {
  const Importer& importer = importer_of(format);
  std::vector<Draft> drafts = drafts_of(download, importer, labs);
  if (drafts.empty()) {
    return Error{.file = download.path().string(),
                 .message = "no submissions in the layout '" + std::string(importer.word) + "'"};
  }
  std::ranges::stable_sort(drafts, natural_less, [](const Draft& draft) -> const std::string& {
    return draft.submission.origin;
  });
  mark_shared_names(drafts);
  mark_similar_names(drafts);
  for (Draft& draft : drafts) visit(read_draft(std::move(draft)));
  return std::nullopt;
}

}  // namespace tessera
