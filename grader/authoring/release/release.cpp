#include "grader/authoring/release/release.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "common/text.h"
#include "grader/authoring/proof/lab_faults.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/authoring/release/git_template.h"
#include "grader/authoring/release/handout.h"
#include "grader/authoring/release/handout_program.h"
#include "grader/authoring/release/leaks.h"
#include "grader/authoring/release/release_proof.h"
#include "grader/authoring/release/zip.h"
#include "grader/judge/run/baseline.h"
#include "grader/lab/course_labs.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The requested labs, and those that they are measured against.
struct Selection {
  std::vector<HandoutLab> labs;     // the requested ones in that order, then the added ones
  std::set<std::string> added;      // those that were not requested
  std::set<std::string> baselines;  // those that others are measured against
};

fs::path solution_of(const ReleaseRequest& request, const std::string& id) {
  return request.options.kit.solutions / id;
}

Expected<Lab> load_one(const ReleaseRequest& request, const std::string& id) {
  return load_lab(request.options.kit.labs / id, solution_of(request, id) / "hidden.yaml",
                  request.options.kit.datasets, request.cards);
}

Expected<Selection> select(const ReleaseRequest& request) {
  Selection selection;
  std::set<std::string> ids(request.labs.begin(), request.labs.end());
  for (const std::string& id : request.labs) {
    const Expected<Lab> lab = load_one(request, id);
    if (!lab) return lab.error();
    for (const Threshold& threshold : lab->thresholds) {
      if (threshold.over.empty()) continue;
      selection.baselines.insert(threshold.over);
      if (ids.insert(threshold.over).second) selection.added.insert(threshold.over);
    }
  }
  std::vector<std::string> order = request.labs;
  order.insert(order.end(), selection.added.begin(), selection.added.end());
  for (const std::string& id : order) {
    const Expected<Lab> lab = load_one(request, id);
    if (!lab) return lab.error();
    selection.labs.push_back({id, lab->title, !selection.added.contains(id)});
  }
  return selection;
}

/// Reads the marked lines of every reference; in labs that are handed out the marks must be valid.
Expected<SolutionText> read_solutions(const ReleaseRequest& request, const Selection& selection) {
  SolutionText text;
  for (const HandoutLab& lab : selection.labs) {
    const fs::path reference = solution_of(request, lab.id) / "kernel.cu";
    const fs::path skeleton = request.options.kit.labs / lab.id / "kernel.cu";
    const Expected<std::string> source = read_file(reference);
    if (!source) return source.error();
    const auto generated = skeleton_of(*source, reference.string());
    if (!generated) return generated.error();
    const Expected<std::string> present = read_file(skeleton);
    if (!present) return present.error();
    if (*present != *generated) {
      return Error{
          .file = skeleton.string(),
          .message = "is not what the reference gives; see: tessera lab skeleton " + lab.id};
    }
    text.add_skeleton(*present);
  }
  for (const fs::path& lab : find_labs(request.options.kit.labs)) {
    const fs::path reference = request.options.kit.solutions / lab.filename() / "kernel.cu";
    const Expected<std::string> source = read_file(reference);
    if (!source) continue;
    const auto lines = solution_lines(*source, reference.string());
    text.add_solution(lines ? fmt::format("{}", fmt::join(*lines, "\n")) : *source);
  }
  return text;
}

/// Checks that no file in the solutions is unknown, and that students have a page to read.
std::optional<Error> check_folders(const ReleaseRequest& request, const Selection& selection) {
  for (const HandoutLab& wanted : selection.labs) {
    const Expected<Lab> lab = load_one(request, wanted.id);
    if (!lab) return lab.error();
    if (std::string fault = page_fault(*lab); !fault.empty())
      return Error{.message = std::move(fault)};
    if (std::string fault = solution_fault(solution_of(request, wanted.id)); !fault.empty())
      return Error{.message = std::move(fault)};
  }
  return std::nullopt;
}

std::optional<Error> write_baselines(const ReleaseRequest& request, const Selection& selection,
                                     const fs::path& handout) {
  for (const std::string& id : selection.baselines) {
    const Expected<std::string> ptx = baseline_ptx(id, request.options);
    if (!ptx) return ptx.error();
    if (auto error = write_file(handout / "labs" / id / "baseline.ptx", *ptx)) return error;
  }
  return std::nullopt;
}

std::optional<Error> write_handout(const ReleaseRequest& request, const Selection& selection,
                                   const fs::path& handout, std::vector<std::string>& notes) {
  const HandoutReadme readme{request.title, selection.labs, request.course};
  const KitFolders& kit = request.options.kit;
  const Expected<HandoutFiles> files = HandoutFiles::read(kit);
  if (!files) return files.error();
  if (auto error = copy_kit(kit, *files, readme, handout)) return error;
  for (const HandoutLab& lab : selection.labs) {
    copy_lab(kit, *files, lab.id, handout);
    for (const fs::path& kept : files->kept_of_lab(lab.id)) {
      notes.push_back(fmt::format("labs/{}/{} stays here: handout_files.txt does not list it",
                                  lab.id, kept.string()));
    }
  }
  const Course course = part_of(request.course, request.labs);
  const bool counts =
      std::ranges::any_of(course.labs, [](const CourseLab& lab) { return lab.weight > 0; });
  if (!course.title.empty() && counts) {
    if (auto error = write_file(handout / "labs" / "course.yaml", to_yaml(course))) return error;
  }
  if (!request.version.empty()) {
    if (auto error = write_file(handout / "labs" / "VERSION", request.version + "\n")) return error;
  }
  return write_baselines(request, selection, handout);
}

std::optional<Error> write_autograder(const ReleaseRequest& request, const fs::path& handout,
                                      const fs::path& autograder) {
  fs::create_directories(autograder);
  fs::copy(request.options.kit.root / "grader" / "authoring" / "autograder", autograder);
  fs::copy(handout, autograder / "kit", fs::copy_options::recursive);
  std::string labs;
  for (const std::string& id : request.labs) {
    labs += id + "\n";
    const fs::path hidden = request.options.kit.solutions / id / "hidden.yaml";
    if (!fs::exists(hidden)) continue;
    fs::create_directories(autograder / "kit" / "solutions" / id);
    fs::copy_file(hidden, autograder / "kit" / "solutions" / id / "hidden.yaml");
  }
  return write_file(autograder / "labs.txt", labs);
}

/// The Error if the handout holds a piece of a solution.
std::optional<Error> check_leaks(const SolutionText& solutions, const fs::path& handout) {
  const auto leaks = solutions.found_below(handout);
  if (!leaks) return leaks.error();
  if (leaks->empty()) return std::nullopt;
  const Leak& leak = leaks->front();
  return Error{.file = leak.file.lexically_relative(handout).string(),
               .line = leak.line,
               .message = "would give away a solution: '" + leak.text +
                          "' and what follows stand in a reference. Nothing was released"};
}

std::optional<Error> write_zips(const fs::path& out, Release& release) {
  if (!can_zip()) {
    release.notes.push_back(
        "no zip files: this build has no libarchive. Install libarchive-dev (./setup.sh does), "
        "build again; or zip handout/, and what is in autograder/, by other means");
    return std::nullopt;
  }
  if (auto error = write_zip(out / "handout", "handout", out / "handout.zip")) return error;
  if (auto error = write_zip(out / "autograder", "", out / "autograder.zip")) return error;
  release.made.push_back(out / "handout.zip");
  release.made.push_back(out / "autograder.zip");
  return std::nullopt;
}

Expected<Release> write_release(const ReleaseRequest& request) {
  const Expected<Selection> selection = select(request);
  if (!selection) return selection.error();
  const Expected<SolutionText> solutions = read_solutions(request, *selection);
  if (!solutions) return solutions.error();

  Release release;
  if (auto error = check_folders(request, *selection)) return *error;
  const fs::path handout = request.out / "handout";
  const fs::path autograder = request.out / "autograder";
  if (auto error = write_handout(request, *selection, handout, release.notes)) return *error;
  if (auto error = check_leaks(*solutions, handout)) return *error;
  for (const fs::path& folder : request.student_programs) {
    if (auto error = copy_program(folder, handout)) return *error;
  }
  if (auto error = write_autograder(request, handout, autograder)) return *error;
  release.made = {handout, autograder};
  if (auto error = write_zips(request.out, release)) return *error;
  const ReleaseProof proof{.out = request.out,
                           .program = request.program,
                           .solutions = request.options.kit.solutions,
                           .labs = request.labs};
  if (auto error = prove_release(proof, release.notes)) return *error;
  if (!request.update.empty()) {
    if (const auto failure = update_repository(handout, request.update))
      return Error{.file = request.update.string(), .message = *failure + ". Nothing was released"};
  }
  if (const auto failure = make_repository(handout))
    release.notes.push_back("handout/ is not a Git repository: " + *failure);
  for (const std::string& id : selection->added)
    release.notes.push_back(id + " is handed out too: a lab is measured against it");
  return release;
}

void empty(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    fs::remove_all(entry.path(), ignored);
}

}  // namespace

Expected<Release> release(const ReleaseRequest& request) {
  std::error_code ignored;
  if (fs::exists(request.out, ignored) && !fs::is_empty(request.out, ignored))
    return Error{.file = request.out.string(), .message = "is not empty; name a new folder"};
  try {
    fs::create_directories(request.out);
    Expected<Release> result = write_release(request);
    if (!result) empty(request.out);
    return result;
  } catch (const fs::filesystem_error& failure) {
    empty(request.out);
    return Error{.file = failure.path1().string(), .message = failure.code().message()};
  }
}

}  // namespace tessera
