#include "grader/gpu/launch_check.h"

namespace tessera {

std::optional<Finding> refused_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device) {
  const std::vector<Finding> of_shape = shape_findings(shape, device);
  if (!of_shape.empty()) return of_shape.front();
  if (auto finding = kernel_finding(shape, needs, device)) return finding;
  return shared_memory_finding(shape, needs.static_shared_bytes, device,
                               device.shared_bytes_per_block_optin);
}

}  // namespace tessera
