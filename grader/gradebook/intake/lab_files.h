// Which lab a submitted file belongs to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/intake/intake.h"

namespace tessera {

/// One lab's kernel in a submission, or why there is none.
struct LabFile {
  std::string lab;      // "03-tiled"; "" where it could not be told
  std::string path;     // inside the submission; "" where there is none
  std::string content;  // the file's bytes
  std::string problem;  // why it cannot be graded, and what the TA can do; "" where it can
};

/// The kernels of `submission`, by lab. A .cu file belongs to the lab that a folder or archive on
/// its path, the innermost first, or else its own name without ".cu" names, as find_lab()
/// understands words ("03-tiled/kernel.cu", "lab 3/Kernel.CU", "03.cu"; "-1" at a name's end, as
/// Canvas renames, aside). With `only`, the answer is about that lab alone, and where nothing names
/// it, to it belongs the one called kernel.cu, or the only one, of the files outside other labs'
/// folders. One entry a lab that was found; of two files for one lab that nearest to the root
/// called kernel.cu counts, and where no one is, the entry has a problem that names both. A lab
/// that only a file without a kernel names (kernel.txt, an archive that is broken) has an entry
/// with the problem. One entry with `lab` `only` or "" and a problem where nothing was found: no
/// file, no .cu file
/// ("kernel.txt: rename it"), no lab that can be told (use --lab).
std::vector<LabFile> lab_files(const Submission& submission, const std::vector<std::string>& labs,
                               const std::optional<std::string>& only);

}  // namespace tessera
