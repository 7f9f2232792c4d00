// tessera grade: grades one person's labs.
#include <unistd.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "common/parallel.h"
#include "grader/cli/choices.h"
#include "grader/cli/commands.h"
#include "grader/cli/format_output.h"
#include "grader/cli/grade_results.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/json_output.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"
#include "grader/cli/watch.h"
#include "grader/compile/compiler.h"
#include "grader/gpu/lock.h"
#include "grader/interpreter/interpreter.h"
#include "grader/judge/judge.h"
#include "grader/lab/course_labs.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct GradeArguments {
  std::vector<std::string> labs;
  std::string from;
  std::string labs_folder;
  std::string backend = "auto";
  std::vector<std::string> formats;
  bool explain = false;
  bool watch = false;
  bool one_of_many = false;  // several labs are watched: each kernel has its own folder
  std::vector<int> gpus;
  SharedOptions shared;
};

/// A lab and the file to grade.
struct Task {
  Lab lab;
  fs::path submission;
};

/// Whether the folder holds a kernel of any name.
bool holds_kernel(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".cu") return true;
  }
  return false;
}

/// The places where the lab's kernel may be: a folder of its own or, if only this lab was asked
/// for, `from`.
std::vector<fs::path> places_of(const std::string& id, const GradeArguments& arguments,
                                const Locations& locations) {
  const fs::path from = arguments.from.empty() ? locations.kit.labs : fs::path(arguments.from);
  std::vector<fs::path> places = {from / id / "kernel.cu"};
  const bool alone = arguments.labs.size() == 1 && !arguments.one_of_many;
  if (alone) places.push_back(from / "kernel.cu");
  return places;
}

std::vector<Task> tasks_of(std::vector<Lab> labs, const GradeArguments& arguments,
                           const Locations& locations) {
  std::vector<Task> tasks;
  for (Lab& lab : labs) {
    const std::vector<fs::path> places = places_of(lab.id, arguments, locations);
    std::error_code ignored;
    auto there = std::ranges::find_if(
        places, [&](const fs::path& place) { return fs::exists(place, ignored); });
    // Otherwise the place where the kernel lies under another name, which the judge reports.
    if (there == places.end()) {
      there = std::ranges::find_if(
          places, [](const fs::path& place) { return holds_kernel(place.parent_path()); });
    }
    tasks.push_back({std::move(lab), there == places.end() ? places.front() : *there});
  }
  return tasks;
}

/// An error if two outputs go to one place.
std::optional<Error> check_places(const GradeArguments& arguments, const FormatOutput& output) {
  const std::string& file = arguments.shared.json;
  const bool json_printed = JsonOutput(file).takes_standard_output();
  const std::string format = output.printed();
  if (arguments.watch && (json_printed || format != "text")) {
    return Error{
        .file = "--watch",
        .message = "shows text on standard output; send --json and --format to files: --format " +
                   (format == "text" ? "junit" : format) + "=FILE"};
  }
  if (json_printed && format != "text") {
    return Error{
        .file = "--json -",
        .message = "standard output is for --format " + format + "; send --json to a file"};
  }
  if (!file.empty() && output.writes_to(file))
    return Error{.file = "--json " + file,
                 .message = "a format is written to this file; give each its own"};
  return std::nullopt;
}

std::optional<Error> check_arguments(const GradeArguments& arguments, const FormatOutput& output) {
  std::error_code ignored;
  if (!arguments.from.empty() && !fs::is_directory(arguments.from, ignored)) {
    return Error{.file = arguments.from,
                 .message = "no such directory; --from names a folder of submissions"};
  }
  if (auto error = check_places(arguments, output)) return error;
  if (auto error = output.check()) return error;
  return JsonOutput(arguments.shared.json).check();
}

/// How a grading ended, and its records.
struct Grading {
  ExitStatus status = kSuccess;
  std::vector<Record> records = {};
};

constexpr int kLabsAtATime = 2;

/// Grades two labs at a time, which takes little longer than grading one, since judge, interpreter
/// and compiler take turns. One thread starts at the first lab, whose result is shown first; the
/// other works backwards from the last lab, since later labs take longer. A lab that is timed has
/// the machine to itself.
void grade_all(const std::vector<Task>& tasks, const std::vector<GpuDevice>& gpus,
               const GradeOptions& options, GradeResults& results) {
  std::mutex mutex;
  std::size_t first = 0, last = tasks.size(), shown = 0;
  std::vector<std::optional<Record>> records(tasks.size());
  in_parallel(tasks.size(), gpus.empty() ? kLabsAtATime : 1, [&](std::size_t, std::size_t thread) {
    const std::size_t which = [&] {
      const std::lock_guard lock(mutex);
      return thread == 0 ? first++ : --last;
    }();
    GradeOptions own = options;
    if (!gpus.empty()) own.machine.gpu = free_gpu(gpus);
    Record record = grade(tasks[which].lab, tasks[which].submission, own);
    const std::lock_guard lock(mutex);
    records[which] = std::move(record);
    for (; shown < records.size() && records[shown]; ++shown)
      results.add(*std::move(records[shown]));
  });
}

Grading grade_labs(const GradeArguments& arguments, const FormatOutput& output,
                   const TextOptions& text) {
  const auto report = [&](const Error& error) {
    print_error(error);
    output.print_failure(error);
  };
  const auto refuse = [&](const Error& error, ExitStatus status) {
    report(error);
    return Grading{status};
  };
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return refuse(locations.error(), kUsage);
  const Expected<Course> course = course_of(locations->kit.labs);
  if (!course) return refuse(course.error(), kUsage);
  const auto folders = chosen_labs(arguments.labs, locations->kit.labs, *course);
  if (!folders) return refuse(folders.error(), kUsage);
  const Expected<DeviceProfile> device =
      load_device_profile(arguments.shared.device, locations->kit.devices());
  if (!device) return refuse(device.error(), kUsage);
  GradeOptions options = grade_options(*locations, arguments.shared.compiler, *device);
  options.submissions = arguments.from;
  options.seed = arguments.shared.seed.value_or(fresh_seed());
  options.machine.host_threads = arguments.shared.threads;
  options.machine.simulate = arguments.backend != "gpu";
  // Interpreters start while the labs are read.
  if (options.machine.simulate)
    options.machine.interpreters->prepare(std::min(folders->size(), std::size_t{kLabsAtATime}),
                                          options.machine.host_threads);
  auto labs = load_labs(*folders, *locations, *course, report);
  if (!labs) return {kUsage};
  const std::vector<Task> tasks = tasks_of(std::move(*labs), arguments, *locations);
  const Expected<std::vector<GpuDevice>> gpus =
      chosen_gpus(*locations, arguments.backend, arguments.gpus);
  if (!gpus) return refuse(gpus.error(), kInfrastructure);

  if (const auto compiler = compiler_identity(options.compiler.kind); !compiler)
    return refuse(compiler.error(), kInfrastructure);

  std::vector<Record> ungraded;
  for (const Task& task : tasks)
    ungraded.push_back(not_yet_graded(task.lab, task.submission, options));
  Presentation presentation{{}, *course};
  presentation.text = text;
  presentation.text.explain = arguments.explain;
  presentation.text.one_of_many = tasks.size() > 1;
  std::error_code ignored;
  presentation.text.makefile =
      fs::exists(locations->kit.solutions.parent_path() / "Makefile", ignored);
  presentation.progress = !arguments.watch && isatty(STDERR_FILENO) == 1;
  GradeResults results(std::move(ungraded), output, JsonOutput(arguments.shared.json),
                       std::move(presentation));
  options.on_progress = [&](const Record& record) { results.update(record); };
  const InterruptWatch watch([&] { results.interrupt(); });
  grade_all(tasks, *gpus, options, results);
  const ExitStatus status = results.finish();
  return {status, results.take_records()};
}

/// A mistake on the command line ends the program at once; one in a lab.yaml is shown like a
/// result, since it can be repaired while we watch.
ExitStatus watch_labs(const GradeArguments& arguments, const FormatOutput& output) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  const Expected<Course> course = course_of(locations->kit.labs);
  if (!course) return usage_error(course.error());
  const auto folders = chosen_labs(arguments.labs, locations->kit.labs, *course);
  if (!folders) return usage_error(folders.error());
  const auto device = load_device_profile(arguments.shared.device, locations->kit.devices());
  if (!device) return usage_error(device.error());

  WatchRequest request;
  const TextOptions text = terminal_options();
  request.color = text.color;
  request.shared = {locations->kit.include_dir() / "tessera", locations->kit.datasets,
                    locations->kit.labs / "course.yaml"};
  GradeArguments single = arguments;
  single.one_of_many = arguments.labs.size() != 1;
  // One seed for the whole session: a changed result comes from a changed kernel.
  single.shared.seed = arguments.shared.seed.value_or(fresh_seed());
  for (const fs::path& folder : *folders) {
    const std::string id = folder.filename().string();
    const fs::path solution = locations->kit.solutions / id;
    request.labs.push_back(
        {id,
         {places_of(id, arguments, *locations),
          {folder / "lab.yaml", folder / "reference.cu", solution / "hidden.yaml"}}});
  }
  request.grade = [&](const std::string& lab) {
    single.labs = {lab};
    return grade_labs(single, output, text).records;
  };
  return watch(request);
}

ExitStatus run_grade(const GradeArguments& arguments) {
  const Expected<FormatOutput> output = FormatOutput::parse(arguments.formats);
  if (!output) return usage_error(output.error());
  if (const auto error = check_arguments(arguments, *output)) return usage_error(*error);
  if (arguments.watch) return watch_labs(arguments, *output);
  return grade_labs(arguments, *output, terminal_options()).status;
}

}  // namespace

Command add_grade_command(CLI::App& app) {
  const auto arguments = std::make_shared<GradeArguments>();
  CLI::App* command =
      app.add_subcommand("grade", "Grade labs: 03, tiled or 03-tiled; all by default");
  command->add_option("LAB", arguments->labs, "Labs to grade");
  command->add_option(
      "--from", arguments->from,
      "Folder of submissions: DIR/NN-name/kernel.cu (default: the labs' skeletons)");
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  command->add_option("--backend", arguments->backend, "auto, simulator or gpu")
      ->check(CLI::IsMember({"auto", "simulator", "gpu"}));
  command
      ->add_option("--gpus", arguments->gpus,
                   "Which GPUs, counted from 0: 0,2 (default: all); a lab takes one that is free")
      ->delimiter(',');
  command->add_flag("--watch", arguments->watch,
                    "Grade again whenever a kernel is saved, with one seed, until Ctrl-C");
  command->add_flag("--explain", arguments->explain,
                    "Show the source with what each line asks of memory");
  command
      ->add_option("--format", arguments->formats,
                   "What to print: " + FormatOutput::names() +
                       " (default: text). FORMAT=FILE writes a file; may be repeated")
      ->allow_extra_args(false);
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_grade(*arguments); }};
}

}  // namespace tessera
