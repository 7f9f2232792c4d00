#include "grader/authoring/leaks.h"

#include <algorithm>

#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShort = 12;
/// One line as long as this is hardly there by chance.
constexpr std::size_t kLong = 40;

struct NumberedLine {
  int number = 0;
  std::string text;
};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// The lines that tell something.
std::vector<NumberedLine> telling(const std::vector<std::string>& lines) {
  std::vector<NumberedLine> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string text = trimmed(lines[i]);
    if (text.size() > kShort) result.push_back({static_cast<int>(i) + 1, std::move(text)});
  }
  return result;
}

void add(const std::vector<NumberedLine>& lines, std::set<std::string>& singles,
         std::set<std::pair<std::string, std::string>>& pairs) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    singles.insert(lines[i].text);
    if (i > 0) pairs.insert({lines[i - 1].text, lines[i].text});
  }
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

void SolutionText::add_solution(const std::vector<std::string>& lines) {
  add(telling(lines), lines_, pairs_);
}

void SolutionText::add_skeleton(std::string_view text) {
  add(telling(split_lines(text)), given_lines_, given_pairs_);
}

std::vector<Leak> SolutionText::found_in(std::string_view text, const fs::path& file) const {
  const std::vector<NumberedLine> lines = telling(split_lines(text));
  std::vector<Leak> leaks;
  const auto note = [&](const NumberedLine& line, bool sure) {
    const bool known =
        std::ranges::any_of(leaks, [&](const Leak& leak) { return leak.sure == sure; });
    if (!known) leaks.push_back({file, line.number, line.text, sure});
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i].text;
    if (line.size() >= kLong && lines_.contains(line) && !given_lines_.contains(line))
      note(lines[i], false);
    if (i == 0) continue;
    const Pair pair{lines[i - 1].text, line};
    if (pairs_.contains(pair) && !given_pairs_.contains(pair)) note(lines[i - 1], true);
  }
  return leaks;
}

Expected<std::vector<Leak>> SolutionText::found_below(const fs::path& folder) const {
  std::vector<Leak> leaks;
  for (const fs::path& file : files_below(folder)) {
    const Expected<std::string> text = read_file(file);
    if (!text) return text.error();
    std::ranges::move(found_in(*text, file), std::back_inserter(leaks));
  }
  return leaks;
}

}  // namespace tessera
