#include "grader/gradebook/intake/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "common/resource_failure.h"
#include "common/text.h"
#include "grader/gradebook/intake/names.h"
#include "grader/gradebook/intake/read_file.h"
#include "grader/gradebook/intake/unpacking_rights.h"
#include "grader/process/child_process.h"
#include "grader/process/wire.h"

namespace tessera {

namespace wire {
TESSERA_FIELDS(RefusedEntry, it.path, it.reason, it.bytes);
TESSERA_FIELDS(Error, it.file, it.line, it.column, it.message);
TESSERA_FIELDS(Unpacked, it.entries, it.kept_bytes, it.refused, it.error);
}  // namespace wire

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBytesOfAnyRatio = 16u << 20;
constexpr std::size_t kBlockBytes = 64u << 10;
// Removing a folder takes an open file for each level.
constexpr std::size_t kDeepest = 64;
constexpr std::uint64_t kFolderBytes = 4096;  // what a folder takes of a disk
constexpr std::size_t kShownNameBytes = 1024;

/// libarchive converts names to the characters of the thread's locale, and loses those it lacks.
class Utf8Thread {
 public:
  Utf8Thread() : before_(uselocale(utf8_locale())) {}
  ~Utf8Thread() { uselocale(before_); }
  Utf8Thread(const Utf8Thread&) = delete;
  Utf8Thread& operator=(const Utf8Thread&) = delete;

 private:
  locale_t before_;
};

class FileToWrite {
 public:
  explicit FileToWrite(const fs::path& path)
      : descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)),
        failure_(descriptor_ < 0 ? errno : 0) {}
  ~FileToWrite() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileToWrite(const FileToWrite&) = delete;
  FileToWrite& operator=(const FileToWrite&) = delete;

  void write_at(la_int64_t offset, const char* bytes, std::size_t size) {
    while (size > 0 && failure_ == 0) {
      const ssize_t written = pwrite(descriptor_, bytes, size, offset);
      if (written < 0) {
        failure_ = errno == EINTR ? 0 : errno;
        continue;
      }
      bytes += written;
      offset += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  int failure() const { return failure_; }  // errno, 0 if it succeeded

 private:
  int descriptor_;
  int failure_;
};

/// The components of an entry's path without "." and "".
std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

bool is_absolute(std::string_view path) {
  const bool drive = path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 &&
                     path[1] == ':' && (path[2] == '/' || path[2] == '\\');
  return path.starts_with('/') || drive;
}

/// Why no file or folder of this name and kind is created; "" if it is.
std::string refusal(archive_entry* entry, const std::string& path,
                    const std::vector<std::string>& parts) {
  if (std::ranges::any_of(parts, [](const std::string& part) { return part.size() > NAME_MAX; }))
    return fmt::format("a name of more than {} bytes", NAME_MAX);
  if (is_absolute(path)) return "an absolute path";
  if (std::ranges::find(parts, "..") != parts.end()) return "leads out of the archive";
  if (parts.size() > kDeepest) return fmt::format("folders nested more than {} deep", kDeepest);
  if (has_control_character(path)) return "a control character in its name";
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK) {
    return "a link";
  }
  const auto type = archive_entry_filetype(entry);
  return type == AE_IFREG || type == AE_IFDIR ? "" : "a device, pipe or socket";
}

/// What WinRAR wrote by default before 2013. libarchive has a reader of its own for it, which had
/// more security holes than all others together: not for untrusted files.
constexpr const char* kOldRar =
    "is a RAR archive of a format older than 5, which is not read; ask for a .zip, or unpack it "
    "and "
    "put the folder in its place";

bool is_old_rar(const fs::path& file) {
  constexpr std::string_view kSignature("Rar!\x1a\x07\0", 7);
  std::array<char, kSignature.size()> start{};
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), start.size());
  return in && std::string_view(start.data(), start.size()) == kSignature;
}

struct FreeArchive {
  void operator()(struct archive* archive) const { archive_read_free(archive); }
};

using ArchiveReader = std::unique_ptr<struct archive, FreeArchive>;

/// A compressed tar has two readers: `unpacked_` decompresses for `archive_`, and every byte is
/// counted. A single reader would unpack in one call, uncounted, what it skips: an entry, its
/// headers, or the end of a sparse file.
class Unpacker {
 public:
  Unpacker(const fs::path& file, const fs::path& into, const ArchiveLimits& limits)
      : file_(file), into_(into), limits_(limits) {}

  Unpacked run() {
    open();
    while (!error_ && next_header()) {
      take_entry();
      pass_over_rest();
    }
    if (!error_ && entries_ == 0) error_ = error("is empty");
    return {.entries = entries_,
            .kept_bytes = kept_bytes_,
            .refused = std::move(refused_),
            .error = std::move(error_)};
  }

 private:
  void open() {
    std::error_code failure;
    packed_bytes_ = fs::file_size(file_, failure);
    if (is_resource_failure(failure.value())) cannot_be_read(failure.value());
    if (failure) {
      error_ = error("cannot be read: " + failure.message());
    } else if (packed_bytes_ == 0) {
      error_ = error("is empty: 0 bytes");
    } else if (is_compressed()) {
      open_compressed();
    } else {
      for (const auto support :
           {archive_read_support_format_zip, archive_read_support_format_tar,
            archive_read_support_format_7zip, archive_read_support_format_rar5}) {
        support(archive_.get());
      }
      check(archive_read_open_filename(archive_.get(), file_.c_str(), kBlockBytes));
    }
  }

  /// Whether the file as a whole is compressed; then `unpacked_` is open.
  bool is_compressed() {
    for (const auto support :
         {archive_read_support_filter_gzip, archive_read_support_filter_xz,
          archive_read_support_filter_bzip2, archive_read_support_format_raw}) {
      support(unpacked_.get());
    }
    const int status = archive_read_open_filename(unpacked_.get(), file_.c_str(), kBlockBytes);
    return status == ARCHIVE_OK && archive_filter_code(unpacked_.get(), 0) != ARCHIVE_FILTER_NONE;
  }
  void open_compressed() {
    if (archive_filter_count(unpacked_.get()) > 2) {  // one is the file's own
      error_ = error("is compressed more than once");
      return;
    }
    archive_read_support_format_tar(archive_.get());
    if (check(archive_read_next_header(unpacked_.get(), &entry_)))
      check(archive_read_open(archive_.get(), this, nullptr, next_unpacked, nullptr));
  }

  static la_ssize_t next_unpacked(struct archive*, void* self, const void** bytes) {
    Unpacker& unpacker = *static_cast<Unpacker*>(self);
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(unpacker.unpacked_.get(), bytes, &size, &offset);
    if (status == ARCHIVE_EOF) return 0;
    const bool good = status == ARCHIVE_OK && unpacker.count(unpacker.stream_bytes_, size);
    return good ? static_cast<la_ssize_t>(size) : ARCHIVE_FATAL;
  }

  /// False, and an error, if `status` is a failure.
  bool check(int status) {
    if (status < ARCHIVE_WARN && !error_) error_ = broken();
    return !error_;
  }

  bool next_header() {
    int status = ARCHIVE_RETRY;
    while (status == ARCHIVE_RETRY && !error_) {
      status = archive_read_next_header(archive_.get(), &entry_);
      if (status == ARCHIVE_EOF) return false;
      count_entry();
    }
    end_ = 0;
    if (check(status) && archive_entry_is_encrypted(entry_) != 0) {
      error_ = error("is encrypted; it is needed without a password");
    }
    return !error_;
  }

  void take_entry() {
    const char* pathname = archive_entry_pathname(entry_);
    const std::string_view bytes = pathname == nullptr ? "" : pathname;
    if (!count_name(std::min<std::size_t>(bytes.size(), PATH_MAX))) return;
    if (bytes.size() > PATH_MAX) {
      refuse(bytes, fmt::format("a path of {}; at most {} bytes are read", size_text(bytes.size()),
                                PATH_MAX));
      return;
    }
    const std::string path = utf8_name(bytes);
    const std::vector<std::string> parts = components(path);
    if (std::ranges::any_of(parts, is_system_name)) return;
    const std::string reason = refusal(entry_, path, parts);
    if (!reason.empty()) {
      refuse(path, reason);
    } else if (archive_entry_filetype(entry_) == AE_IFDIR) {
      std::error_code failure;
      make_folder(into_ / joined(parts, "/"), failure);
      if (failure) fail_to_write(path, failure.value());
    } else if (!parts.empty()) {
      take_file(joined(parts, "/"));
    }
  }

  /// A folder counts as an entry, and as what it takes of a disk.
  void make_folder(const fs::path& folder, std::error_code& failure) {
    if (fs::is_directory(folder, failure)) return;
    failure.clear();
    make_folder(folder.parent_path(), failure);
    if (failure || error_ || !count_entry() || !count(bytes_, kFolderBytes)) return;
    fs::create_directory(folder, failure);
  }

  void take_file(const std::string& path) {
    const auto [first, added] = names_.try_emplace(folded(path), path);
    const std::uint64_t most =
        is_archive_name(path) ? limits_.inner_archive_bytes : limits_.file_bytes;
    if (!added) {
      refuse(path, first->second == path
                       ? "twice in the archive"
                       : "its name differs from '" + printable_name(first->second) +
                             "' in letter case alone");
    } else if (declared_bytes() > most) {
      refuse_large(path, declared_bytes(), most);
    } else {
      write_file(path, most);
    }
  }

  /// Reads, and so counts, the rest of an entry if libarchive would unpack it to skip it.
  void pass_over_rest() {
    const int format = archive_format(archive_.get()) & ARCHIVE_FORMAT_BASE_MASK;
    if (format == ARCHIVE_FORMAT_ZIP || format == ARCHIVE_FORMAT_TAR) return;
    Block block;
    while (!error_ && read_block(block) == ARCHIVE_OK) {
    }
  }

  void write_file(const std::string& path, std::uint64_t most) {
    std::error_code failure;
    make_folder((into_ / path).parent_path(), failure);
    if (error_) return;
    if (failure) return fail_to_write(path, failure.value());
    FileToWrite file(into_ / path);
    if (file.failure() != 0) return fail_to_write(path, file.failure());
    if (!copy_blocks(path, most, file)) fs::remove(into_ / path, failure);
  }

  /// A piece of the entry's content.
  struct Block {
    std::uint64_t end() const { return static_cast<std::uint64_t>(offset) + size; }

    const void* bytes = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
  };

  /// Returns libarchive's status. More bytes than the limits allow are an error.
  int read_block(Block& block) {
    const int status =
        archive_read_data_block(archive_.get(), &block.bytes, &block.size, &block.offset);
    if (status == ARCHIVE_OK && block.end() > end_) {
      count(bytes_, block.end() - end_);
      end_ = block.end();
    }
    return status;
  }

  /// Whether all of the entry was written; if not, the reason is noted.
  bool copy_blocks(const std::string& path, std::uint64_t most, FileToWrite& file) {
    Block block;
    int status = ARCHIVE_OK;
    while ((status = read_block(block)) == ARCHIVE_OK && !error_) {
      if (block.end() > most) {
        refuse_large(path, block.end(), most);
        return false;
      }
      if (!count_kept(block.size)) return false;
      file.write_at(block.offset, static_cast<const char*>(block.bytes), block.size);
      if (file.failure() != 0) {
        fail_to_write(path, file.failure());
        return false;
      }
    }
    if (error_) return false;
    if (status == ARCHIVE_EOF) return true;
    if (status == ARCHIVE_FATAL) {
      error_ = broken();
    } else {
      check_reading();
      refuse(path, "damaged: " + reason());
    }
    return false;
  }

  /// Counts an entry, or a folder that is made; false, and an error, if there are too many.
  bool count_entry() {
    if (limits_.entries_before + ++entries_ > limits_.entries) {
      error_ = error(
          fmt::format("is a bomb: it holds more than {} entries{}", limits_.entries,
                      limits_.entries_before > 0 ? ", together with the archives before it" : ""));
    }
    return !error_;
  }

  /// False, and an error, if too much of a disk is taken.
  bool count_kept(std::uint64_t bytes) {
    kept_bytes_ += bytes;
    if (limits_.kept_before + kept_bytes_ > limits_.kept_bytes) {
      error_ = error(
          fmt::format("holds files of more than {} MiB{}", limits_.kept_bytes >> 20,
                      limits_.kept_before > 0 ? ", together with the archives before it" : ""));
    }
    return !error_;
  }

  /// False, and an error, if the names of all entries are too long.
  bool count_name(std::uint64_t bytes) {
    name_bytes_ += bytes;
    if (name_bytes_ > limits_.name_bytes) {
      error_ = error("is a bomb: the names of its entries have more than " +
                     size_text(limits_.name_bytes));
    }
    return !error_;
  }

  /// Adds to `total` what is unpacked; false, and an error, if it is too much.
  bool count(std::uint64_t& total, std::uint64_t bytes) {
    total += bytes;
    if (total > limits_.bytes) {
      error_ = error("is a bomb: it unpacks to more than " + size_text(limits_.bytes));
    } else if (total > kBytesOfAnyRatio &&
               static_cast<double>(total) > limits_.ratio * static_cast<double>(packed_bytes_)) {
      error_ = error(fmt::format("is a bomb: it unpacks to more than {} times its size of {}",
                                 limits_.ratio, size_text(packed_bytes_)));
    }
    return !error_;
  }

  /// An entry can be blamed only for its name; `into_` is a folder of this program.
  void fail_to_write(const std::string& path, int code) {
    constexpr int kNames[] = {ENAMETOOLONG, ENOTDIR, EEXIST, EISDIR, EINVAL, EILSEQ, ELOOP};
    const std::string text = std::generic_category().message(code);
    if (std::ranges::find(kNames, code) == std::end(kNames)) {
      throw ResourceFailure(fmt::format(
          "{}: cannot be unpacked into {}: {}; make room there, or set TMPDIR to a folder with "
          "room",
          file_.string(), into_.string(), text));
    }
    refuse(path, "cannot be unpacked: " + text);
  }

  [[noreturn]] void cannot_be_read(int code) const {
    throw ResourceFailure(fmt::format("{}: cannot be read: {}", file_.string(),
                                      std::generic_category().message(code)));
  }

  void refuse(std::string_view path, std::string why) {
    const std::string_view start = path.substr(0, kShownNameBytes);
    const std::string_view more = start.size() < path.size() ? "..." : "";
    refused_.push_back({.path = visible_name(start).append(more), .reason = std::move(why)});
  }

  void refuse_large(const std::string& path, std::uint64_t bytes, std::uint64_t most) {
    refuse(path, too_large(bytes, most));
    refused_.back().bytes = bytes;
  }

  std::uint64_t declared_bytes() const {
    return static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry_), 0));
  }

  std::string reason() const {
    const char* text = archive_error_string(unpacked_.get());
    if (text == nullptr) text = archive_error_string(archive_.get());
    return text == nullptr ? "no reason is known" : printable_name(text);
  }

  /// Throws if libarchive failed because this machine could not read the file. What libarchive
  /// itself lacks, such as memory, an archive may have asked for.
  void check_reading() const {
    for (struct archive* reader : {unpacked_.get(), archive_.get()}) {
      const int code = archive_errno(reader);
      if (code == EIO || code == EMFILE || code == ENFILE || code == ESTALE) cannot_be_read(code);
    }
  }

  Error broken() const {
    check_reading();
    // libarchive finds out the format when it meets the first entry.
    const bool packed = archive_filter_code(unpacked_.get(), 0) != ARCHIVE_FILTER_NONE;
    if (archive_format(archive_.get()) == 0 && !packed) {
      if (is_old_rar(file_)) return error(kOldRar);
      return error("is not an archive, whatever its name says");
    }
    return error("is broken: " + reason());
  }

  Error error(std::string message) const {
    return Error{.file = file_.string(), .message = std::move(message)};
  }

  const fs::path& file_;
  const fs::path& into_;
  const ArchiveLimits& limits_;
  ArchiveReader unpacked_{archive_read_new()};
  ArchiveReader archive_{archive_read_new()};  // may read from `unpacked_`
  archive_entry* entry_ = nullptr;             // the archive's own
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t stream_bytes_ = 0;  // of a compressed tar as a whole
  std::uint64_t bytes_ = 0;
  std::uint64_t name_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t end_ = 0;                               // of what is read of the entry
  std::unordered_map<std::string, std::string> names_;  // folded -> as it came first
  std::vector<RefusedEntry> refused_;
  std::optional<Error> error_;
};

/// Length of the ending that makes `name` an archive's; 0 if there is none.
std::size_t archive_ending(std::string_view name) {
  constexpr std::array<std::string_view, 8> kEndings = {".tar.gz", ".tar.xz", ".tar.bz2", ".tgz",
                                                        ".tar",    ".zip",    ".7z",      ".rar"};
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && folded(name.substr(name.size() - ending.size())) == ending) {
      return ending.size();
    }
  }
  return 0;
}

/// What unpack() reads: why this machine could not unpack the archive, or nothing and what came
/// out.
std::string answer_of(const fs::path& archive, const fs::path& into, const ArchiveLimits& limits) {
  try {
    const Unpacked unpacked = unpack_here(archive, into, limits);
    return wire::Writer().put(std::optional<std::string>()).put(unpacked).take();
  } catch (const ResourceFailure& failure) {
    return wire::Writer().put(std::optional<std::string>(failure.what())).take();
  }
}

bool print(const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
         std::fflush(stdout) == 0;
}

}  // namespace

bool is_archive_name(std::string_view name) {
  return archive_ending(name) > 0;
}

std::string_view without_archive_ending(std::string_view name) {
  return name.substr(0, name.size() - archive_ending(name));
}

Unpacked unpack_here(const fs::path& archive, const fs::path& into, const ArchiveLimits& limits) {
  const Utf8Thread utf8;
  return Unpacker(archive, into, limits).run();
}

Unpacked unpack(const fs::path& archive, const fs::path& into, const ArchiveLimits& limits) {
  const fs::path from = fs::absolute(archive), to = fs::absolute(into);  // the child is in "/"
  const Expected<ChildResult> result = run_forked(
      [&] {
        confine_to_unpacking(from, to);
        return print(answer_of(from, to, limits)) ? 0 : 1;
      },
      {.cpu_seconds = limits.seconds,
       .memory_bytes = limits.memory_bytes,
       .output_bytes = limits.bytes});
  if (!result) throw ResourceFailure(archive.string() + ": " + result.error().str());
  const auto failed = [&](std::string message) {
    return Unpacked{.seconds = result->cpu_seconds,
                    .error = Error{.file = archive.string(), .message = std::move(message)}};
  };
  if (result->end == ChildResult::End::out_of_time)
    return failed(fmt::format("is a bomb: unpacking it takes more than {:.0f} s", limits.seconds));
  if (result->end == ChildResult::End::exited && result->status == kNoMemoryStatus)
    return failed(fmt::format("is a bomb: unpacking it takes more than {} MiB of memory",
                              limits.memory_bytes >> 20));
  try {
    wire::Reader answer(result->output);
    if (const auto failure = answer.get<std::optional<std::string>>())
      throw ResourceFailure(*failure);
    auto unpacked = answer.get_last<Unpacked>();
    unpacked.seconds = result->cpu_seconds;
    return unpacked;
  } catch (const wire::WireError&) {
    return failed("is broken: it broke the process that unpacked it");
  }
}

}  // namespace tessera
