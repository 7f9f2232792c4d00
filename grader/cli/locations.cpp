#include "grader/cli/locations.h"

#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <system_error>

#include "common/seed.h"
#include "common/text.h"
#include "grader/cli/labs_version.h"
#include "grader/gpu/worker.h"
#include "grader/interpreter/interpreter.h"
#include "grader/lab/lab.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool has_device_headers(const fs::path& common) {
  std::error_code ignored;
  return fs::exists(common / "include" / "tessera" / "lab.cuh", ignored);
}

/// share/tessera, or share/tessera-staff, of the folder into which this program was installed;
/// empty if it was not.
fs::path installed_share() {
  const fs::path program = program_file();
  const fs::path share =
      program.parent_path().parent_path().parent_path() / "share" / program.filename();
  return has_device_headers(share / "common") ? share : fs::path();
}

/// The nearest folder above this program that holds the kit: sources around a build, a handout.
fs::path kit_above() {
  const fs::path program = program_file();
  for (fs::path folder = program.parent_path(); folder != folder.root_path();
       folder = folder.parent_path()) {
    if (has_device_headers(folder / "common")) return folder;
  }
  return {};
}

fs::path find_home() {
  for (const fs::path& folder : {installed_share(), kit_above()}) {
    if (!folder.empty()) return folder;
  }
  return TESSERA_HOME;
}

fs::path environment_path(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

fs::path cache_folder() {
  if (const fs::path own = environment_path("TESSERA_CACHE"); !own.empty()) return own;
  if (const fs::path all = environment_path("XDG_CACHE_HOME"); !all.empty()) return all / "tessera";
  if (const fs::path home = environment_path("HOME"); !home.empty()) {
    return home / ".cache" / "tessera";
  }
  return {};
}

fs::path writable_cache() {
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure || check_writable(folder / "probe")) return {};
  return folder;
}

/// The path as a person in the current directory would write it.
fs::path shown(const fs::path& path) {
  std::error_code failure;
  const fs::path relative = fs::proximate(path, failure);
  return failure || relative.string().starts_with("../../..") ? path : relative;
}

/// Empty if an installed program finds none: its own labs are for `tessera start` to copy.
fs::path default_labs() {
  if (fs::path here = labs_here(); !here.empty()) return here;
  const bool installed = !installed_share().empty() || home_folder().empty();
  return installed ? fs::path() : shown(home_folder() / "labs");
}

fs::path beside(const fs::path& labs, const fs::path& name) {
  std::error_code failure;
  const fs::path parent = fs::weakly_canonical(labs, failure).parent_path();
  return shown(failure ? home_folder() / name : parent / name);
}

fs::path first_existing(const fs::path& first, const fs::path& second) {
  std::error_code ignored;
  return fs::exists(first, ignored) ? first : second;
}

/// Decides by the variables that name the locale, which a terminal may use without its being
/// installed.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    const auto names = {"UTF-8", "UTF8", "utf-8", "utf8"};
    return std::ranges::any_of(names,
                               [&](const char* utf8) { return locale.find(utf8) != locale.npos; });
  }
  return false;
}

/// Finds what stands beside `labs`, and what came with this program.
Expected<Locations> with_the_kit(const fs::path& labs) {
  KitFolders kit{.root = {}, .labs = labs, .solutions = {}, .datasets = home_folder() / "datasets"};
  fs::path common = home_folder() / "common";
  if (!labs.empty()) {
    kit.solutions = beside(labs, "solutions");
    kit.datasets = first_existing(beside(labs, "datasets"), kit.datasets);
    common = first_existing(common, beside(labs, "common"));
  }
  kit.root = common.parent_path();
  if (!has_device_headers(common)) {
    return Error{.file = kit.include_dir().string(),
                 .message = "the kit's device headers are not here; run from the kit's folder"};
  }
  const fs::path program = program_file();
  return Locations{.kit = kit,
                   .compiler = {.include_dir = kit.include_dir(),
                                .program = compiler_beside(program),
                                .cache_dir = writable_cache()},
                   .interpreter = interpreter_beside(program),
                   .gpu_worker = gpu_worker_beside(program)};
}

}  // namespace

Expected<Locations> find_locations(const fs::path& given) {
  const fs::path labs = given.empty() ? default_labs() : given;
  std::error_code ignored;
  if (labs.empty()) {
    return Error{
        .message =
            "there is no folder labs/ here or above; `tessera start DIR` makes a new folder "
            "DIR with the course's labs"};
  }
  if (!fs::is_directory(labs, ignored)) {
    return Error{.file = labs.string(),
                 .message = "no such directory; --labs names the folder of the labs"};
  }
  Expected<Locations> all = with_the_kit(labs);
  if (!all) return all;
  if (auto error = check_labs_version(labs)) return *error;
  return all;
}

Expected<Locations> find_kit() {
  return with_the_kit(default_labs());
}

fs::path labs_here() {
  std::error_code failure;
  for (fs::path folder = fs::current_path(failure); !failure && !folder.empty();
       folder = folder.parent_path()) {
    if (!find_labs(folder / "labs").empty()) return shown(folder / "labs");
    if (folder == folder.root_path()) break;
  }
  return {};
}

const fs::path& home_folder() {
  static const fs::path folder = find_home();
  return folder;
}

fs::path program_file() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

TextOptions terminal_options() {
  constexpr int kLeastWidth = 72;  // pictures and tables need this much
  const char* no_color = std::getenv("NO_COLOR");
  TextOptions options;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    options.width = std::clamp<int>(size.ws_col, kLeastWidth, options.width);
  options.color = isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
  options.ascii = !locale_is_utf8();
  return options;
}

void print_error(const Error& error) {
  std::cerr << "tessera: " << printable(error.str()) << "\n";
}

ExitStatus usage_error(const Error& error) {
  print_error(error);
  return kUsage;
}

ExitStatus infrastructure_error(const Error& error) {
  print_error(error);
  return kInfrastructure;
}

std::uint64_t fresh_seed() {
  return random_number() % kSeeds;
}

std::string fresh_key() {
  std::array<unsigned char, 16> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "the system's random source");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::optional<Error> check_writable(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return Error{.file = path.string(),
                 .message = "is a directory; expected the name of a file to write"};
  }
  const bool special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  if (special) return std::nullopt;
  fs::path probe = path;
  probe += ".probe-" + std::to_string(getpid());
  if (auto error = write_file(probe, "")) {
    error->file = path.string();
    return error;
  }
  fs::remove(probe, ignored);
  return std::nullopt;
}

}  // namespace tessera
