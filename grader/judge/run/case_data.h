// The operands of a case in host memory: makes what goes to the device, and compares what comes
// back with the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/launch.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/points/weigh.h"
#include "grader/judge/run/case_context.h"
#include "grader/judge/run/data_seed.h"
#include "grader/lab/lab.h"

namespace tessera {

struct OperandData {
  Operand operand;
  HostMatrix host;  // filled if it is an input; else as Outputs says
};

/// What a failed case left in memory.
struct FailedRun {
  std::vector<OperandData> before;  // inputs first
  std::vector<HostMatrix> after;
  Reference reference;  // empty if the output was verified without it
  LaunchShape shape;
};

/// What the output holds before the launch.
enum class Outputs { poison, zeroes };

/// The operands of a case, inputs first. Errors: a dataset that does not fit.
Expected<std::vector<OperandData>> make_operands(const Lab& lab, const Case& test_case,
                                                 DataSeed seed, Outputs outputs = Outputs::poison);

/// The operand's matrix with `bytes` as its contents, of which there must be device_bytes(). The
/// padding behind the last row is poison.
HostMatrix with_contents(const OperandData& operand, std::span<const std::byte> bytes);

/// The case's extent called `name`, or else its value of the lab's parameter.
int number_called(const Case& test_case, const std::string& name);

/// Compares what a launch left in memory (all operands, inputs first) with the reference. A wrong
/// result or a changed input fails the outcome; a store to padding only adds a finding, unless the
/// run itself has found an access out of bounds. A wrong output is kept for its diagnosis.
void compare_case(const CaseContext& context, const std::vector<OperandData>& before,
                  const std::vector<HostMatrix>& after, const LaunchShape& shape,
                  CaseOutcome& outcome);

/// Compares output `after` with the reference for `inputs`; a large product is verified by
/// Freivalds' check instead.
Comparison verify_output(const CaseContext& context, const std::vector<HostMatrix>& inputs,
                         const HostMatrix& after, const std::string& name);

}  // namespace tessera
