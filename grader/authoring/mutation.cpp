#include "grader/authoring/mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/parallel.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "grader/authoring/equivalence.h"
#include "grader/authoring/trial.h"
#include "grader/judge/technique.h"

namespace tessera {
namespace {

/// Numbers of the cases, the cheap ones first: most mutants lose the first one.
std::vector<std::size_t> cheapest_first(const Lab& lab) {
  std::vector<std::size_t> numbers(lab.cases.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{1});
  std::ranges::stable_sort(numbers, {}, [&](std::size_t number) {
    return lab.operation->work(lab.cases[number - 1].extents);
  });
  return numbers;
}

/// `outcomes` by index in Lab::cases.
std::string lost_technique(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  std::vector<CountedCase> counted;
  for (const std::size_t index : lab.counted_cases())
    counted.push_back({index, &outcomes[index].metrics});
  for (const Item& item : technique_items(lab, counted)) {
    if (item.status == Status::fail) return fmt::format("{}: {}", item.id, item.title);
  }
  return "";
}

/// Grades mutants of one reference side by side.
class Grading {
 public:
  Grading(const Lab& lab, const Bench& bench, const Program& reference, std::uint64_t seed)
      : lab_(lab), bench_(bench), code_(code_of(reference)), seed_(seed) {}

  /// What the mutant loses, or "".
  std::string loss(const Program& mutant) const {
    std::vector<CaseOutcome> outcomes(lab_.cases.size());
    for (const std::size_t number : cheapest_first(lab_)) {
      CaseOutcome& outcome = outcomes[number - 1];
      outcome = bench_.run(mutant, {&lab_, number, seed_});
      const std::string lost = loss_of(lab_, outcome);
      if (!lost.empty())
        return fmt::format("{} in {}", lost, lab_.case_title(lab_.cases[number - 1]));
    }
    return lost_technique(lab_, outcomes);
  }

  bool same_code(const Program& mutant) const { return code_of(mutant) == code_; }

 private:
  const Lab& lab_;
  const Bench& bench_;
  std::string code_;
  std::uint64_t seed_;
};

/// A mutant on its way.
struct Attempt {
  MutantResult result;
  std::optional<Program> program;  // of one that is still to be judged
  bool compiled = true;
};

Attempt first_attempt(const Lab& lab, const Bench& bench, const Grading& grading,
                      const Mutant& mutant) {
  Attempt attempt;
  attempt.result.mutant = mutant;
  auto built = bench.build(lab, mutant.source);
  if (const Refusal* refusal = std::get_if<Refusal>(&built)) {
    if (refusal->status == Status::infra) throw std::runtime_error(refusal->message);
    attempt.compiled = false;
    return attempt;
  }
  Program& program = std::get<Program>(built);
  if (grading.same_code(program)) {
    attempt.result.fate = MutantFate::equivalent;
    attempt.result.reason = "the compiler makes the same code of it";
    return attempt;
  }
  attempt.result.reason = grading.loss(program);
  if (attempt.result.reason.empty()) {
    attempt.program = std::move(program);
  } else {
    attempt.result.fate = MutantFate::caught;
  }
  return attempt;
}

std::vector<Attempt> first_attempts(const Lab& lab, const Bench& bench, const Grading& grading,
                                    const std::string& source, const MutationOptions& options) {
  const std::vector<Mutant> mutants = make_mutants(source);
  std::vector<Attempt> attempts(mutants.size());
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(mutants.size(), options.threads, [&](std::size_t i, std::size_t) {
    attempts[i] = first_attempt(lab, bench, grading, mutants[i]);
    const std::lock_guard lock(mutex);
    options.progress(++done, mutants.size());
  });
  return attempts;
}

void accept(const std::map<std::string, std::string>& accepted, std::vector<Attempt>& attempts) {
  for (Attempt& attempt : attempts) {
    const auto reason = accepted.find(attempt.result.mutant.id);
    if (!attempt.program || reason == accepted.end()) continue;
    attempt.result.fate = MutantFate::accepted;
    attempt.result.reason = reason->second;
    attempt.program.reset();
  }
}

/// Tells equivalent mutants from survivors.
void look_closer(const Lab& lab, const Bench& bench, const Program& reference,
                 const MutationOptions& options, std::vector<Attempt>& attempts) {
  std::vector<Attempt*> open;
  for (Attempt& attempt : attempts) {
    if (attempt.program) open.push_back(&attempt);
  }
  if (open.empty()) return;
  const EquivalenceCheck check(lab, bench, reference, options.grade.seed, options.threads);
  in_parallel(open.size(), options.threads, [&](std::size_t i, std::size_t) {
    Attempt& attempt = *open[i];
    const EquivalenceResult found = check.compare(*attempt.program);
    attempt.result.fate = found.equal ? MutantFate::equivalent : MutantFate::survivor;
    attempt.result.reason = found.reason;
    attempt.result.killer = found.killer;
    attempt.program.reset();
  });
}

MutationResult results_of(std::vector<Attempt> attempts) {
  MutationResult result;
  for (Attempt& attempt : attempts) {
    if (attempt.compiled) result.mutants.push_back(std::move(attempt.result));
  }
  result.uncompiled = attempts.size() - result.mutants.size();
  return result;
}

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
  }
  return "";
}

Expected<MutationResult> mutate(const Lab& lab, const std::filesystem::path& reference,
                                const MutationOptions& options) {
  const Stopwatch stopwatch;
  const Expected<std::string> source = read_file(reference);
  if (!source) return source.error();
  Bench bench(options.grade);
  const auto built = bench.build(lab, *source);
  if (const Refusal* refusal = std::get_if<Refusal>(&built))
    return Error{reference.string(), 0, 0, refusal->message};
  const Program& program = std::get<Program>(built);
  bench.set_patience(lab, program, options.grade.seed);
  const Grading grading(lab, bench, program, options.grade.seed);
  if (const std::string lost = grading.loss(program); !lost.empty())
    return Error{reference.string(), 0, 0, "the reference itself loses: " + lost};

  std::vector<Attempt> attempts = first_attempts(lab, bench, grading, *source, options);
  accept(options.accepted, attempts);
  look_closer(lab, bench, program, options, attempts);
  MutationResult result = results_of(std::move(attempts));
  result.stale = stale_ids(options.accepted, result.mutants);
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace tessera
