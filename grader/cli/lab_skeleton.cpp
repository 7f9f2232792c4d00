// tessera lab skeleton: writes what students get of a reference.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/authoring/release/line_diff.h"
#include "grader/cli/choices.h"
#include "grader/cli/lab.h"
#include "grader/cli/locations.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct SkeletonArguments {
  std::vector<std::string> labs;
  std::string labs_folder;
  bool force = false;
};

/// A skeleton as it is, and as made from its reference.
struct Skeleton {
  fs::path file;
  std::optional<std::string> present;
  std::string generated;
};

Expected<Skeleton> read_skeleton(const fs::path& lab, const fs::path& solutions) {
  const fs::path reference = solutions / lab.filename() / "kernel.cu";
  const Expected<std::string> source = read_file(reference);
  if (!source) return source.error();
  const Expected<std::string> generated = skeleton_of(*source, reference.string());
  if (!generated) return generated.error();
  Skeleton skeleton{lab / "kernel.cu", std::nullopt, *generated};
  std::error_code ignored;
  if (!fs::exists(skeleton.file, ignored)) return skeleton;
  Expected<std::string> present = read_file(skeleton.file);
  if (!present) return present.error();
  skeleton.present = std::move(*present);
  return skeleton;
}

ExitStatus update(const Skeleton& skeleton, bool force) {
  const std::string file = skeleton.file.string();
  if (skeleton.present == skeleton.generated) {
    std::cout << file << ": is what the reference gives\n";
    return kSuccess;
  }
  if (skeleton.present) {
    const std::string difference = line_diff(*skeleton.present, skeleton.generated);
    std::cout << file << ":\n" << (difference.empty() ? "line ends\n" : difference);
    if (!force) {
      std::cout << file << ": left as it is; --force writes this\n";
      return kPointsLost;
    }
  }
  if (const auto error = write_file(skeleton.file, skeleton.generated))
    return infrastructure_error(*error);
  std::cout << file << ": written\n";
  return kSuccess;
}

ExitStatus run_skeleton(const SkeletonArguments& arguments) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  const auto labs = chosen_labs(arguments.labs, locations->kit.labs);
  if (!labs) return usage_error(labs.error());
  ExitStatus worst = kSuccess;
  for (const fs::path& lab : *labs) {
    const Expected<Skeleton> skeleton = read_skeleton(lab, locations->kit.solutions);
    if (!skeleton) print_error(skeleton.error());
    worst = std::max(worst, skeleton ? update(*skeleton, arguments.force) : kUsage);
  }
  return worst;
}

}  // namespace

Command add_lab_skeleton_command(CLI::App& group) {
  const auto arguments = std::make_shared<SkeletonArguments>();
  CLI::App* command =
      group.add_subcommand("skeleton", "Write labs/NN-name/kernel.cu from the marked reference");
  command->add_option("LAB", arguments->labs, "Labs (default: all)");
  command->add_flag("--force", arguments->force, "Overwrite skeletons that differ");
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  return {command, [arguments] { return run_skeleton(*arguments); }};
}

}  // namespace tessera
