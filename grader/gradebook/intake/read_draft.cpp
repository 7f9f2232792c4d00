#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "common/resource_failure.h"
#include "grader/gradebook/intake/draft.h"
#include "grader/gradebook/intake/names.h"
#include "grader/gradebook/intake/read_file.h"

namespace tessera {
namespace {

constexpr std::uint64_t kMostFileBytes = 1u << 20;
constexpr std::uint64_t kMostSubmissionBytes = 64u << 20;
constexpr std::uint64_t kMostArchiveBytes = 64u << 20;
constexpr std::size_t kMostFiles = 10'000;
constexpr std::size_t kMostArchives = 32;
constexpr int kMostArchiveLevels = 2;
constexpr int kDeepestFolder = 64;
constexpr ArchiveLimits kLimits = {.entries = kMostFiles,
                                   .bytes = 256u << 20,
                                   .kept_bytes = 2 * kMostSubmissionBytes,
                                   .file_bytes = kMostFileBytes,
                                   .inner_archive_bytes = 16u << 20,
                                   .name_bytes = 4u << 20};
constexpr double kMostSeconds = 30;  // of processor time for all archives of a submission

struct Level {
  int folders = 0;
  int archives = 0;
};

std::string below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

bool is_kernel(const SubmittedFile& file) {
  return is_kernel_name(file.path);
}

/// Finds the files of one submission, then reads them.
class Reader {
 public:
  void find(const TreeEntry& entry, const std::string& path, Level level) {
    if (found_.size() >= kMostFiles) {
      too_many_ = true;
    } else if (entry.kind == TreeEntry::Kind::refused) {
      add_problem(below_root(path, entry), entry.problem, entry.bytes);
    } else if (entry.is_folder()) {
      find_in_folder(entry, path, level);
    } else if (is_archive_name(entry.name)) {
      find_in_archive(entry, path, level);
    } else {
      found_.push_back({.file = {.path = below_root(path, entry)}, .on_disk = entry.path});
    }
  }

  std::vector<SubmittedFile> read() {
    std::stable_partition(found_.begin(), found_.end(),
                          [](const Found& found) { return is_kernel(found.file); });
    std::uint64_t room = kMostSubmissionBytes;
    for (Found& found : found_) {
      if (found.file.problem.empty()) read_into(found.file, found.on_disk, room);
    }
    std::vector<SubmittedFile> files;
    for (Found& found : found_) files.push_back(std::move(found.file));
    if (too_many_) {
      files.push_back(
          {.path = "...",
           .problem = fmt::format("more than {} files; the others are left out", kMostFiles)});
    }
    std::ranges::stable_sort(files, natural_less, &SubmittedFile::path);
    return files;
  }

 private:
  struct Found {
    SubmittedFile file;
    std::filesystem::path on_disk;
  };

  /// A file keeps its name even if its path in the submission is "".
  static std::string below_root(const std::string& path, const TreeEntry& entry) {
    return path.empty() ? entry.name : path;
  }

  void add_problem(std::string path, std::string problem, std::uint64_t bytes = 0) {
    found_.push_back({.file = {.path = std::move(path),
                               .bytes = bytes,
                               .content = "",
                               .problem = std::move(problem)},
                      .on_disk = {}});
  }

  void find_in_folder(const TreeEntry& folder, const std::string& path, Level level) {
    ++level.folders;
    if (level.folders > kDeepestFolder) {
      add_problem(path, fmt::format("folders nested more than {} deep", kDeepestFolder));
      return;
    }
    const Listing listing = list_folder(folder);
    for (const TreeEntry& entry : listing.entries) find(entry, below(path, entry.name), level);
    if (!listing.problem.empty()) add_problem(below_root(path, folder), listing.problem);
  }

  void find_in_archive(const TreeEntry& archive, const std::string& path, Level level) {
    const std::string shown = below_root(path, archive);
    std::error_code failure;
    const std::uint64_t bytes = std::filesystem::file_size(archive.path, failure);
    ++level.archives;
    if (level.archives > kMostArchiveLevels) {
      add_problem(shown, "an archive too deep in other archives; hand in files or one archive",
                  bytes);
    } else if (unpacked_.size() >= kMostArchives) {
      add_problem(shown, fmt::format("not unpacked: more than {} archives", kMostArchives), bytes);
    } else if (seconds_ >= kMostSeconds) {
      add_problem(shown,
                  fmt::format("not unpacked: the archives before it took {:.0f} s", kMostSeconds),
                  bytes);
    } else if (!failure && bytes > kMostArchiveBytes) {
      add_problem(shown, too_large(bytes, kMostArchiveBytes), bytes);
    } else {
      find_unpacked(archive, path, level, bytes);
    }
  }

  void find_unpacked(const TreeEntry& archive, const std::string& path, Level level,
                     std::uint64_t bytes) {
    const auto& folder = unpacked_.emplace_back(std::make_unique<TemporaryDirectory>());
    ArchiveLimits limits = kLimits;
    limits.entries_before = archive_entries_;
    limits.kept_before = kept_bytes_;
    limits.seconds = kMostSeconds - seconds_;
    Unpacked unpacked = unpack(archive.path, folder->path(), limits);
    archive_entries_ += unpacked.entries;
    seconds_ += unpacked.seconds;
    if (!unpacked.error) kept_bytes_ += unpacked.kept_bytes;
    if (unpacked.error) {
      unpacked_.back() = nullptr;
      add_problem(below_root(path, archive), unpacked.error->message, bytes);
      return;
    }
    const std::size_t before = found_.size();
    find_in_folder({.kind = TreeEntry::Kind::folder,
                    .name = archive.name,
                    .path = folder->path(),
                    .problem = "",
                    .refused = std::move(unpacked.refused)},
                   path, level);
    if (found_.size() == before) {
      add_problem(below_root(path, archive), "the archive holds no files", bytes);
    }
  }

  void read_into(SubmittedFile& file, const std::filesystem::path& on_disk, std::uint64_t& room) {
    FileRead got = read_submitted_file(on_disk, kMostFileBytes);
    file.bytes = got.bytes;
    file.problem = std::move(got.problem);
    if (got.content.size() > room) {
      file.problem = fmt::format("not read: the submission holds more than {} MiB",
                                 kMostSubmissionBytes >> 20);
      return;
    }
    room -= got.content.size();
    file.content = std::move(got.content);
  }

  std::vector<Found> found_;
  std::vector<std::unique_ptr<TemporaryDirectory>> unpacked_;  // one for each archive
  std::uint64_t archive_entries_ = 0;                          // of all archives
  std::uint64_t kept_bytes_ = 0;                               // of all archives that are unpacked
  double seconds_ = 0;                                         // of processor time, of all archives
  bool too_many_ = false;
};

/// Why none of `files` can be read; "" if one can.
std::string problem_of_all(const std::vector<SubmittedFile>& files) {
  if (files.empty()) return "no files";
  const bool all = std::ranges::none_of(files, &std::string::empty, &SubmittedFile::problem);
  if (!all) return "";
  const SubmittedFile& first = files.front();
  const std::string others =
      files.size() > 1 ? fmt::format(" (and {} more)", files.size() - 1) : "";
  return printable_name(first.path) + ": " + first.problem + others;
}

}  // namespace

Submission read_draft(Draft draft) {
  Submission submission = std::move(draft.submission);
  try {
    Reader reader;
    for (const Draft::Part& part : draft.parts) reader.find(part.entry, part.path, {});
    submission.files = reader.read();
  } catch (const ResourceFailure& failure) {
    submission.failure = failure.what();
    return submission;
  }
  if (submission.problem.empty()) submission.problem = problem_of_all(submission.files);
  return submission;
}

}  // namespace tessera
