// Publishes labs: what students get, and what grades them on Gradescope.
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
  std::filesystem::path kit;      // holds common/, datasets/, grader/ and the files of the build
  std::filesystem::path program;  // tessera, which grades what was made where it brings none
  std::string version;            // that of the labs, which an older program refuses
  /// Folders of programs that the handout brings, one for each kind of machine (handout_program.h).
  std::vector<std::filesystem::path> student_programs;
  std::filesystem::path out;     // not there yet, or empty
  std::filesystem::path update;  // "": none; else a template that gets the handout as a commit
  std::string title = "CUDA labs";
  Course course;                   // what of it concerns the labs comes too, as labs/course.yaml
  std::vector<std::string> cards;  // as in load_lab()
  /// The folders of the labs, and the compiler for the references that labs are measured against.
  GradeOptions options;
};

struct Release {
  std::vector<std::filesystem::path> made;  // files and folders in `out`
  std::vector<std::string> notes;           // what is left out and why, what to look at
};

/// Writes into `out`:
///   handout/        the labs, datasets and what of the kit handout_files.h lists, README.md, a
///                   workflow for GitHub, a container; with one commit, where Git is installed.
///                   Labs that others are measured against come too; their references as
///                   baseline.ptx. The students' program is in bin/linux-x86_64 and the like.
///   handout.zip     the same without the commit
///   autograder/     the handout, the hidden cases of the labs asked for, setup.sh, run_autograder
///   autograder.zip  the same, to upload to Gradescope
/// The repository `update` gets the handout as a new commit (git_template.h) once all else is done.
/// The zips are left out, with a note, where libarchive is missing. Errors, after which `out` is
/// empty: a lab without README.md, whose skeleton is not what its reference gives, or that has an
/// unknown file in its solution's folder; a folder of programs without one; a release in which a
/// reference does not win everything that the simulator measures (release_proof.h; one seed, `lab
/// check` proves more); a piece of a solution in any file (leaks.h); a failing disk. A reference
/// that the simulator cannot run is a note.
Expected<Release> release(const ReleaseRequest& request);

}  // namespace tessera
