// Finds the lab that a student means by the name of a file, folder or archive.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The only one of `labs` that `name` means as names_lab() understands words, in any letter case,
/// perhaps behind "lab": "Lab 3", "lab_3-Tiled", "tiled". "" if it means none, or several.
std::string lab_named(std::string_view name, const std::vector<std::string>& labs);

/// "kernel" of "kernel-1", as Canvas names the next file of one name.
std::string_view without_copy_number(std::string_view name);

/// lab_named() of a name that Canvas may have changed.
std::string lab_of_file_name(std::string_view name, const std::vector<std::string>& labs);

/// The lab that a folder or archive on the path `folders` names, the innermost first; or "".
std::string lab_of_folders(std::string_view folders, const std::vector<std::string>& labs);

/// The same for a file's path; the file's own name without its ending counts last.
std::string lab_of_path(std::string_view path, const std::vector<std::string>& labs);

}  // namespace tessera
