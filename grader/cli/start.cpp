// tessera start: the course's labs in a folder of one's own.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/locations.h"
#include "grader/lab/lab.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A file that is read-only where it was installed is the new owner's here.
void copy_part(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive);
  for (const auto& entry : fs::recursive_directory_iterator(to))
    fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
}

/// What students write and read; and the references, which staff alone have.
std::optional<Error> copy_course(const fs::path& kit, const fs::path& to) {
  try {
    fs::create_directories(to);
    copy_part(kit / "labs", to / "labs");
    if (fs::exists(kit / "solutions")) copy_part(kit / "solutions", to / "solutions");
  } catch (const fs::filesystem_error& error) {
    return Error{to.string(), 0, 0, "cannot be filled: " + error.code().message()};
  }
  return write_file(to / "labs" / "VERSION", TESSERA_VERSION "\n");
}

ExitStatus run_start(const fs::path& to) {
  std::error_code ignored;
  if (fs::exists(to / "labs", ignored))
    return usage_error(
        Error{(to / "labs").string(), 0, 0, "is there already; nothing was changed"});
  if (fs::exists(to, ignored) && !fs::is_empty(to, ignored))
    return usage_error(Error{to.string(), 0, 0, "is not an empty folder; name a new one"});
  const fs::path& kit = home_folder();
  const std::vector<fs::path> labs = find_labs(kit / "labs");
  if (labs.empty())
    return infrastructure_error(
        Error{(kit / "labs").string(), 0, 0, "holds no labs; install again"});
  if (auto error = copy_course(kit, to)) return infrastructure_error(*error);
  const std::string first = labs.front().filename().string();
  std::cout << fmt::format(
      "{0}/labs holds {1} labs. Next:\n\n"
      "    cd {0}\n"
      "    tessera grade {2}            grades labs/{2}/kernel.cu\n"
      "    tessera grade --watch {2}    again whenever it is saved\n\n"
      "Begin with labs/{2}/README.md. Where a page says `make grade LAB={3}`, write `tessera grade "
      "{3}`;\nwhere it says build/tessera, write tessera.\n",
      printable(to.string()), labs.size(), first, first.substr(0, first.find('-')));
  return kSuccess;
}

}  // namespace

Command add_start_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("start", "Make a folder with the course's labs");
  const auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "A new folder")->required();
  return {command, [folder] { return run_start(*folder); }};
}

}  // namespace tessera
