// One kernel on one case, as the grader runs it, and what it leaves in memory bit for bit.
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

/// Where a kernel is tried: a case of a lab by its number, counted from 1, and a seed.
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

  /// The run is cut short where all its warps together take more than `most_steps`.
  CaseOutcome run(const Program& program, const Setting& setting,
                  std::uint64_t most_steps = Patience().most_steps) const;

  /// The output's bytes after the kernel ran; nothing where it was stopped.
  std::optional<std::vector<std::byte>> output(const Program& program,
                                               const Setting& setting) const;

 private:
  GradeOptions with_seed(std::uint64_t seed) const;

  GradeOptions options_;
};

/// What all warps of a mutant may take together where those of the reference take
/// `reference_steps`: a small multiple, so that an endless mutant costs little.
std::uint64_t most_steps_of_mutant(std::uint64_t reference_steps);

/// "still running after the work of 2,000,001 instructions in m=1 n=1 k=1 uniform, where the
/// reference takes 42", of an outcome that was cut short in `one`.
std::string cut_short_text(const Lab& lab, const Case& one, const CaseOutcome& outcome,
                           std::uint64_t reference_steps);

/// Why a case is lost: the kind of finding, or the status. "" where it passes without a finding
/// that the lab forbids. What the simulator cannot run is not lost, nor what was cut short, but for
/// what was found until then.
std::string loss_of(const Lab& lab, const CaseOutcome& outcome);

/// Whether the same run will always have this outcome: nothing of this machine is in it.
bool is_certain(const CaseOutcome& outcome);

/// PTX without what only tells where it came from: equal for two sources that become the same code.
std::string code_of(const Program& program);

/// "more instructions", "less results_through_shared": a counter of `metrics` that is worse than in
/// `reference`, or "".
std::string worse_counter(const Metrics& metrics, const Metrics& reference);

}  // namespace tessera
