// Recognises a download without students' names: one student's work, as a TA gets it by mail.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/intake/download.h"

namespace tessera {

/// Whether `entry` is named like work for a lab, not like a student: kernel.cu, 03-tiled.cu, "lab
/// 3/", tiled.zip. What is only a number (03/, 03.cu) may be a student's.
bool is_named_like_work(const TreeEntry& entry, const std::vector<std::string>& labs);

/// Whether `folder` is what one student handed in: its kernels, folders and archives are all named
/// like work for labs, 03.cu too; or there is a folder labs/ with the labs in it, as in a handout.
bool is_one_submission(const TreeEntry& folder, const std::vector<std::string>& labs);

}  // namespace tessera
