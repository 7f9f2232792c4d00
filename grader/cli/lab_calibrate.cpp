// tessera lab calibrate: sets thresholds on time from the references' times.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/authoring/calibration/calibration.h"
#include "grader/authoring/calibration/calibration_measure.h"
#include "grader/authoring/calibration/calibration_proposal.h"
#include "grader/authoring/release/line_diff.h"
#include "grader/cli/choices.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/json_output.h"
#include "grader/cli/lab.h"
#include "grader/cli/options.h"
#include "grader/cli/progress_line.h"
#include "grader/gpu/lock.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 64u << 20;

struct CalibrateArguments {
  std::vector<std::string> labs;
  std::string labs_folder;
  std::vector<std::string> from;
  std::vector<int> gpus;
  int runs = 5;
  bool write = false;
  bool raise = false;
  SharedOptions shared;
};

/// Measurements, and why a threshold may lack them.
struct Measured {
  std::vector<CalibrationMeasurement> measurements;
  std::string missing;
  std::string advice;  // for everything that is missing
};

Expected<Measured> read_measurements(const std::vector<std::string>& files) {
  Measured measured;
  for (const std::string& file : files) {
    const Expected<std::string> text = read_file(file, kMostBytes);
    if (!text) return text.error();
    auto read = read_calibration(*text);
    if (!read) {
      Error error = read.error();
      error.file = file;
      return error;
    }
    std::ranges::move(*read, std::back_inserter(measured.measurements));
  }
  measured.missing = fmt::format("{} has nothing of it", fmt::join(files, ", "));
  return measured;
}

/// One free GPU of each kind.
std::vector<GpuDevice> one_of_each(const std::vector<GpuDevice>& all) {
  std::vector<GpuDevice> chosen;
  for (const GpuDevice& gpu : all) {
    const auto same_kind = [&](const GpuDevice& other) {
      return other.profile.name == gpu.profile.name;
    };
    if (std::ranges::any_of(chosen, same_kind)) continue;
    std::vector<GpuDevice> kind;
    std::ranges::copy_if(all, std::back_inserter(kind), same_kind);
    chosen.push_back(free_gpu(kind));
  }
  return chosen;
}

/// What can be done on a machine without a GPU.
std::string without_gpu(const std::vector<Lab>& labs, const std::string& reason) {
  std::vector<std::string> modelled;
  for (const Lab& lab : labs) {
    if (std::ranges::any_of(lab.thresholds, &Threshold::is_modelled)) modelled.push_back(lab.id);
  }
  const std::string here = modelled.empty() ? "none of these labs has one"
                                            : fmt::format("{} has it", fmt::join(modelled, ", "));
  return fmt::format(
      "no GPU here: {}\n"
      "Without one only modelled_time_ms can be calibrated, and {}.\n"
      "On a machine with a GPU: tessera lab calibrate --json measured.json\n"
      "then here:               tessera lab calibrate --from measured.json\n",
      reason, here);
}

Expected<Measured> measure_here(const std::vector<Lab>& labs, const CalibrateArguments& arguments,
                                const Locations& locations) {
  const auto device = load_device_profile(arguments.shared.device, locations.kit.devices());
  if (!device) return device.error();
  Measured measured;
  MeasureOptions options;
  options.grade = grade_options(locations, arguments.shared.compiler, *device);
  options.grade.seed = arguments.shared.seed.value_or(fresh_seed());
  options.grade.machine.host_threads = arguments.shared.threads;
  options.runs = arguments.runs;
  if (std::ranges::any_of(labs, needs_gpu)) {
    const auto gpus = chosen_gpus(locations, "gpu", arguments.gpus);
    if (gpus) {
      options.gpus = one_of_each(*gpus);
    } else if (!arguments.gpus.empty()) {
      return gpus.error();
    } else {
      measured.missing = "no GPU here";
      measured.advice = without_gpu(labs, gpus.error().str());
    }
  }
  ProgressLine progress;
  options.progress = [&](const std::string& lab, int run) {
    progress.show(fmt::format("{}: run {} of {}", lab, run, arguments.runs));
  };
  auto measurements = measure(labs, options);
  if (!measurements) return measurements.error();
  measured.measurements = std::move(*measurements);
  if (measured.missing.empty()) measured.missing = "no compiler here; `tessera doctor` says more";
  return measured;
}

bool asked_at_terminal(const std::string& question) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return false;
  std::cout << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

class Calibration {
 public:
  Calibration(const CalibrateArguments& arguments, const Locations& locations, Measured measured)
      : arguments_(arguments),
        datasets_(locations.kit.datasets),
        silent_(JsonOutput(arguments.shared.json).takes_standard_output()),
        advice_(std::move(measured.advice)) {
    request_.measurements = std::move(measured.measurements);
    request_.not_measured = std::move(measured.missing);
    request_.raise = arguments.raise;
    request_.solutions = locations.kit.solutions;
  }

  ExitStatus update(const Lab& lab) {
    const std::vector<Proposal> proposals = propose(lab, request_);
    print(proposals_text(lab, proposals));
    const ExitStatus known = status_of(proposals);
    if (std::ranges::none_of(proposals, &Proposal::changes)) return known;
    return std::max(known, write(lab, proposals));
  }

  void print_advice() const {
    if (!advice_.empty()) std::cerr << "tessera: " << advice_;
  }

 private:
  /// What another machine has to measure is no failure if something was measured here.
  static ExitStatus status_of(const std::vector<Proposal>& proposals) {
    const auto measured = [](const Proposal& proposal) { return proposal.measured.has_value(); };
    if (!proposals.empty() && std::ranges::none_of(proposals, measured)) return kInfrastructure;
    const auto without = [&](const Proposal& proposal) {
      return measured(proposal) && !proposal.proposed;
    };
    return std::ranges::any_of(proposals, without) ? kPointsLost : kSuccess;
  }

  void print(const std::string& text) const {
    if (!silent_) std::cout << text << std::flush;
  }

  ExitStatus write(const Lab& lab, const std::vector<Proposal>& proposals) const {
    const fs::path file = lab.directory / "lab.yaml";
    const Expected<std::string> before = read_file(file);
    if (!before) return usage_error(before.error());
    const Expected<std::string> after = apply(lab, *before, proposals, datasets_);
    if (!after) return usage_error(after.error());
    print(file.string() + ":\n" + line_diff(*before, *after));
    if (!arguments_.write && (silent_ || !asked_at_terminal("Write this?"))) {
      print(file.string() + ": left as it is; --write writes this\n");
      return kPointsLost;
    }
    const Expected<std::string> now = read_file(file);
    if (!now || *now != *before)
      return usage_error(
          Error{.file = file.string(), .message = "has changed meanwhile; run this again"});
    if (const auto error = write_file(file, *after)) return infrastructure_error(*error);
    print(file.string() + ": written\n" + pages_that_quote(lab, proposals));
    return kSuccess;
  }

  const CalibrateArguments& arguments_;
  fs::path datasets_;
  bool silent_;
  std::string advice_;
  ProposalRequest request_;
};

ExitStatus run_calibrate(const CalibrateArguments& arguments) {
  const JsonOutput json(arguments.shared.json);
  if (const auto error = json.check()) return usage_error(*error);
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  const auto folders = chosen_labs(arguments.labs, locations->kit.labs);
  if (!folders) return usage_error(folders.error());
  const auto labs = load_labs(*folders, *locations);
  if (!labs) return kUsage;

  const InterruptWatch watch([] { std::cerr << "tessera: interrupted\n"; });
  auto measured = arguments.from.empty() ? measure_here(*labs, arguments, *locations)
                                         : read_measurements(arguments.from);
  if (!measured) return usage_error(measured.error());
  if (!json.write(calibration_json(measured->measurements))) return kInfrastructure;
  Calibration calibration(arguments, *locations, std::move(*measured));
  ExitStatus worst = kSuccess;
  for (const Lab& lab : *labs) worst = std::max(worst, calibration.update(lab));
  calibration.print_advice();
  return worst;
}

}  // namespace

Command add_lab_calibrate_command(CLI::App& group) {
  const auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* command = group.add_subcommand(
      "calibrate", "Set thresholds on time from what the references take; all labs by default");
  command->add_option("LAB", arguments->labs, "Labs to calibrate");
  command->add_flag("--write", arguments->write,
                    "Write lab.yaml without asking; without a terminal nothing is written unless "
                    "this is given");
  command->add_flag("--raise", arguments->raise, "Also make thresholds harder that are too easy");
  auto* runs = command->add_option("--runs", arguments->runs, "Measurements of each threshold")
                   ->check(CLI::Range(1, 100))
                   ->capture_default_str();
  auto* gpus = command
                   ->add_option("--gpus", arguments->gpus,
                                "Which GPUs, counted from 0: 0,2 (default: one of each kind)")
                   ->delimiter(',')
                   ->allow_extra_args(false);
  command
      ->add_option("--from", arguments->from,
                   "Take what --json wrote, here or on other machines, and measure nothing")
      ->allow_extra_args(false)
      ->excludes(runs)
      ->excludes(gpus);
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_calibrate(*arguments); }};
}

}  // namespace tessera
