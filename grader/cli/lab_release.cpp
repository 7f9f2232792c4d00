// tessera lab release: what students get, and what grades them on Gradescope.
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <iostream>
#include <memory>

#include "grader/authoring/release/handout_program.h"
#include "grader/authoring/release/release.h"
#include "grader/cli/choices.h"
#include "grader/cli/lab.h"
#include "grader/cli/locations.h"
#include "grader/lab/course_labs.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct ReleaseArguments {
  std::vector<std::string> labs;
  std::string labs_folder;
  std::string out;
  std::string update;
  std::string title;
  std::vector<std::string> programs;
  bool without_program = false;
  std::string compiler = "auto";
};

/// Folders of the programs that students get.
Expected<std::vector<fs::path>> programs_of(const ReleaseArguments& arguments,
                                            const fs::path& kit) {
  std::vector<fs::path> folders(arguments.programs.begin(), arguments.programs.end());
  if (folders.empty() && !arguments.without_program)
    folders = student_programs(program_file(), kit);
  if (!folders.empty() || arguments.without_program) return folders;
  return Error{.message =
                   "there is no program for students here: `make package` in " + kit.string() +
                   " builds it, --program DIR names one, --without-program hands out only its "
                   "sources"};
}

Expected<ReleaseRequest> request_of(const ReleaseArguments& arguments) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return locations.error();
  const Expected<Course> course = course_of(locations->kit.labs);
  if (!course) return course.error();
  const auto folders = chosen_labs(arguments.labs, locations->kit.labs, *course);
  if (!folders) return folders.error();
  const Expected<DeviceProfile> device =
      load_device_profile("nvidia-h200", locations->kit.devices());
  if (!device) return device.error();

  ReleaseRequest request;
  for (const fs::path& folder : *folders) request.labs.push_back(folder.filename().string());
  auto programs = programs_of(arguments, locations->kit.root);
  if (!programs) return programs.error();
  request.student_programs = std::move(*programs);
  request.version = TESSERA_VERSION;
  request.program = program_file();
  request.out = arguments.out;
  request.update = arguments.update;
  request.course = *course;
  request.cards = device_display_names(locations->kit.devices());
  if (!arguments.title.empty())
    request.title = arguments.title;
  else if (!course->title.empty())
    request.title = course->title;
  request.options = grade_options(*locations, arguments.compiler, *device);
  return request;
}

ExitStatus run_release(const ReleaseArguments& arguments) {
  const Expected<ReleaseRequest> request = request_of(arguments);
  if (!request) return usage_error(request.error());
  const Expected<Release> released = release(*request);
  if (!released) return usage_error(released.error());
  for (const fs::path& made : released->made) std::cout << made.string() << "\n";
  std::cout << std::flush;
  for (const std::string& note : released->notes) std::cerr << "note: " << note << "\n";
  return kSuccess;
}

}  // namespace

Command add_lab_release_command(CLI::App& group) {
  const auto arguments = std::make_shared<ReleaseArguments>();
  CLI::App* command =
      group.add_subcommand("release", "Write the students' handout and Gradescope's autograder");
  command->add_option("LAB", arguments->labs,
                      "Labs (default: those of labs/course.yaml, else all)");
  command->add_option("--out", arguments->out, "A new folder")->required();
  command->add_option("--update", arguments->update,
                      "A Git repository with an earlier handout: gets this one as a new commit");
  command->add_option("--title", arguments->title,
                      "Heading of the handout (default: the title in labs/course.yaml)");
  CLI::Option* program = command->add_option(
      "--program", arguments->programs,
      "Folder with the program for students (default: what the package or `make package` has)");
  program->allow_extra_args(false);
  command
      ->add_flag("--without-program", arguments->without_program,
                 "Students build the program from its sources")
      ->excludes(program);
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  command
      ->add_option(
          "--compiler", arguments->compiler,
          "Compiler for the references that labs are measured against: auto, nvrtc or clang")
      ->check(CLI::IsMember({"auto", "nvrtc", "clang"}));
  return {command, [arguments] { return run_release(*arguments); }};
}

}  // namespace tessera
