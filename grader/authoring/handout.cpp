#include "grader/authoring/handout.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::array kParts = {"common", "datasets", "grader"};
constexpr std::array kFiles = {"CMakeLists.txt", "LICENSE", "Makefile",      "setup.sh",
                               ".clang-format",  ".clangd", ".editorconfig", ".gitignore"};
/// Folders below grader/ and common/ that nothing of the program is built from.
constexpr std::array kStaffFolders = {"testing",    "corpus",  "suite",        "bench",
                                      "scripts",    "picture", "handout",      "template",
                                      "autograder", "fuzz",    "model_kernels"};

template <class List>
bool is_among(const List& list, const fs::path& name) {
  return std::ranges::any_of(list, [&](const char* word) { return name == word; });
}

bool is_test(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with("_test.cpp") || name.starts_with("test_");
}

void copy_tree(const fs::path& from, const fs::path& part, const fs::path& to) {
  fs::create_directories(to / part);
  for (const auto& entry : fs::directory_iterator(from / part)) {
    const fs::path name = part / entry.path().filename();
    if (!is_handed_out(name)) continue;
    if (entry.is_directory()) copy_tree(from, name, to);
    if (entry.is_regular_file()) fs::copy_file(entry.path(), to / name);
  }
}

}  // namespace

bool is_handed_out(const fs::path& name) {
  const fs::path first = *name.begin();
  if (first == name) return is_among(kParts, name) || is_among(kFiles, name);
  if (!is_among(kParts, first) || is_test(name)) return false;
  return std::ranges::none_of(name,
                              [](const fs::path& part) { return is_among(kStaffFolders, part); });
}

std::optional<Error> copy_kit(const fs::path& kit, const HandoutReadme& readme,
                              const fs::path& handout) {
  copy_tree(kit, "", handout);
  fs::copy(kit / "grader" / "authoring" / "handout", handout, fs::copy_options::recursive);
  const fs::path file = handout / "README.md";
  const Expected<std::string> page = read_file(file);
  return page ? write_file(file, filled_in(*page, readme)) : std::optional(page.error());
}

void copy_lab(const fs::path& lab, const fs::path& handout) {
  const fs::path target = handout / "labs" / lab.filename();
  fs::create_directories(target);
  fs::copy(lab, target, fs::copy_options::recursive);
  fs::remove(target / "baseline.ptx");
}

}  // namespace tessera
