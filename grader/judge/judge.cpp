#include "grader/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <numeric>
#include <system_error>
#include <utility>

#include "common/resource_failure.h"
#include "common/sha256.h"
#include "common/stopwatch.h"
#include "grader/compile/source_facts.h"
#include "grader/judge/diagnosis/diagnosis.h"
#include "grader/judge/points/weigh.h"
#include "grader/judge/progress.h"
#include "grader/judge/run/gpu_cases.h"
#include "grader/judge/run/modelled.h"
#include "grader/judge/run/performance.h"
#include "grader/judge/run/program.h"
#include "grader/judge/run/reference_kernel.h"
#include "grader/judge/run/simulate.h"

namespace tessera {
namespace {

std::vector<Item> refuse(const Lab& lab, const Refusal& refusal) {
  return weigh_nothing(lab, refusal.status, refusal.message, refusal.hint, refusal.findings);
}

/// Whether the kernel does nothing, as the skeleton that was handed out. Any other finding shows
/// that the student has begun.
bool nothing_written(const std::vector<CaseOutcome>& outcomes) {
  return std::ranges::all_of(outcomes, [](const CaseOutcome& outcome) {
    return outcome.unwritten && outcome.findings.size() == 1;
  });
}

/// Runs all cases on the simulator. If there is a GPU, it then runs those that the simulator
/// cannot.
std::vector<CaseOutcome> simulate_cases(const Lab& lab, const Program& program,
                                        const GradeOptions& options, const Progress& progress) {
  std::vector<CaseOutcome> outcomes;
  std::vector<std::size_t> beyond;  // numbers of the cases that the simulator cannot run
  int timeouts = 0;
  for (std::size_t number = 1; number <= lab.cases.size(); ++number) {
    const Stopwatch stopwatch;
    outcomes.push_back(simulate_case(lab, program, number, {.timeouts = timeouts}, options));
    outcomes.back().seconds = stopwatch.seconds();
    timeouts += outcomes.back().status == Status::timeout ? 1 : 0;
    if (outcomes.back().status == Status::review) beyond.push_back(number);
    if (progress.is_wanted()) progress.report(items_so_far(lab, outcomes));
  }
  if (!options.machine.gpu || beyond.empty()) return outcomes;
  std::vector<CaseOutcome> on_gpu = run_cases_on_gpu(lab, program, beyond, options);
  for (std::size_t i = 0; i < beyond.size(); ++i) {
    on_gpu[i].checks = AccessChecks::impossible;
    outcomes[beyond[i] - 1] = std::move(on_gpu[i]);
  }
  return outcomes;
}

std::vector<CaseOutcome> all_on_gpu(const Lab& lab, const Program& program,
                                    const GradeOptions& options) {
  std::vector<std::size_t> numbers(lab.cases.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{1});
  return run_cases_on_gpu(lab, program, numbers, options);
}

void run_cases(const Lab& lab, const Program& program, const GradeOptions& options,
               Record& record) {
  const Progress progress(record, options);
  std::vector<CaseOutcome> outcomes = options.machine.simulate
                                          ? simulate_cases(lab, program, options, progress)
                                          : all_on_gpu(lab, program, options);
  record.untouched = program.warnings.empty() && nothing_written(outcomes);
  diagnose(lab, program, options, outcomes);
  record.items = weigh(lab, outcomes);
  // Warnings are about the file and not about a case, so they are reported once.
  std::vector<Finding>& findings = record.items.front().findings;
  findings.insert(findings.begin(), program.warnings.begin(), program.warnings.end());
  record.lines = std::move(outcomes[lab.largest_case()].lines);
  progress.report(with_unmeasured(lab, record.items, options.machine));
  model_performance(lab, program, options, record.items);
  if (options.machine.gpu) measure_performance(lab, program, options, record.items);
}

void grade_into(const Lab& lab, const Source& source, const GradeOptions& options, Record& record) {
  record.sha256 = sha256(source.as_read());
  record.source = source.lines();
  const auto program = build_program(lab, source, options, record.compiler);
  if (const Refusal* refusal = std::get_if<Refusal>(&program)) {
    record.items = refuse(lab, *refusal);
    return;
  }
  run_cases(lab, std::get<Program>(program), options, record);
  // A compiler leaves out code whose result is not stored, so a kernel that lacks only its store
  // does nothing either.
  record.untouched = record.untouched && !is_begun(source, lab.kernel);
}

/// The options for a lab whose instructions one compute capability alone has: it is compiled for
/// that, and a GPU of another one is not used.
GradeOptions options_for(const Lab& lab, GradeOptions options) {
  if (lab.compute_capability == 0) return options;
  Machine& machine = options.machine;
  machine.device.compute_capability = lab.compute_capability;
  const bool other =
      machine.gpu && machine.gpu->profile.compute_capability != lab.compute_capability;
  if (other && machine.simulate) machine.gpu.reset();
  return options;
}

/// Why the lab's instructions do not exist on the only device that may be used; empty: they do.
Text other_capability(const Lab& lab, const Machine& machine) {
  const int needed = lab.compute_capability;
  if (needed == 0 || !machine.gpu || machine.gpu->profile.compute_capability == needed) return {};
  const auto words = [](int capability) {
    return Detail(fmt::format("{}.{}", capability / 10, capability % 10));
  };
  return say(Phrase::other_compute_capability, words(needed), Name{machine.gpu->profile.name},
             words(machine.gpu->profile.compute_capability));
}

Record empty_record(const Lab& lab, const std::filesystem::path& submission,
                    const GradeOptions& options) {
  Record record;
  record.lab = lab.id;
  record.title = lab.title;
  record.path = submission.string();
  record.isolation = "seccomp";
  record.seed = options.seed;
  const Machine& machine = options.machine;
  record.backend = !machine.gpu ? "simulator" : machine.simulate ? "simulator+gpu" : "gpu";
  if (machine.simulate) record.device = "simulated " + machine.device.name;
  if (machine.gpu) {
    record.device += (machine.simulate ? ", timed on " : "") + machine.gpu->profile.name;
    if (!machine.gpu->driver.empty()) record.device += " (driver " + machine.gpu->driver + ")";
  }
  return record;
}

template <class... Kinds>
bool is_any_of(const std::exception& failure) {
  return ((dynamic_cast<const Kinds*>(&failure) != nullptr) || ...);
}

/// The items of a grading that failed. If this machine or the lab is to blame, they are infra. Any
/// other failure comes from something in the kernel that the grader was not made for, which a
/// student could cause on purpose.
std::vector<Item> weigh_failure(const Lab& lab, const std::exception& failure) {
  if (is_any_of<NoProcess, BrokenReference, ResourceFailure, std::system_error, std::bad_alloc>(
          failure)) {
    return weigh_nothing(lab, Status::infra,
                         say(Phrase::grader_failed, Detail(text_without_paths(failure))),
                         Phrase::grader_failed_hint, {});
  }
  return weigh_nothing(lab, Status::review,
                       say(Phrase::grader_fails_on_kernel, Detail(failure.what())),
                       Phrase::grader_fails_on_kernel_hint, {});
}

/// The record that `grade_into` fills; if that fails, the record says why.
template <class GradeInto>
Record graded(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& general,
              GradeInto grade_into) {
  const Stopwatch stopwatch;
  const GradeOptions options = options_for(lab, general);
  Record record = empty_record(lab, submission, options);
  const Text other = other_capability(lab, options.machine);
  try {
    if (other.empty()) {
      grade_into(options, record);
    } else {
      record.items =
          weigh_nothing(lab, Status::infra, other, Phrase::other_compute_capability_hint, {});
    }
  } catch (const ProcessCrash& crash) {
    record.items = weigh_crash(lab, crash);
  } catch (const std::exception& failure) {
    record.items = weigh_failure(lab, failure);
  }
  sum_points(record);
  record.seconds = stopwatch.seconds();
  return record;
}

}  // namespace

Record not_yet_graded(const Lab& lab, const std::filesystem::path& submission,
                      const GradeOptions& options) {
  Record record = empty_record(lab, submission, options_for(lab, options));
  record.items = items_so_far(lab, {});
  sum_points(record);
  return record;
}

Record grade(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& options) {
  return graded(lab, submission, options, [&](const GradeOptions& fitting, Record& record) {
    const auto content = read_submission(lab, submission, fitting);
    if (const Refusal* refusal = std::get_if<Refusal>(&content)) {
      record.items = refuse(lab, *refusal);
    } else {
      grade_into(lab, std::get<Source>(content), fitting, record);
    }
  });
}

Record grade_source(const Lab& lab, const std::string& name, const Source& source,
                    const GradeOptions& options) {
  return graded(lab, name, options, [&](const GradeOptions& fitting, Record& record) {
    grade_into(lab, source, fitting, record);
  });
}

}  // namespace tessera
