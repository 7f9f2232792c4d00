#include "grader/lab/declared_operation.h"

#include <stdexcept>

namespace tessera {
namespace {

int side(const std::string& word, const Extents& extents) {
  const auto extent = extents.find(word);
  return extent != extents.end() ? extent->second : std::stoi(word);
}

Operand operand(const DeclaredOperand& declared, const Extents& extents, bool output) {
  return {.name = declared.name,
          .height = side(declared.height, extents),
          .width = side(declared.width, extents),
          .output = output};
}

}  // namespace

std::vector<Operand> DeclaredOperation::operands(const Extents& extents) const {
  std::vector<Operand> operands;
  for (const DeclaredOperand& input : inputs_) operands.push_back(operand(input, extents, false));
  operands.push_back(operand(output_, extents, true));
  return operands;
}

double DeclaredOperation::work(const Extents& extents) const {
  double product = 1;
  for (const std::string& factor : work_) product *= side(factor, extents);
  return product;
}

Reference DeclaredOperation::reference(std::span<const HostMatrix>) const {
  throw std::logic_error("the reference of '" + name_ + "' is a kernel");
}

}  // namespace tessera
