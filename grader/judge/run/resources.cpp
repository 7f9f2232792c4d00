#include "grader/judge/run/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/occupancy.h"
#include "grader/simulator/timing/timing_model.h"

namespace tessera {
namespace {

std::uint64_t shared_bytes(const Metrics& metrics) {
  return static_cast<std::uint64_t>(metrics.at(Metric::static_shared_bytes) +
                                    metrics.at(Metric::dynamic_shared_bytes));
}

}  // namespace

Expected<CompileResult> compile_with_code(const DeviceProfile& device, CompileRequest request) {
  request.compute_capability = device.compute_capability;
  request.cubin = request.compiler.kind != CompilerKind::clang;
  if (!request.cubin) return compile(request);
  Expected<CompileResult> compiled = compile(request);
  return compiled ? std::move(compiled) : compile_for(device, std::move(request));
}

Expected<CompileResult> compile_for(const DeviceProfile& device, CompileRequest request) {
  request.cubin = false;
  request.compute_capability = device.compute_capability;
  Expected<CompileResult> compiled = compile(request);
  if (compiled) return compiled;
  // A card that this NVRTC no longer knows, or does not know yet.
  request.compute_capability = CompileRequest().compute_capability;
  return compile(request);
}

bool may_hold_many_registers(std::string_view ptx) {
  constexpr int kFew = 256;  // the labs' references have no more
  constexpr std::string_view kDeclaration = ".reg ";
  int all = 0;
  for (std::size_t at = ptx.find(kDeclaration); at != ptx.npos; at = ptx.find(kDeclaration, at)) {
    const std::size_t end = std::min(ptx.find(';', at), ptx.size());
    const std::string_view declaration = ptx.substr(at, end - at);
    const std::size_t count = std::min(declaration.find('<'), declaration.size() - 1) + 1;
    int registers = 1;
    std::from_chars(declaration.data() + count, declaration.data() + declaration.size(), registers);
    if (registers > kFew || (all += registers) > kFew) return true;
    at = end;
  }
  return false;
}

std::string add_occupancy(Metrics& metrics, const DeviceProfile& device, const LaunchShape& shape,
                          std::optional<int> registers) {
  const Occupancy result = occupancy(device, static_cast<std::uint32_t>(shape.block.count()),
                                     registers.value_or(0), shared_bytes(metrics));
  if (registers) metrics[Metric::registers_per_thread] = *registers;
  metrics[Metric::theoretical_occupancy] = result.percent;
  return fmt::format("occupancy: {} blocks on a multiprocessor, limited by {}{}",
                     result.blocks_per_sm, result.limited_by,
                     registers ? "" : "; registers are not known here and taken not to limit");
}

Text add_modelled_time(Metrics& metrics, Interpreter& interpreter, const RunRequest& request,
                       std::optional<int> registers) {
  const std::optional<LaunchCounters> counters = interpreter.sample_launch(request);
  if (!counters) return {};
  const ModelledTime time = modelled_time(request.shape, *counters, registers.value_or(0),
                                          shared_bytes(metrics), request.device);
  if (time.total == 0) return {};
  metrics[Metric::modelled_time_ms] = time.total;
  const auto rounded = [](double milliseconds) {
    return Detail(fmt::format("{:.3g}", milliseconds));
  };
  return say(Phrase::modelled, rounded(time.total), Name{request.device.name},
             Name{time.limited_by}, rounded(time.issue), rounded(time.l1), rounded(time.shared),
             rounded(time.l2), rounded(time.dram), rounded(time.wait));
}

}  // namespace tessera
