// What a handout must not hold: lines of a solution.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct Leak {
  std::filesystem::path file;
  int line = 0;
  std::string text;  // the line of the solution
  bool sure = true;  // two neighbouring lines of a solution; else one long line, perhaps by chance
};

/// Lines that solutions have and skeletons do not. Lines of up to 12 characters, without the space
/// around them, tell nothing and are passed over.
class SolutionText {
 public:
  /// `lines` of a marked reference, as solution_lines() gives them.
  void add_solution(const std::vector<std::string>& lines);

  /// What students are given, even where a solution has the same lines.
  void add_skeleton(std::string_view text);

  /// Places in `text` that hold lines of a solution, at most one of each kind.
  std::vector<Leak> found_in(std::string_view text, const std::filesystem::path& file) const;

  /// The same for every file below `folder`, in the order of their names. The Error is for a file
  /// that cannot be read.
  Expected<std::vector<Leak>> found_below(const std::filesystem::path& folder) const;

 private:
  using Pair = std::pair<std::string, std::string>;

  std::set<std::string> lines_;
  std::set<Pair> pairs_;
  std::set<std::string> given_lines_;
  std::set<Pair> given_pairs_;
};

}  // namespace tessera
