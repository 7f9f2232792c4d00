#include "grader/gradebook/intake/download.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "common/resource_failure.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// One student must not keep the others' work from being unpacked: the size of a single file is
/// limited, and the whole only so far that it does not fill the disk.
constexpr ArchiveLimits kDownloadLimits = {.entries = 1'000'000,
                                           .bytes = std::uint64_t{16} << 30,
                                           .ratio = std::numeric_limits<double>::infinity(),
                                           .file_bytes = 1u << 20,
                                           .inner_archive_bytes = 64u << 20};

TreeEntry on_disk(const fs::directory_entry& found) {
  TreeEntry entry{.name = utf8_name(found.path().filename().native()), .path = found.path()};
  std::error_code failure;
  const fs::file_type type = found.symlink_status(failure).type();
  if (type == fs::file_type::regular) {
    entry.kind = TreeEntry::Kind::file;
  } else if (type == fs::file_type::directory) {
    entry.kind = TreeEntry::Kind::folder;
  } else {
    entry.problem = type == fs::file_type::symlink ? "a link" : "a device, pipe or socket";
    if (failure) entry.problem = "cannot be read: " + failure.message();
  }
  return entry;
}

/// The entry under which a refused `path` is shown, and the rest of the path below it. A path that
/// leads out of the archive is one name.
std::pair<std::string, std::string> first_component(const std::string& path) {
  const std::size_t slash = path.find('/');
  const std::string first = path.substr(0, slash);
  if (slash == path.npos || first.empty() || first == "." || first == "..") return {path, ""};
  return {first, path.substr(slash + 1)};
}

void add_refused(const TreeEntry& folder, std::vector<TreeEntry>& entries) {
  std::map<std::string, std::size_t> folders;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].is_folder()) folders.emplace(visible_name(entries[i].name), i);
  }
  for (const RefusedEntry& refused : folder.refused) {
    const auto [name, rest] = first_component(refused.path);
    if (rest.empty()) {
      entries.push_back({.name = name, .problem = refused.reason, .bytes = refused.bytes});
      continue;
    }
    const auto [place, added] = folders.emplace(name, entries.size());
    // Not a folder on disk: whatever may lie there is not looked at.
    if (added) entries.push_back({.kind = TreeEntry::Kind::folder, .name = name, .path = {}});
    entries[place->second].refused.push_back({rest, refused.reason, refused.bytes});
  }
}

Error error_at(const fs::path& path, std::string message) {
  return Error{.file = path.string(), .message = std::move(message)};
}

}  // namespace

Listing list_folder(const TreeEntry& folder) {
  Listing listing;
  std::error_code failure;
  if (!folder.path.empty()) {  // it is if every entry of the folder was refused
    for (fs::directory_iterator next(folder.path, failure), end; !failure && next != end;
         next.increment(failure)) {
      if (is_system_name(next->path().filename().native())) continue;
      listing.entries.push_back(on_disk(*next));
    }
  }
  if (is_resource_failure(failure.value()))
    throw ResourceFailure(folder.path.string() + ": cannot be read: " + failure.message());
  if (failure) listing.problem = "cannot be read: " + failure.message();
  add_refused(folder, listing.entries);
  std::ranges::sort(listing.entries, natural_less, &TreeEntry::name);
  return listing;
}

Expected<Download> Download::open(const fs::path& path) {
  Download download;
  download.path_ = path;
  std::error_code failure;
  const fs::path absolute = fs::weakly_canonical(path, failure);
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    return error_at(path, "no such file or folder; expected the download of a course system");
  }
  download.root_ = {.kind = TreeEntry::Kind::folder,
                    .name = utf8_name(absolute.filename().native()),
                    .path = path};
  if (fs::is_regular_file(status) && is_archive_name(path.native())) {
    download.unpacked_ = std::make_unique<TemporaryDirectory>();
    Unpacked unpacked = unpack(path, download.unpacked_->path(), kDownloadLimits);
    if (unpacked.error) return *std::move(unpacked.error);
    download.root_.name = without_archive_ending(download.root_.name);
    download.root_.path = download.unpacked_->path();
    download.root_.refused = std::move(unpacked.refused);
  } else if (!fs::is_directory(status)) {
    return error_at(path,
                    "neither a folder nor an archive (.zip, .tar, .tar.gz, .tgz, .tar.xz, "
                    ".tar.bz2, .7z, .rar); put a single kernel into a folder with the "
                    "student's name");
  }
  const Listing listing = list_folder(download.root_);
  if (!listing.problem.empty()) return error_at(path, listing.problem);
  if (listing.entries.empty()) return error_at(path, "is empty; expected submissions");
  return download;
}

}  // namespace tessera
