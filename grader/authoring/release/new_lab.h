// Creates a new lab on the disk as a copy of a lab that passes its own check.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct NewLab {
  std::string id;     // "07-stencil"
  std::string title;  // if "", it is made from the id: "Stencil"
  std::filesystem::path labs;
  std::filesystem::path solutions;
  /// The lab to copy: "03-tiled" of the same folders, or kTemplateLab of grader/authoring/template.
  std::string from;
  std::filesystem::path from_labs;
  std::filesystem::path from_solutions;
};

/// A small matrix product to start from if no other lab is alike.
inline constexpr const char* kTemplateLab = "00-template";

/// Whether `id` can be a lab's: two digits and words of small letters and digits, "07-my-stencil".
bool is_lab_id(const std::string& id);

/// Writes labs/ID and solutions/ID and returns the new files: the task, lab.yaml, the skeleton, the
/// marked reference, hidden cases and mutants.yaml; from the template also its wrong kernels. Those
/// of another lab, and its `ignores/`, `right/` and `experiments/`, belong to its task and are not
/// copied. The copy has its own number and title in place of the other's. Nothing is overwritten.
/// Errors: a bad id, a folder that exists, a number that another lab has, an incomplete lab to
/// copy, a failing disk.
Expected<std::vector<std::filesystem::path>> create_lab(const NewLab& lab);

}  // namespace tessera
