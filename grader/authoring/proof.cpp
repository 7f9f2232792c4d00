#include "grader/authoring/proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "common/numbers.h"
#include "common/parallel.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "grader/authoring/accepted_mutants.h"
#include "grader/authoring/lab_faults.h"
#include "grader/authoring/other_kernels.h"
#include "grader/authoring/skeleton.h"
#include "grader/authoring/trial.h"
#include "grader/authoring/wrong_kernels.h"
#include "grader/judge/expectation.h"
#include "grader/judge/expected_results.h"
#include "grader/judge/threshold.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// What a kernel is graded for.
enum class Role { reference, skeleton, wrong, ignoring, winning };

struct Job {
  Role role = Role::reference;
  fs::path kernel;
  CompilerInfo compiler;
  std::uint64_t seed = 0;
  Expectation expectation;  // of a wrong kernel
  OtherKernel other;        // of one that ignores the lesson or must win: in no file
  std::string fault;        // what the grading showed against it
  std::vector<Margin> margins;
  std::optional<NearestStepLimit> steps;  // of the reference

  std::string kernel_name() const {
    if (!other.name.empty()) return other.name;
    return role == Role::wrong ? "wrong/" + kernel.filename().string() : "kernel.cu";
  }

  std::string name() const {
    return role == Role::reference
               ? fmt::format("{} with {}, seed {}", kernel_name(), compiler.version, seed)
               : fmt::format("{} with {}", kernel_name(), compiler.version);
  }
};

/// A job for each compiler.
void add_jobs(const Job& job, const std::vector<CompilerInfo>& compilers, std::vector<Job>& jobs) {
  for (const CompilerInfo& compiler : compilers) {
    jobs.push_back(job);
    jobs.back().compiler = compiler;
  }
}

Job job_of(Role role, const fs::path& kernel, std::uint64_t seed) {
  Job job;
  job.role = role;
  job.kernel = kernel;
  job.seed = seed;
  return job;
}

Expected<std::vector<Job>> make_jobs(const Lab& lab, const OtherKernelPlaces& places,
                                     const std::vector<CompilerInfo>& compilers,
                                     const ProofOptions& options) {
  const std::uint64_t seed = options.grade.seed;
  std::vector<Job> jobs;
  for (int i = 0; i < options.seeds; ++i) {
    add_jobs(job_of(Role::reference, places.solution / "kernel.cu",
                    seed + static_cast<std::uint64_t>(i)),
             compilers, jobs);
  }
  add_jobs(job_of(Role::skeleton, lab.directory / "kernel.cu", seed), compilers, jobs);
  const auto wrong = read_wrong_kernels(lab, places.solution);
  if (!wrong) return wrong.error();
  for (const WrongKernel& kernel : *wrong) {
    Job job = job_of(Role::wrong, kernel.file, seed);
    job.expectation = kernel.expectation;
    add_jobs(job, compilers, jobs);
  }
  for (const Role role : {Role::ignoring, Role::winning}) {
    const auto others =
        role == Role::ignoring ? ignoring_kernels(lab, places) : winning_kernels(lab, places);
    if (!others) return others.error();
    for (const OtherKernel& kernel : *others) {
      Job job = job_of(role, "", seed);
      job.other = kernel;
      add_jobs(job, compilers, jobs);
    }
  }
  return jobs;
}

std::string skeleton_fault(const Record& record) {
  for (const Item& item : record.items) {
    if (item.status == Status::error || item.status == Status::infra)
      return fmt::format("{}: {}", to_string(item.status), item.message);
    if (item.id.starts_with("correctness/") && item.points > 0)
      return fmt::format("wins {} ({}): {:g} points", item.id, item.title, item.points);
  }
  return "";
}

std::string wrong_fault(const Expectation& expectation, const Record& record) {
  const std::vector<std::string> missing = missing_words(expectation, record);
  if (missing.empty()) return "";
  const std::vector<std::string> lost = lost_words(record);
  return fmt::format("does not lose: {}; it gets: {}", fmt::join(missing, ", "),
                     lost.empty() ? "all points" : fmt::to_string(fmt::join(lost, ", ")));
}

Margin margin_of(const Item& item, std::string requirement, double limit, bool at_most,
                 double value, const std::string& compiler) {
  const double room = at_most ? limit - value : value - limit;
  const double percent = std::abs(limit) > 0 ? 100 * room / std::abs(limit) : 0;
  return {item.id, std::move(requirement), limit, {{compiler, value, percent}}};
}

/// The item's number `name`, where it was measured.
std::optional<double> measured(const Item& item, const std::string& name) {
  const auto found = item.metrics.find(name);
  return found == item.metrics.end() ? std::nullopt : std::optional(found->second);
}

const Item* find_item(const Record& record, const std::string& kind, std::size_t index) {
  const auto item =
      std::ranges::find(record.items, fmt::format("{}/{}", kind, index + 1), &Item::id);
  return item == record.items.end() ? nullptr : &*item;
}

std::vector<Margin> margins_of(const Lab& lab, const std::string& device, const Record& record) {
  std::vector<Margin> margins;
  for (std::size_t i = 0; i < lab.technique.size(); ++i) {
    const TechniqueItem& technique = lab.technique[i];
    const Item* item = find_item(record, "technique", i);
    const auto value = item == nullptr ? std::nullopt : measured(*item, technique.metric);
    if (!value) continue;
    const double limit = technique.at_most ? *technique.at_most : technique.at_least.value_or(0);
    margins.push_back(margin_of(*item, item->title, limit, technique.at_most.has_value(), *value,
                                record.compiler));
  }
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    const Threshold& threshold = lab.thresholds[i];
    const auto range = range_on(threshold, device);
    const Item* item = find_item(record, "performance", i);
    const auto value = item == nullptr ? std::nullopt : measured(*item, threshold.metric);
    if (!range || !value) continue;
    margins.push_back(margin_of(*item, fmt::format("{} full {:g}", threshold.metric, range->full),
                                range->full, is_time(threshold.metric), *value, record.compiler));
  }
  return margins;
}

std::optional<NearestStepLimit> nearer(std::optional<NearestStepLimit> known,
                                       const std::optional<NearestStepLimit>& other) {
  return other && (!known || other->share() > known->share()) ? other : known;
}

std::optional<NearestStepLimit> nearest_step_limit(const Record& record) {
  std::optional<NearestStepLimit> nearest;
  for (const Item& item : record.items) {
    if (item.steps)
      nearest =
          nearer(nearest, NearestStepLimit{item.id, item.title, record.compiler, *item.steps});
  }
  return nearest;
}

void do_job(const Lab& lab, const GradeOptions& shared, Job& job) {
  GradeOptions options = shared;
  options.compiler = job.compiler.kind;
  options.seed = job.seed;
  options.host_threads = 1;
  options.gpu.reset();
  options.simulate = true;
  const Record record = job.kernel.empty()
                            ? grade_source(lab, job.other.name, job.other.source, options)
                            : grade(lab, job.kernel, options);
  switch (job.role) {
    case Role::reference:
      job.fault = reference_fault(record);
      job.margins = margins_of(lab, options.device.name, record);
      job.steps = nearest_step_limit(record);
      break;
    case Role::skeleton:
      job.fault = skeleton_fault(record);
      break;
    case Role::wrong:
      job.fault = wrong_fault(job.expectation, record);
      break;
    case Role::ignoring:
      job.fault = ignoring_fault(job.other, record);
      break;
    case Role::winning:
      job.fault = winning_fault(job.other, record);
      break;
  }
}

/// Which item a fault is about: its first word. Another seed makes other numbers of it.
std::string subject_of(const std::string& fault) {
  return fault.substr(0, fault.find_first_of(" :"));
}

/// Runs that show the same fault, in their order.
struct FaultRuns {
  std::string fault;
  std::string kernel;
  std::string first;
  std::size_t more = 0;

  std::string text() const {
    const std::string others = more == 0 ? "" : fmt::format(" (and {} more)", counted(more, "run"));
    return fmt::format("{}{}: {}", first, others, fault);
  }
};

ProofPart part_of(const std::vector<Job>& jobs, Role role) {
  ProofPart part;
  std::vector<FaultRuns> faults;
  for (const Job& job : jobs) {
    if (job.role != role) continue;
    ++part.total;
    if (job.fault.empty()) {
      ++part.passed;
      continue;
    }
    // Two kernels with a fault are two faults.
    const auto same = std::ranges::find_if(faults, [&](const FaultRuns& known) {
      const bool one_kernel = role == Role::reference || role == Role::skeleton;
      return (one_kernel || known.kernel == job.kernel_name()) &&
             subject_of(known.fault) == subject_of(job.fault);
    });
    if (same == faults.end()) {
      faults.push_back({job.fault, job.kernel_name(), job.name()});
    } else {
      ++same->more;
    }
  }
  for (const FaultRuns& runs : faults) part.faults.push_back(runs.text());
  return part;
}

/// Keeps the smaller margin of each compiler.
void add_value(const MarginValue& value, Margin& margin) {
  const auto known = std::ranges::find(margin.values, value.compiler, &MarginValue::compiler);
  if (known == margin.values.end()) {
    margin.values.push_back(value);
  } else if (value.percent < known->percent) {
    *known = value;
  }
}

void add_margins(const std::vector<Margin>& margins, std::vector<Margin>& smallest) {
  for (const Margin& margin : margins) {
    const auto known = std::ranges::find(smallest, margin.item, &Margin::item);
    if (known == smallest.end()) {
      smallest.push_back(margin);
    } else {
      add_value(margin.values.front(), *known);
    }
  }
}

/// A marked reference and the skeleton are one source.
void check_marks(const Lab& lab, const fs::path& solution, LabProof& proof) {
  const Expected<std::string> reference = read_file(solution / "kernel.cu");
  const Expected<std::string> skeleton = read_file(lab.directory / "kernel.cu");
  if (!reference || !skeleton || reference->find("// BEGIN SOLUTION") == std::string::npos) return;
  const Expected<std::string> made = skeleton_of(*reference, (solution / "kernel.cu").string());
  if (!made) {
    proof.reference.faults.push_back(made.error().str());
  } else if (*made != *skeleton) {
    proof.skeleton.faults.push_back(
        "it is not what the marks in the reference make of it; write "
        "it with `tessera lab skeleton --force`");
  }
}

void add_mutation(const Lab& lab, const fs::path& solution,
                  std::map<std::string, std::string> accepted, const ProofOptions& options,
                  LabProof& proof) {
  MutationOptions mutation;
  mutation.grade = options.grade;
  mutation.threads = options.threads;
  mutation.accepted = std::move(accepted);
  mutation.progress = [&](std::size_t done, std::size_t total) {
    options.progress("mutants", done, total);
  };
  Expected<MutationResult> result = mutate(lab, solution / "kernel.cu", mutation);
  if (result) {
    proof.mutation = std::move(*result);
  } else {
    proof.mutation_fault = result.error().str();
  }
}

bool all_caught(const MutationResult& mutation) {
  return mutation.stale.empty() &&
         std::ranges::count(mutation.mutants, MutantFate::survivor, &MutantResult::fate) == 0;
}

/// Grades on all cores, and tells how far it is.
class ProofGrading {
 public:
  ProofGrading(const Lab& lab, const ProofOptions& options, std::vector<Job>& jobs)
      : lab_(lab), options_(options), jobs_(jobs) {}

  void grade(const std::function<bool(const Job&)>& chosen) {
    std::vector<Job*> now;
    for (Job& job : jobs_) {
      if (chosen(job)) now.push_back(&job);
    }
    in_parallel(now.size(), options_.threads, [&](std::size_t i, std::size_t) {
      do_job(lab_, options_.grade, *now[i]);
      const std::lock_guard lock(mutex_);
      options_.progress("kernels", ++done_, jobs_.size());
    });
  }

 private:
  const Lab& lab_;
  const ProofOptions& options_;
  std::vector<Job>& jobs_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

/// The reference and, where it wins, the rest. One seed first: most faults show in it.
void prove_kernels(const Lab& lab, const ProofOptions& options, std::vector<Job>& jobs,
                   LabProof& proof) {
  ProofGrading grading(lab, options, jobs);
  const auto is_first = [&](const Job& job) { return job.seed == options.grade.seed; };
  const auto is_later = [&](const Job& job) {
    return job.role == Role::reference && !is_first(job);
  };
  grading.grade([&](const Job& job) { return job.role == Role::reference && is_first(job); });
  if (std::ranges::all_of(jobs, [](const Job& job) { return job.fault.empty(); })) {
    grading.grade(is_later);
  } else {
    std::erase_if(jobs, is_later);
  }
  proof.reference = part_of(jobs, Role::reference);
  for (const Job& job : jobs) {
    add_margins(job.margins, proof.margins);
    proof.steps = nearer(proof.steps, job.steps);
  }
  proof.stopped = !proof.reference.faults.empty();
  if (proof.stopped) return;
  grading.grade([](const Job& job) { return job.role != Role::reference; });
  proof.skeleton = part_of(jobs, Role::skeleton);
  proof.wrong = part_of(jobs, Role::wrong);
  proof.ignoring = part_of(jobs, Role::ignoring);
  proof.winning = part_of(jobs, Role::winning);
}

}  // namespace

const MarginValue& Margin::worst() const {
  return *std::ranges::min_element(values, {}, &MarginValue::percent);
}

bool LabProof::proved() const {
  // A lab may have none of the others yet.
  const bool others_proved =
      wrong.faults.empty() && ignoring.faults.empty() && winning.faults.empty();
  return reference.proved() && page_fault.empty() && solution_fault.empty() && skeleton.proved() &&
         others_proved && mutation_fault.empty() && (!mutation || all_caught(*mutation));
}

Expected<LabProof> prove(const Lab& lab, const fs::path& solution, const ProofOptions& chosen) {
  const Stopwatch stopwatch;
  ProofOptions options = chosen;
  options.grade.expected = std::make_shared<ExpectedResults>();
  const std::vector<CompilerInfo> compilers = chosen_compilers(options.grade.compiler);
  if (compilers.empty())
    return Error{lab.id, 0, 0, "no compiler on this machine; `tessera doctor` tells what to do"};
  auto accepted = read_accepted(solution / "mutants.yaml");
  if (!accepted) return accepted.error();
  const OtherKernelPlaces places{solution, options.grade.datasets, accepted->references};
  auto jobs = make_jobs(lab, places, compilers, options);
  if (!jobs) return jobs.error();
  LabProof proof;
  proof.lab = lab.id;
  for (const CompilerInfo& compiler : compilers) proof.compilers.push_back(compiler.version);
  proof.page_fault = page_fault(lab);
  proof.solution_fault = solution_fault(solution);
  proof.doubts = doubts(lab);
  proof.hidden_cases = static_cast<std::size_t>(std::ranges::count_if(lab.cases, &Case::hidden));
  prove_kernels(lab, options, *jobs, proof);
  check_marks(lab, solution, proof);
  if (options.mutants && !proof.stopped)
    add_mutation(lab, solution, std::move(accepted->mutants), options, proof);
  proof.seconds = stopwatch.seconds();
  return proof;
}

}  // namespace tessera
