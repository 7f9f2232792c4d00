#include "common/content_cache.h"

#include <algorithm>

#include "common/sha256.h"
#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntryBytes = std::size_t{256} << 20;
constexpr std::size_t kKeyLength = 64;

bool is_key(const std::string& name) {
  return name.size() == kKeyLength &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

struct Entry {
  fs::path file;
  std::uintmax_t bytes = 0;
  fs::file_time_type used;
};

/// Other programs may add and remove entries meanwhile: an entry that is gone is left out.
std::vector<Entry> entries_in(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code gone;
    if (!is_key(at->path().filename().string()) || !at->is_regular_file(gone)) continue;
    const Entry entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (!gone) entries.push_back(entry);
  }
  return entries;
}

}  // namespace

std::string entry_key(const std::vector<std::string>& parts) {
  std::string all;
  // Length first, so that two different lists of parts never give the same text.
  for (const std::string& part : parts) all += std::to_string(part.size()) + ':' + part;
  return sha256(all);
}

std::optional<std::string> load_entry(const fs::path& folder, const std::string& key) {
  auto content = read_file(folder / key, kMostEntryBytes);
  if (!content || content->size() < kKeyLength) return std::nullopt;
  std::string contents = content->substr(kKeyLength);
  if (sha256(contents) != content->substr(0, kKeyLength)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(folder / key, fs::file_time_type::clock::now(), ignored);
  return contents;
}

void store_entry(const fs::path& folder, const std::string& key, std::string_view contents) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return;
  static_cast<void>(write_file(folder / key, sha256(contents) + std::string(contents)));
}

void trim_entries(const fs::path& folder, std::uintmax_t most_bytes) {
  std::vector<Entry> entries = entries_in(folder);
  std::uintmax_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.bytes;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (bytes <= most_bytes) return;
    std::error_code ignored;
    fs::remove(entry.file, ignored);
    bytes -= entry.bytes;
  }
}

}  // namespace tessera
