// Whether a lab is still the one that something was graded by.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "common/expected.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Where the parts are that a lab takes from elsewhere.
struct LabSurroundings {
  std::filesystem::path solutions;
  std::filesystem::path datasets;
  std::filesystem::path include_dir;  // common/include
};

/// Labs that `lab` is measured against.
std::set<std::string> baselines_of(const Lab& lab);

/// A hash of everything in the kit that decides a mark of `lab`: its declaration, hidden cases,
/// datasets, device headers, and the references it is measured against. A changed task text or
/// skeleton changes nothing.
Expected<std::string> lab_hash(const Lab& lab, const LabSurroundings& places);

}  // namespace tessera
