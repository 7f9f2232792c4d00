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
  // The grader's own names, since `m` may be a macro of the submission.
  std::vector<std::string> names, declarations;
  for (std::size_t i = 0; i < launch_arguments(lab).size(); ++i) {
    names.push_back(fmt::format("tessera_argument_{}", i));
    declarations.push_back("int " + names.back());
  }
  return fmt::format(
      "extern \"C\" __global__ void {}({}, unsigned int* tessera_out) {{\n"
      "  const Launch tessera_shape = launch({});\n"
      "  tessera_out[0] = tessera_shape.grid.x;\n"
      "  tessera_out[1] = tessera_shape.grid.y;\n"
      "  tessera_out[2] = tessera_shape.grid.z;\n"
      "  tessera_out[3] = tessera_shape.block.x;\n"
      "  tessera_out[4] = tessera_shape.block.y;\n"
      "  tessera_out[5] = tessera_shape.block.z;\n"
      "  tessera_out[6] = tessera_shape.shared_bytes;\n"
      "}}\n",
      kLaunchEntry, fmt::join(declarations, ", "), fmt::join(names, ", "));
}

}  // namespace tessera
