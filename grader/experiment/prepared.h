// A variant that is ready to be timed: compiled, counted, and checked by the simulator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"

namespace tessera {

struct Prepared {
  std::optional<Subject> subject;  // of rows that run a kernel
  std::string wrong;               // why the variant must not be timed; "" if it is right
  std::vector<Value> values;       // what is known without a clock
};

/// Prepares the variant. Occupancy is calculated for `devices`, of which the device in use is
/// first.
Prepared prepare_variant(const Experiment& experiment, const Variant& variant,
                         const std::vector<DeviceProfile>& devices, const GradeOptions& options);

}  // namespace tessera
