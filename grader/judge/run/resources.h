// Compiles for a device, and computes what depends on a kernel's registers: occupancy and modelled
// time.
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

/// Compiles for `device` to PTX and, in the same compilation, machine code: a source may differ by
/// architecture (__CUDA_ARCH__) or from one compilation to the next (__TIME__), but the same code
/// must be executed, assembled and timed. If no compiler here makes machine code for the device,
/// the result is that of compile_for().
Expected<CompileResult> compile_with_code(const DeviceProfile& device, CompileRequest request);

/// Compiles for `device` to PTX alone, which takes half the time; for the default architecture if
/// the compiler does not know the device's.
Expected<CompileResult> compile_for(const DeviceProfile& device, CompileRequest request);

/// Whether the PTX names so many registers that a large block might not fit on a multiprocessor.
/// PTX names a register for nearly every value, so a kernel that names few holds few.
bool may_hold_many_registers(std::string_view ptx);

/// Adds registers_per_thread, if known, and theoretical_occupancy to the metrics of a launch that
/// ran. Registers that are not known are assumed not to limit the occupancy. Returns a sentence
/// that says what limits it.
std::string add_occupancy(Metrics& metrics, const DeviceProfile& device, const LaunchShape& shape,
                          std::optional<int> registers);

/// Adds modelled_time_ms, the time that the model (timing_model.h) gives the launch on
/// `request.device`, to `metrics`, which must have the launch's shared bytes. Runs a few blocks in
/// `interpreter`, which write to the request's memory. Returns a sentence with the time, its parts
/// and what limits it; an empty text, and no metric, if sample_launch() returns nothing.
Text add_modelled_time(Metrics& metrics, Interpreter& interpreter, const RunRequest& request,
                       std::optional<int> registers);

}  // namespace tessera
