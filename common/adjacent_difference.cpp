// result[0] = input[0], result[i] = input[i] - input[i-1]: one extent, n.
#include <cmath>
#include <stdexcept>

#include "common/float32.h"
#include "common/operation.h"

namespace tessera {
namespace {

bool exact_in_float32(double a, double b) {
  return a == std::trunc(a) && b == std::trunc(b) && std::abs(a) + std::abs(b) <= kExactBelow;
}

Reference difference_float32(std::span<const float> input) {
  Reference reference{{input[0]}, {0.0}};
  for (std::size_t i = 1; i < input.size(); ++i) {
    const double a = input[i];
    const double b = input[i - 1];
    reference.value.push_back(a - b);
    reference.bound.push_back(exact_in_float32(a, b) ? 0.0 : kUnitRoundoff * std::abs(a - b));
  }
  return reference;
}

Reference difference_int32(std::span<const std::int32_t> input) {
  Reference reference{{static_cast<double>(input[0])}, std::vector<double>(input.size(), 0.0)};
  for (std::size_t i = 1; i < input.size(); ++i) {
    const auto wrapped =
        static_cast<std::uint32_t>(input[i]) - static_cast<std::uint32_t>(input[i - 1]);
    reference.value.push_back(static_cast<std::int32_t>(wrapped));
  }
  return reference;
}

class AdjacentDifference final : public Operation {
 public:
  std::string_view name() const override { return "adjacent_difference"; }

  const std::vector<std::string>& extents() const override {
    static const std::vector<std::string> names = {"n"};
    return names;
  }

  std::vector<Operand> operands(const Extents& extents) const override {
    const int n = extents.at("n");
    return {{.name = "input", .height = 1, .width = n},
            {.name = "result", .height = 1, .width = n, .output = true}};
  }

  double work(const Extents& extents) const override { return extents.at("n"); }

  Reference reference(std::span<const HostMatrix> inputs) const override {
    if (inputs.size() != 1 || inputs[0].height() != 1 || inputs[0].width() < 1) {
      throw std::invalid_argument("adjacent_difference: expected one input of 1 x n");
    }
    const auto width = static_cast<std::size_t>(inputs[0].width());
    return inputs[0].element() == Element::float32
               ? difference_float32(inputs[0].as<float>().first(width))
               : difference_int32(inputs[0].as<std::int32_t>().first(width));
  }
};

}  // namespace

const Operation& adjacent_difference_operation() {
  static const AdjacentDifference operation;
  return operation;
}

}  // namespace tessera
