// A kernel of a proof: why it is graded, with which compiler and seed, and what that shows.
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

/// Why a kernel is graded.
enum class Role { reference, skeleton, wrong, ignoring, winning };

struct ProofJob {
  Role role = Role::reference;
  std::filesystem::path kernel;
  CompilerInfo compiler;
  std::uint64_t seed = 0;
  Expectation expectation;  // of a wrong kernel
  OtherKernel other;        // a kernel that ignores the lesson or must win, instead of a file

  bool done = false;
  bool kept = false;  // known from an earlier run
  std::string fault;  // what the grading showed against the lab
  std::vector<Margin> margins;
  std::optional<NearestStepLimit> steps;  // of the reference

  std::string kernel_name() const;
  std::string name() const;
};

/// Whichever of two comes nearer to its limit.
std::optional<NearestStepLimit> nearer(std::optional<NearestStepLimit> known,
                                       const std::optional<NearestStepLimit>& other);

/// Jobs for the reference with each of `seeds` seeds, from `seed` on, and for all other kernels
/// with the first seed; each with every compiler. Errors: those of read_wrong_kernels(),
/// ignoring_kernels() and winning_kernels().
Expected<std::vector<ProofJob>> make_jobs(const Lab& lab, const OtherKernelPlaces& places,
                                          const std::vector<CompilerInfo>& compilers,
                                          std::uint64_t seed, int seeds);

/// Grades the job's kernel, unless the verdict of an earlier run is kept.
void do_job(const Lab& lab, const GradeOptions& shared, const KeptVerdicts& kept, ProofJob& job);

/// What the finished jobs of a role have shown.
ProofPart part_of(const std::vector<ProofJob>& jobs, Role role);

}  // namespace tessera
