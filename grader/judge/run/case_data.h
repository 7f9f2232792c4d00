// The operands of one case in host memory: what goes to the device, and what came back held against
// the reference.
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
  HostMatrix host;  // inputs: filled; output: poison, or zeroes where it is filled elsewhere
};

/// What a case that failed left in memory.
struct FailedRun {
  std::vector<OperandData> before;  // inputs first
  std::vector<HostMatrix> after;
  Reference reference;  // empty where the output was verified without it
  LaunchShape shape;
};

enum class Outputs { poison, zeroes };

/// Errors: a dataset that does not fit.
Expected<std::vector<OperandData>> make_operands(const Lab& lab, const Case& test_case,
                                                 DataSeed seed, Outputs outputs = Outputs::poison);

/// The padding after the last row is not allocated: what runs over it is out of bounds.
std::size_t device_bytes(const HostMatrix& matrix);

/// The operand with `bytes`, device_bytes() of them, as its contents; padding behind them as it is
/// made.
HostMatrix with_contents(const OperandData& operand, std::span<const std::byte> bytes);

/// An extent of the case, or one of the lab's own parameters.
int number_called(const Case& test_case, const std::string& name);

/// Holds what a launch left in memory (all operands, inputs first) against the reference. A result
/// that is wrong, or an input that changed, fails the outcome; a store to padding goes with the
/// run's own findings, unless they tell it already. A wrong output is kept for its diagnosis.
void compare_case(const CaseContext& context, const std::vector<OperandData>& before,
                  const std::vector<HostMatrix>& after, const LaunchShape& shape,
                  CaseOutcome& outcome);

/// Output `after` of `inputs` against the reference, or, where that would take long, by Freivalds'
/// check.
Comparison verify_output(const CaseContext& context, const std::vector<HostMatrix>& inputs,
                         const HostMatrix& after, const std::string& name);

}  // namespace tessera
