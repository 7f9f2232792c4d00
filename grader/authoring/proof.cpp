#include "grader/authoring/proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "common/parallel.h"
#include "common/text.h"
#include "grader/authoring/accepted_mutants.h"
#include "grader/authoring/skeleton.h"
#include "grader/authoring/trial.h"
#include "grader/judge/expectation.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// What a kernel is graded for.
enum class Role { reference, skeleton, wrong };

struct Job {
  Role role = Role::reference;
  fs::path kernel;
  CompilerInfo compiler;
  std::uint64_t seed = 0;
  Expectation expectation;  // of a wrong kernel
  std::string fault;        // what the grading showed against it
  std::vector<Margin> margins;

  std::string name() const {
    const std::string kernel_name =
        role == Role::wrong ? "wrong/" + kernel.filename().string() : "kernel.cu";
    return role == Role::reference
               ? fmt::format("{} with {}, seed {}", kernel_name, compiler.version, seed)
               : fmt::format("{} with {}", kernel_name, compiler.version);
  }
};

std::vector<fs::path> wrong_kernels(const fs::path& solution) {
  std::vector<fs::path> kernels;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(solution / "wrong", ignored)) {
    if (entry.path().extension() == ".cu") kernels.push_back(entry.path());
  }
  std::ranges::sort(kernels);
  return kernels;
}

Expected<std::vector<Job>> make_jobs(const Lab& lab, const fs::path& solution,
                                     const std::vector<CompilerInfo>& compilers,
                                     const ProofOptions& options) {
  const std::uint64_t seed = options.grade.seed;
  std::vector<Job> jobs;
  for (const CompilerInfo& compiler : compilers) {
    for (int i = 0; i < options.seeds; ++i)
      jobs.push_back({Role::reference,
                      solution / "kernel.cu",
                      compiler,
                      seed + static_cast<std::uint64_t>(i),
                      {},
                      "",
                      {}});
    jobs.push_back({Role::skeleton, lab.directory / "kernel.cu", compiler, seed, {}, "", {}});
  }
  for (const fs::path& kernel : wrong_kernels(solution)) {
    const Expected<std::string> source = read_file(kernel);
    if (!source) return source.error();
    const Expected<Expectation> expectation = read_expectation(*source, kernel.string());
    if (!expectation) return expectation.error();
    for (const CompilerInfo& compiler : compilers)
      jobs.push_back({Role::wrong, kernel, compiler, seed, *expectation, "", {}});
  }
  return jobs;
}

std::string reference_fault(const Record& record) {
  for (const Item& item : record.items) {
    if (item.status == Status::pass || item.status == Status::deferred) continue;
    return fmt::format("{} ({}): {} {}", item.id, item.title, to_string(item.status), item.message);
  }
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      if (finding.severity == Severity::error)
        return fmt::format("{}: {} in line {}: {}", item.id, to_string(finding.kind), finding.line,
                           finding.message);
    }
  }
  return "";
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
  return missing.empty() ? "" : fmt::format("does not lose: {}", fmt::join(missing, ", "));
}

std::optional<Margin> margin_of(const TechniqueItem& technique, const Item& item,
                                const std::string& compiler) {
  const auto value = item.metrics.find(technique.metric);
  if (value == item.metrics.end()) return std::nullopt;
  const double limit = technique.at_most ? *technique.at_most : technique.at_least.value_or(0);
  const double room = technique.at_most ? limit - value->second : value->second - limit;
  const double percent = std::abs(limit) > 0 ? 100 * room / std::abs(limit) : 0;
  return Margin{item.id, item.title, value->second, limit, percent, compiler};
}

std::vector<Margin> margins_of(const Lab& lab, const Record& record) {
  std::vector<Margin> margins;
  for (std::size_t i = 0; i < lab.technique.size(); ++i) {
    const auto item =
        std::ranges::find(record.items, fmt::format("technique/{}", i + 1), &Item::id);
    if (item == record.items.end()) continue;
    if (auto margin = margin_of(lab.technique[i], *item, record.compiler))
      margins.push_back(std::move(*margin));
  }
  return margins;
}

void do_job(const Lab& lab, const GradeOptions& shared, Job& job) {
  GradeOptions options = shared;
  options.compiler = job.compiler.kind;
  options.seed = job.seed;
  options.host_threads = 1;
  options.gpu.reset();
  options.simulate = true;
  const Record record = grade(lab, job.kernel, options);
  switch (job.role) {
    case Role::reference:
      job.fault = reference_fault(record);
      job.margins = margins_of(lab, record);
      break;
    case Role::skeleton:
      job.fault = skeleton_fault(record);
      break;
    case Role::wrong:
      job.fault = wrong_fault(job.expectation, record);
      break;
  }
}

void add_to(ProofPart& part, const Job& job) {
  ++part.total;
  if (job.fault.empty()) {
    ++part.passed;
  } else {
    part.faults.push_back(job.name() + ": " + job.fault);
  }
}

/// Keeps the smaller margin of each item.
void add_margins(const std::vector<Margin>& margins, std::vector<Margin>& smallest) {
  for (const Margin& margin : margins) {
    const auto known = std::ranges::find(smallest, margin.item, &Margin::item);
    if (known == smallest.end()) {
      smallest.push_back(margin);
    } else if (margin.percent < known->percent) {
      *known = margin;
    }
  }
}

void collect(const std::vector<Job>& jobs, LabProof& proof) {
  for (const Job& job : jobs) {
    switch (job.role) {
      case Role::reference:
        add_to(proof.reference, job);
        break;
      case Role::skeleton:
        add_to(proof.skeleton, job);
        break;
      case Role::wrong:
        add_to(proof.wrong, job);
        break;
    }
    add_margins(job.margins, proof.margins);
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

}  // namespace

bool LabProof::proved() const {
  const bool wrong_proved = wrong.faults.empty();  // a lab may have no wrong kernels yet
  return reference.proved() && skeleton.proved() && wrong_proved && mutation_fault.empty() &&
         (!mutation || all_caught(*mutation));
}

Expected<LabProof> prove(const Lab& lab, const fs::path& solution, const ProofOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<CompilerInfo> compilers = chosen_compilers(options.grade.compiler);
  if (compilers.empty())
    return Error{lab.id, 0, 0, "no compiler on this machine; `tessera doctor` tells what to do"};
  auto jobs = make_jobs(lab, solution, compilers, options);
  if (!jobs) return jobs.error();
  auto accepted = read_accepted_mutants(solution / "mutants.yaml");
  if (!accepted) return accepted.error();
  LabProof proof;
  proof.lab = lab.id;
  for (const CompilerInfo& compiler : compilers) proof.compilers.push_back(compiler.version);

  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(jobs->size(), options.threads, [&](std::size_t i, std::size_t) {
    do_job(lab, options.grade, (*jobs)[i]);
    const std::lock_guard lock(mutex);
    options.progress("kernels", ++done, jobs->size());
  });
  collect(*jobs, proof);
  check_marks(lab, solution, proof);
  if (options.mutants) add_mutation(lab, solution, std::move(*accepted), options, proof);
  proof.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return proof;
}

}  // namespace tessera
