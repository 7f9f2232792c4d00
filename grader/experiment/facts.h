// What is known of a variant without running it: instructions in its text, registers, occupancy.
#pragma once

#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"

namespace tessera {

/// The counts of instructions in PTX and, if an assembler and nvdisasm are here, in SASS for
/// `device`.
std::vector<Value> compiled_values(const Experiment& experiment, const Subject& subject,
                                   const DeviceProfile& device, const GradeOptions& options);

/// Shared bytes, registers and occupancy on each of `devices` for the launch at the experiment's
/// first shape. Registers are known if NVRTC knows the device; otherwise they are taken not to
/// limit occupancy, and a note says so.
std::vector<Value> calculated_values(const Experiment& experiment, const Variant& variant,
                                     const Subject& subject,
                                     const std::vector<DeviceProfile>& devices,
                                     const GradeOptions& options);

/// The profiles that the experiment names, from its folder devices/, else from `profiles`.
Expected<std::vector<DeviceProfile>> load_devices(const Experiment& experiment,
                                                  const std::filesystem::path& profiles);

}  // namespace tessera
