// Downloads for tests: archives, also hostile ones, and the submissions that the intake reads from
// them.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grader/gradebook/intake/intake.h"

namespace tessera {

/// Writes an archive of the format that its name says: .zip, .7z, else tar (.tgz, .tar.xz, ...).
class TestArchive {
 public:
  explicit TestArchive(const std::filesystem::path& path, const std::string& password = "")
      : archive_(archive_write_new()) {
    check(archive_write_set_format_filter_by_ext(archive_, path.c_str()));
    if (!password.empty()) {
      check(archive_write_set_options(archive_, "zip:encryption=traditional"));
      check(archive_write_set_passphrase(archive_, password.c_str()));
    }
    check(archive_write_open_filename(archive_, path.c_str()));
  }
  ~TestArchive() { archive_write_free(archive_); }
  TestArchive(const TestArchive&) = delete;
  TestArchive& operator=(const TestArchive&) = delete;

  void file(const std::string& name, const std::string& content) {
    add(name, AE_IFREG, content, [](archive_entry*) {});
  }
  void folder(const std::string& name) {
    add(name, AE_IFDIR, "", [](archive_entry*) {});
  }
  void link(const std::string& name, const std::string& target) {
    add(name, AE_IFLNK, "",
        [&](archive_entry* entry) { archive_entry_set_symlink(entry, target.c_str()); });
  }
  void hard_link(const std::string& name, const std::string& target) {
    add(name, AE_IFREG, "",
        [&](archive_entry* entry) { archive_entry_set_hardlink(entry, target.c_str()); });
  }
  void pipe(const std::string& name) {
    add(name, AE_IFIFO, "", [](archive_entry*) {});
  }

 private:
  template <class Change>
  void add(const std::string& name, unsigned type, const std::string& content,
           const Change& change) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    change(entry);
    const int status = archive_write_header(archive_, entry);
    archive_entry_free(entry);
    if (status < ARCHIVE_WARN) check(status);
    if (!content.empty()) archive_write_data(archive_, content.data(), content.size());
  }

  void check(int status) {
    if (status != ARCHIVE_OK) throw std::runtime_error(archive_error_string(archive_));
  }

  struct archive* archive_;
};

/// All submissions at `path`, whose layout must be recognised as `format`.
inline std::vector<Submission> submissions_in(const std::filesystem::path& path,
                                              SourceFormat format,
                                              const std::vector<std::string>& labs = {}) {
  const Expected<Download> download = Download::open(path);
  if (!download) throw std::runtime_error(download.error().str());
  if (const SourceFormat recognised = recognise(*download); recognised != format) {
    throw std::runtime_error("recognised as " + std::string(to_string(recognised)));
  }
  std::vector<Submission> submissions;
  const auto error = read_submissions(*download, format, labs, [&](Submission submission) {
    submissions.push_back(std::move(submission));
  });
  if (error) throw std::runtime_error(error->str());
  return submissions;
}

inline std::vector<std::string> origins_of(const std::vector<Submission>& submissions) {
  std::vector<std::string> origins;
  for (const Submission& submission : submissions) origins.push_back(submission.origin);
  return origins;
}

/// "03/kernel.cu" of each file, or "link.cu: a link" if there is a problem.
inline std::vector<std::string> files_of(const Submission& submission) {
  std::vector<std::string> files;
  for (const SubmittedFile& file : submission.files) {
    files.push_back(file.path + (file.problem.empty() ? "" : ": " + file.problem));
  }
  return files;
}

}  // namespace tessera
