#include "grader/gradebook/intake/lab_name.h"

#include <algorithm>

#include "grader/gradebook/intake/archive.h"
#include "grader/gradebook/intake/names.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

/// "Lab 3_Tiled" -> "3-tiled": lower case, words joined by "-", without "lab" before a number or
/// name.
std::string lab_word(std::string_view name) {
  std::string word = folded(name);
  std::ranges::replace_if(
      word, [](char c) { return c == ' ' || c == '_'; }, '-');
  const bool says_lab = word.starts_with("lab") && word.size() > 3 &&
                        (word[3] == '-' || kDigits.find(word[3]) != kDigits.npos);
  if (says_lab) word.erase(0, 3);
  word.erase(0, std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

}  // namespace

std::string lab_named(std::string_view name, const std::vector<std::string>& labs) {
  const std::string word = lab_word(name);
  std::string found;
  for (const std::string& lab : labs) {
    if (!names_lab(word, folded(lab))) continue;
    if (!found.empty()) return "";
    found = lab;
  }
  return found;
}

std::string_view without_copy_number(std::string_view name) {
  const std::size_t dash = name.find_last_not_of(kDigits);
  const bool numbered =
      dash != name.npos && dash > 0 && name[dash] == '-' && dash + 1 < name.size();
  return numbered ? name.substr(0, dash) : name;
}

std::string lab_of_file_name(std::string_view name, const std::vector<std::string>& labs) {
  const std::string lab = lab_named(name, labs);
  return lab.empty() ? lab_named(without_copy_number(name), labs) : lab;
}

std::string lab_of_folders(std::string_view folders, const std::vector<std::string>& labs) {
  while (!folders.empty()) {
    const std::size_t slash = folders.rfind('/');
    const std::string_view name = folders.substr(slash == folders.npos ? 0 : slash + 1);
    const std::string lab = is_archive_name(name)
                                ? lab_of_file_name(without_archive_ending(name), labs)
                                : lab_named(name, labs);
    if (!lab.empty()) return lab;
    folders = folders.substr(0, slash == folders.npos ? 0 : slash);
  }
  return "";
}

std::string lab_of_path(std::string_view path, const std::vector<std::string>& labs) {
  const std::size_t slash = path.rfind('/');
  const std::string lab = lab_of_folders(path.substr(0, slash == path.npos ? 0 : slash), labs);
  if (!lab.empty()) return lab;
  std::string_view name = path.substr(slash == path.npos ? 0 : slash + 1);
  name = is_archive_name(name) ? without_archive_ending(name) : name.substr(0, name.rfind('.'));
  return lab_of_file_name(name, labs);
}

}  // namespace tessera
