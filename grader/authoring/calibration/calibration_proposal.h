// Proposes what each threshold of a lab should ask for, from measurements, and edits lab.yaml.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/authoring/calibration/calibration.h"
#include "grader/authoring/calibration/calibration_rules.h"
#include "grader/lab/lab.h"

namespace tessera {

/// A range of a threshold, for a device or for all devices.
struct Proposal {
  std::size_t threshold = 0;  // its index in Lab::thresholds
  std::string device;         // the key under `devices`; "": the threshold has a range for all
  std::string title;          // "time_ms on NVIDIA H200"
  std::optional<MeasuredSpan> measured;
  std::string measured_on;  // names of devices
  std::optional<Threshold::Range> present;
  std::optional<Threshold::Range> proposed;  // nothing: see `why`
  std::string word;                          // RangeDecision::word
  std::string why;
  bool reference_loses = false;  // with `present` the reference itself does not win everything
  /// About kernels in wrong/: "wrong/naive.cu (0.0124) would win 43 % of the points".
  std::vector<std::string> warnings;

  bool changes() const;
};

struct ProposalRequest {
  std::vector<CalibrationMeasurement> measurements;  // of any labs on any devices
  bool raise = false;
  /// The folder of the references, to find out whether they have changed since; "" does not look.
  std::filesystem::path solutions;
  std::string not_measured;  // why a threshold may have no measurement: "no GPU here"
};

/// The proposals, at least one for each threshold, in the order of the thresholds.
std::vector<Proposal> propose(const Lab& lab, const ProposalRequest& request);

/// A text for people: what was measured for each threshold, the proposed ends, and why.
std::string proposals_text(const Lab& lab, const std::vector<Proposal>& proposals);

/// A text for people that lists the lines of the lab's README.md with a number that the proposals
/// replace; "" if there are none.
std::string pages_that_quote(const Lab& lab, const std::vector<Proposal>& proposals);

/// `text`, which is the lab's lab.yaml, with the proposals that change something. The result is
/// read as a lab again: an Error says what could not be changed by itself.
Expected<std::string> apply(const Lab& lab, const std::string& text,
                            const std::vector<Proposal>& proposals,
                            const std::filesystem::path& datasets);

}  // namespace tessera
