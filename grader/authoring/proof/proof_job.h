// One kernel of a proof: what it is graded for, with which compiler and seed, and what that shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/authoring/mutation/kept_verdicts.h"
#include "grader/authoring/proof/other_kernels.h"
#include "grader/authoring/proof/proof.h"
#include "grader/judge/expectation.h"

namespace tessera {

/// What a kernel is graded for.
enum class Role { reference, skeleton, wrong, ignoring, winning };

struct ProofJob {
  Role role = Role::reference;
  std::filesystem::path kernel;
  CompilerInfo compiler;
  std::uint64_t seed = 0;
  Expectation expectation;  // of a wrong kernel
  OtherKernel other;        // of one that ignores the lesson or must win: in no file

  bool done = false;
  bool kept = false;  // known from an earlier run
  std::string fault;  // what the grading showed against it
  std::vector<Margin> margins;
  std::optional<NearestStepLimit> steps;  // of the reference

  std::string kernel_name() const;
  std::string name() const;
};

/// The one of two that comes nearer to its limit.
std::optional<NearestStepLimit> nearer(std::optional<NearestStepLimit> known,
                                       const std::optional<NearestStepLimit>& other);

/// The reference with each of `seeds` seeds, from `seed` on, and all other kernels with the first
/// one; each with every compiler. Errors: those of read_wrong_kernels(), ignoring_kernels() and
/// winning_kernels().
Expected<std::vector<ProofJob>> make_jobs(const Lab& lab, const OtherKernelPlaces& places,
                                          const std::vector<CompilerInfo>& compilers,
                                          std::uint64_t seed, int seeds);

/// Grades the job's kernel, unless an earlier run has shown what it is worth.
void do_job(const Lab& lab, const GradeOptions& shared, const KeptVerdicts& kept, ProofJob& job);

/// What the jobs of one role that are done have shown.
ProofPart part_of(const std::vector<ProofJob>& jobs, Role role);

}  // namespace tessera
