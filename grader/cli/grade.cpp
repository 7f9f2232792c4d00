// tessera grade: labs of one person, graded one after the other.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <mutex>

#include "common/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"
#include "grader/gpu/device.h"
#include "grader/gpu/lock.h"
#include "grader/judge/judge.h"
#include "grader/lab/lab.h"
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
  std::vector<int> gpus;
  SharedOptions shared;
};

/// A lab and the file to grade.
struct Task {
  Lab lab;
  fs::path submission;
};

/// Folders of the labs that were named, each once; all of them where none was.
Expected<std::vector<fs::path>> chosen_labs(const GradeArguments& arguments, const fs::path& labs) {
  if (arguments.labs.empty()) {
    std::vector<fs::path> all = find_labs(labs);
    if (!all.empty()) return all;
    return Error{labs.string(), 0, 0, "no labs here; a lab is a folder with a lab.yaml"};
  }
  std::vector<fs::path> chosen;
  for (const std::string& word : arguments.labs) {
    const Expected<fs::path> lab = find_lab(labs, word);
    if (!lab) return lab.error();
    if (std::ranges::count(chosen, *lab) == 0) chosen.push_back(*lab);
  }
  return chosen;
}

fs::path submission_of(const fs::path& from, const std::string& id, bool alone) {
  const fs::path in_folder = from / id / "kernel.cu";
  const fs::path direct = from / "kernel.cu";
  std::error_code ignored;
  return alone && !fs::exists(in_folder, ignored) && fs::exists(direct, ignored) ? direct
                                                                                 : in_folder;
}

/// Reads every lab before any is graded; says all mistakes, not the first alone.
std::optional<std::vector<Task>> load_tasks(const std::vector<fs::path>& folders,
                                            const GradeArguments& arguments,
                                            const Locations& locations) {
  const fs::path from = arguments.from.empty() ? locations.labs : fs::path(arguments.from);
  const bool alone = arguments.labs.size() == 1;
  std::vector<Task> tasks;
  bool broken = false;
  for (const fs::path& folder : folders) {
    const std::string id = folder.filename().string();
    Expected<Lab> lab =
        load_lab(folder, locations.solutions / id / "hidden.yaml", locations.datasets);
    if (lab) {
      tasks.push_back({std::move(*lab), submission_of(from, id, alone)});
    } else {
      print_error(lab.error());
      broken = true;
    }
  }
  return broken ? std::nullopt : std::optional(std::move(tasks));
}

/// Records in the order in which labs end; shared with the thread that Ctrl-C wakes.
class Results {
 public:
  Results(std::size_t expected, const GradeArguments& arguments)
      : expected_(expected), json_path_(arguments.shared.json), text_(terminal_options()) {
    text_.explain = arguments.explain;
  }

  void add(Record record) {
    const std::lock_guard lock(mutex_);
    std::cout << (records_.empty() ? "" : "\n") << text_report(record, text_) << std::flush;
    records_.push_back(std::move(record));
  }

  ExitStatus finish() {
    const std::lock_guard lock(mutex_);
    print_total();
    if (!write_json()) return kInfrastructure;
    return static_cast<ExitStatus>(exit_status(records_));
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
  void print_total() const {
    if (records_.size() > 1) std::cout << "\n" << text_total(records_, text_);
    std::cout << std::flush;
  }

  bool write_json() const {
    if (json_path_.empty()) return true;
    const std::optional<Error> error = write_file(json_path_, json_report(records_));
    if (error) print_error(*error);
    return !error;
  }

  std::size_t expected_;
  std::string json_path_;
  TextOptions text_;
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
  if (!arguments.shared.json.empty()) return check_writable(arguments.shared.json);
  return std::nullopt;
}

/// The GPUs that --backend and --gpus mean; none where the simulator grades alone.
Expected<std::vector<GpuDevice>> chosen_gpus(const GradeArguments& arguments) {
  if (arguments.backend == "simulator") return std::vector<GpuDevice>();
  const bool needed = arguments.backend == "gpu" || !arguments.gpus.empty();
  const Expected<std::vector<GpuDevice>> devices = gpu_devices();
  if (!devices && needed) return devices.error();
  if (!devices) return std::vector<GpuDevice>();
  if (arguments.gpus.empty()) return *devices;
  std::vector<GpuDevice> chosen;
  for (const int index : arguments.gpus) {
    const auto found = std::ranges::find(*devices, index, &GpuDevice::index);
    if (found == devices->end()) {
      return Error{fmt::format("--gpus {}", index), 0, 0,
                   fmt::format("the GPUs here are 0 to {}; `tessera doctor` lists them",
                               devices->size() - 1)};
    }
    chosen.push_back(*found);
  }
  return chosen;
}

ExitStatus run_grade(const GradeArguments& arguments) {
  if (const auto error = check_arguments(arguments)) return usage(*error);
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage(locations.error());
  const auto folders = chosen_labs(arguments, locations->labs);
  if (!folders) return usage(folders.error());
  const Expected<DeviceProfile> device =
      load_device_profile(arguments.shared.device, locations->devices);
  if (!device) return usage(device.error());
  const auto tasks = load_tasks(*folders, arguments, *locations);
  if (!tasks) return kUsage;
  const Expected<std::vector<GpuDevice>> gpus = chosen_gpus(arguments);
  if (!gpus) {
    print_error(gpus.error());
    return kInfrastructure;
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
  Results results(tasks->size(), arguments);
  const InterruptWatch watch([&] { results.interrupt(); });
  for (const Task& task : *tasks) {
    if (!gpus->empty()) options.gpu = free_gpu(*gpus);
    results.add(grade(task.lab, task.submission, options));
  }
  return results.finish();
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
  command->add_flag("--explain", arguments->explain,
                    "Show the source with what each line asks of memory");
  command->add_option("--format", arguments->format, "text")->check(CLI::IsMember({"text"}));
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_grade(*arguments); }};
}

}  // namespace tessera
