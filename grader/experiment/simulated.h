// What the simulator finds out about a variant: counters of small shapes with all accesses checked,
// and the modelled time of any shape.
#pragma once

#include <string>
#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"
#include "grader/judge/run/simulated_operands.h"

namespace tessera {

struct SimulatedRun {
  std::vector<Value> values;
  std::string wrong;  // why the variant must not be timed; "" if it is right
};

/// Runs the variant at each of the experiment's simulated shapes: the counters, or what is wrong.
/// An instruction that the simulator does not know is not a mistake, but leaves no counters.
SimulatedRun simulate_variant(const Experiment& experiment, const Variant& variant,
                              const Subject& subject, const GradeOptions& options);

/// modelled_time_ms, and gflops or gb_per_s if they are wanted, of the variant at `shape` on
/// `options.machine.device`; `operands` are those of the shape, whatever the variant.
std::vector<Value> model_variant(const Experiment& experiment, const Variant& variant,
                                 const Subject& subject, int shape, SimulatedOperands& operands,
                                 const GradeOptions& options);

/// The bytes of all operands at `shape`.
double operand_bytes(const Experiment& experiment, int shape);

/// Adds the rates that follow from a time at `shape`, if the experiment wants them: gflops,
/// gb_per_s.
void add_rates(const Experiment& experiment, int shape, const Value& time,
               std::vector<Value>& values);

}  // namespace tessera
