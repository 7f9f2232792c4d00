#include "grader/authoring/proof/proof.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "common/parallel.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "grader/authoring/mutation/accepted_mutants.h"
#include "grader/authoring/mutation/trial.h"
#include "grader/authoring/proof/lab_faults.h"
#include "grader/authoring/proof/other_kernels.h"
#include "grader/authoring/proof/proof_job.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/judge/run/expected_results.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

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

/// Checks that the skeleton is what the marks in the reference make of it.
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

bool all_caught(const MutationResult& mutation) {
  return mutation.stale.empty() && std::ranges::all_of(mutation.mutants, [](const auto& result) {
           return result.fate == MutantFate::caught || result.fate == MutantFate::equivalent ||
                  result.fate == MutantFate::accepted;
         });
}

/// Adds what the jobs done so far have shown.
void add_kernels(const std::vector<ProofJob>& jobs, LabProof& proof) {
  proof.reference = part_of(jobs, Role::reference);
  proof.skeleton = part_of(jobs, Role::skeleton);
  proof.wrong = part_of(jobs, Role::wrong);
  proof.ignoring = part_of(jobs, Role::ignoring);
  proof.winning = part_of(jobs, Role::winning);
  for (const ProofJob& job : jobs) {
    add_margins(job.margins, proof.margins);
    proof.steps = nearer(proof.steps, job.steps);
  }
  proof.kept_kernels = static_cast<std::size_t>(std::ranges::count(jobs, true, &ProofJob::kept));
}

/// Proves a lab on several threads, and reports how far it is.
class Proving {
 public:
  /// `proof` holds what was found without running anything.
  Proving(const Lab& lab, const fs::path& solution, const ProofOptions& options,
          std::vector<ProofJob> jobs, LabProof proof)
      : lab_(lab),
        solution_(solution),
        options_(options),
        kept_(lab, solution.parent_path(), options.grade, options.program, options.fresh),
        jobs_(std::move(jobs)),
        proof_(std::move(proof)) {}

  /// Tries the reference and, if it wins, the rest; the first seed before the others, since most
  /// faults show with it.
  LabProof proof(std::map<std::string, std::string> accepted) {
    const auto is_first = [&](const ProofJob& job) { return job.seed == options_.grade.seed; };
    const auto is_later = [&](const ProofJob& job) {
      return job.role == Role::reference && !is_first(job);
    };
    grade([&](const ProofJob& job) { return job.role == Role::reference && is_first(job); });
    if (std::ranges::all_of(jobs_, [](const ProofJob& job) { return job.fault.empty(); })) {
      grade(is_later);
    } else {
      std::erase_if(jobs_, is_later);
    }
    proof_.stopped = !part_of(jobs_, Role::reference).faults.empty();
    if (!proof_.stopped) grade([](const ProofJob& job) { return job.role != Role::reference; });
    add_kernels(jobs_, proof_);
    check_marks(lab_, solution_, proof_);
    if (options_.mutants && !proof_.stopped) add_mutation(std::move(accepted));
    return std::move(proof_);
  }

 private:
  void grade(const std::function<bool(const ProofJob&)>& chosen) {
    std::vector<ProofJob*> now;
    for (ProofJob& job : jobs_) {
      if (chosen(job)) now.push_back(&job);
    }
    in_parallel(now.size(), options_.threads, [&](std::size_t i, std::size_t) {
      ProofJob job = *now[i];
      GradeOptions grade = options_.grade;
      // Further seeds are for trying the kernel: expected results are computed once for all
      // compilers.
      if (job.seed != grade.seed) grade.reference_compiler = first_compiler();
      do_job(lab_, grade, kept_, job);
      const std::lock_guard lock(mutex_);
      *now[i] = std::move(job);
      report_kernels();
    });
  }

  CompilerKind first_compiler() const { return jobs_.front().compiler.kind; }

  void report_kernels() const {
    LabProof so_far = proof_;
    add_kernels(jobs_, so_far);
    const auto done = static_cast<std::size_t>(std::ranges::count(jobs_, true, &ProofJob::done));
    so_far.unfinished = {
        .part = "kernels", .done = done, .total = jobs_.size(), .kept = so_far.kept_kernels};
    options_.progress(so_far);
  }

  void add_mutation(std::map<std::string, std::string> accepted) {
    MutationOptions mutation;
    mutation.grade = options_.grade;
    mutation.threads = options_.threads;
    mutation.accepted = std::move(accepted);
    mutation.kept = kept_;
    mutation.progress = [&](const MutationResult& known, const CheckProgress& progress) {
      LabProof so_far = proof_;
      so_far.mutation = known;
      so_far.unfinished = progress;
      options_.progress(so_far);
    };
    Expected<MutationResult> result = mutate(lab_, solution_ / "kernel.cu", mutation);
    if (result) {
      proof_.mutation = std::move(*result);
    } else {
      proof_.mutation_fault = result.error().str();
    }
  }

  const Lab& lab_;
  const fs::path& solution_;
  const ProofOptions& options_;
  KeptVerdicts kept_;
  std::mutex mutex_;  // guards the jobs while several threads work
  std::vector<ProofJob> jobs_;
  LabProof proof_;
};

}  // namespace

const MarginValue& Margin::worst() const {
  return *std::ranges::min_element(values, {}, &MarginValue::percent);
}

bool LabProof::proved() const {
  // A lab may have no other kernels yet.
  const bool others_proved =
      wrong.faults.empty() && ignoring.faults.empty() && winning.faults.empty();
  return !unfinished && reference.proved() && page_fault.empty() && solution_fault.empty() &&
         skeleton.proved() && others_proved && mutation_fault.empty() &&
         (!mutation || all_caught(*mutation));
}

Expected<LabProof> prove(const Lab& lab, const fs::path& solution, const ProofOptions& chosen) {
  const Stopwatch stopwatch;
  ProofOptions options = chosen;
  const bool keeps = !options.program.empty() && !options.fresh;
  options.grade.expected = std::make_shared<ExpectedResults>(
      keeps ? options.grade.compiler.cache_dir : fs::path(), options.program);
  const std::vector<CompilerInfo> compilers = chosen_compilers(options.grade.compiler.kind);
  if (compilers.empty())
    return Error{.file = lab.id,
                 .message = "no compiler on this machine; `tessera doctor` says what to do"};
  auto accepted = read_accepted(solution / "mutants.yaml");
  if (!accepted) return accepted.error();
  const OtherKernelPlaces places{solution, options.grade.kit.datasets, accepted->references};
  auto jobs = make_jobs(lab, places, compilers, options.grade.seed, options.seeds);
  if (!jobs) return jobs.error();
  LabProof proof;
  proof.lab = lab.id;
  for (const CompilerInfo& compiler : compilers) proof.compilers.push_back(compiler.version);
  proof.page_fault = page_fault(lab);
  proof.solution_fault = solution_fault(solution);
  proof.doubts = doubts(lab);
  proof.hidden_cases = static_cast<std::size_t>(std::ranges::count_if(lab.cases, &Case::hidden));
  proof = Proving(lab, solution, options, std::move(*jobs), std::move(proof))
              .proof(std::move(accepted->mutants));
  proof.seconds = stopwatch.seconds();
  return proof;
}

}  // namespace tessera
