// What a handout must not hold: a piece of a solution.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct Leak {
  std::filesystem::path file;
  int line = 0;      // where the piece begins
  std::string text;  // that line
};

/// The tokens of solutions, without their comments and pragmas, in all runs of 30 as they are
/// spelt and all runs of 45 whatever the names in them. Layout, line ends and comments do not
/// count, so that a piece is found in a text of any kind, in a comment too. A solution of fewer
/// than 30 tokens cannot be told from chance and is not looked for.
class SolutionText {
 public:
  /// `code`: what stands between the marks of a reference, or all of one that has none.
  void add_solution(std::string_view code);

  /// What students are given, even if a solution has the same tokens.
  void add_skeleton(std::string_view code);

  /// The first piece of a solution in `text`, at most one.
  std::vector<Leak> found_in(std::string_view text, const std::filesystem::path& file) const;

  /// The same for every file below `folder`, in the order of their names. The Error is for a file
  /// that cannot be read.
  Expected<std::vector<Leak>> found_below(const std::filesystem::path& folder) const;

 private:
  std::unordered_set<std::uint64_t> solutions_;  // hashes of runs
  std::unordered_set<std::uint64_t> given_;
};

}  // namespace tessera
