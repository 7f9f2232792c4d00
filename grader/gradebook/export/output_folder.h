// Writes a folder of files whose names are untrusted.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/book.h"

namespace tessera {

/// `name` as the name of one file or folder on any system: no separators, no control characters,
/// none of :*?"<>|, no leading dot, no blank or dot at the end, no name of a device, at most 200
/// bytes of UTF-8. `otherwise` if nothing is left.
std::string safe_name(std::string_view name, const std::string& otherwise);

/// The login, or the name, of every student as a folder's name; with the student's number if
/// another has the same.
std::map<RowId, std::string> folder_names(const std::vector<BookStudent>& students);

/// Closes the file at its end.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return number_; }

 private:
  int number_;  // -1: none
};

class OutputFolder {
 public:
  /// Creates the folder if there is none. Errors: a link, a file, not empty, cannot be created.
  static Expected<OutputFolder> open(const std::filesystem::path& path);

  /// Writes a new file, with the folders above it; every name must be a safe_name(). Follows no
  /// link. Errors: it is there already, a link, no room.
  std::optional<Error> write(const std::filesystem::path& name, std::string_view content) const;

 private:
  OutputFolder(FileDescriptor folder, std::filesystem::path path);

  FileDescriptor folder_;
  std::filesystem::path path_;
};

}  // namespace tessera
