// Prints the table of the timing model, modelled against measured times of the products, as
// Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "common/stopwatch.h"
#include "grader/simulator/testing/product_times.h"

namespace tessera {
namespace {

void print_table(const char* title, const testing::ProductModel& model,
                 const std::vector<testing::ProductTime>& times) {
  fmt::print("{}\n\n| n | kernel | measured ms | modelled ms | ratio | limited by |\n", title);
  fmt::print("|---|---|---|---|---|---|\n");
  std::vector<double> measured, modelled;
  double least = 1e9, most = 0, slowest = 0;
  for (const testing::ProductTime& product : times) {
    const Stopwatch stopwatch;
    const ModelledTime time = model.time(product);
    slowest = std::max(slowest, stopwatch.seconds());
    measured.push_back(product.ms);
    modelled.push_back(time.total);
    const double ratio = time.total / product.ms;
    least = std::min(least, ratio);
    most = std::max(most, ratio);
    fmt::print("| {} | {} | {:.4g} | {:.4g} | {:.2f} | {} |\n", product.n, product.kernel,
               product.ms, time.total, ratio, time.limited_by);
  }
  fmt::print("\nSpearman {:.3f}, ratios {:.2f} to {:.2f}; the slowest took {:.2f} s to model\n\n",
             testing::rank_correlation(measured, modelled), least, most, slowest);
}

int run_all() {
  const testing::ProductModel h200("nvidia-h200");
  const testing::ProductModel rtx_3080("rtx-3080");
  print_table("NVIDIA H200, calibration", h200, testing::calibration_times());
  print_table("NVIDIA H200, validation", h200, testing::validation_times());
  print_table("NVIDIA GeForce RTX 3080", rtx_3080, testing::rtx_3080_times());
  return 0;
}

}  // namespace
}  // namespace tessera

int main() {
  try {
    return tessera::run_all();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
