#include "grader/judge/run/epilogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {

std::vector<std::string> launch_arguments(const Lab& lab) {
  std::vector<std::string> names = lab.operation->extents();
  names.insert(names.end(), lab.parameters.begin(), lab.parameters.end());
  return names;
}

std::string launch_epilogue(const Lab& lab) {
  // The grader's own names, and none of a member, since `m` and `grid` may be macros of the
  // submission.
  std::vector<std::string> names, declarations;
  for (std::size_t i = 0; i < launch_arguments(lab).size(); ++i) {
    names.push_back(fmt::format("tessera_argument_{}", i));
    declarations.push_back("int " + names.back());
  }
  return fmt::format(
      "extern \"C\" __global__ void {}({}, Launch* tessera_shape) {{\n"
      "  *tessera_shape = launch({});\n"
      "}}\n",
      kLaunchEntry, fmt::join(declarations, ", "), fmt::join(names, ", "));
}

}  // namespace tessera
