// Gradings of the kit's own labs, in tests.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/device_profile.h"
#include "grader/compile/testing/kit_compiler.h"
#include "grader/interpreter/interpreter.h"
#include "grader/judge/judge.h"

namespace tessera {

/// Options for gradings on the simulator, with this build's programs and this kit's folders.
inline GradeOptions kit_options(std::uint64_t seed) {
  GradeOptions options;
  options.compiler = kit_compiler();
  options.compiler.cache_dir = shared_cache();
  options.kit.root = kRoot;
  options.kit.datasets = kRoot / "datasets";
  options.machine.device = *load_device_profile("nvidia-h200", options.kit.devices());
  options.machine.interpreters = std::make_shared<InterpreterPool>(TESSERA_INTERPRETER);
  options.seed = seed;
  return options;
}

/// labs/ID with its hidden cases.
inline Lab kit_lab(const std::string& id) {
  auto lab =
      load_lab(kRoot / "labs" / id, kRoot / "solutions" / id / "hidden.yaml", kRoot / "datasets");
  if (!lab) throw std::runtime_error(lab.error().str());
  return *std::move(lab);
}

/// The product of the extents.
inline double work_of(const Case& each) {
  double work = 1;
  for (const auto& [name, extent] : each.extents) work *= extent;
  return work;
}

/// The same without its largest cases, which add no finding; four cases or more stay.
inline Lab small_kit_lab(const std::string& id) {
  Lab lab = kit_lab(id);
  std::vector<double> works;
  for (const Case& each : lab.cases) works.push_back(work_of(each));
  std::ranges::sort(works);
  const double most = std::max(100'000.0, works.at(std::min<std::size_t>(3, works.size() - 1)));
  std::erase_if(lab.cases, [&](const Case& each) { return work_of(each) > most; });
  return lab;
}

/// `lab` without the hidden cases that are larger than all counted ones: they decide only whether a
/// kernel is right.
inline Lab without_large_hidden_cases(Lab lab) {
  double most = 0;
  for (const std::size_t index : lab.counted_cases())
    most = std::max(most, work_of(lab.cases.at(index)));
  std::erase_if(lab.cases, [&](const Case& each) { return each.hidden && work_of(each) > most; });
  return lab;
}

}  // namespace tessera
