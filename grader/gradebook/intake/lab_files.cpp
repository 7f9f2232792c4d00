#include "grader/gradebook/intake/lab_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "grader/gradebook/intake/lab_name.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

struct Candidate {
  const SubmittedFile* file = nullptr;
  std::string folder_lab;  // that a folder or archive on the path names
  std::string own_lab;     // that the file's own name names
  std::ptrdiff_t depth = 0;
  bool is_kernel = false;  // called kernel.cu

  const std::string& lab() const { return folder_lab.empty() ? own_lab : folder_lab; }
};

Candidate candidate_of(const SubmittedFile& file, const std::vector<std::string>& labs) {
  const std::string_view path = file.path;
  const std::size_t slash = path.rfind('/');
  const std::string_view folders = path.substr(0, slash == path.npos ? 0 : slash);
  const std::string_view name =
      without_kernel_ending(path.substr(slash == path.npos ? 0 : slash + 1));
  return {.file = &file,
          .folder_lab = lab_of_folders(folders, labs),
          .own_lab = lab_of_file_name(name, labs),
          .depth = std::ranges::count(path, '/'),
          .is_kernel = folded(without_copy_number(name)) == "kernel"};
}

bool is_source(const SubmittedFile& file) {
  return is_kernel_name(file.path);
}

std::vector<Candidate> candidates_of(const Submission& submission,
                                     const std::vector<std::string>& labs) {
  std::vector<Candidate> candidates;
  for (const SubmittedFile& file : submission.files) {
    if (is_source(file)) candidates.push_back(candidate_of(file, labs));
  }
  return candidates;
}

LabFile chosen(const std::string& lab, const SubmittedFile& file) {
  const std::string problem =
      file.problem.empty() ? "" : printable_name(file.path) + ": " + file.problem;
  return {.lab = lab, .path = file.path, .content = file.content, .problem = problem};
}

LabFile none(const std::string& lab, std::string problem) {
  return {.lab = lab, .path = "", .content = "", .problem = std::move(problem)};
}

/// Which of `candidates`, at least one, is graded for `lab`.
LabFile choose(const std::string& lab, std::vector<Candidate> candidates) {
  if (candidates.size() == 1) return chosen(lab, *candidates.front().file);
  if (std::ranges::any_of(candidates, &Candidate::is_kernel)) {
    std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.is_kernel; });
    const auto nearest = std::ranges::min(candidates, {}, &Candidate::depth).depth;
    std::erase_if(candidates,
                  [&](const Candidate& candidate) { return candidate.depth > nearest; });
    if (candidates.size() == 1) return chosen(lab, *candidates.front().file);
  }
  const std::size_t others = candidates.size() - 2;
  return none(lab, fmt::format("'{}' and '{}'{} could both be meant; leave one, called kernel.cu",
                               printable_name(candidates[0].file->path),
                               printable_name(candidates[1].file->path),
                               others > 0 ? fmt::format(" (and {} more)", others) : ""));
}

std::string list_of(const std::vector<Candidate>& candidates) {
  constexpr std::size_t kMostListed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostListed, candidates.size()); ++i) {
    text += (i > 0 ? ", " : "") + printable_name(candidates[i].file->path);
  }
  return text + (candidates.size() > kMostListed ? ", ..." : "");
}

/// What the TA can do if no file is a .cu file.
std::string problem_without_sources(const Submission& submission) {
  for (const SubmittedFile& file : submission.files) {
    const std::size_t slash = file.path.rfind('/');
    const std::string name = folded(file.path).substr(slash == file.path.npos ? 0 : slash + 1);
    if (name.starts_with("kernel")) {
      return "no .cu file; " + printable_name(file.path) + ": rename it kernel.cu if it is the one";
    }
  }
  for (const SubmittedFile& file : submission.files) {
    if (!file.problem.empty()) {
      return "no .cu file; " + printable_name(file.path) + ": " + file.problem;
    }
  }
  return fmt::format("no .cu file among {} file{}, the first is {}", submission.files.size(),
                     submission.files.size() == 1 ? "" : "s",
                     printable_name(submission.files.front().path));
}

LabFile file_for(const std::string& lab, const std::vector<Candidate>& candidates) {
  std::vector<Candidate> named = candidates;
  std::erase_if(named, [&](const Candidate& candidate) { return candidate.lab() != lab; });
  if (!named.empty()) return choose(lab, named);
  std::vector<Candidate> free = candidates;
  std::erase_if(free, [](const Candidate& candidate) { return !candidate.folder_lab.empty(); });
  if (free.size() > 1) {
    std::erase_if(free, [](const Candidate& candidate) { return !candidate.is_kernel; });
  }
  if (!free.empty()) return choose(lab, free);
  return none(lab, "nothing for this lab among " + list_of(candidates) +
                       "; name its file kernel.cu, or its folder " + lab);
}

/// Whether a file was meant as a kernel but is none: unreadable, kernel.txt, 03-tiled.cpp.
bool is_near_miss(const SubmittedFile& file, const std::vector<std::string>& labs) {
  const std::size_t slash = file.path.rfind('/');
  const std::string name = file.path.substr(slash == file.path.npos ? 0 : slash + 1);
  return !file.problem.empty() || folded(name).starts_with("kernel") ||
         !lab_of_path(name, labs).empty();
}

/// Why there is no kernel for `lab` although something was handed in for it; nothing if nothing
/// was.
std::optional<LabFile> near_miss(const std::string& lab, const Submission& submission,
                                 const std::vector<std::string>& labs) {
  for (const SubmittedFile& file : submission.files) {
    if (lab_of_path(file.path, labs) != lab || !is_near_miss(file, labs)) continue;
    return none(lab,
                printable_name(file.path) + ": " +
                    (file.problem.empty() ? "rename it kernel.cu if it is the one" : file.problem));
  }
  return std::nullopt;
}

std::vector<LabFile> files_by_lab(const Submission& submission,
                                  const std::vector<Candidate>& candidates,
                                  const std::vector<std::string>& labs) {
  std::vector<LabFile> files;
  for (const std::string& lab : labs) {
    std::vector<Candidate> named = candidates;
    std::erase_if(named, [&](const Candidate& candidate) { return candidate.lab() != lab; });
    if (!named.empty()) {
      files.push_back(choose(lab, named));
    } else if (auto miss = near_miss(lab, submission, labs)) {
      files.push_back(std::move(*miss));
    }
  }
  return files;
}

/// Why nothing of the submission can be graded.
std::string problem_of(const Submission& submission, const std::vector<Candidate>& candidates) {
  if (!submission.problem.empty()) return submission.problem;
  if (submission.files.empty()) return "no files";
  if (candidates.empty()) return problem_without_sources(submission);
  return "no lab is named by " + list_of(candidates) +
         "; use --lab, or name the file or its folder after the lab";
}

}  // namespace

std::vector<LabFile> lab_files(const Submission& submission, const std::vector<std::string>& labs,
                               const std::optional<std::string>& only) {
  const std::vector<Candidate> candidates = candidates_of(submission, labs);
  std::vector<LabFile> files;
  if (!only) files = files_by_lab(submission, candidates, labs);
  if (only && !candidates.empty()) files.push_back(file_for(*only, candidates));
  if (files.empty()) files.push_back(none(only.value_or(""), problem_of(submission, candidates)));
  // A problem of the submission is a problem of each of its files.
  if (!submission.problem.empty()) {
    for (LabFile& file : files) file = none(file.lab, submission.problem);
  }
  return files;
}

}  // namespace tessera
