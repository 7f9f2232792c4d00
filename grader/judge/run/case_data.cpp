#include "grader/judge/run/case_data.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "common/device_storage.h"
#include "common/recipe.h"
#include "grader/judge/compare/freivalds.h"
#include "grader/judge/run/reference_kernel.h"

namespace tessera {
namespace {

/// The inner steps that a host computes in about a second. Larger products are verified without
/// computing them again.
constexpr double kMostReferenceWork = 1e8;

}  // namespace

Expected<std::vector<OperandData>> make_operands(const Lab& lab, const Case& test_case,
                                                 DataSeed seed, Outputs outputs) {
  std::vector<OperandData> operands;
  for (const Operand& operand : lab.operation->operands(test_case.extents)) {
    const auto padded = test_case.padding.find(operand.name);
    const int pitch = operand.width + (padded == test_case.padding.end() ? 0 : padded->second);
    const Storage storage = operand.output ? Storage::same : lab.inputs;
    OperandData data{operand,
                     HostMatrix(lab.element, operand.height, operand.width, pitch, storage)};
    if (operand.output) {
      if (outputs == Outputs::poison) poison(data.host);
    } else if (auto error = fill(data.host, test_case.data.at(operand.name),
                                 seed.number_for(Purpose::input, operands.size()))) {
      return *error;
    }
    round_to_storage(data.host);
    operands.push_back(std::move(data));
  }
  return operands;
}

HostMatrix with_contents(const OperandData& operand, std::span<const std::byte> bytes) {
  const HostMatrix& host = operand.host;
  HostMatrix copy(host.element(), host.height(), host.width(), host.pitch(), host.storage());
  if (host.pitch() != host.width()) poison(copy);
  from_device(bytes, copy);
  return copy;
}

int number_called(const Case& test_case, const std::string& name) {
  const auto extent = test_case.extents.find(name);
  return extent != test_case.extents.end() ? extent->second : test_case.parameters.at(name);
}

Comparison verify_output(const CaseContext& context, const std::vector<HostMatrix>& inputs,
                         const HostMatrix& after, const std::string& name) {
  const bool large =
      static_cast<double>(after.height()) * after.width() * inputs[0].width() > kMostReferenceWork;
  if (large && context.lab.operation->is_product())
    return check_product(name, inputs.at(0), inputs.at(1), after,
                         DataSeed(context.options.seed, 0).number_for(Purpose::product_check));
  Reference reference = reference_of(context, inputs);
  Comparison comparison = compare_output(name, after, reference);
  if (!comparison.findings.empty()) comparison.reference = std::move(reference);
  return comparison;
}

void compare_case(const CaseContext& context, const std::vector<OperandData>& before,
                  const std::vector<HostMatrix>& after, const LaunchShape& shape,
                  CaseOutcome& outcome) {
  std::vector<Finding> mistakes;
  std::vector<HostMatrix> inputs;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const OperandData& operand = before[i];
    const std::string& name = operand.operand.name;
    if (!operand.operand.output) {
      if (auto finding = find_modified(name, operand.host, after[i])) mistakes.push_back(*finding);
      inputs.push_back(operand.host);
      continue;
    }
    Comparison comparison = verify_output(context, inputs, after[i], name);
    outcome.unwritten = comparison.unwritten;
    if (!comparison.findings.empty())
      outcome.failed =
          std::make_shared<FailedRun>(before, after, std::move(comparison.reference), shape);
    outcome.map = std::move(comparison.map);
    if (outcome.map) set_tiles(*outcome.map, shape);
    std::ranges::move(comparison.findings, std::back_inserter(mistakes));
    const auto padding = find_padding_write(name, after[i]);
    const bool is_known =
        std::ranges::count(outcome.findings, FindingKind::out_of_bounds, &Finding::kind) > 0;
    if (padding && !is_known) outcome.findings.push_back(*padding);
  }
  // The run itself has found a store or an atomic to an input, and its line. The input's value may
  // still be the same.
  const auto written =
      std::ranges::find(outcome.findings, FindingKind::input_modified, &Finding::kind);
  if (mistakes.empty() && written != outcome.findings.end()) {
    outcome.status = Status::fail;
    outcome.message = written->message;
    outcome.hint = written->hint;
  }
  if (mistakes.empty()) return;
  outcome.status = Status::fail;
  outcome.message = mistakes.front().message;
  outcome.hint = mistakes.front().hint;
  for (Finding& mistake : mistakes) {
    const bool is_known = mistake.kind == FindingKind::input_modified &&
                          std::ranges::count(outcome.findings, mistake.kind, &Finding::kind) > 0;
    if (!is_known) outcome.findings.push_back(std::move(mistake));
  }
}

}  // namespace tessera
