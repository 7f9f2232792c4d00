// How long the simulator takes for a multiply-add of the labs' products, with every check and
// counter on.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "common/text.h"
#include "grader/compile/compiler.h"
#include "grader/simulator/simulator.h"

namespace tessera {
namespace {

constexpr unsigned kTile = 16;

/// A Matrix as kernels take it (tessera/lab.cuh).
struct DeviceMatrix {
  std::uint64_t data;
  std::int32_t height;
  std::int32_t width;
  std::int32_t pitch;
};

std::shared_ptr<const Module> compiled(const char* file) {
  const auto source = read_file(std::string(TESSERA_SOURCE_DIR "/solutions/") + file);
  if (!source) {
    std::fprintf(stderr, "%s\n", source.error().str().c_str());
    std::exit(2);
  }
  CompileRequest request;
  request.source = *source;
  request.include_dir = TESSERA_SOURCE_DIR "/common/include";
  const auto result = compile(request);
  if (!result || !result->ok) {
    std::fprintf(stderr, "%s does not compile\n", file);
    std::exit(2);
  }
  return *load_module(result->ptx);
}

void product(benchmark::State& state, const char* file) {
  const auto module = compiled(file);
  const auto n = static_cast<std::uint32_t>(state.range(0));
  DeviceMemory memory;
  RunRequest request;
  request.module = module.get();
  request.entry = kernels(*module).front().entry;
  request.shape = {{n / kTile, n / kTile, 1}, {kTile, kTile, 1}, 0};
  request.memory = &memory;
  for (const char* name : {"A", "B", "C"}) {
    const std::uint64_t address = memory.allocate({name, 4, n, n, false}, std::uint64_t{n} * n * 4);
    const auto extent = static_cast<std::int32_t>(n);
    const DeviceMatrix matrix{address, extent, extent, extent};
    Argument argument(sizeof matrix);
    std::memcpy(argument.data(), &matrix, sizeof matrix);
    request.arguments.push_back(argument);
  }
  for (auto _ : state) {
    const RunResult result = run(request);
    if (result.status != RunStatus::completed) state.SkipWithError("the launch did not complete");
  }
  const double steps = static_cast<double>(n) * n * n;
  state.counters["ns_per_multiply_add"] = benchmark::Counter(
      steps * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(product, naive, "01-naive/kernel.cu")
    ->RangeMultiplier(2)
    ->Range(64, 1024)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, tiled, "03-tiled/kernel.cu")
    ->RangeMultiplier(2)
    ->Range(64, 1024)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, transposed, "05-transposed/kernel.cu")
    ->RangeMultiplier(2)
    ->Range(64, 1024)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera

BENCHMARK_MAIN();
