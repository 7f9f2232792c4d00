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

template <class T>
Argument bytes_of(const T& value) {
  Argument argument(sizeof value);
  std::memcpy(argument.data(), &value, sizeof value);
  return argument;
}

/// A, B and C as the kernel takes them: matrices by value or pointers, then extents.
std::vector<Argument> arguments(const KernelInfo& kernel, DeviceMemory& memory, std::uint32_t n) {
  std::vector<Argument> result;
  const auto extent = static_cast<std::int32_t>(n);
  const auto buffer = [&](const std::string& name) {
    return memory.allocate({name, 4, n, n, false}, std::uint64_t{n} * n * 4);
  };
  for (std::uint32_t bytes : kernel.parameter_bytes) {
    const std::string name(1, static_cast<char>('A' + result.size()));
    if (bytes == sizeof(DeviceMatrix)) {
      result.push_back(bytes_of(DeviceMatrix{buffer(name), extent, extent, extent}));
    } else {
      result.push_back(bytes == 8 ? bytes_of(buffer(name)) : bytes_of(extent));
    }
  }
  return result;
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
  request.arguments = arguments(kernels(*module).front(), memory, n);
  for (auto _ : state) {
    const RunResult result = run(request);
    if (result.status != RunStatus::completed) state.SkipWithError("the launch did not complete");
  }
  const double steps = static_cast<double>(n) * n * n;
  state.counters["multiply_add"] = benchmark::Counter(
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
