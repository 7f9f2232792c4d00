// Which lab a submitted file belongs to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/intake/intake.h"

namespace tessera {

/// One lab's kernel in a submission, or why there is none.
struct LabFile {
  std::string lab;      // "03-tiled"; "" if unknown
  std::string path;     // inside the submission; "" if there is none
  std::string content;  // the file's bytes
  std::string problem;  // why it cannot be graded, and what the TA can do; "" if it can
};

/// The kernels of `submission`, by lab. A .cu file belongs to the lab named by a folder or archive
/// on its path, the innermost first, or else by its own name without ".cu", as find_lab()
/// understands words ("03-tiled/kernel.cu", "lab 3/Kernel.CU", "03.cu"; "-1" at a name's end, as
/// Canvas renames, aside). With `only`, the answer is about that lab alone; if nothing names it,
/// the file called kernel.cu, or the only file, outside other labs' folders belongs to it. Each lab
/// found has one entry; of two files for one lab, the kernel.cu nearest to the root counts, and if
/// there is none, the entry has a problem that names both. A lab that is named only by a file
/// without a kernel (kernel.txt, a broken archive) has an entry with the problem. If nothing was
/// found, there is one entry with `only` or "" as its lab and a problem: no file, no .cu file
/// ("kernel.txt: rename it"), no name of a lab (use --lab).
std::vector<LabFile> lab_files(const Submission& submission, const std::vector<std::string>& labs,
                               const std::optional<std::string>& only);

}  // namespace tessera
