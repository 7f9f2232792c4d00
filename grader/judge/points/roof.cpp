#include "grader/judge/points/roof.h"

#include "common/device_storage.h"

namespace tessera {

double peak_gflops(const Lab& lab, const DeviceProfile& device) {
  const double multiply_adds =
      lab.inputs == Storage::same ? device.fp32_lanes_per_sm : tensor_multiply_adds(device);
  return 2e-3 * device.multiprocessors * multiply_adds * device.clock_mhz;
}

std::optional<Roof> roof_of(const Lab& lab, const DeviceProfile& device) {
  const double peak = peak_gflops(lab, device);
  if (peak <= 0 || device.memory_gb_per_s <= 0) return std::nullopt;
  double bytes = 0;
  for (const Operand& operand : lab.operation->operands(lab.performance_shape)) {
    bytes += static_cast<double>(operand.height) * operand.width *
             static_cast<double>(stored_size(operand.output ? Storage::same : lab.inputs));
  }
  Roof roof;
  roof.memory_ms = bytes / (device.memory_gb_per_s * 1e6);
  if (lab.operation->is_product())
    roof.compute_ms = 2 * lab.operation->work(lab.performance_shape) / (peak * 1e6);
  return roof;
}

}  // namespace tessera
