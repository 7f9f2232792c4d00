#include "common/text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into
/// `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto equal = [&](std::size_t i, std::size_t j) { return a[i] == b[j]; };
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (equal(i, j) ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && equal(i, j - 1) && equal(i - 1, j)) {
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
      }
    }
  }
  return row[b.size()];
}

Error file_error(const fs::path& path, std::string message) {
  return Error{.file = path.string(), .message = std::move(message)};
}

/// Opens a new file beside `path`, with the permissions that the user's umask gives.
int open_temporary(const fs::path& path, fs::path& temporary) {
  static std::atomic<unsigned> counter = 0;
  int descriptor = -1;
  do {
    temporary = path;
    temporary += ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

/// Writes all of `content` and closes. Returns 0, or the errno of the call that failed.
int write_and_close(int descriptor, std::string_view content) {
  int failure = 0;
  while (!content.empty() && failure == 0) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure = errno;
    }
  }
  if (close(descriptor) != 0 && failure == 0) failure = errno;
  return failure;
}

}  // namespace

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += between;
    text += words[i];
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string system_message(int code) {
  return std::generic_category().message(code);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  std::string nearest;
  std::size_t least = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lower_case(word), lower_case(candidate));
    const bool nothing_in_common = distance >= std::max(word.size(), candidate.size());
    if (distance < least && !nothing_in_common) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

Expected<std::string> read_file(const fs::path& path, std::size_t max_bytes) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) return file_error(path, "no such file");
  if (failure) return file_error(path, "cannot be read: " + failure.message());
  if (fs::is_directory(status)) {
    return file_error(path, "is a directory; expected a file");
  }
  // Reading a pipe or a device could wait or go on for ever.
  if (!fs::is_regular_file(status)) {
    return file_error(path, "is not a regular file (a pipe, socket or device)");
  }

  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return file_error(path,
                      "cannot be opened: " + system_message(errno) + "; check its permissions");
  }
  // The size that the system reports is not used: for files in /proc it is 0.
  std::string content;
  char piece[1 << 16];
  while (content.size() <= max_bytes && (stream.read(piece, sizeof piece) || stream.gcount() > 0))
    content.append(piece, static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) return file_error(path, "cannot be read: " + system_message(errno));
  if (content.size() > max_bytes) {
    const std::uintmax_t size =
        std::max<std::uintmax_t>(content.size(), fs::file_size(path, failure));
    return file_error(path, "is " + std::to_string(size) + " bytes long; at most " +
                                std::to_string(max_bytes) + " are read");
  }
  return content;
}

bool is_written_in_place(const fs::path& path) {
  std::error_code ignored;
  const fs::path folder = path.parent_path();
  return folder == "/dev" || folder == "/dev/fd" ||
         (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored));
}

std::optional<Error> write_file(const fs::path& path, std::string_view content) {
  std::error_code failure;
  if (fs::is_directory(path, failure)) {
    return file_error(path, "is a directory; expected the name of a file to write");
  }
  if (is_written_in_place(path)) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const int code = descriptor < 0 ? errno : write_and_close(descriptor, content);
    if (code != 0) return file_error(path, "cannot be written: " + system_message(code));
    return std::nullopt;
  }

  // A link stays a link: the file that it points to is replaced.
  const fs::path resolved = fs::weakly_canonical(path, failure);
  const fs::path target = failure ? path : resolved;
  fs::path temporary;
  const int descriptor = open_temporary(target, temporary);
  if (descriptor < 0) {
    const int code = errno;
    const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
    const std::string remedy = code == ENOENT ? "; create the directory '" + folder + "' first"
                                              : "; check the permissions of '" + folder + "'";
    return file_error(path, "cannot be written: " + system_message(code) + remedy);
  }
  int code = write_and_close(descriptor, content);
  if (code == 0) {
    fs::rename(temporary, target, failure);
    code = failure.value();
  }
  if (code != 0) {
    fs::remove(temporary, failure);
    return file_error(path, "cannot be written: " + system_message(code));
  }
  return std::nullopt;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r') && end < text.size()) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace tessera
