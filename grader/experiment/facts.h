// What can be said of a variant without running it: instructions in its text, registers, occupancy.
#pragma once

#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"

namespace tessera {

/// Instructions in PTX, and where an assembler and nvdisasm are here in SASS, for `device`.
std::vector<Value> compiled_values(const Experiment& experiment, const Subject& subject,
                                   const DeviceProfile& device, const GradeOptions& options);

/// Shared bytes, registers and occupancy on each of `devices`, of the launch that the experiment's
/// first shape makes. Registers are known where NVRTC knows the device; where they are not, they
/// are taken not to limit, and a note says so.
std::vector<Value> calculated_values(const Experiment& experiment, const Variant& variant,
                                     const Subject& subject,
                                     const std::vector<DeviceProfile>& devices,
                                     const GradeOptions& options);

/// The profiles that the experiment names: in its folder devices/, else in `profiles`.
Expected<std::vector<DeviceProfile>> load_devices(const Experiment& experiment,
                                                  const std::filesystem::path& profiles);

}  // namespace tessera
