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

Reference Operation::reference_at(std::span<const HostMatrix> inputs,
                                  std::span<const std::int32_t> elements) const {
  const Reference all = reference(inputs);
  Reference some;
  for (const std::int32_t element : elements) {
    some.value.push_back(all.value.at(static_cast<std::size_t>(element)));
    some.bound.push_back(all.bound.at(static_cast<std::size_t>(element)));
  }
  return some;
}

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
