#include "grader/cli/lab_check.h"

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>

#include "common/content_cache.h"
#include "common/text.h"
#include "grader/authoring/proof/proof.h"
#include "grader/authoring/proof/proof_report.h"
#include "grader/cli/choices.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/json_output.h"
#include "grader/cli/lab.h"
#include "grader/cli/lab_check_report.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"

namespace tessera {
namespace {

struct LabCheckArguments {
  std::vector<std::string> labs;
  std::string labs_folder;
  int seeds = 10;
  bool no_mutants = false;
  bool fresh = false;
  SharedOptions shared;
};

/// The same seeds in every run, so that proofs stay valid.
constexpr std::uint64_t kFirstSeed = 1;

/// Verdicts and compilations of some hundred labs.
constexpr std::uintmax_t kMostCacheBytes = std::uintmax_t{1} << 30;

/// Distinguishes this build from every other: these files hold all code that decides a verdict. ""
/// if one cannot be read.
std::string build_digest(const Locations& locations) {
  std::vector<std::string> programs;
  for (const std::filesystem::path& file : {std::filesystem::path("/proc/self/exe"),
                                            locations.interpreter, locations.compiler.program}) {
    const auto content = read_file(file, std::size_t{1} << 30);
    if (!content) return "";
    programs.push_back(*content);
  }
  return entry_key(programs);
}

ProofOptions proof_options(const LabCheckArguments& arguments, const Locations& locations,
                           const DeviceProfile& device) {
  ProofOptions options;
  options.grade = grade_options(locations, arguments.shared.compiler, device);
  options.grade.seed = arguments.shared.seed.value_or(kFirstSeed);
  options.seeds = arguments.seeds;
  options.threads = arguments.shared.threads;
  options.mutants = !arguments.no_mutants;
  options.fresh = arguments.fresh;
  if (!locations.compiler.cache_dir.empty()) options.program = build_digest(locations);
  return options;
}

ExitStatus run_lab_check(const LabCheckArguments& arguments) {
  const JsonOutput json(arguments.shared.json);
  if (const auto error = json.check()) return usage_error(*error);
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  const auto folders = chosen_labs(arguments.labs, locations->kit.labs);
  if (!folders) return usage_error(folders.error());
  const auto device = load_device_profile(arguments.shared.device, locations->kit.devices());
  if (!device) return usage_error(device.error());
  const auto labs = load_labs(*folders, *locations);
  if (!labs) return kUsage;

  LabCheckReport report(json);
  const InterruptWatch watch([&] { report.interrupt(); });
  ProofOptions options = proof_options(arguments, *locations, *device);
  options.progress = [&](const LabProof& so_far) { report.set_unfinished(so_far); };
  trim_entries(locations->compiler.cache_dir, kMostCacheBytes);
  for (const Lab& lab : *labs) {
    Expected<LabProof> proof = prove(lab, locations->kit.solutions / lab.id, options);
    report.end_progress();
    if (!proof) return usage_error(proof.error());
    report.add(std::move(*proof));
  }
  const std::vector<LabProof>& proofs = report.proofs();
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
  command->add_flag("--fresh", arguments->fresh, "Repeat what earlier runs have proved");
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_lab_check(*arguments); }};
}

}  // namespace tessera
