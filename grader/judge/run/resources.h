// What a kernel takes of a multiprocessor: registers, and with them the occupancy.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"
#include "common/metric.h"
#include "grader/compile/compiler.h"
#include "grader/interpreter/interpreter.h"

namespace tessera {

/// Compiled for `device`: PTX, and in the same compilation machine code. A source may differ by
/// architecture (__CUDA_ARCH__) or from one compilation to the next (__TIME__): what is executed,
/// assembled and timed must come from one. Where nothing here makes machine code for the device,
/// PTX alone, for any device.
Expected<CompileResult> compile_with_code(const DeviceProfile& device, CompileRequest request);

/// The same where machine code may be left out: it takes as long to make as the PTX.
Expected<CompileResult> compile_for(const DeviceProfile& device, CompileRequest request);

/// Whether PTX names so many registers that a thread may hold more than large blocks leave it. It
/// names one for nearly every value, so few say that few are held.
bool may_hold_many_registers(std::string_view ptx);

/// Adds registers_per_thread, where known, and theoretical_occupancy to the metrics of a launch
/// that ran; unknown registers are taken not to limit it. Returns what limits it, in words.
std::string add_occupancy(Metrics& metrics, const DeviceProfile& device, const LaunchShape& shape,
                          std::optional<int> registers);

/// Adds modelled_time_ms, the model of the launch in `interpreter` on `request.device`
/// (timing_model.h), to `metrics`, which has the launch's shared bytes. Runs a few blocks, which
/// write to the request's memory. Returns the time with its parts and what limits it; nothing and
/// no metric where one of the blocks stops.
Text add_modelled_time(Metrics& metrics, Interpreter& interpreter, const RunRequest& request,
                       std::optional<int> registers);

}  // namespace tessera
