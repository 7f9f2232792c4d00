// What each threshold of a lab should ask for, from what was measured, and the lab.yaml that says
// so.
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

/// One range of one threshold: for a device, or for every one.
struct Proposal {
  std::size_t threshold = 0;  // its index in Lab::thresholds
  std::string device;         // the key under `devices`; "": the threshold has one range for all
  std::string title;          // "time_ms on NVIDIA H200"
  std::optional<MeasuredSpan> measured;
  std::string measured_on;  // devices
  std::optional<Threshold::Range> present;
  std::optional<Threshold::Range> proposed;  // nothing: see `why`
  std::string word;                          // RangeDecision::word
  std::string why;
  bool reference_loses = false;  // at `present` the reference itself does not win everything
  /// Of kernels in wrong/: "wrong/naive.cu (0.0124) would win 43 % of the points".
  std::vector<std::string> warnings;

  bool changes() const;
};

struct ProposalRequest {
  std::vector<CalibrationMeasurement> measurements;  // of any labs and devices
  bool raise = false;
  /// Where references lie, to tell whether they changed since; "" does not look.
  std::filesystem::path solutions;
  std::string not_measured;  // why a threshold may have no measurement: "no GPU here"
};

/// In the order of the thresholds; for each at least one.
std::vector<Proposal> propose(const Lab& lab, const ProposalRequest& request);

/// For people: what each threshold measured, the ends that are proposed, and why.
std::string proposals_text(const Lab& lab, const std::vector<Proposal>& proposals);

/// Lines of the lab's README.md that hold a number which the proposals replace, one a line of the
/// text, for people; "" where there are none.
std::string pages_that_quote(const Lab& lab, const std::vector<Proposal>& proposals);

/// The text of the lab's lab.yaml with the proposals that change something. It is read again as a
/// lab: an Error says what could not be changed alone.
Expected<std::string> apply(const Lab& lab, const std::string& text,
                            const std::vector<Proposal>& proposals,
                            const std::filesystem::path& datasets);

}  // namespace tessera
