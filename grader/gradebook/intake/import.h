// The systems: how each lays out its download. Every function takes the folder that holds the
// submissions; intake.cpp finds that folder.
#pragma once

#include <vector>

#include "grader/gradebook/intake/draft.h"

namespace tessera {

/// submission_metadata.yml, and a folder for each submission.
bool is_gradescope(const TreeEntry& folder);
std::vector<Draft> gradescope_drafts(const TreeEntry& folder);

/// Flat files: <name>[_LATE]_<user>_<attachment>_<file>.
bool is_canvas(const TreeEntry& folder);
std::vector<Draft> canvas_drafts(const TreeEntry& folder);

/// <Full Name>_<n>_assignsubmission_file, a folder or the start of a file's name.
bool is_moodle(const TreeEntry& folder);
std::vector<Draft> moodle_drafts(const TreeEntry& folder);

/// [handin/] <email>_<version>_<file> or <email>/<version>_<file>.
bool is_autolab(const TreeEntry& folder);
std::vector<Draft> autolab_drafts(const TreeEntry& folder);

/// [submitted/] <student>/<assignment>/, with a timestamp.txt.
bool is_nbgrader(const TreeEntry& folder);
std::vector<Draft> nbgrader_drafts(const TreeEntry& folder);

/// <slug>-submissions/<slug>-<login>/.
bool is_github_classroom(const TreeEntry& folder);
std::vector<Draft> github_classroom_drafts(const TreeEntry& folder);

/// A folder, an archive or a .cu file a student. What is named after one of `labs` has no owner.
bool is_plain(const TreeEntry& folder);
std::vector<Draft> plain_drafts(const TreeEntry& folder, const std::vector<std::string>& labs);

}  // namespace tessera
