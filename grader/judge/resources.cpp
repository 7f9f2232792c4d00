#include "grader/judge/resources.h"

#include <fmt/format.h>

#include "common/occupancy.h"
#include "grader/simulator/timing_model.h"

namespace tessera {
namespace {

std::uint64_t shared_bytes(const std::map<std::string, double>& metrics) {
  return static_cast<std::uint64_t>(metrics.at("static_shared_bytes") +
                                    metrics.at("dynamic_shared_bytes"));
}

}  // namespace

CompileRequest for_machine_code(CompileRequest request, const DeviceProfile& device) {
  request.compiler = CompilerKind::nvrtc;
  request.ptx = false;
  request.cubin = true;
  request.compute_capability = device.compute_capability;
  return request;
}

Assembled assemble_for(const DeviceProfile& device, CompileRequest request) {
  if (request.compiler == CompilerKind::clang) return {};
  Expected<CompileResult> compiled = compile(for_machine_code(std::move(request), device));
  if (!compiled) return {};
  if (!compiled->ok) return {.cubin = "", .refused = std::move(compiled->findings)};
  return {.cubin = std::move(compiled->cubin), .refused = {}};
}

std::string add_occupancy(std::map<std::string, double>& metrics, const DeviceProfile& device,
                          const LaunchShape& shape, std::optional<int> registers) {
  const Occupancy result = occupancy(device, static_cast<std::uint32_t>(shape.block.count()),
                                     registers.value_or(0), shared_bytes(metrics));
  if (registers) metrics["registers_per_thread"] = *registers;
  metrics["theoretical_occupancy"] = result.percent;
  return fmt::format("occupancy: {} blocks on a multiprocessor, limited by {}{}",
                     result.blocks_per_sm, result.limited_by,
                     registers ? "" : "; registers are not known here and taken not to limit");
}

std::string add_modelled_time(std::map<std::string, double>& metrics, Interpreter& interpreter,
                              const RunRequest& request, std::optional<int> registers) {
  const std::optional<LaunchCounters> counters = interpreter.sample_launch(request);
  if (!counters) return "";
  const ModelledTime time = modelled_time(request.shape, *counters, registers.value_or(0),
                                          shared_bytes(metrics), request.device);
  if (time.total == 0) return "";
  metrics["modelled_time_ms"] = time.total;
  return fmt::format(
      "modelled, not measured: {:.3g} ms on {}, limited by {}. Each part alone, ms: issue {:.3g}, "
      "global lines in L1 {:.3g}, shared memory {:.3g}, L2 {:.3g}, DRAM {:.3g}, waiting {:.3g}.",
      time.total, request.device.name, time.limited_by, time.issue, time.l1, time.shared, time.l2,
      time.dram, time.wait);
}

}  // namespace tessera
