// PTX as the rest of the grader wants it, whatever machine and compiler it came from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// `ptx` with the names in its `.file` directives cut down to what a student knows: `file_name`,
/// "tessera-launch", "tessera/lab.cuh" for what is below `include_dir`, a bare name for the rest.
std::string with_plain_file_names(std::string_view ptx, std::string_view file_name,
                                  std::string_view include_dir);

/// Which lines of `file_name` the lines of `ptx` were made from, by its `.loc` directives. `ptx`
/// has plain file names; it is read once, whatever number of lines is asked for.
class SourceLines {
 public:
  SourceLines(std::string_view ptx, std::string_view file_name);

  /// The source line of line `ptx_line`; 0 if no directive stands above it.
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
