#include "grader/authoring/release/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/text.h"

namespace tessera {
namespace {

using Lines = std::vector<std::string>;

/// common[i][j] is the length of the longest common subsequence of before[i..] and after[j..].
std::vector<std::vector<int>> common_lengths(const Lines& before, const Lines& after) {
  std::vector<std::vector<int>> common(before.size() + 1, std::vector<int>(after.size() + 1));
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      common[i][j] = before[i] == after[j] ? common[i + 1][j + 1] + 1
                                           : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

}  // namespace

std::string line_diff(std::string_view before_text, std::string_view after_text) {
  const Lines before = split_lines(before_text);
  const Lines after = split_lines(after_text);
  const auto common = common_lengths(before, after);
  std::string text;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      ++i;
      ++j;
    } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
      text += fmt::format("-{:<4} {}\n", i + 1, before[i]);
      ++i;
    } else {
      text += fmt::format("+{:<4} {}\n", j + 1, after[j]);
      ++j;
    }
  }
  return text;
}

}  // namespace tessera
