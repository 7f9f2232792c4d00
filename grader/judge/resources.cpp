#include "grader/judge/resources.h"

#include <fmt/format.h>

#include "common/occupancy.h"
#include "grader/compile/cubin.h"

namespace tessera {

std::optional<int> registers_on(const DeviceProfile& device, CompileRequest request,
                                const std::string& entry) {
  if (request.compiler == CompilerKind::clang) return std::nullopt;
  request.compiler = CompilerKind::nvrtc;
  request.ptx = false;
  request.cubin = true;
  request.compute_capability = device.compute_capability;
  const Expected<CompileResult> compiled = compile(request);
  return compiled && compiled->ok ? cubin_registers(compiled->cubin, entry) : std::nullopt;
}

std::string add_occupancy(std::map<std::string, double>& metrics, const DeviceProfile& device,
                          const LaunchShape& shape, std::optional<int> registers) {
  const auto shared = static_cast<std::uint64_t>(metrics.at("static_shared_bytes")) +
                      static_cast<std::uint64_t>(metrics.at("dynamic_shared_bytes"));
  const Occupancy result = occupancy(device, static_cast<std::uint32_t>(shape.block.count()),
                                     registers.value_or(0), shared);
  if (registers) metrics["registers_per_thread"] = *registers;
  metrics["theoretical_occupancy"] = result.percent;
  return fmt::format("occupancy: {} blocks on a multiprocessor, limited by {}{}",
                     result.blocks_per_sm, result.limited_by,
                     registers ? "" : "; registers are not known here and taken not to limit");
}

}  // namespace tessera
