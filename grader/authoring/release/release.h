// Publishes labs: the handout for students, and the autograder for Gradescope.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/judge.h"
#include "grader/lab/course.h"

namespace tessera {

struct ReleaseRequest {
  std::vector<std::string> labs;  // ids: "03-tiled"
  std::filesystem::path program;  // tessera, which grades the release if that has no program
  std::string version;            // of the labs; an older program refuses them
  /// Folders of programs for the handout, one for each kind of machine (handout_program.h).
  std::vector<std::filesystem::path> student_programs;
  std::filesystem::path out;     // not there yet, or empty
  std::filesystem::path update;  // a template that gets the handout as a commit; "": none
  std::string title = "CUDA labs";
  Course course;                   // its part on the labs comes too, as labs/course.yaml
  std::vector<std::string> cards;  // as in load_lab()
  /// The folders of the kit, and the compiler for references that labs are measured against.
  GradeOptions options;
};

struct Release {
  std::vector<std::filesystem::path> made;  // files and folders in `out`
  std::vector<std::string> notes;           // what is left out and why, and what to look at
};

/// Writes into `out`:
///   handout/        the labs, the datasets, what handout_files.h lists of the kit, README.md, a
///                   workflow for GitHub, a container; a repository, if Git is installed. Labs
///                   that others are measured against come too, with their references as
///                   baseline.ptx. The students' program is in bin/linux-x86_64 and the like.
///   handout.zip     the same without the repository
///   autograder/     the handout, the hidden cases of the requested labs, setup.sh, run_autograder
///   autograder.zip  the same, to upload to Gradescope
/// The repository `update` gets the handout as a new commit (git_template.h) once all else is done.
/// The zips are left out, with a note, if libarchive is missing. Errors, after which `out` is
/// empty: a lab without README.md, with a skeleton that is not its reference's, or with an unknown
/// file in its solution's folder; a folder of programs that holds none; a release in which a
/// reference does not win everything that the simulator measures (release_proof.h; with a single
/// seed, `lab check` proves more); a piece of a solution in any file (leaks.h); a failing disk. A
/// reference that the simulator cannot run is a note.
Expected<Release> release(const ReleaseRequest& request);

}  // namespace tessera
