// tessera start: copies the course's labs into a new folder.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <algorithm>
#include <cctype>
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

/// Copies files and makes them writable: where they are installed, they are read-only.
void copy_part(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive);
  for (const auto& entry : fs::recursive_directory_iterator(to))
    fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
}

/// Writes where an editor finds the flags for kernels: in the kit, which is outside of the course's
/// folder.
std::optional<Error> write_editor_settings(const fs::path& kit, const fs::path& to) {
  const auto settings = read_file(kit / ".clangd");
  if (!settings) return std::nullopt;  // an older kit
  const std::string entry = "CompilationDatabase: ", folder = "common/include";
  std::string own = *settings;
  const std::size_t at = own.find(entry + folder);
  if (at == own.npos) return std::nullopt;
  own.replace(at + entry.size(), folder.size(), "'" + (kit / folder).string() + "'");
  return write_file(to / ".clangd", own);
}

/// Copies what students write and read, and the references, which only staff have.
std::optional<Error> copy_course(const fs::path& kit, const fs::path& to) {
  try {
    fs::create_directories(to);
    copy_part(kit / "labs", to / "labs");
    if (fs::exists(kit / "solutions")) copy_part(kit / "solutions", to / "solutions");
  } catch (const fs::filesystem_error& error) {
    return Error{.file = to.string(), .message = "cannot be filled: " + error.code().message()};
  }
  if (auto error = write_editor_settings(kit, to)) return error;
  return write_file(to / "labs" / "VERSION", TESSERA_VERSION "\n");
}

/// Quotes `text` so that a shell reads it as one word.
std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_./+-").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

ExitStatus run_start(const fs::path& to) {
  std::error_code ignored;
  if (fs::exists(to / "labs", ignored))
    return usage_error(
        Error{.file = (to / "labs").string(), .message = "is there already; nothing was changed"});
  if (fs::exists(to, ignored) && !fs::is_empty(to, ignored))
    return usage_error(
        Error{.file = to.string(), .message = "is not an empty folder; name a new one"});
  const fs::path& kit = home_folder();
  const std::vector<fs::path> labs = find_labs(kit / "labs");
  if (labs.empty())
    return infrastructure_error(
        Error{.file = (kit / "labs").string(), .message = "holds no labs; install again"});
  if (auto error = copy_course(kit, to)) return infrastructure_error(*error);
  const std::string first = labs.front().filename().string();
  std::cout << fmt::format(
      "{0}/labs holds {1} labs. Next:\n\n"
      "    cd {4}\n"
      "    tessera grade {2}            grades labs/{2}/kernel.cu\n"
      "    tessera grade --watch {2}    again whenever it is saved\n\n"
      "Begin with labs/{2}/README.md. Where a page says `make grade LAB={3}`, write `tessera grade "
      "{3}`;\nwhere it says build/tessera, write tessera.\n",
      printable(to.string()), labs.size(), first, first.substr(0, first.find('-')),
      printable(shell_word(to.string())));
  if (fs::exists(to / "solutions", ignored))
    std::cout << fmt::format(
        "\n{}/solutions holds the references, because the package for staff is installed. For a "
        "folder that\nstudents may have, write `tessera lab release --out NEW`.\n",
        printable(to.string()));
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
