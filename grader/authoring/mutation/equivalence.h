// Looks for a difference between the reference and a mutant that loses nothing in a lab: with other
// seeds, on further shapes, in the bits of the output and in the counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/authoring/mutation/trial.h"

namespace tessera {

struct EquivalenceResult {
  bool equal = false;
  std::string reason;   // where the mutant was tried, or the first difference
  std::string killer;   // the case that the mutant loses, in YAML; "" if there is none
  bool certain = true;  // the result does not depend on this machine
};

class EquivalenceCheck {
 public:
  /// Runs the reference wherever mutants will be tried, on `threads` threads. Further shapes on
  /// which it has a finding or does not pass are outside the lab's domain and left out. `progress`
  /// is called from any thread. All arguments must outlive this object.
  EquivalenceCheck(const Lab& lab, const Bench& bench, const Program& reference, std::uint64_t seed,
                   int threads, const std::function<void(std::size_t total)>& progress);

  /// May be called by several threads at once.
  EquivalenceResult compare(const Program& mutant) const;

 private:
  struct Run {
    Setting setting;
    bool clean = false;  // passed without findings
    bool certain = true;
    std::uint64_t launch_steps = 0;
    Metrics metrics;
    std::vector<std::byte> output;
  };

  std::vector<Setting> settings(std::uint64_t seed) const;
  Run reference_run(const Program& reference, const Setting& setting) const;
  std::string difference(const Program& mutant, const Run& run, const CaseOutcome& outcome) const;

  const Lab& lab_;
  const Bench& bench_;
  Lab probes_;  // the lab with further cases instead of its own
  std::vector<Run> runs_;
  bool certain_ = true;  // the reference's own runs do not depend on this machine
};

}  // namespace tessera
