// Reads the submissions of a download and looks their people up in a class list. The input is text:
// a line with the number of a SourceFormat, paths of the download a line each, a line "=== roster"
// and the list.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/gradebook/intake/intake.h"
#include "grader/gradebook/intake/lab_files.h"
#include "grader/gradebook/intake/roster.h"

namespace {

namespace fs = std::filesystem;
using namespace tessera;

constexpr int kMostFiles = 30;
const std::vector<std::string> kLabs = {"01-naive", "03-tiled", "08-reduction"};

void check(bool holds) {
  if (!holds) std::abort();
}

bool is_path(const std::string& line) {
  const fs::path path = line;
  if (line.empty() || line.size() > 2000 || path.is_absolute()) return false;
  for (const fs::path& part : path) {
    if (part.empty() || part == ".." || part == "." || part.native().size() > 200) return false;
  }
  return line.find('\0') == line.npos;
}

void write_download(std::istream& lines, const fs::path& folder) {
  int files = 0;
  for (std::string line; std::getline(lines, line) && files < kMostFiles; ++files) {
    if (!is_path(line)) continue;
    std::error_code failure;
    fs::create_directories((folder / line).parent_path(), failure);
    if (!failure) (void)write_file(folder / line, "// " + line);
  }
}

void check_submission(const Submission& submission, const std::optional<Roster>& roster) {
  check(!submission.people.empty() && submission.failure.empty());
  for (const Identity& person : submission.people) {
    const auto found = roster ? roster->find(person) : std::nullopt;
    const bool both = found && !found->moodle_id.empty() && !person.moodle_id.empty();
    const bool by_moodle = person.email.empty() && person.sis_id.empty();
    if (both && by_moodle) check(found->moodle_id == person.moodle_id);
  }
  (void)lab_files(submission, kLabs, std::nullopt);
  check(!lab_files(submission, kLabs, kLabs.front()).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kRoster = "\n=== roster\n";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find(kRoster);
  std::istringstream lines{std::string(text.substr(0, end))};
  std::string number;
  std::getline(lines, number);
  const TemporaryDirectory folder;
  write_download(lines, folder.path());
  std::optional<Roster> roster;
  if (end != text.npos) {
    const auto list = Roster::from_csv(text.substr(end + kRoster.size()), "class.csv");
    if (list) roster = *list;
  }
  const auto download = Download::open(folder.path());
  if (!download) return 0;
  const auto& formats = all_source_formats();
  const auto chosen = static_cast<std::size_t>(std::atoi(number.c_str()));
  const SourceFormat format = chosen < formats.size() ? formats[chosen] : recognise(*download);
  (void)read_submissions(*download, format, kLabs, [&](const Submission& submission) {
    check_submission(submission, roster);
  });
  return 0;
}
