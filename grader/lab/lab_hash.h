// A hash by which to find out whether a lab has changed since something was graded.
#pragma once

#include <set>
#include <string>

#include "common/expected.h"
#include "grader/lab/kit_folders.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The labs that `lab` is measured against.
std::set<std::string> baselines_of(const Lab& lab);

/// A hash of everything in the kit that decides a mark of `lab`: its declaration, hidden cases,
/// datasets, device headers, and the references that it is measured against. It does not depend on
/// the text of the task or the skeleton.
Expected<std::string> lab_hash(const Lab& lab, const KitFolders& kit);

}  // namespace tessera
