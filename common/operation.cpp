#include "common/operation.h"

#include <algorithm>
#include <array>

namespace tessera {

// Each operation's own file defines one of these.
const Operation& adjacent_difference_operation();
const Operation& matmul_operation();

namespace {

std::array<const Operation*, 2> operations() {
  return {&adjacent_difference_operation(), &matmul_operation()};
}

}  // namespace

const Operation* find_operation(std::string_view name) {
  for (const Operation* operation : operations()) {
    if (operation->name() == name) return operation;
  }
  return nullptr;
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const Operation* operation : operations()) names.emplace_back(operation->name());
  std::ranges::sort(names);
  return names;
}

}  // namespace tessera
