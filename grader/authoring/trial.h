// One kernel on one case, as the grader runs it, and what it leaves in memory bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/judge/judge.h"
#include "grader/judge/program.h"
#include "grader/judge/weigh.h"

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

  /// Lets loops run no longer than `reference` needs: an endless one costs a fraction of a second
  /// then. Without this a loop may run as long as in a grading.
  void set_patience(const Lab& lab, const Program& reference, std::uint64_t seed);

  CaseOutcome run(const Program& program, const Setting& setting) const;

  /// The output's bytes after the kernel ran; nothing where it was stopped.
  std::optional<std::vector<std::byte>> output(const Program& program,
                                               const Setting& setting) const;

 private:
  GradeOptions with_seed(std::uint64_t seed) const;

  GradeOptions options_;
  int timeouts_ = 0;  // that a case counts as having gone before it
};

/// Why a case is lost: the kind of finding, or the status. "" where it passes without a finding
/// that the lab forbids. What the simulator cannot run is not lost.
std::string loss_of(const Lab& lab, const CaseOutcome& outcome);

/// PTX without what only tells where it came from: equal for two sources that become the same code.
std::string code_of(const Program& program);

/// A counter of `metrics` that is worse than in `reference`, or "".
std::string worse_counter(const std::map<std::string, double>& metrics,
                          const std::map<std::string, double>& reference);

}  // namespace tessera
