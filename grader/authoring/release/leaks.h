// Finds pieces of solutions in a handout, which must not hold any.
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

/// The tokens of solutions, without comments and pragmas, in all runs of 30 as spelt, and in all
/// runs of 45 whatever their names. Layout, line ends and comments do not count, so that a piece is
/// found in a text of any kind, even in a comment. A solution of fewer than 30 tokens might appear
/// by chance and is not looked for.
class SolutionText {
 public:
  /// `code` is the text between the marks of a reference, or all of a reference without marks.
  void add_solution(std::string_view code);

  /// Adds what students may be given even though a solution has the same tokens.
  void add_skeleton(std::string_view code);

  /// The first piece of a solution in `text`, if there is one.
  std::vector<Leak> found_in(std::string_view text, const std::filesystem::path& file) const;

  /// The same for every file below `folder`, in the order of names. Error: a file cannot be read.
  Expected<std::vector<Leak>> found_below(const std::filesystem::path& folder) const;

 private:
  std::unordered_set<std::uint64_t> solutions_;  // hashes of runs
  std::unordered_set<std::uint64_t> given_;
};

}  // namespace tessera
