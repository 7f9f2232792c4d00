// How long the simulator takes per multiply-add of the labs' products, with every check and counter
// on; and, if it is installed, Oclgrind with its check for races.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/compile/testing/kit_compiler.h"
#include "grader/simulator/simulator.h"

namespace tessera {
namespace {

constexpr const char* kCounter = "multiply_add";

/// A reference solution, and how its launch() launches it.
struct Solution {
  const char* lab;
  std::uint32_t rows = 16;  // of C, that a block computes
  std::uint32_t columns = 16;
  Dim3 block{16, 16, 1};
  std::uint32_t shared_bytes = 0;  // dynamic
  std::uint32_t input_bytes = 4;   // of an element of A or B
  std::uint32_t largest = 512;     // extent
  bool line = false;               // the grid is a line of blocks
};

constexpr Solution kSolutions[] = {
    {.lab = "01-naive", .largest = 1024},
    {.lab = "03-tiled", .largest = 1024},
    {.lab = "05-transposed"},
    {.lab = "10-register-tile", .rows = 128, .columns = 128},
    {.lab = "11-vector-access", .rows = 128, .columns = 128},
    {.lab = "12-double-buffer", .rows = 128, .columns = 128},
    {.lab = "13-async-pipeline", .rows = 64, .columns = 256, .block = {128, 1, 1}},
    {.lab = "14-beyond-cublas", .rows = 64, .columns = 256, .block = {128, 1, 1}},
    {.lab = "15-wmma", .rows = 128, .columns = 64, .block = {128, 1, 1}, .input_bytes = 2},
    {.lab = "16-mma",
     .rows = 128,
     .columns = 256,
     .block = {256, 1, 1},
     .shared_bytes = 3 * 64 * (128 + 256) * 2,
     .input_bytes = 2},
    {.lab = "17-wgmma",
     .rows = 128,
     .columns = 256,
     .block = {384, 1, 1},
     .shared_bytes = 4 * 64 * (128 + 256) * 2,
     .input_bytes = 2,
     .line = true},
};

/// A Matrix as kernels receive it (tessera/lab.cuh).
struct DeviceMatrix {
  std::uint64_t data;
  std::int32_t height;
  std::int32_t width;
  std::int32_t pitch;
};

std::shared_ptr<const Module> compiled(const Solution& solution) {
  const std::string file = fmt::format("{}/kernel.cu", solution.lab);
  const auto source = read_file(TESSERA_SOURCE_DIR "/solutions/" + file);
  if (!source) {
    std::fprintf(stderr, "%s\n", source.error().str().c_str());
    std::exit(2);
  }
  CompileRequest request;
  request.source = Source(*source);
  request.compiler = kit_compiler();
  request.compute_capability = 90;
  const auto result = compile(request);
  if (!result || !result->ok) {
    std::fprintf(stderr, "%s does not compile\n", file.c_str());
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

/// A, B and C as the kernel's parameters need them: matrices by value, or pointers and extents.
std::vector<Argument> arguments(const Solution& solution, const KernelInfo& kernel,
                                DeviceMemory& memory, std::uint32_t n) {
  std::vector<Argument> result;
  const auto extent = static_cast<std::int32_t>(n);
  const auto buffer = [&](const std::string& name) {
    const std::uint32_t bytes = name == "C" ? 4 : solution.input_bytes;
    BufferInfo info{name, bytes, n, n, false};
    info.input = info.initialized = name != "C";
    return memory.allocate(info, std::uint64_t{n} * n * bytes);
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

/// Measures the wall time per multiply-add of an n x n x n product.
void count_multiply_adds(benchmark::State& state, std::uint32_t n) {
  const double count = static_cast<double>(n) * n * n;
  state.counters[kCounter] = benchmark::Counter(
      count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void product(benchmark::State& state, const Solution& solution) {
  const auto module = compiled(solution);
  const auto n = static_cast<std::uint32_t>(state.range(0));
  DeviceMemory memory;
  RunRequest request;
  // A file may hold the kernel that it improves, too.
  const std::vector<KernelInfo> all = kernels(*module);
  const auto kernel = std::ranges::find(all, "matmul", &KernelInfo::name);
  if (kernel == all.end()) return state.SkipWithError("no kernel is called matmul");
  request.entry = kernel->entry;
  const std::uint32_t across = n / solution.columns;
  const std::uint32_t down = n / solution.rows;
  request.shape = {solution.line ? Dim3{across * down, 1, 1} : Dim3{across, down, 1},
                   solution.block, solution.shared_bytes};
  request.memory = &memory;
  request.arguments = arguments(solution, *kernel, memory, n);
  for (auto _ : state) {
    const RunResult result = run(*module, request);
    if (result.status != RunStatus::completed || !result.findings.empty())
      state.SkipWithError("the launch did not complete without a finding");
  }
  count_multiply_adds(state, n);
}

/// Measures the same tiled product in OpenCL C under Oclgrind, including the time that Oclgrind
/// takes to start.
void oclgrind(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const TemporaryDirectory folder;
  const std::uint64_t bytes = std::uint64_t{n} * n * 4;
  const std::string launch = fmt::format(
      "tiled_product.cl\nproduct\n{0} {0} 1\n{1} {1} 1\n<size={2} float fill=1>\n"
      "<size={2} float fill=1>\n<size={2} float fill=0>\n<size=4 int>\n{0}\n",
      n, 16, bytes);
  std::filesystem::copy(TESSERA_SOURCE_DIR "/grader/simulator/bench/tiled_product.cl",
                        folder.path());
  if (write_file(folder.path() / "product.sim", launch))
    return state.SkipWithError("cannot write a temporary file");
  const std::string command =
      fmt::format("cd '{}' && oclgrind-kernel --data-races product.sim", folder.path().string());
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) state.SkipWithError("oclgrind-kernel failed");
  }
  count_multiply_adds(state, n);
}

/// Prints after the table how much longer Oclgrind takes.
class Comparison : public benchmark::ConsoleReporter {
 public:
  Comparison() : ConsoleReporter(isatty(STDOUT_FILENO) ? OO_ColorTabular : OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto count = run.counters.find(kCounter);
      if (count == run.counters.end()) continue;
      const std::string name = run.benchmark_name();
      if (name.starts_with("product/03-tiled/512")) ours_ = count->second.value;
      if (name.starts_with("oclgrind")) theirs_ = count->second.value;
    }
    ConsoleReporter::ReportRuns(runs);
  }

  void Finalize() override {
    if (ours_ == 0 || theirs_ == 0) return;
    fmt::print(
        "\nOclgrind with its race check takes {:.0f} times as long for a multiply-add of the "
        "tiled product ({:.0f} ns against {:.2f} ns).\n",
        theirs_ / ours_, theirs_ * 1e9, ours_ * 1e9);
  }

 private:
  double ours_ = 0;  // seconds per multiply-add
  double theirs_ = 0;
};

void register_product(const Solution& solution) {
  constexpr std::uint32_t kSmallest = 64;
  benchmark::RegisterBenchmark(fmt::format("product/{}", solution.lab).c_str(), product, solution)
      ->RangeMultiplier(2)
      ->Range(std::max({kSmallest, solution.rows, solution.columns}), solution.largest)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

int run_all(int argc, char** argv) {
  for (const Solution& solution : kSolutions) register_product(solution);
  if (std::system("command -v oclgrind-kernel >/dev/null") == 0) {
    benchmark::RegisterBenchmark("oclgrind/tiled", oclgrind)
        ->Arg(128)
        ->Iterations(1)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  } else {
    fmt::print("Oclgrind is not installed (package oclgrind): nothing to compare with.\n");
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Comparison reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  return tessera::run_all(argc, argv);
}
