#include "grader/gradebook/intake/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "common/resource_failure.h"

namespace tessera {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

std::string cannot_be_read(const std::filesystem::path& path, int code) {
  if (code == ELOOP) return "a link";
  const std::string text = "cannot be read: " + std::generic_category().message(code);
  if (is_resource_failure(code)) throw ResourceFailure(path.string() + ": " + text);
  return text;
}

}  // namespace

FileRead read_submitted_file(const std::filesystem::path& path, std::uint64_t most) {
  FileRead file;
  const OpenFile open(path);
  struct stat status = {};
  if (open.descriptor() < 0 || fstat(open.descriptor(), &status) != 0) {
    file.problem = cannot_be_read(path, errno);
    return file;
  }
  if (!S_ISREG(status.st_mode)) {
    file.problem = S_ISDIR(status.st_mode) ? "a folder" : "a device, pipe or socket";
    return file;
  }
  file.bytes = static_cast<std::uint64_t>(status.st_size);
  if (file.bytes > most) {
    file.problem = too_large(file.bytes, most);
    return file;
  }
  file.content.resize(file.bytes);
  std::size_t filled = 0;
  while (filled < file.content.size()) {
    const ssize_t got =
        read(open.descriptor(), file.content.data() + filled, file.content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) file.problem = cannot_be_read(path, errno);
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  file.content.resize(file.problem.empty() ? filled : 0);
  return file;
}

std::string size_text(std::uint64_t bytes) {
  constexpr double kMega = 1e6;
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  const double mega = static_cast<double>(bytes) / kMega;
  return mega < 10 ? fmt::format("{:.2f} MB", mega) : fmt::format("{:.0f} MB", mega);
}

std::string too_large(std::uint64_t bytes, std::uint64_t most) {
  return fmt::format("{}, not read: the limit is {} MiB", size_text(bytes), most >> 20);
}

}  // namespace tessera
