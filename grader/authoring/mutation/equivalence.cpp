#include "grader/authoring/mutation/equivalence.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/parallel.h"
#include "grader/authoring/mutation/probes.h"

namespace tessera {
namespace {

constexpr std::uint64_t kSeeds = 3;

bool has_errors(const CaseOutcome& outcome) {
  return std::ranges::count(outcome.findings, Severity::error, &Finding::severity) > 0;
}

}  // namespace

EquivalenceCheck::EquivalenceCheck(const Lab& lab, const Bench& bench, const Program& reference,
                                   std::uint64_t seed, int threads,
                                   const std::function<void(std::size_t total)>& progress)
    : lab_(lab), bench_(bench), probes_(lab) {
  probes_.cases = further_cases(lab);
  const std::vector<Setting> all = settings(seed);
  runs_.resize(all.size());
  in_parallel(all.size(), threads, [&](std::size_t i, std::size_t) {
    runs_[i] = reference_run(reference, all[i]);
    progress(all.size());
  });
  certain_ = std::ranges::all_of(runs_, &Run::certain);
  std::erase_if(runs_, [](const Run& run) { return !run.clean; });
}

std::vector<Setting> EquivalenceCheck::settings(std::uint64_t seed) const {
  std::vector<Setting> all;
  for (std::uint64_t i = 0; i < kSeeds; ++i) {
    for (std::size_t number = 1; number <= lab_.cases.size(); ++number)
      all.push_back({&lab_, number, seed + i});
  }
  for (std::size_t number = 1; number <= probes_.cases.size(); ++number)
    all.push_back({&probes_, number, seed});
  return all;
}

EquivalenceCheck::Run EquivalenceCheck::reference_run(const Program& reference,
                                                      const Setting& setting) const {
  Run run;
  run.setting = setting;
  CaseOutcome outcome = bench_.run(reference, setting);
  run.certain = is_certain(outcome);
  run.launch_steps = outcome.launch_steps;
  if (outcome.status != Status::pass || has_errors(outcome)) return run;
  auto output = bench_.output(reference, setting);
  run.clean = output.has_value();
  run.metrics = std::move(outcome.metrics);
  if (output) run.output = std::move(*output);
  return run;
}

EquivalenceResult EquivalenceCheck::compare(const Program& mutant) const {
  std::string different;
  bool certain = certain_;
  for (const Run& run : runs_) {
    const Case& test_case = run.setting.chosen();
    const CaseOutcome outcome =
        bench_.run(mutant, run.setting, most_steps_of_mutant(run.launch_steps));
    certain = certain && is_certain(outcome);
    if (const std::string lost = loss_of(lab_, outcome); !lost.empty()) {
      const bool own = run.setting.lab == &lab_;
      return {false,
              fmt::format("{} with seed {}{}", lost, run.setting.seed,
                          own ? ", in a case that the lab has" : ""),
              case_yaml(lab_, test_case), certain};
    }
    if (different.empty()) different = difference(mutant, run, outcome);
  }
  if (!different.empty()) return {false, different, "", certain};
  return {true,
          fmt::format("the same bits, nothing found and no counter worse in {} runs", runs_.size()),
          "", certain};
}

std::string EquivalenceCheck::difference(const Program& mutant, const Run& run,
                                         const CaseOutcome& outcome) const {
  if (outcome.cut_short)
    return cut_short_text(lab_, run.setting.chosen(), outcome, run.launch_steps);
  const std::string place = lab_.case_title(run.setting.chosen());
  if (has_errors(outcome)) {
    const auto finding = std::ranges::find(outcome.findings, Severity::error, &Finding::severity);
    return fmt::format("{} in {}, which the lab does not forbid", to_string(finding->kind), place);
  }
  const std::string worse = worse_counter(outcome.metrics, run.metrics);
  if (!worse.empty()) return fmt::format("{} in {}", worse, place);
  const auto output = bench_.output(mutant, run.setting);
  return output && *output == run.output ? "" : fmt::format("other bits in {}", place);
}

}  // namespace tessera
