#include "grader/experiment/prepared.h"

#include <algorithm>
#include <iterator>

#include "grader/experiment/facts.h"
#include "grader/experiment/simulated.h"

namespace tessera {

Prepared prepare_variant(const Experiment& experiment, const Variant& variant,
                         const std::vector<DeviceProfile>& devices, const GradeOptions& options) {
  Prepared prepared;
  if (!runs_kernel(*variant.row)) return prepared;
  auto built = build_subject(experiment, variant, options);
  if (const std::string* reason = std::get_if<std::string>(&built)) {
    prepared.wrong = *reason;
    return prepared;
  }
  prepared.subject = std::get<Subject>(std::move(built));
  const Subject& subject = *prepared.subject;
  prepared.values = compiled_values(experiment, subject, devices.front(), options);
  std::ranges::move(calculated_values(experiment, variant, subject, devices, options),
                    std::back_inserter(prepared.values));
  if (!options.machine.simulate || experiment.simulated_shapes.empty()) return prepared;
  SimulatedRun simulated = simulate_variant(experiment, variant, subject, options);
  prepared.wrong = simulated.wrong;
  std::ranges::move(simulated.values, std::back_inserter(prepared.values));
  return prepared;
}

}  // namespace tessera
