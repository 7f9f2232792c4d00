// Tries to tell a mutant that loses nothing in a lab from the reference: with other seeds, on
// further shapes, by the bits of its output and by its counters.
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
  std::string reason;   // where it was tried, or what differs first
  std::string killer;   // the case in YAML that it loses, where there is one
  bool certain = true;  // nothing of this machine is in it
};

class EquivalenceCheck {
 public:
  /// Runs the reference wherever mutants will be tried, on `threads` threads. Of the further shapes
  /// those are kept on which it passes without a finding: the others are not in the lab's domain.
  /// `progress` is called from any thread. All arguments outlive this object.
  EquivalenceCheck(const Lab& lab, const Bench& bench, const Program& reference, std::uint64_t seed,
                   int threads, const std::function<void(std::size_t total)>& progress);

  /// May be called by several threads at once.
  EquivalenceResult compare(const Program& mutant) const;

 private:
  struct Run {
    Setting setting;
    bool clean = false;  // passed, and nothing was found
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
  bool certain_ = true;  // what the reference did
};

}  // namespace tessera
