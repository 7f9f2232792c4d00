#include "grader/authoring/release/zip.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <vector>

#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

class Zip {
 public:
  explicit Zip(const fs::path& file) : file_(file) {
    archive_.reset(archive_write_new());
    check(archive_write_set_format_zip(archive_.get()));
    check(archive_write_open_filename(archive_.get(), file.c_str()));
  }

  void add(const std::string& name, const fs::path& source) {
    const Expected<std::string> content = read_file(source, kMaxFileBytes);
    if (!content) {
      if (!error_) error_ = content.error();
      return;
    }
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), static_cast<mode_t>(fs::status(source).permissions()));
    archive_entry_set_mtime(entry.get(), now_, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content->size()));
    check(archive_write_header(archive_.get(), entry.get()));
    if (!content->empty() &&
        archive_write_data(archive_.get(), content->data(), content->size()) < 0)
      check(ARCHIVE_FATAL);
  }

  std::optional<Error> close() {
    check(archive_write_close(archive_.get()));
    return error_;
  }

 private:
  void check(int status) {
    if (status >= ARCHIVE_WARN || error_) return;
    const char* reason = archive_error_string(archive_.get());
    error_ =
        Error{.file = file_.string(),
              .message = std::string("cannot be written: ") + (reason == nullptr ? "?" : reason)};
  }

  fs::path file_;
  std::unique_ptr<archive, decltype(&archive_write_free)> archive_{nullptr, archive_write_free};
  std::time_t now_ = std::time(nullptr);
  std::optional<Error> error_;
};

}  // namespace

bool can_zip() {
  return true;
}

std::optional<Error> write_zip(const fs::path& folder, const std::string& prefix,
                               const fs::path& file) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) sources.push_back(entry.path());
  }
  std::ranges::sort(sources);
  Zip zip(file);
  for (const fs::path& source : sources)
    zip.add((fs::path(prefix) / source.lexically_relative(folder)).string(), source);
  return zip.close();
}

std::optional<Error> unpack_zip(const fs::path& file, const fs::path& into) {
  const std::unique_ptr<archive, decltype(&archive_read_free)> zip(archive_read_new(),
                                                                   archive_read_free);
  const auto failure = [&] {
    const char* reason = archive_error_string(zip.get());
    return Error{
        .file = file.string(),
        .message = std::string("cannot be unpacked: ") + (reason == nullptr ? "?" : reason)};
  };
  constexpr std::size_t kBlock = 1 << 16;
  archive_read_support_format_zip(zip.get());
  if (archive_read_open_filename(zip.get(), file.c_str(), kBlock) != ARCHIVE_OK) return failure();
  constexpr int kFlags = ARCHIVE_EXTRACT_PERM | ARCHIVE_EXTRACT_SECURE_NODOTDOT;
  archive_entry* entry = nullptr;
  int status = ARCHIVE_OK;
  while ((status = archive_read_next_header(zip.get(), &entry)) == ARCHIVE_OK) {
    archive_entry_set_pathname(entry, (into / archive_entry_pathname(entry)).c_str());
    if (archive_read_extract(zip.get(), entry, kFlags) < ARCHIVE_WARN) return failure();
  }
  return status == ARCHIVE_EOF ? std::nullopt : std::optional(failure());
}

}  // namespace tessera
