// PTX in the form that the rest of the grader reads, independent of machine and compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// `ptx` with the names in its `.file` directives reduced to what a student knows: `file_name`,
/// "tessera-launch", "tessera/lab.cuh" for files below `include_dir`, a bare name for the rest.
std::string with_plain_file_names(std::string_view ptx, std::string_view file_name,
                                  std::string_view include_dir);

/// `ptx` with `.loc` directives for its own lines in place of those that it has: `file_name` is its
/// own source. No line moves.
std::string with_own_lines(std::string_view ptx, std::string_view file_name);

/// The lines of `file_name` that the lines of `ptx` were made from, by its `.loc` directives. `ptx`
/// must have plain file names; it is read once for any number of questions.
class SourceLines {
 public:
  SourceLines(std::string_view ptx, std::string_view file_name);

  /// The source line of line `ptx_line`; 0 if no directive precedes it.
  int of(int ptx_line) const;

 private:
  struct Place {
    int ptx_line = 0;
    int file = 0;
    int line = 0;
  };

  std::vector<Place> places_;  // by rising ptx_line
};

}  // namespace tessera
