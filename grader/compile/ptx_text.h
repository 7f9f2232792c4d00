// PTX as the rest of the grader wants it, whatever machine and compiler it came from.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// `ptx` with the names in its `.file` directives cut down to what a student knows: `file_name`,
/// "tessera-launch", "tessera/lab.cuh" for what is below `include_dir`, a bare name for the rest.
std::string with_plain_file_names(std::string_view ptx, std::string_view file_name,
                                  std::string_view include_dir);

/// The line of `file_name` that line `ptx_line` of `ptx` was made from, by its `.loc` directives; 0
/// where none tells. `ptx` has plain file names.
int source_line_of(std::string_view ptx, int ptx_line, std::string_view file_name);

}  // namespace tessera
