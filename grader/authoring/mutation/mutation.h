// Mutation testing of a lab: which small mistakes in the reference lose nothing?
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/authoring/mutation/check_progress.h"
#include "grader/authoring/mutation/kept_verdicts.h"
#include "grader/authoring/mutation/mutants.h"
#include "grader/judge/judge.h"
#include "grader/lab/lab.h"

namespace tessera {

enum class MutantFate {
  caught,      // it loses a case, the checks or a technique item
  equivalent,  // the same code, or the same outputs, no findings and no worse counters wherever it
               // was tried
  accepted,    // mutants.yaml says that it may lose nothing
  survivor,    // it loses nothing, and is not known to be right
  ended,       // cut short after many times the work of the reference, with nothing lost by then
  undecided,   // it loses nothing, and is not compared yet; only in unfinished results
};

std::string_view to_string(MutantFate fate);

struct MutantResult {
  Mutant mutant;
  MutantFate fate = MutantFate::survivor;
  std::string reason;  // what caught it; why it is known to be equivalent; what differs; where it
                       // was ended
  std::string killer;  // survivor: a case in YAML that it would lose, or ""
};

struct MutationResult {
  std::vector<MutantResult> mutants;  // in source order; those that do not compile are left out
  std::size_t uncompiled = 0;
  std::size_t kept = 0;            // mutants known from an earlier run
  std::vector<std::string> stale;  // accepted ids of no mutant, or of a mutant that is caught
  double seconds = 0;
};

struct MutationOptions {
  GradeOptions grade;
  int threads = 0;  // 0: one for each core
  /// Why a mutant may lose nothing, by id.
  std::map<std::string, std::string> accepted;
  KeptVerdicts kept;  // of earlier runs, and for later runs
  /// Called from any thread, but by one at a time, with what is known so far.
  std::function<void(const MutationResult& so_far, const CheckProgress&)> progress =
      [](const auto&, const auto&) {};
};

/// Grades the mutants of the reference in the file `reference`. Errors: the reference cannot be
/// read, does not compile, or does not win every case itself.
Expected<MutationResult> mutate(const Lab& lab, const std::filesystem::path& reference,
                                const MutationOptions& options);

}  // namespace tessera
