// What a kernel takes of a multiprocessor: registers, and with them the occupancy.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"
#include "grader/compile/compiler.h"
#include "grader/interpreter/interpreter.h"

namespace tessera {

/// The same compilation, to a cubin for `device` in place of PTX; NVRTC alone makes one.
CompileRequest for_machine_code(CompileRequest request, const DeviceProfile& device);

/// What ptxas makes of a source.
struct Assembled {
  std::string cubin;             // "" where it refuses, or nothing here makes one for the device
  std::vector<Finding> refused;  // why it refuses
};

/// Compiled as `request` says but for `device`.
Assembled assemble_for(const DeviceProfile& device, CompileRequest request);

/// Adds registers_per_thread, where known, and theoretical_occupancy to the metrics of a launch
/// that ran; unknown registers are taken not to limit it. Returns what limits it, in words.
std::string add_occupancy(std::map<std::string, double>& metrics, const DeviceProfile& device,
                          const LaunchShape& shape, std::optional<int> registers);

/// Adds modelled_time_ms, the model of the launch in `interpreter` on `request.device`
/// (timing_model.h), to `metrics`, which has the launch's shared bytes. Runs a few blocks, which
/// write to the request's memory. Returns the time with its parts and what limits it, in words; ""
/// and no metric where one of the blocks stops.
std::string add_modelled_time(std::map<std::string, double>& metrics, Interpreter& interpreter,
                              const RunRequest& request, std::optional<int> registers);

}  // namespace tessera
