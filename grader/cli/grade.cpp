// tessera grade: labs of one person, graded one after the other.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <ctime>
#include <iostream>
#include <memory>
#include <mutex>

#include "grader/cli/choices.h"
#include "grader/cli/commands.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/json_output.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"
#include "grader/cli/watch.h"
#include "grader/gpu/lock.h"
#include "grader/judge/judge.h"
#include "grader/lab/course_labs.h"
#include "grader/report/course_text.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct GradeArguments {
  std::vector<std::string> labs;
  std::string from;
  std::string labs_folder;
  std::string backend = "auto";
  std::string format = "text";
  bool explain = false;
  bool watch = false;
  bool one_of_many = false;  // of the labs that are watched: its kernel has a folder of its own
  std::vector<int> gpus;
  SharedOptions shared;
};

/// A lab and the file to grade.
struct Task {
  Lab lab;
  fs::path submission;
};

/// Where the lab's kernel may be: in a folder of its own, or, for a lab asked for alone, in `from`.
std::vector<fs::path> places_of(const std::string& id, const GradeArguments& arguments,
                                const Locations& locations) {
  const fs::path from = arguments.from.empty() ? locations.labs : fs::path(arguments.from);
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
    const auto there = std::ranges::find_if(
        places, [&](const fs::path& place) { return fs::exists(place, ignored); });
    tasks.push_back({std::move(lab), there == places.end() ? places.front() : *there});
  }
  return tasks;
}

/// Records in the order in which labs end; shared with the thread that Ctrl-C wakes.
class Results {
 public:
  Results(std::size_t expected, const GradeArguments& arguments, const Course& course, bool color)
      : expected_(expected),
        course_(course),
        json_(arguments.shared.json),
        format_(arguments.format) {
    text_.color = color;
    text_.explain = arguments.explain;
  }

  void add(Record record) {
    const std::lock_guard lock(mutex_);
    if (prints_text())
      std::cout << (records_.empty() ? "" : "\n") << text_report(record, text_) << std::flush;
    records_.push_back(std::move(record));
  }

  ExitStatus finish() {
    const std::lock_guard lock(mutex_);
    print_total();
    if (format_ == "gradescope") std::cout << gradescope_report(records_) << std::flush;
    if (format_ == "html") std::cout << html_report(records_) << std::flush;
    if (!write_json() || !std::cout) return kInfrastructure;
    return static_cast<ExitStatus>(exit_status(records_));
  }

  std::vector<Record> take_records() {
    const std::lock_guard lock(mutex_);
    return std::move(records_);
  }

  /// Called once, before the program ends: the lock stays taken, so that nothing is added after.
  void interrupt() {
    mutex_.lock();
    print_total();
    std::cerr << "tessera: interrupted; " << records_.size() << " of " << expected_
              << " labs graded\n";
    write_json();
  }

 private:
  bool prints_text() const { return format_ == "text" && !json_.takes_standard_output(); }

  void print_total() const {
    if (records_.size() > 1 && prints_text()) {
      std::cout << "\n" << text_total(records_, text_);
      std::cout << course_text(course_, records_, std::time(nullptr));
    }
    std::cout << std::flush;
  }

  bool write_json() const { return json_.write(json_report(records_)); }

  std::size_t expected_;
  Course course_;
  JsonOutput json_;
  TextOptions text_;
  std::string format_;
  std::mutex mutex_;
  std::vector<Record> records_;
};

ExitStatus usage(const Error& error) {
  print_error(error);
  return kUsage;
}

std::optional<Error> check_arguments(const GradeArguments& arguments) {
  std::error_code ignored;
  if (!arguments.from.empty() && !fs::is_directory(arguments.from, ignored)) {
    return Error{arguments.from, 0, 0, "no such directory; --from names a folder of submissions"};
  }
  const JsonOutput json(arguments.shared.json);
  if (arguments.watch && (json.takes_standard_output() || arguments.format != "text")) {
    return Error{"--watch", 0, 0,
                 "shows text on standard output; leave --format away, and give --json a file"};
  }
  if (json.takes_standard_output() && arguments.format != "text") {
    return Error{"--json -", 0, 0,
                 "standard output is for --format " + arguments.format + "; give --json a file"};
  }
  return json.check();
}

/// How a grading ended, and what it gave.
struct Grading {
  ExitStatus status = kSuccess;
  std::vector<Record> records = {};
};

Grading grade_labs(const GradeArguments& arguments, bool color) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return {usage(locations.error())};
  const Expected<Course> course = course_of(locations->labs);
  if (!course) return {usage(course.error())};
  const auto folders = chosen_labs(arguments.labs, locations->labs, *course);
  if (!folders) return {usage(folders.error())};
  const Expected<DeviceProfile> device =
      load_device_profile(arguments.shared.device, locations->devices);
  if (!device) return {usage(device.error())};
  auto labs = load_labs(*folders, *locations, *course);
  if (!labs) return {kUsage};
  const std::vector<Task> tasks = tasks_of(std::move(*labs), arguments, *locations);
  const Expected<std::vector<GpuDevice>> gpus = chosen_gpus(arguments.backend, arguments.gpus);
  if (!gpus) {
    print_error(gpus.error());
    return {kInfrastructure};
  }

  GradeOptions options;
  options.compiler = *compiler_from(arguments.shared.compiler);
  options.device = *device;
  options.seed = arguments.shared.seed.value_or(fresh_seed());
  options.include_dir = locations->include_dir;
  options.cache_dir = locations->cache;
  options.host_threads = arguments.shared.threads;
  options.simulate = arguments.backend != "gpu";
  options.labs = locations->labs;
  options.solutions = locations->solutions;
  options.datasets = locations->datasets;
  Results results(tasks.size(), arguments, *course, color);
  const InterruptWatch watch([&] { results.interrupt(); });
  for (const Task& task : tasks) {
    if (!gpus->empty()) options.gpu = free_gpu(*gpus);
    results.add(grade(task.lab, task.submission, options));
  }
  const ExitStatus status = results.finish();
  return {status, results.take_records()};
}

/// A mistake on the command line ends it at once; one in a lab.yaml is shown like a result, since
/// it can be repaired while we watch.
ExitStatus watch_labs(const GradeArguments& arguments) {
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage(locations.error());
  const Expected<Course> course = course_of(locations->labs);
  if (!course) return usage(course.error());
  const auto folders = chosen_labs(arguments.labs, locations->labs, *course);
  if (!folders) return usage(folders.error());
  const auto device = load_device_profile(arguments.shared.device, locations->devices);
  if (!device) return usage(device.error());

  WatchRequest request;
  request.color = terminal_options().color;
  request.shared = {locations->include_dir / "tessera", locations->datasets,
                    locations->labs / "course.yaml"};
  GradeArguments one = arguments;
  one.one_of_many = arguments.labs.size() != 1;
  // One seed for the whole session: a result that changes was changed by the kernel.
  one.shared.seed = arguments.shared.seed.value_or(fresh_seed());
  for (const fs::path& folder : *folders) {
    const std::string id = folder.filename().string();
    const fs::path solution = locations->solutions / id;
    request.labs.push_back(
        {id,
         {places_of(id, arguments, *locations),
          {folder / "lab.yaml", folder / "reference.cu", solution / "hidden.yaml"}}});
  }
  request.grade = [&](const std::string& lab) {
    one.labs = {lab};
    return grade_labs(one, request.color).records;
  };
  return watch(request);
}

ExitStatus run_grade(const GradeArguments& arguments) {
  if (const auto error = check_arguments(arguments)) return usage(*error);
  if (arguments.watch) return watch_labs(arguments);
  return grade_labs(arguments, terminal_options().color).status;
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
      ->add_option("--format", arguments->format,
                   "What to print: text, an html page, or gradescope's results.json")
      ->check(CLI::IsMember({"text", "html", "gradescope"}))
      ->capture_default_str();
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_grade(*arguments); }};
}

}  // namespace tessera
