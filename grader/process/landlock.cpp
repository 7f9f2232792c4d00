#include "grader/process/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tessera {
namespace {

/// landlock_ruleset_attr of version 6; in older headers it lacks fields.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};

constexpr std::uint64_t kRead =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;

constexpr std::uint64_t lowest_bits(unsigned count) {
  return (std::uint64_t{1} << count) - 1;
}

/// All rights that the version can refuse: they are the lowest bits of each word, and each version
/// adds some (linux/landlock.h).
Ruleset all_rights(int version) {
  Ruleset rules;
  rules.files = lowest_bits(version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13);
  if (version >= 4) rules.network = lowest_bits(2);
  if (version >= 6) rules.scoped = lowest_bits(2);
  return rules;
}

/// The size of the rules that the version knows: a kernel refuses a longer structure.
std::size_t size_of_rules(int version) {
  if (version >= 6) return sizeof(Ruleset);
  return version >= 4 ? offsetof(Ruleset, scoped) : offsetof(Ruleset, network);
}

class Descriptor {
 public:
  explicit Descriptor(long number) : number_(static_cast<int>(number)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

/// Whether the rule was added, or the path does not exist. A single file gets no rights but those
/// of reading.
bool allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
  const Descriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return errno != EMFILE;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & kReadFile;
  rule.parent_fd = file.number();
  return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

std::string not_restricted() {
  return std::string("the kernel does not restrict files (Landlock): ") + std::strerror(errno);
}

}  // namespace

int landlock_version() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::optional<std::string> confine_to_files(const std::vector<std::filesystem::path>& readable,
                                            const std::filesystem::path& writable) {
  const int version = landlock_version();
  if (version == 0) return not_restricted();
  const Ruleset rules = all_rights(version);
  const Descriptor ruleset(syscall(SYS_landlock_create_ruleset, &rules, size_of_rules(version), 0));
  if (ruleset.number() < 0) return not_restricted();
  for (const std::filesystem::path& path : readable) {
    if (!allow(ruleset.number(), path, kRead)) return not_restricted();
  }
  if (!writable.empty() && !allow(ruleset.number(), writable, rules.files)) return not_restricted();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_landlock_restrict_self, ruleset.number(), 0) != 0) {
    return not_restricted();
  }
  return std::nullopt;
}

}  // namespace tessera
