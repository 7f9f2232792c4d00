#include "grader/cli/bench_shapes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "grader/experiment/simulated.h"

namespace tessera {
namespace {

/// Copies of the operands in memory: the host's, those sent to the GPU, those that come back.
constexpr double kCopies = 3;
constexpr double kGiB = 1 << 30;

double memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::optional<Error> set_shapes(std::vector<int> shapes, std::vector<Experiment>& experiments) {
  if (shapes.empty()) return std::nullopt;
  std::ranges::sort(shapes);
  const auto again = std::ranges::unique(shapes);
  shapes.erase(again.begin(), again.end());
  for (Experiment& experiment : experiments) {
    for (const int shape : shapes) {
      if (shape % experiment.multiple_of == 0) continue;
      return Error{.file = fmt::format("--shapes {}", shape),
                   .message = fmt::format("the kernels of '{}' take multiples of {}", experiment.id,
                                          experiment.multiple_of)};
    }
    experiment.shapes = shapes;
  }
  return std::nullopt;
}

std::optional<Error> check_memory(const Experiment& experiment, const RunOptions& options) {
  if (!makes_operands(experiment, options)) return std::nullopt;
  const double memory = memory_bytes();
  for (const int shape : experiment.shapes) {
    const double wanted = kCopies * operand_bytes(experiment, shape);
    if (wanted <= memory) continue;
    return Error{
        .file = fmt::format("n = {}", shape),
        .message = fmt::format("'{}' would take {:.0f} GiB of memory, and this machine has {:.0f}; "
                               "give smaller ones with --shapes",
                               experiment.id, wanted / kGiB, memory / kGiB)};
  }
  return std::nullopt;
}

}  // namespace tessera
