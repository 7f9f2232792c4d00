#include <algorithm>
#include <charconv>
#include <optional>

#include "common/text.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::optional<int> number_of(std::string_view digits) {
  int number = 0;
  const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

bool names_lab(std::string_view word, std::string_view id) {
  // A shell completes a folder's name to labs/03-tiled/.
  while (word.ends_with('/')) word.remove_suffix(1);
  word.remove_prefix(word.rfind('/') + 1);
  if (word == id) return true;
  const std::size_t dash = id.find('-');
  if (dash == id.npos) return false;
  const std::string_view title = id.substr(dash + 1);
  const std::optional<int> number = number_of(id.substr(0, dash));
  const std::size_t end = word.find('-');
  const bool same_number = number && number == number_of(word.substr(0, end));
  return word == title || (same_number && (end == word.npos || word.substr(end + 1) == title));
}

std::vector<fs::path> find_labs(const fs::path& labs) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(labs, ignored)) {
    if (fs::is_regular_file(entry.path() / "lab.yaml", ignored)) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

Expected<fs::path> find_lab(const fs::path& labs, const std::string& word) {
  std::vector<std::string> ids, names, matches;
  for (const fs::path& folder : find_labs(labs)) {
    const std::string id = folder.filename().string();
    ids.push_back(id);
    names.push_back(id);
    names.push_back(id.substr(id.find('-') + 1));
    if (names_lab(word, id)) matches.push_back(id);
  }
  if (matches.size() == 1) return labs / matches.front();
  Error error;
  error.file = labs.string();
  if (ids.empty()) {
    error.message = "no labs here; a lab is a folder with a lab.yaml";
  } else if (matches.empty()) {
    error.message =
        "no lab '" + word + "'" + did_you_mean(word, names) + "; there are " + list(ids);
  } else {
    error.message = "'" + word + "' means several labs: " + list(matches) + "; give a whole name";
  }
  return error;
}

}  // namespace tessera
