// tessera lab show: prints a reference as a lecturer projects it.
#include <CLI/Option.hpp>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/cli/choices.h"
#include "grader/cli/lab.h"
#include "grader/cli/locations.h"

namespace tessera {
namespace {

struct ShowArguments {
  std::string lab;
  std::string labs_folder;
};

ExitStatus run_show(const ShowArguments& arguments) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  const auto labs = chosen_labs({arguments.lab}, locations->kit.labs);
  if (!labs) return usage_error(labs.error());
  const auto file = locations->kit.solutions / labs->front().filename() / "kernel.cu";
  const Expected<std::string> source = read_file(file);
  if (!source) return usage_error(source.error());
  const Expected<std::string> clean = clean_solution(*source, file.string());
  if (!clean) return usage_error(clean.error());
  std::cout << *clean;
  return kSuccess;
}

}  // namespace

Command add_lab_show_command(CLI::App& group) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = group.add_subcommand(
      "show", "Print a lab's solution without the marks of its skeleton, as for a slide");
  command->add_option("LAB", arguments->lab, "The lab")->required();
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  return {command, [arguments] { return run_show(*arguments); }};
}

}  // namespace tessera
