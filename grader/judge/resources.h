// What a kernel takes of a multiprocessor: registers, and with them the occupancy.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/device_profile.h"
#include "common/launch.h"
#include "grader/compile/compiler.h"
#include "grader/interpreter/interpreter.h"

namespace tessera {

/// The same compilation, to a cubin for `device` in place of PTX; NVRTC alone makes one.
CompileRequest for_machine_code(CompileRequest request, const DeviceProfile& device);

/// Registers a thread of the kernel `entry`, compiled as `request` says but for `device`; nothing
/// where no compiler here makes machine code for it.
std::optional<int> registers_on(const DeviceProfile& device, CompileRequest request,
                                const std::string& entry);

/// Adds registers_per_thread, where known, and theoretical_occupancy to the metrics of a launch
/// that ran. Returns what limits the occupancy, in words.
std::string add_occupancy(std::map<std::string, double>& metrics, const DeviceProfile& device,
                          const LaunchShape& shape, std::optional<int> registers);

/// Adds modelled_time_ms, the model of the launch in `interpreter` on `request.device`
/// (timing_model.h), to `metrics`, which has the launch's shared bytes. Runs a few blocks, which
/// write to the request's memory. Returns the time with its parts and what limits it, in words; ""
/// and no metric where one of the blocks stops.
std::string add_modelled_time(std::map<std::string, double>& metrics, Interpreter& interpreter,
                              const RunRequest& request, std::optional<int> registers);

}  // namespace tessera
