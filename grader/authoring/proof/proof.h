// Proves that a lab grades as it should: the reference wins, the skeleton does not, every wrong
// kernel loses what its first line says, and small mistakes in the reference do not pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/authoring/mutation/check_progress.h"
#include "grader/authoring/mutation/mutation.h"
#include "grader/judge/judge.h"
#include "grader/lab/lab.h"

namespace tessera {

/// What the code of a compiler measures in its worst run.
struct MarginValue {
  std::string compiler;
  double value = 0;
  double percent = 0;  // distance from the limit, in percent of it; negative: missed
};

/// How far the reference is from a requirement on a counter or on the modelled time.
struct Margin {
  std::string item;                 // "technique/1"
  std::string requirement;          // "global_load_requests at most 3072"
  double limit = 0;                 // for a time: `full`
  std::vector<MarginValue> values;  // at least one, in the order of LabProof::compilers

  const MarginValue& worst() const;
};

/// The case in which the reference comes nearest to the step limit, beyond which a kernel counts as
/// endless.
struct NearestStepLimit {
  std::string item;   // "correctness/3"
  std::string title;  // "m=128 n=96 k=160 uniform"
  std::string compiler;
  StepUse steps;

  double share() const {
    return static_cast<double>(steps.used) /
           static_cast<double>(std::max<std::uint64_t>(steps.limit, 1));
  }
};

struct ProofPart {
  std::size_t passed = 0;
  std::size_t total = 0;
  std::vector<std::string> faults;  // by item or wrong kernel, with the first run that shows it

  bool proved() const { return total > 0 && faults.empty(); }
};

struct LabProof {
  std::string lab;
  std::vector<std::string> compilers;  // "nvrtc 13.0"
  ProofPart reference;                 // runs: compilers x seeds
  bool stopped = false;                // the reference loses, so nothing else was looked at
  std::string page_fault;              // what is wrong with the task's README.md, or ""
  std::string solution_fault;  // the file in the solution's folder that nothing reads, or ""
  std::size_t hidden_cases = 0;
  std::vector<std::string> doubts;  // lab_faults.h; they do not keep a lab from being proved
  std::vector<Margin> margins;
  std::optional<NearestStepLimit> steps;  // nothing if no case ran
  ProofPart skeleton;                     // runs: compilers
  ProofPart wrong;                        // runs: kernels x compilers
  ProofPart ignoring;                     // right kernels that ignore the lesson: runs
  ProofPart winning;                      // right kernels of another shape, and later ones: runs
  std::optional<MutationResult> mutation;
  std::string mutation_fault;               // why there is none although it was requested
  std::size_t kept_kernels = 0;             // runs known from an earlier `lab check`
  std::optional<CheckProgress> unfinished;  // how far the proof is, if it is not complete
  double seconds = 0;

  bool proved() const;
};

struct ProofOptions {
  GradeOptions grade;  // `seed` is the first seed; `compiler` automatic means all that are here
  int seeds = 10;
  int threads = 0;  // 0: one for each core
  bool mutants = true;
  /// Identifies this build of the program: verdicts of other builds are not used. "": no verdicts
  /// are kept in grade.compiler.cache_dir or taken from there.
  std::string program;
  bool fresh = false;  // ignore verdicts of earlier runs
  /// Called from any thread, but by one at a time, with the proof as if it ended now.
  std::function<void(const LabProof& so_far)> progress = [](const LabProof&) {};
};

/// Proves the lab with what is in `solution` (solutions/NN-name: kernel.cu, wrong/, ignores/,
/// right/, mutants.yaml), its own skeleton, and the references of the labs beside it. Everything
/// runs in the simulator. If the reference loses something, nothing else is looked at. Errors: no
/// compiler here, a mistake in mutants.yaml, or a file in wrong/ or ignores/ without its header or
/// with an item that the lab does not have.
Expected<LabProof> prove(const Lab& lab, const std::filesystem::path& solution,
                         const ProofOptions& options);

}  // namespace tessera
