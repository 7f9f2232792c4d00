#include "grader/cli/lab_check.h"

#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "common/numbers.h"
#include "common/stopwatch.h"
#include "grader/authoring/proof.h"
#include "grader/authoring/proof_report.h"
#include "grader/cli/choices.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/json_output.h"
#include "grader/cli/lab.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"
#include "grader/cli/progress_line.h"

namespace tessera {
namespace {

struct LabCheckArguments {
  std::vector<std::string> labs;
  std::string labs_folder;
  int seeds = 10;
  bool no_mutants = false;
  SharedOptions shared;
};

/// The same seeds at every run, so that what is proved stays proved.
constexpr std::uint64_t kFirstSeed = 1;

ProofOptions proof_options(const LabCheckArguments& arguments, const Locations& locations,
                           const DeviceProfile& device) {
  ProofOptions options;
  options.grade = grade_options(locations, arguments.shared.compiler, device);
  options.grade.seed = arguments.shared.seed.value_or(kFirstSeed);
  options.seeds = arguments.seeds;
  options.threads = arguments.shared.threads;
  options.mutants = !arguments.no_mutants;
  return options;
}

/// ", about 3 min 10 s left", where that is long enough to be told.
std::string time_left(double seconds, std::size_t done, std::size_t total) {
  const double left = seconds * static_cast<double>(total - done) /
                      static_cast<double>(std::max<std::size_t>(done, 1));
  constexpr double kShort = 20;
  if (done < 2 || left < kShort) return "";
  return fmt::format(", about {} left", duration_text(left));
}

ExitStatus run_lab_check(const LabCheckArguments& arguments) {
  const JsonOutput json(arguments.shared.json);
  if (const auto error = json.check()) return usage_error(*error);
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  const auto folders = chosen_labs(arguments.labs, locations->labs);
  if (!folders) return usage_error(folders.error());
  const auto device = load_device_profile(arguments.shared.device, locations->devices);
  if (!device) return usage_error(device.error());
  const auto labs = load_labs(*folders, *locations);
  if (!labs) return kUsage;

  const InterruptWatch watch([] { std::cerr << "tessera: interrupted\n"; });
  ProofOptions options = proof_options(arguments, *locations, *device);
  std::vector<LabProof> proofs;
  for (const Lab& lab : *labs) {
    auto progress = std::make_unique<ProgressLine>();
    Stopwatch stopwatch;  // of the part
    options.progress = [&](std::string_view part, std::size_t done, std::size_t total) {
      if (done <= 1) stopwatch = Stopwatch();
      progress->tell(fmt::format("{}: {} {} of {}{}", lab.id, part, done, total,
                                 time_left(stopwatch.seconds(), done, total)));
    };
    Expected<LabProof> proof = prove(lab, locations->solutions / lab.id, options);
    progress.reset();
    if (!proof) return usage_error(proof.error());
    if (!json.takes_standard_output()) std::cout << proof_text(*proof) << "\n" << std::flush;
    proofs.push_back(std::move(*proof));
  }
  if (!json.takes_standard_output() && proofs.size() > 1 && options.mutants)
    std::cout << mutation_table(proofs) << std::flush;
  if (!json.write(proof_json(proofs))) return kInfrastructure;
  return std::ranges::all_of(proofs, &LabProof::proved) ? kSuccess : kPointsLost;
}

}  // namespace

Command add_lab_check_command(CLI::App& lab_group) {
  const auto arguments = std::make_shared<LabCheckArguments>();
  CLI::App* command = lab_group.add_subcommand(
      "check", "Prove labs: reference, skeleton, wrong kernels, mutants; all labs by default");
  command->add_option("LAB", arguments->labs, "Labs to prove");
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  command->add_option("--seeds", arguments->seeds, "Seeds that the reference must win")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--no-mutants", arguments->no_mutants, "Make no mutants of the reference");
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_lab_check(*arguments); }};
}

}  // namespace tessera
