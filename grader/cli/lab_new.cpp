// tessera lab new: writes the first files of a lab.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "grader/authoring/release/new_lab.h"
#include "grader/cli/lab.h"
#include "grader/cli/locations.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
  std::string id;
  std::string from;
  std::string title;
  std::string labs_folder;
};

std::string next_steps(const std::string& id, const Locations& locations) {
  const fs::path lab = locations.kit.labs / id;
  const fs::path solution = locations.kit.solutions / id;
  const std::vector<std::pair<fs::path, std::string>> files = {
      {lab / "lab.yaml", "what is computed, the cases, the points"},
      {lab / "README.md", "the task"},
      {solution / "kernel.cu", "the reference, with marks around what students must write"},
      {solution / "hidden.yaml", "cases that students do not see"},
      {solution / "wrong" / "*.cu", "mistakes that the lab must catch"}};
  std::size_t width = 0;
  for (const auto& [file, meaning] : files) width = std::max(width, file.string().size());
  std::string text = "\nNext, write\n";
  for (const auto& [file, meaning] : files)
    text += fmt::format("  {:<{}}  {}\n", file.string(), width, meaning);
  const std::vector<std::pair<std::string, std::string>> commands = {
      {"tessera lab skeleton " + id, "writes " + (lab / "kernel.cu").string()},
      {"tessera lab check " + id, "proves the lab"},
      {"tessera lab release --out DIR", "what students get"}};
  text += "then\n";
  for (const auto& [command, meaning] : commands)
    text += fmt::format("  {:<{}}  {}\n", command, width, meaning);
  return text;
}

ExitStatus run_new(const NewArguments& arguments) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  if (arguments.labs_folder.empty() && labs_here().empty()) {
    return usage_error({.message = "there is no folder labs/ here or above to write into; --labs " +
                                   locations->kit.labs.string() + " writes into the kit's own"});
  }
  NewLab lab;
  lab.id = arguments.id;
  lab.title = arguments.title;
  lab.labs = locations->kit.labs;
  lab.solutions = locations->kit.solutions;
  if (arguments.from.empty()) {
    const fs::path kit = locations->kit.root / "grader" / "authoring" / "template";
    lab.from = kTemplateLab;
    lab.from_labs = kit / "labs";
    lab.from_solutions = kit / "solutions";
  } else {
    const Expected<fs::path> from = find_lab(locations->kit.labs, arguments.from);
    if (!from) return usage_error(from.error());
    lab.from = from->filename().string();
    lab.from_labs = lab.labs;
    lab.from_solutions = lab.solutions;
  }
  const auto files = create_lab(lab);
  if (!files) return usage_error(files.error());
  for (const fs::path& file : *files) std::cout << file.string() << "\n";
  std::cout << next_steps(lab.id, *locations) << std::flush;
  return kSuccess;
}

}  // namespace

Command add_lab_new_command(CLI::App& group) {
  const auto arguments = std::make_shared<NewArguments>();
  CLI::App* command = group.add_subcommand("new", "The files of a new lab that passes its check");
  command->add_option("NAME", arguments->id, "The lab's folder: 07-my-stencil")->required();
  command->add_option("--from", arguments->from, "A lab to copy (default: a small matrix product)");
  command->add_option("--title", arguments->title, "Its title (default: made from the name)");
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  return {command, [arguments] { return run_new(*arguments); }};
}

}  // namespace tessera
