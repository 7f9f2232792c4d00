// Prints what `tessera lab check` shows: its progress, each finished lab, and on Ctrl-C what is
// known by then.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/stopwatch.h"
#include "grader/authoring/proof/proof.h"
#include "grader/cli/json_output.h"
#include "grader/cli/progress_line.h"

namespace tessera {

/// "10-softmax: mutants 41 of 97, 12 of them from earlier runs, about 2 min 05 s left", after
/// `seconds` of this part. The time left is omitted while it is unknown, or if it is short.
std::string check_progress_text(const std::string& lab, const CheckProgress& progress,
                                double seconds);

/// May be used by many threads.
class LabCheckReport {
 public:
  /// `json` outlives this object.
  explicit LabCheckReport(const JsonOutput& json) : json_(json) {}

  /// Shows how far the lab is, and keeps the proof so far for interrupt().
  void set_unfinished(const LabProof& so_far);

  /// Prints the proof of a lab.
  void add(LabProof proof);

  /// Ends the line that shows the progress.
  void end_progress();

  /// Prints what is known of the unfinished lab, and writes the JSON of all labs.
  void interrupt();

  const std::vector<LabProof>& proofs() const { return proofs_; }

 private:
  void print(const LabProof& proof) const;

  const JsonOutput& json_;
  std::mutex mutex_;
  std::vector<LabProof> proofs_;
  std::optional<LabProof> unfinished_;
  std::optional<ProgressLine> line_;
  std::string part_;  // what `part_time_` measures: a lab and a part of its check
  Stopwatch part_time_;
};

}  // namespace tessera
