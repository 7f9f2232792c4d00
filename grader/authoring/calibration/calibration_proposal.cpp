#include "grader/authoring/calibration/calibration_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "common/numbers.h"
#include "common/sha256.h"
#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/authoring/calibration/yaml_edit.h"
#include "grader/judge/expectation.h"
#include "grader/judge/points/threshold.h"
#include "grader/lab/lab_parser.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Measurements = std::vector<const CalibrationMeasurement*>;

constexpr double kMostRunSpread = 0.1;  // of the medians of several runs

bool concerns(const CalibrationMeasurement& measurement, const Lab& lab,
              const Threshold& threshold) {
  return measurement.lab == lab.id && measurement.metric == threshold.metric &&
         measurement.over == threshold.over;
}

/// The measurements of the reference for a threshold.
Measurements matching(const Lab& lab, const Threshold& threshold,
                      const std::vector<CalibrationMeasurement>& all) {
  Measurements found;
  for (const CalibrationMeasurement& measurement : all) {
    if (measurement.kernel.empty() && concerns(measurement, lab, threshold))
      found.push_back(&measurement);
  }
  return found;
}

/// Whether the reference of `lab` is another than that with the hash `sha256`; false if it is not
/// there.
bool changed(const std::string& lab, const std::string& sha256, const fs::path& solutions) {
  if (solutions.empty() || sha256.empty()) return false;
  const Expected<std::string> source = read_file(solutions / lab / "kernel.cu");
  return source && tessera::sha256(*source) != sha256;
}

std::string failure_of(const CalibrationMeasurement& measurement) {
  for (std::size_t i = 0; i < measurement.runs.size(); ++i) {
    const CalibrationRun& run = measurement.runs[i];
    if (!run.failed()) continue;
    std::string text = fmt::format("run {} of {}: {}", i + 1, measurement.runs.size(), run.failure);
    return run.hint.empty() ? text : text + "; " + run.hint;
  }
  const auto [least, most] = std::ranges::minmax(
      measurement.runs, {}, [](const CalibrationRun& run) { return run.value.median; });
  const double spread = most.value.median / least.value.median - 1;
  // The runs of a modelled time differ since each is the code of another compiler.
  if (spread <= kMostRunSpread || about(measurement.metric).origin == Origin::modelled) return "";
  return fmt::format(
      "unstable: the runs differ by {:.0f} %; measure again when nothing else uses "
      "the machine",
      100 * spread);
}

/// Why a measurement does not hold for this lab, or "".
std::string fault_of(const Lab& lab, const CalibrationMeasurement& measurement,
                     const fs::path& solutions) {
  if (measurement.shape != shape_title(lab))
    return fmt::format("was measured at {}, the lab times {}; measure again", measurement.shape,
                       shape_title(lab));
  if (changed(measurement.lab, measurement.reference_sha256, solutions))
    return "the reference has changed since it was measured; measure again";
  if (changed(measurement.over, measurement.baseline_sha256, solutions))
    return fmt::format("the reference of {} has changed since it was measured; measure again",
                       measurement.over);
  return failure_of(measurement);
}

std::map<std::string, Measurements> by_device(const Measurements& all) {
  std::map<std::string, Measurements> groups;
  for (const CalibrationMeasurement* measurement : all)
    groups[measurement->device].push_back(measurement);
  return groups;
}

MeasuredSpan span_of(const Measurements& measurements) {
  MeasuredSpan span;
  std::vector<double> medians;
  for (const CalibrationMeasurement* measurement : measurements) {
    for (const CalibrationRun& run : measurement->runs) {
      span.low = medians.empty() ? run.value.low : std::min(span.low, run.value.low);
      span.high = medians.empty() ? run.value.high : std::max(span.high, run.value.high);
      medians.push_back(run.value.median);
    }
  }
  std::ranges::sort(medians);
  span.runs = medians.size();
  span.median = (medians[(medians.size() - 1) / 2] + medians[medians.size() / 2]) / 2;
  return span;
}

/// A kernel in wrong/ that is right, and its measured value.
struct MeasuredRival {
  Rival rival;
  bool must_win_nothing = false;  // for this threshold, by its header
};

/// The header of a wrong kernel; nothing if the file is not the one that was measured.
std::optional<Expectation> expectation_of(const CalibrationMeasurement& measurement,
                                          const fs::path& solutions) {
  const fs::path file = solutions / measurement.lab / measurement.kernel;
  const Expected<std::string> source = read_file(file);
  if (!source || sha256(*source) != measurement.kernel_sha256) return std::nullopt;
  const auto expectation = read_expectation(*source, file.string());
  return expectation ? std::optional(*expectation) : std::nullopt;
}

class Proposer {
 public:
  Proposer(const Lab& lab, const ProposalRequest& request) : lab_(lab), request_(request) {}

  std::vector<Proposal> all() {
    for (std::size_t i = 0; i < lab_.thresholds.size(); ++i) {
      const Threshold& threshold = lab_.thresholds[i];
      const Measurements found = matching(lab_, threshold, request_.measurements);
      if (found.empty()) {
        Proposal proposal = begun(i, "");
        proposal.why = request_.not_measured;
        proposals_.push_back(std::move(proposal));
      } else if (threshold.range) {
        add(i, "", found);
      } else {
        for (const auto& [device, measurements] : by_device(found)) add(i, device, measurements);
      }
    }
    return std::move(proposals_);
  }

 private:
  Proposal begun(std::size_t index, const std::string& device) const {
    const Threshold& threshold = lab_.thresholds[index];
    Proposal proposal;
    proposal.threshold = index;
    proposal.device = device;
    proposal.title = to_string(threshold.metric);
    if (!threshold.over.empty()) proposal.title += " over " + threshold.over;
    if (!device.empty()) proposal.title += " on " + device;
    proposal.present = threshold.range;
    const auto own = threshold.devices.find(device);
    if (!threshold.range && own != threshold.devices.end()) proposal.present = own->second;
    return proposal;
  }

  void add(std::size_t index, const std::string& device, const Measurements& measurements) {
    Proposal proposal = begun(index, device);
    for (const CalibrationMeasurement* measurement : measurements) {
      const std::string fault = fault_of(lab_, *measurement, request_.solutions);
      if (fault.empty()) continue;
      proposal.why = fault;
      proposals_.push_back(std::move(proposal));
      return;
    }
    judge(lab_.thresholds[index], measurements, proposal);
    proposals_.push_back(std::move(proposal));
  }

  void judge(const Threshold& threshold, const Measurements& measurements, Proposal& proposal) {
    RuleRequest rule;
    rule.metric = threshold.metric;
    rule.span = span_of(measurements);
    rule.every_gpu = proposal.device.empty();
    if (threshold.metric == Metric::time_ms && !rule.every_gpu) set_baseline(proposal.device, rule);
    const std::vector<MeasuredRival> rivals = rivals_of(threshold, proposal);
    set_rival(rivals, rule);
    proposal.measured = rule.span;
    for (const auto& [device, ones] : by_device(measurements))
      proposal.measured_on += (proposal.measured_on.empty() ? "" : " and ") + device;
    const bool time = !about(threshold.metric).more_is_better;
    if (proposal.present)
      proposal.reference_loses =
          time ? rule.span.high > proposal.present->full : rule.span.low < proposal.present->full;
    const RuleResult result = apply_rule(rule);
    proposal.why = result.why;
    if (!result.range) return;
    const RangeDecision decision =
        decide(threshold.metric, proposal.present, result, request_.raise);
    proposal.proposed = decision.range;
    proposal.word = decision.word;
    warn(rivals, proposal);
  }

  /// The rivals measured on the proposal's device, or on all devices if it is for all.
  std::vector<MeasuredRival> rivals_of(const Threshold& threshold, Proposal& proposal) const {
    std::vector<MeasuredRival> rivals;
    for (const CalibrationMeasurement& measurement : request_.measurements) {
      if (measurement.kernel.empty() || !concerns(measurement, lab_, threshold)) continue;
      if (!proposal.device.empty() && measurement.device != proposal.device) continue;
      const auto expectation = expectation_of(measurement, request_.solutions);
      const std::string fault = !expectation ? "has changed since it was measured"
                                             : fault_of(lab_, measurement, request_.solutions);
      if (!fault.empty()) {
        proposal.warnings.push_back(fmt::format("{} is left out: {}", measurement.kernel, fault));
        continue;
      }
      const std::string item = fmt::format("performance/{}=", proposal.threshold + 1);
      const auto says = [&](const char* status) {
        return std::ranges::count(expectation->words, item + status) > 0;
      };
      if (says("pass") || says("partial")) continue;
      const MeasuredSpan span = span_of({&measurement});
      rivals.push_back(
          {{measurement.kernel, about(threshold.metric).more_is_better ? span.high : span.low},
           says("fail")});
    }
    return rivals;
  }

  /// Sets the best of the rivals that must win nothing, by their header or since they are far
  /// enough from the reference.
  static void set_rival(const std::vector<MeasuredRival>& rivals, RuleRequest& rule) {
    for (const MeasuredRival& candidate : rivals) {
      const double value = candidate.rival.value;
      if (!candidate.must_win_nothing && !is_distinguishable(rule.metric, rule.span, value))
        continue;
      const bool better =
          !rule.rival || (about(rule.metric).more_is_better ? value > rule.rival->value
                                                            : value < rule.rival->value);
      if (better) rule.rival = candidate.rival;
    }
  }

  static void warn(const std::vector<MeasuredRival>& rivals, Proposal& proposal) {
    const Threshold::Range& range = *proposal.proposed;
    for (const MeasuredRival& candidate : rivals) {
      const double share = share_of(candidate.rival.value, range);
      if (!candidate.must_win_nothing || share <= 0) continue;
      proposal.warnings.push_back(
          fmt::format("{} ({}) would win {:.0f} % of the points, and its first line says none",
                      candidate.rival.name, short_number(candidate.rival.value), 100 * share));
    }
  }

  /// Sets the fastest baseline of the ratios that were measured on the card.
  void set_baseline(const std::string& device, RuleRequest& rule) const {
    for (const CalibrationMeasurement& measurement : request_.measurements) {
      if (measurement.lab != lab_.id || measurement.device != device || measurement.over.empty())
        continue;
      if (!fault_of(lab_, measurement, request_.solutions).empty()) continue;
      for (const CalibrationRun& run : measurement.runs) {
        if (run.value.baseline_ms <= 0) continue;
        if (rule.baseline_ms && *rule.baseline_ms <= run.value.baseline_ms) continue;
        rule.baseline_ms = run.value.baseline_ms;
        rule.baseline = measurement.over;
      }
    }
  }

  const Lab& lab_;
  const ProposalRequest& request_;
  std::vector<Proposal> proposals_;
};

/// A line with `value` beside its name, indented below the threshold.
std::string row(std::string_view name, std::string_view value) {
  constexpr int kColumns = 100;
  return wrapped(value, fmt::format("    {:<10}", name), kColumns);
}

std::string proposal_text(const Proposal& proposal) {
  std::string text = fmt::format("  performance/{}  {}\n", proposal.threshold + 1, proposal.title);
  if (!proposal.measured) return text + row("missing", proposal.why);
  const MeasuredSpan& span = *proposal.measured;
  std::string measured =
      fmt::format("{} ({} to {}, {}", short_number(span.median), short_number(span.low),
                  short_number(span.high), counted(span.runs, "run"));
  measured += proposal.device.empty() ? " on " + proposal.measured_on + ")" : ")";
  text += row("measured", measured);
  text += row("proposed", proposal.proposed
                              ? fmt::format("{}: {}", ends_text(*proposal.proposed), proposal.word)
                              : "nothing");
  text += row("because", proposal.why);
  if (proposal.reference_loses)
    text += row("beware", "as lab.yaml stands, the reference itself loses points");
  for (const std::string& warning : proposal.warnings) text += row("beware", warning);
  return text;
}

YamlPath threshold_path(const Proposal& proposal) {
  return {"performance", "thresholds", std::to_string(proposal.threshold)};
}

Expected<std::string> with_range(std::string text, const Proposal& proposal) {
  YamlPath path = threshold_path(proposal);
  if (!proposal.device.empty()) {
    path.push_back("devices");
    if (!proposal.present)
      return append_entry(
          text, path, proposal.device,
          fmt::format("{{full: {}, zero: {}}}", range_number(proposal.proposed->full),
                      range_number(proposal.proposed->zero)));
    path.push_back(proposal.device);
  }
  const auto set = [&](const std::string& key, double present,
                       double proposed) -> std::optional<Error> {
    if (present == proposed) return std::nullopt;
    YamlPath below = path;
    below.push_back(key);
    Expected<std::string> edited = replace_scalar(text, below, range_number(proposed));
    if (!edited) return edited.error();
    text = std::move(*edited);
    return std::nullopt;
  };
  if (auto error = set("full", proposal.present->full, proposal.proposed->full)) return *error;
  if (auto error = set("zero", proposal.present->zero, proposal.proposed->zero)) return *error;
  return text;
}

/// Whether the line has `number` by itself: "0.016", and not "10.016" or "0.0165".
bool has_number(const std::string& line, const std::string& number) {
  const auto is_part = [](char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '.';
  };
  for (std::size_t at = line.find(number); at != std::string::npos;
       at = line.find(number, at + 1)) {
    const std::size_t end = at + number.size();
    const bool goes_on =
        end < line.size() && (std::isdigit(static_cast<unsigned char>(line[end])) != 0);
    if ((at == 0 || !is_part(line[at - 1])) && !goes_on) return true;
  }
  return false;
}

/// The thresholds of the lab after the proposals.
std::vector<Threshold> expected_thresholds(const Lab& lab, const std::vector<Proposal>& proposals) {
  std::vector<Threshold> thresholds = lab.thresholds;
  for (const Proposal& proposal : proposals) {
    if (!proposal.changes()) continue;
    Threshold& threshold = thresholds[proposal.threshold];
    if (proposal.device.empty()) {
      threshold.range = proposal.proposed;
    } else {
      threshold.devices[proposal.device] = *proposal.proposed;
    }
  }
  return thresholds;
}

}  // namespace

bool Proposal::changes() const {
  return proposed && proposed != present;
}

std::vector<Proposal> propose(const Lab& lab, const ProposalRequest& request) {
  return Proposer(lab, request).all();
}

std::string proposals_text(const Lab& lab, const std::vector<Proposal>& proposals) {
  if (proposals.empty()) return fmt::format("{}: no thresholds on time\n", lab.id);
  std::string text = fmt::format("{} ({})\n", lab.id, shape_title(lab));
  for (const Proposal& proposal : proposals) text += proposal_text(proposal);
  return text;
}

std::string pages_that_quote(const Lab& lab, const std::vector<Proposal>& proposals) {
  const fs::path page = lab.directory / "README.md";
  const Expected<std::string> content = read_file(page);
  if (!content) return "";
  std::set<std::string> replaced;
  for (const Proposal& proposal : proposals) {
    if (!proposal.changes() || !proposal.present) continue;
    const auto add = [&](double before, double after) {
      if (before != after) replaced.insert(range_number(before));
    };
    add(proposal.present->full, proposal.proposed->full);
    add(proposal.present->zero, proposal.proposed->zero);
  }
  std::string text;
  const std::vector<std::string> lines = split_lines(*content);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string& number : replaced) {
      if (has_number(lines[i], number))
        text += fmt::format("{}:{}: has the number {}, which was an end until now\n", page.string(),
                            i + 1, number);
    }
  }
  return text;
}

Expected<std::string> apply(const Lab& lab, const std::string& text,
                            const std::vector<Proposal>& proposals, const fs::path& datasets) {
  const std::string file = (lab.directory / "lab.yaml").string();
  std::string edited = text;
  for (const Proposal& proposal : proposals) {
    if (!proposal.changes()) continue;
    Expected<std::string> next = with_range(edited, proposal);
    if (!next) {
      Error error = next.error();
      error.file = file;
      return error;
    }
    edited = std::move(*next);
  }
  const TemporaryDirectory directory;
  Lab after;
  after.id = lab.id;
  after.directory = lab.directory;
  if (auto error = parse_lab(directory.write("lab.yaml", edited), {datasets, {}}, after)) {
    return Error{.file = file, .message = "would not be a lab any more: " + error->message};
  }
  if (after.thresholds != expected_thresholds(lab, proposals))
    return Error{.file = file,
                 .message = "more than the proposed ends would change; edit it by hand"};
  return edited;
}

}  // namespace tessera
