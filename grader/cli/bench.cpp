// tessera bench: the experiments of labs/experiments, run, tabled and drawn.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <ctime>
#include <iostream>
#include <memory>

#include "common/numbers.h"
#include "common/text.h"
#include "grader/cli/bench_session.h"
#include "grader/cli/bench_shapes.h"
#include "grader/cli/choices.h"
#include "grader/cli/commands.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/json_output.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"
#include "grader/experiment/page.h"
#include "grader/experiment/results_json.h"
#include "grader/experiment/table.h"
#include "grader/gpu/lock.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostResults = 64u << 20;
constexpr const char* kDefaultOut = "bench-results";

struct BenchArguments {
  std::vector<std::string> names;
  bool list = false;
  bool all = false;
  bool page = false;
  std::string from;
  std::string out;  // "": bench-results, or with `from` the folder of that file
  std::string labs_folder;
  std::string backend = "auto";
  std::vector<int> gpus;
  std::vector<int> shapes;
  SharedOptions shared;
};

/// Today, in UTC.
std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

Expected<std::vector<Experiment>> load_all(const std::vector<fs::path>& folders,
                                           const fs::path& labs) {
  std::vector<Experiment> experiments;
  for (const fs::path& folder : folders) {
    Expected<Experiment> experiment = load_experiment(folder, labs);
    if (!experiment) return experiment.error();
    experiments.push_back(std::move(*experiment));
  }
  return experiments;
}

ExitStatus list_experiments(const std::vector<Experiment>& experiments) {
  std::size_t width = 0;
  for (const Experiment& experiment : experiments) width = std::max(width, experiment.id.size());
  for (const Experiment& experiment : experiments)
    std::cout << fmt::format("{:<{}}  {}\n", experiment.id, width, experiment.title);
  return std::cout ? kSuccess : kInfrastructure;
}

std::optional<Error> check_arguments(const BenchArguments& arguments) {
  const auto wrong = [](const char* option, const char* message) {
    return Error{.file = option, .message = message};
  };
  if (!arguments.from.empty() && arguments.names.size() > 1)
    return wrong("--from", "shows the results of one experiment; give one name, or none");
  if (!arguments.from.empty() && (arguments.all || arguments.list || !arguments.shapes.empty()))
    return wrong("--from", "runs nothing; leave out --all, --list and --shapes");
  if (arguments.all && !arguments.names.empty())
    return wrong("--all", "runs every experiment; leave out the names, or --all");
  if (arguments.page && !arguments.shapes.empty())
    return wrong("--page", "shows the experiment's own shapes; leave out --shapes");
  if (!arguments.list && !arguments.all && arguments.from.empty() && arguments.names.empty()) {
    return wrong("bench",
                 "expected the name of an experiment (`tessera bench --list` shows them), "
                 "or --all");
  }
  return JsonOutput(arguments.shared.json).check();
}

/// The folder of results and plots.
fs::path directory_of(const Experiment& experiment, const BenchArguments& arguments) {
  if (!arguments.from.empty() && arguments.out.empty())
    return fs::path(arguments.from).parent_path();
  return fs::path(arguments.out.empty() ? kDefaultOut : arguments.out) / experiment.id;
}

/// Updates the tables, values and plots in the experiment's own folder.
std::optional<Error> update_page(const Experiment& experiment, const Results& results,
                                 std::ostream& out) {
  const fs::path file = experiment.directory / "README.md";
  const Expected<std::string> page = read_file(file);
  if (!page) return page.error();
  const auto text = with_tables(*page, markdown_tables(experiment, results), file.string());
  if (!text) return text.error();
  if (auto error = write_file(file, *text)) return error;
  if (auto error = write_file(results_file(experiment.directory), csv_text(results))) return error;
  out << "Page: " << file.string() << "\n";
  return write_plots(experiment, results, results_file(experiment.directory), experiment.directory,
                     out);
}

bool is_mistake(const Value& value) {
  return !value.number && (value.text == "wrong" || value.text == "failed" ||
                           value.text == "timeout" || value.text == "no launch");
}

/// Runs experiments one after another; interrupt() is called on another thread.
class Bench {
 public:
  Bench(const BenchArguments& arguments, RunOptions options)
      : arguments_(arguments),
        options_(std::move(options)),
        json_(arguments.shared.json),
        out_(json_.takes_standard_output() ? std::cerr : std::cout),
        progress_(std::cerr, isatty(STDERR_FILENO) == 1, BenchProgress::Clock::now()) {}

  ExitStatus run(const std::vector<Experiment>& experiments) {
    ExitStatus status = kSuccess;
    for (const Experiment& experiment : experiments) status = std::max(status, run(experiment));
    if (!json_.write(results_json(finished_)) || !std::cout) return kInfrastructure;
    return status;
  }

  /// Called once, before the program ends: the lock stays taken, so that nothing is printed after.
  void interrupt() {
    mutex_.lock();
    progress_.clear();
    if (session_ != nullptr) {
      finished_.push_back(session_->results());
      out_ << text_tables(*experiment_, finished_.back()) << std::flush;
      const std::string file = results_file(directory_of(*experiment_, arguments_)).string();
      std::cerr << fmt::format(
          "tessera: interrupted; {} of {} kept in {}\n"
          "  tessera bench --from {}   shows and draws them\n",
          counted(finished_.back().values.size(), "value"), experiment_->id, file, file);
    } else {
      std::cerr << "tessera: interrupted\n";
    }
    json_.write(results_json(finished_));
  }

 private:
  ExitStatus run(const Experiment& experiment) {
    const fs::path directory = directory_of(experiment, arguments_);
    BenchSession session(experiment, info_of(experiment), directory);
    if (const auto error = session.open()) return usage_error(*error);
    begin(experiment, session);
    options_.on_value = [&](const Value& value) { session.add(value); };
    options_.on_step = [&](const RunSteps& steps) {
      const std::lock_guard lock(mutex_);
      progress_.step(experiment.id, steps, BenchProgress::Clock::now());
    };
    const auto error = run_experiment(experiment, options_);
    const std::lock_guard lock(mutex_);
    progress_.clear();
    session_ = nullptr;
    if (error) return usage_error(*error);
    finished_.push_back(session.results());
    return finish(experiment, session, directory);
  }

  void begin(const Experiment& experiment, BenchSession& session) {
    const std::lock_guard lock(mutex_);
    experiment_ = &experiment;
    session_ = &session;
  }

  ExitStatus finish(const Experiment& experiment, const BenchSession& session,
                    const fs::path& directory) {
    const Results& results = finished_.back();
    out_ << (finished_.size() > 1 ? "\n" : "") << text_tables(experiment, results) << "\n";
    const bool kernels = std::ranges::any_of(
        experiment.rows, [](const Row& row) { return row.runner != Runner::host; });
    if (kernels && !options_.grade.machine.gpu) print_what_is_missing(experiment, results);
    if (!session.written())
      return infrastructure_error({results_file(directory).string(), 0, 0, "cannot be written"});
    out_ << "Figures: " << results_file(directory).string() << "\n";
    if (const auto error =
            write_plots(experiment, results, results_file(directory), directory, out_))
      return infrastructure_error(*error);
    if (arguments_.page) {
      if (const auto error = update_page(experiment, results, out_)) return usage_error(*error);
    }
    out_ << std::flush;
    return std::ranges::any_of(results.values, is_mistake) ? kPointsLost : kSuccess;
  }

  /// Prints what is missing without a GPU.
  void print_what_is_missing(const Experiment& experiment, const Results& results) {
    const bool modelled = std::ranges::count(results.values, Origin::modelled, &Value::origin) > 0;
    out_ << (modelled
                 ? "No GPU here: kernels have counters and a modelled time, but no measured one.\n"
                 : "No GPU here: kernels have no time.\n");
    const std::vector<int> shapes = shapes_left_out(experiment, options_);
    if (!shapes.empty())
      out_ << fmt::format("Too large to model: n = {}.\n", fmt::join(shapes, ", "));
  }

  RunInfo info_of(const Experiment& experiment) const {
    const std::optional<GpuDevice>& gpu = options_.grade.machine.gpu;
    std::string driver;
    if (gpu) driver = fmt::format("{}, CUDA {}", gpu->driver, gpu->cuda_driver);
    return {experiment.id, date_text(), options_.grade.seed, driver,
            compiler_text(options_.grade.compiler.kind)};
  }

  /// The compiler that `kind` selects here: "nvrtc 13.0".
  static std::string compiler_text(CompilerKind kind) {
    for (const CompilerInfo& compiler : available_compilers()) {
      if (compiler.available && (kind == CompilerKind::automatic || kind == compiler.kind))
        return compiler.version;
    }
    return "";
  }

  const BenchArguments& arguments_;
  RunOptions options_;
  JsonOutput json_;
  std::ostream& out_;
  std::mutex mutex_;  // guards everything below, and printing
  BenchProgress progress_;
  const Experiment* experiment_ = nullptr;
  const BenchSession* session_ = nullptr;
  std::vector<Results> finished_;
};

std::optional<Error> draw_again(const Experiment& experiment, const Results& results,
                                const BenchArguments& arguments, std::ostream& out) {
  const fs::path directory = directory_of(experiment, arguments);
  if (auto error = make_directory(directory)) return error;
  return write_plots(experiment, results, arguments.from, directory, out);
}

/// Shows tables and plots of a file that an earlier run wrote, perhaps on another machine.
ExitStatus show_results(const BenchArguments& arguments, const Locations& locations) {
  const Expected<std::string> text = read_file(arguments.from, kMostResults);
  if (!text) return usage_error(text.error());
  const Expected<Results> results = read_results(*text, arguments.from);
  if (!results) return usage_error(results.error());
  const std::string& name = results->info.experiment;
  if (results->values.empty()) return usage_error({arguments.from, 0, 0, "holds no values"});
  if (!arguments.names.empty() && arguments.names.front() != name)
    return usage_error(
        {arguments.from, 0, 0,
         fmt::format("holds values of '{}', not of '{}'", name, arguments.names.front())});
  const Expected<fs::path> folder = find_experiment(locations.kit.labs, name);
  if (!folder) return usage_error(folder.error());
  const Expected<Experiment> experiment = load_experiment(*folder, locations.kit.labs);
  if (!experiment) return usage_error(experiment.error());
  const JsonOutput json(arguments.shared.json);
  std::ostream& out = json.takes_standard_output() ? std::cerr : std::cout;
  out << text_tables(*experiment, *results) << "\n";
  if (results->cut_off)
    std::cerr << fmt::format("tessera: {}: its last line is cut off and left out\n",
                             arguments.from);
  const auto error = arguments.page ? update_page(*experiment, *results, out)
                                    : draw_again(*experiment, *results, arguments, out);
  if (error) return infrastructure_error(*error);
  out << std::flush;
  return json.write(results_json({*results})) && std::cout ? kSuccess : kInfrastructure;
}

ExitStatus run_bench(const BenchArguments& arguments) {
  if (const auto error = check_arguments(arguments)) return usage_error(*error);
  const Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return usage_error(locations.error());
  if (!arguments.from.empty()) return show_results(arguments, *locations);
  const auto folders = chosen_experiments(arguments.names, locations->kit.labs);
  if (!folders) return usage_error(folders.error());
  Expected<std::vector<Experiment>> experiments = load_all(*folders, locations->kit.labs);
  if (!experiments) return usage_error(experiments.error());
  if (arguments.list) return list_experiments(*experiments);
  if (const auto error = set_shapes(arguments.shapes, *experiments)) return usage_error(*error);
  const Expected<DeviceProfile> device =
      load_device_profile(arguments.shared.device, locations->kit.devices());
  if (!device) return usage_error(device.error());
  const Expected<std::vector<GpuDevice>> gpus =
      chosen_gpus(*locations, arguments.backend, arguments.gpus);
  if (!gpus) return infrastructure_error(gpus.error());

  RunOptions options;
  options.grade = grade_options(*locations, arguments.shared.compiler, *device);
  options.grade.seed = arguments.shared.seed.value_or(fresh_seed());
  options.grade.machine.host_threads = arguments.shared.threads;
  options.grade.machine.simulate = arguments.backend != "gpu";
  if (!gpus->empty()) options.grade.machine.gpu = free_gpu(*gpus);
  for (const Experiment& experiment : *experiments) {
    if (const auto error = check_memory(experiment, options)) return usage_error(*error);
  }
  Bench bench(arguments, std::move(options));
  const InterruptWatch watch([&] { bench.interrupt(); });
  return bench.run(*experiments);
}

}  // namespace

Command add_bench_command(CLI::App& app) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand(
      "bench", "Run experiments of labs/experiments: counters, times, tables and plots");
  command->add_option("EXPERIMENT", arguments->names, "Experiments to run");
  command->add_flag("--list", arguments->list, "List the experiments");
  command->add_flag("--all", arguments->all, "Run every experiment");
  command->add_option("--from", arguments->from,
                      "Run nothing; show and draw the values in this results.csv");
  command
      ->add_option(
          "--out", arguments->out,
          "Folder for OUT/EXPERIMENT/results.csv and the plots; with --from plots are drawn "
          "beside that file by default")
      ->default_str(kDefaultOut);
  command->add_flag("--page", arguments->page,
                    "Write tables, plots and values into the experiment's page in the labs");
  command
      ->add_option("--shapes", arguments->shapes,
                   "Other shapes than the experiment's own: 160,1600")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1 << 28));
  command->add_option("--labs", arguments->labs_folder, "Folder of the labs");
  command
      ->add_option("--backend", arguments->backend,
                   "auto, simulator or gpu; without a GPU kernels have only a modelled time")
      ->check(CLI::IsMember({"auto", "simulator", "gpu"}));
  command->add_option("--gpus", arguments->gpus, "Which GPUs may be used, counted from 0")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_bench(*arguments); }};
}

}  // namespace tessera
