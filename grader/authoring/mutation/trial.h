// A kernel on a case, run as by the grader, and its output bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/judge/judge.h"
#include "grader/judge/points/weigh.h"
#include "grader/judge/run/program.h"
#include "grader/judge/run/simulate.h"

namespace tessera {

/// What a kernel is tried on: a case of a lab by its number, counted from 1, and a seed.
struct Setting {
  const Lab* lab = nullptr;
  std::size_t number = 0;
  std::uint64_t seed = 0;

  const Case& chosen() const { return lab->cases[number - 1]; }
};

/// The compilers on this machine that `kind` allows.
std::vector<CompilerInfo> chosen_compilers(CompilerKind kind);

class Bench {
 public:
  /// `options` decide compiler, device and headers. Everything runs on the calling thread.
  explicit Bench(GradeOptions options);

  std::variant<Program, Refusal> build(const Lab& lab, const std::string& source) const;

  /// Runs the kernel; cut short when all its warps together have taken more than `most_steps`.
  CaseOutcome run(const Program& program, const Setting& setting,
                  std::uint64_t most_steps = Patience().most_steps) const;

  /// The bytes of the output after the run; nothing if the kernel was stopped.
  std::optional<std::vector<std::byte>> output(const Program& program,
                                               const Setting& setting) const;

 private:
  GradeOptions with_seed(std::uint64_t seed) const;

  GradeOptions options_;
};

/// The steps that all warps of a mutant together may take if those of the reference take
/// `reference_steps`: a small multiple, so that an endless mutant costs little.
std::uint64_t most_steps_of_mutant(std::uint64_t reference_steps);

/// "still running after the work of 2,000,001 instructions in m=1 n=1 k=1 uniform, where the
/// reference takes 42", for an outcome that was cut short in `test_case`.
std::string cut_short_text(const Lab& lab, const Case& test_case, const CaseOutcome& outcome,
                           std::uint64_t reference_steps);

/// Why a case is lost: the kind of finding, or the status. "" if it passes without a finding that
/// the lab forbids, if the simulator cannot run it, or if it was cut short without such a finding.
std::string loss_of(const Lab& lab, const CaseOutcome& outcome);

/// Whether the same run will always have this outcome, on any machine.
bool is_certain(const CaseOutcome& outcome);

/// The PTX without lines that only say where code came from: equal for sources that become the same
/// code.
std::string code_of(const Program& program);

/// The first counter of `metrics` that is worse than in `reference`, as "more instructions" or
/// "less results_through_shared", or "".
std::string worse_counter(const Metrics& metrics, const Metrics& reference);

}  // namespace tessera
