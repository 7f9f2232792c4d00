#include "grader/authoring/calibration/calibration_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "common/numbers.h"
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

bool concerns(const CalibrationMeasurement& one, const Lab& lab, const Threshold& threshold) {
  return one.lab == lab.id && one.metric == threshold.metric && one.over == threshold.over;
}

/// What was measured of the reference.
Measurements matching(const Lab& lab, const Threshold& threshold,
                      const std::vector<CalibrationMeasurement>& all) {
  Measurements found;
  for (const CalibrationMeasurement& one : all) {
    if (one.kernel.empty() && concerns(one, lab, threshold)) found.push_back(&one);
  }
  return found;
}

/// Whether the reference of `lab` is another one than `sha256` names. One that is not there cannot
/// be told.
bool changed(const std::string& lab, const std::string& sha256, const fs::path& solutions) {
  if (solutions.empty() || sha256.empty()) return false;
  const Expected<std::string> source = read_file(solutions / lab / "kernel.cu");
  return source && tessera::sha256(*source) != sha256;
}

std::string failure_of(const CalibrationMeasurement& one) {
  for (std::size_t i = 0; i < one.runs.size(); ++i) {
    const CalibrationRun& run = one.runs[i];
    if (!run.failed()) continue;
    std::string text = fmt::format("run {} of {}: {}", i + 1, one.runs.size(), run.failure);
    return run.hint.empty() ? text : text + "; " + run.hint;
  }
  const auto [least, most] =
      std::ranges::minmax(one.runs, {}, [](const CalibrationRun& run) { return run.value.median; });
  const double spread = most.value.median / least.value.median - 1;
  // Of a modelled time each run is another compiler's code.
  if (spread <= kMostRunSpread || about(one.metric).origin == Origin::modelled) return "";
  return fmt::format(
      "unstable: the runs differ by {:.0f} %; measure again when nothing else uses "
      "the machine",
      100 * spread);
}

/// Why a measurement tells nothing of this lab, or "".
std::string fault_of(const Lab& lab, const CalibrationMeasurement& one, const fs::path& solutions) {
  if (one.shape != shape_title(lab))
    return fmt::format("was measured at {}, the lab times {}; measure again", one.shape,
                       shape_title(lab));
  if (changed(one.lab, one.reference_sha256, solutions))
    return "the reference has changed since it was measured; measure again";
  if (changed(one.over, one.baseline_sha256, solutions))
    return fmt::format("the reference of {} has changed since it was measured; measure again",
                       one.over);
  return failure_of(one);
}

std::map<std::string, Measurements> by_device(const Measurements& all) {
  std::map<std::string, Measurements> groups;
  for (const CalibrationMeasurement* one : all) groups[one->device].push_back(one);
  return groups;
}

MeasuredSpan span_of(const Measurements& measurements) {
  MeasuredSpan span;
  std::vector<double> medians;
  for (const CalibrationMeasurement* one : measurements) {
    for (const CalibrationRun& run : one->runs) {
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

/// A kernel in wrong/ that is right, and what was measured of it.
struct MeasuredRival {
  Rival rival;
  bool must_win_nothing = false;  // its header says so of this threshold
};

/// The header of a wrong kernel, where it is the one that was measured.
std::optional<Expectation> expectation_of(const CalibrationMeasurement& one,
                                          const fs::path& solutions) {
  const fs::path file = solutions / one.lab / one.kernel;
  const Expected<std::string> source = read_file(file);
  if (!source || sha256(*source) != one.kernel_sha256) return std::nullopt;
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
    for (const CalibrationMeasurement* one : measurements) {
      const std::string fault = fault_of(lab_, *one, request_.solutions);
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

  /// On the proposal's device, or on all where it is for all.
  std::vector<MeasuredRival> rivals_of(const Threshold& threshold, Proposal& proposal) const {
    std::vector<MeasuredRival> rivals;
    for (const CalibrationMeasurement& one : request_.measurements) {
      if (one.kernel.empty() || !concerns(one, lab_, threshold)) continue;
      if (!proposal.device.empty() && one.device != proposal.device) continue;
      const auto expectation = expectation_of(one, request_.solutions);
      const std::string fault = !expectation ? "has changed since it was measured"
                                             : fault_of(lab_, one, request_.solutions);
      if (!fault.empty()) {
        proposal.warnings.push_back(fmt::format("{} is left out: {}", one.kernel, fault));
        continue;
      }
      const std::string item = fmt::format("performance/{}=", proposal.threshold + 1);
      const auto says = [&](const char* status) {
        return std::ranges::count(expectation->words, item + status) > 0;
      };
      if (says("pass") || says("partial")) continue;
      const MeasuredSpan span = span_of({&one});
      rivals.push_back({{one.kernel, about(threshold.metric).more_is_better ? span.high : span.low},
                        says("fail")});
    }
    return rivals;
  }

  /// The best of those that must win nothing: their header says so, or they are far enough away.
  static void set_rival(const std::vector<MeasuredRival>& rivals, RuleRequest& rule) {
    for (const MeasuredRival& one : rivals) {
      const double value = one.rival.value;
      if (!one.must_win_nothing && !is_told_apart(rule.metric, rule.span, value)) continue;
      const bool better =
          !rule.rival || (about(rule.metric).more_is_better ? value > rule.rival->value
                                                            : value < rule.rival->value);
      if (better) rule.rival = one.rival;
    }
  }

  static void warn(const std::vector<MeasuredRival>& rivals, Proposal& proposal) {
    const Threshold::Range& range = *proposal.proposed;
    for (const MeasuredRival& one : rivals) {
      const double share = share_of(one.rival.value, range);
      if (!one.must_win_nothing || share <= 0) continue;
      proposal.warnings.push_back(
          fmt::format("{} ({}) would win {:.0f} % of the points, and its first line says none",
                      one.rival.name, short_number(one.rival.value), 100 * share));
    }
  }

  /// The fastest baseline that the lab's ratios were measured against on the card.
  void set_baseline(const std::string& device, RuleRequest& rule) const {
    for (const CalibrationMeasurement& one : request_.measurements) {
      if (one.lab != lab_.id || one.device != device || one.over.empty()) continue;
      if (!fault_of(lab_, one, request_.solutions).empty()) continue;
      for (const CalibrationRun& run : one.runs) {
        if (run.value.baseline_ms <= 0) continue;
        if (rule.baseline_ms && *rule.baseline_ms <= run.value.baseline_ms) continue;
        rule.baseline_ms = run.value.baseline_ms;
        rule.baseline = one.over;
      }
    }
  }

  const Lab& lab_;
  const ProposalRequest& request_;
  std::vector<Proposal> proposals_;
};

/// `value` beside its name, indented below the threshold.
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

/// Whether `number` stands in the line by itself: "0.016", and not "10.016" or "0.0165".
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

/// The thresholds as the lab and the proposals give them.
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
