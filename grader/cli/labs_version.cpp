#include "grader/cli/labs_version.h"

#include <sstream>
#include <vector>

#include "common/text.h"

namespace tessera {
namespace {

/// {0, 1, 0} for "0.1.0", up to the first part that is no number.
std::vector<int> numbers_of(const std::string& version) {
  std::istringstream text(version);
  std::vector<int> numbers;
  for (int number = 0; text >> number; text.get()) numbers.push_back(number);
  return numbers;
}

}  // namespace

std::optional<Error> check_labs_version(const std::filesystem::path& labs, const std::string& own) {
  const Expected<std::string> text = read_file(labs / "VERSION");
  if (!text || numbers_of(*text) <= numbers_of(own)) return std::nullopt;
  const std::string theirs = text->substr(0, text->find('\n'));
  return Error{.file = labs.string(),
               .message = "these labs are of Tessera " + theirs + ", and this program is " + own +
                          ": install that version, or use `make grade` if the labs came with a "
                          "program"};
}

}  // namespace tessera
