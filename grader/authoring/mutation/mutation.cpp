#include "grader/authoring/mutation/mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/parallel.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "grader/authoring/mutation/equivalence.h"
#include "grader/authoring/mutation/trial.h"
#include "grader/judge/points/technique.h"

namespace tessera {
namespace {

using nlohmann::json;

constexpr std::string_view kMutants = "mutants";

/// The numbers of the cases, cheap cases first, since most mutants lose the first that is tried.
std::vector<std::size_t> cheapest_first(const Lab& lab) {
  std::vector<std::size_t> numbers(lab.cases.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{1});
  std::ranges::stable_sort(numbers, {}, [&](std::size_t number) {
    return lab.operation->work(lab.cases[number - 1].extents);
  });
  return numbers;
}

/// The technique item that the outcomes lose, or ""; `outcomes` by index in Lab::cases.
std::string lost_technique(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  std::vector<CountedCase> counted;
  for (const std::size_t index : lab.counted_cases())
    counted.push_back({index, &outcomes[index].metrics});
  for (const Item& item : technique_items(lab, counted)) {
    if (item.status == Status::fail) return fmt::format("{}: {}", item.id, item.title);
  }
  return "";
}

/// What became of a mutant on the lab's cases.
struct Trial {
  std::string loss;     // what it loses, or ""
  std::string ended;    // where it was cut short without having lost anything, or ""
  bool certain = true;  // the result does not depend on this machine
};

/// Grades mutants of a reference; several threads may do so at once.
class Grading {
 public:
  /// Runs the reference on each case.
  Grading(const Lab& lab, const Bench& bench, const Program& reference, std::uint64_t seed)
      : lab_(lab), bench_(bench), code_(code_of(reference)), seed_(seed) {
    std::vector<CaseOutcome> outcomes;
    for (std::size_t number = 1; number <= lab.cases.size(); ++number) {
      outcomes.push_back(bench.run(reference, {&lab, number, seed}));
      steps_.push_back(outcomes.back().launch_steps);
      if (loss_.empty()) loss_ = case_loss(number, outcomes.back());
    }
    if (loss_.empty()) loss_ = lost_technique(lab, outcomes);
  }

  /// What the reference itself loses, or "".
  const std::string& reference_loss() const { return loss_; }

  /// Grades a mutant on the cases, up to the first that it loses.
  Trial trial_of(const Program& mutant) const {
    Trial trial;
    std::vector<CaseOutcome> outcomes(lab_.cases.size());
    for (const std::size_t number : cheapest_first(lab_)) {
      CaseOutcome& outcome = outcomes[number - 1];
      const std::uint64_t reference_steps = steps_[number - 1];
      outcome = bench_.run(mutant, {&lab_, number, seed_}, most_steps_of_mutant(reference_steps));
      trial.certain = trial.certain && is_certain(outcome);
      trial.loss = case_loss(number, outcome);
      if (!trial.loss.empty()) return trial;
      if (outcome.cut_short && trial.ended.empty())
        trial.ended = cut_short_text(lab_, lab_.cases[number - 1], outcome, reference_steps);
    }
    if (trial.ended.empty()) trial.loss = lost_technique(lab_, outcomes);
    return trial;
  }

  bool same_code(const Program& mutant) const { return code_of(mutant) == code_; }

 private:
  std::string case_loss(std::size_t number, const CaseOutcome& outcome) const {
    const std::string lost = loss_of(lab_, outcome);
    return lost.empty() ? ""
                        : fmt::format("{} in {}", lost, lab_.case_title(lab_.cases[number - 1]));
  }

  const Lab& lab_;
  const Bench& bench_;
  std::string code_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> steps_;  // of the reference, by case
  std::string loss_;
};

/// A mutant and how far its trial has come.
struct Attempt {
  MutantResult result;
  std::string source;
  std::optional<Program> program;  // while undecided, unless an earlier run found it to be
  bool tried = false;
  bool compiled = true;
  bool kept = false;  // known from an earlier run
};

/// A mutant's program, or nothing if it does not compile.
std::optional<Program> program_of(const Lab& lab, const Bench& bench, const std::string& source) {
  auto built = bench.build(lab, source);
  if (auto* program = std::get_if<Program>(&built)) return std::move(*program);
  const Refusal& refusal = std::get<Refusal>(built);
  if (refusal.status == Status::infra) throw std::runtime_error(refusal.message);
  return std::nullopt;
}

json verdict_of(const Attempt& attempt) {
  return {{"compiled", attempt.compiled},
          {"fate", to_string(attempt.result.fate)},
          {"reason", attempt.result.reason},
          {"killer", attempt.result.killer}};
}

MutantFate fate_from(const std::string& word) {
  for (const MutantFate fate :
       {MutantFate::caught, MutantFate::equivalent, MutantFate::survivor, MutantFate::ended}) {
    if (word == to_string(fate)) return fate;
  }
  return MutantFate::undecided;
}

void set_verdict(const json& verdict, Attempt& attempt) {
  attempt.tried = true;
  attempt.kept = true;
  attempt.compiled = verdict.at("compiled");
  attempt.result.fate = fate_from(verdict.at("fate"));
  attempt.result.reason = verdict.at("reason");
  attempt.result.killer = verdict.at("killer");
}

/// Tries the mutants of a reference: all of them on the lab's cases, then those that lose nothing
/// with other seeds and on other shapes.
class MutationRun {
 public:
  MutationRun(const Lab& lab, std::string source, const MutationOptions& options)
      : lab_(lab), source_(std::move(source)), options_(options), bench_(options.grade) {
    if (const auto compiler = compiler_identity(options.grade.compiler.kind)) compiler_ = *compiler;
    for (Mutant& mutant : make_mutants(Source(source_))) {
      Attempt& attempt = attempts_.emplace_back();
      attempt.source = std::exchange(mutant.source, "");
      attempt.result.mutant = std::move(mutant);
      attempt.result.fate = MutantFate::undecided;
      if (const auto verdict = options.kept.find(subject("mutant", attempt)))
        set_verdict(*verdict, attempt);
    }
  }

  /// Tries the mutants, or returns why none can be tried.
  std::optional<Error> run(const std::filesystem::path& reference) {
    accept();
    look_up_comparisons();
    if (open().empty()) return std::nullopt;
    const auto built = bench_.build(lab_, source_);
    if (const Refusal* refusal = std::get_if<Refusal>(&built))
      return Error{.file = reference.string(), .message = refusal->message};
    const Program& program = std::get<Program>(built);
    const Grading grading(lab_, bench_, program, options_.grade.seed);
    if (const std::string& lost = grading.reference_loss(); !lost.empty())
      return Error{.file = reference.string(), .message = "the reference itself loses: " + lost};
    try_on_cases(grading);
    accept();
    compare(program);
    return std::nullopt;
  }

  MutationResult result() const {
    MutationResult result;
    for (const Attempt& attempt : attempts_) {
      if (!attempt.tried) continue;
      if (attempt.compiled) result.mutants.push_back(attempt.result);
      result.uncompiled += attempt.compiled ? 0 : 1;
      result.kept += attempt.kept ? 1 : 0;
    }
    return result;
  }

 private:
  std::vector<std::string> subject(const std::string& what, const Attempt& attempt) const {
    return {what, compiler_, std::to_string(options_.grade.seed), source_, attempt.source};
  }

  /// The mutants that are not tried yet, or undecided.
  std::vector<Attempt*> open() {
    std::vector<Attempt*> found;
    for (Attempt& attempt : attempts_) {
      const bool decided = !attempt.compiled || attempt.result.fate != MutantFate::undecided;
      if (!attempt.tried || !decided) found.push_back(&attempt);
    }
    return found;
  }

  void accept() {
    for (Attempt& attempt : attempts_) {
      const MutantFate fate = attempt.result.fate;
      const auto reason = options_.accepted.find(attempt.result.mutant.id);
      const bool acceptable = fate == MutantFate::undecided || fate == MutantFate::ended;
      if (!attempt.tried || !attempt.compiled || !acceptable || reason == options_.accepted.end())
        continue;
      attempt.result.fate = MutantFate::accepted;
      attempt.result.reason = reason->second;
      attempt.program.reset();
    }
  }

  void look_up_comparisons() {
    for (Attempt* attempt : open()) {
      if (!attempt->tried) continue;
      if (const auto verdict = options_.kept.find(subject("comparison", *attempt)))
        set_verdict(*verdict, *attempt);
    }
  }

  void try_on_cases(const Grading& grading) {
    std::vector<Attempt*> left;
    for (Attempt* attempt : open()) {
      if (!attempt->tried) left.push_back(attempt);
    }
    in_parallel(left.size(), options_.threads, [&](std::size_t i, std::size_t) {
      Attempt attempt = *left[i];
      const bool certain = try_on_cases(grading, attempt);
      attempt.tried = true;
      if (certain) options_.kept.keep(subject("mutant", attempt), verdict_of(attempt));
      const std::lock_guard lock(mutex_);
      *left[i] = std::move(attempt);
      report_progress(kMutants, tried(), attempts_.size());
    });
  }

  /// Tries a mutant; returns whether the verdict will always be the same.
  bool try_on_cases(const Grading& grading, Attempt& attempt) const {
    attempt.program = program_of(lab_, bench_, attempt.source);
    attempt.compiled = attempt.program.has_value();
    if (!attempt.compiled) return true;
    if (grading.same_code(*attempt.program)) {
      attempt.result.fate = MutantFate::equivalent;
      attempt.result.reason = "the compiler makes the same code of it";
      attempt.program.reset();
      return true;
    }
    const Trial trial = grading.trial_of(*attempt.program);
    attempt.result.reason = trial.loss.empty() ? trial.ended : trial.loss;
    if (!trial.loss.empty()) attempt.result.fate = MutantFate::caught;
    if (trial.loss.empty() && !trial.ended.empty()) attempt.result.fate = MutantFate::ended;
    if (attempt.result.fate != MutantFate::undecided) attempt.program.reset();
    return trial.certain;
  }

  /// Decides which mutants are equivalent and which survive.
  void compare(const Program& reference) {
    const std::vector<Attempt*> left = open();
    if (left.empty()) return;
    std::size_t shapes = 0;
    const EquivalenceCheck check(lab_, bench_, reference, options_.grade.seed, options_.threads,
                                 [&](std::size_t total) {
                                   const std::lock_guard lock(mutex_);
                                   report_progress("shapes to compare on", ++shapes, total);
                                 });
    std::size_t compared = 0;
    in_parallel(left.size(), options_.threads, [&](std::size_t i, std::size_t) {
      Attempt attempt = *left[i];
      if (!attempt.program) attempt.program = program_of(lab_, bench_, attempt.source);
      if (!attempt.program)
        throw std::runtime_error("a mutant that compiled before no longer compiles");
      const EquivalenceResult found = check.compare(*attempt.program);
      attempt.program.reset();
      attempt.result.fate = found.equal ? MutantFate::equivalent : MutantFate::survivor;
      attempt.result.reason = found.reason;
      attempt.result.killer = found.killer;
      attempt.kept = false;
      if (found.certain) options_.kept.keep(subject("comparison", attempt), verdict_of(attempt));
      const std::lock_guard lock(mutex_);
      *left[i] = std::move(attempt);
      report_progress("mutants to compare", ++compared, left.size());
    });
  }

  std::size_t tried() const {
    return static_cast<std::size_t>(std::ranges::count(attempts_, true, &Attempt::tried));
  }

  void report_progress(std::string_view part, std::size_t done, std::size_t total) const {
    const MutationResult so_far = result();
    const std::size_t kept = part == kMutants ? so_far.kept : 0;
    options_.progress(so_far, {.part = part, .done = done, .total = total, .kept = kept});
  }

  const Lab& lab_;
  std::string source_;
  std::string compiler_;
  const MutationOptions& options_;
  Bench bench_;
  std::mutex mutex_;  // guards the attempts while several threads work
  std::vector<Attempt> attempts_;
};

std::vector<std::string> stale_ids(const std::map<std::string, std::string>& accepted,
                                   const std::vector<MutantResult>& mutants) {
  std::vector<std::string> stale;
  for (const auto& [id, reason] : accepted) {
    const auto found = std::ranges::find_if(
        mutants, [&](const MutantResult& result) { return result.mutant.id == id; });
    if (found == mutants.end()) {
      stale.push_back(fmt::format("{}: there is no such mutant", id));
    } else if (found->fate == MutantFate::caught) {
      stale.push_back(fmt::format("{}: it is caught ({})", id, found->reason));
    }
  }
  return stale;
}

}  // namespace

std::string_view to_string(MutantFate fate) {
  switch (fate) {
    case MutantFate::caught:
      return "caught";
    case MutantFate::equivalent:
      return "equivalent";
    case MutantFate::accepted:
      return "accepted";
    case MutantFate::survivor:
      return "survivor";
    case MutantFate::ended:
      return "ended";
    case MutantFate::undecided:
      return "undecided";
  }
  return "";
}

Expected<MutationResult> mutate(const Lab& lab, const std::filesystem::path& reference,
                                const MutationOptions& options) {
  const Stopwatch stopwatch;
  Expected<std::string> source = read_file(reference);
  if (!source) return source.error();
  MutationRun run(lab, std::move(*source), options);
  if (auto error = run.run(reference)) return *error;
  MutationResult result = run.result();
  result.stale = stale_ids(options.accepted, result.mutants);
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace tessera
