#include "grader/gradebook/export/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/utf8.h"
#include "grader/gradebook/intake/names.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNameBytes = 200;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Error failed(const fs::path& path, const char* what) {
  return Error{.file = path.string(), .message = fmt::format("{}: {}", what, strerror(errno))};
}

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Windows opens a device for these, whatever stands after a dot.
bool is_device(std::string_view name) {
  const std::string stem = folded(name.substr(0, name.find('.')));
  constexpr std::array kDevices = {"con", "prn", "aux", "nul"};
  if (std::ranges::find(kDevices, stem) != kDevices.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         stem.back() >= '0' && stem.back() <= '9';
}

std::string name_of(const BookStudent& student) {
  const Identity& person = student.identity;
  return safe_name(person.login.empty() ? person.name : person.login,
                   fmt::format("student-{}", student.id));
}

}  // namespace

std::string safe_name(std::string_view name, const std::string& otherwise) {
  constexpr std::string_view kForbidden = "/\\:*?\"<>|~\n";
  std::string safe = printable(name);
  for (char& letter : safe) {
    if (kForbidden.find(letter) != kForbidden.npos) letter = '_';
  }
  safe = prefix_of_bytes(safe, kMaxNameBytes);
  safe.erase(0, safe.find_first_not_of(" ."));
  safe.erase(safe.find_last_not_of(" .") + 1);
  if (safe.empty()) return otherwise;
  return is_device(safe) ? "_" + safe : safe;
}

std::map<RowId, std::string> folder_names(const std::vector<BookStudent>& students) {
  // File systems may ignore letter case. No login or name keeps a "~".
  std::map<std::string, int> uses;
  for (const BookStudent& student : students) ++uses[folded(name_of(student))];
  std::map<RowId, std::string> names;
  for (const BookStudent& student : students) {
    const std::string name = name_of(student);
    names[student.id] = uses[folded(name)] > 1 ? fmt::format("{}~{}", name, student.id) : name;
  }
  return names;
}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

Expected<OutputFolder> OutputFolder::open(const fs::path& wanted) {
  // A path that ends in a slash would follow a link.
  const fs::path path = wanted.has_filename() ? wanted : wanted.parent_path();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) return failed(path, "cannot be made");
  FileDescriptor folder(::open(path.c_str(), kFolderFlags));
  if (folder.get() < 0) return failed(path, "is no folder that can be written to");
  if (!fs::is_empty(path, error) || error) {
    return Error{.file = path.string(),
                 .message = "is not empty; name a new folder, so that nothing old stays in it"};
  }
  return OutputFolder(std::move(folder), path);
}

OutputFolder::OutputFolder(FileDescriptor folder, fs::path path)
    : folder_(std::move(folder)), path_(std::move(path)) {
}

std::optional<Error> OutputFolder::write(const fs::path& name, std::string_view content) const {
  FileDescriptor folder(dup(folder_.get()));
  for (const fs::path& part : name.parent_path()) {
    if (mkdirat(folder.get(), part.c_str(), 0777) != 0 && errno != EEXIST)
      return failed(path_ / name, "its folder cannot be made");
    FileDescriptor next(openat(folder.get(), part.c_str(), kFolderFlags));
    if (next.get() < 0) return failed(path_ / name, "its folder cannot be opened");
    folder = std::move(next);
  }
  const FileDescriptor file(openat(folder.get(), name.filename().c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) return failed(path_ / name, "cannot be made");
  if (!write_all(file.get(), content)) return failed(path_ / name, "cannot be written");
  return std::nullopt;
}

}  // namespace tessera
