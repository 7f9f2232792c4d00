#include "grader/cli/gradebook_options.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <fstream>
#include <future>
#include <iostream>
#include <set>
#include <thread>

#include "common/device_profile.h"
#include "common/numbers.h"
#include "common/temporary_directory.h"
#include "grader/cli/batch_progress.h"
#include "grader/cli/choices.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/locations.h"
#include "grader/gradebook/intake/names.h"
#include "grader/lab/course_labs.h"
#include "grader/process/descriptor_limit.h"

namespace tessera {
namespace {

int cores() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::string machine() {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} {}, {} cores", system.nodename, system.sysname, system.release,
                     cores());
}

/// The command line of this process.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::ranges::replace(text, '\0', ' ');
  return text;
}

std::string isolation_text(IsolationTier tier) {
  return tier == IsolationTier::bubblewrap ? "each in a sandbox of bubblewrap"
                                           : "under resource limits only";
}

/// Kernels that a person has to look at: file contents by lab.
class Listed {
 public:
  /// `heading` follows "3 kernels ".
  explicit Listed(std::string heading) : heading_(std::move(heading)) {}

  void add(const JobEnd& end, const std::vector<Lab>& labs) {
    for (const BookResult& result : end.results)
      kernels_.emplace(labs.at(end.job.lab).id, result.sha256);
  }

  /// Prints the kernels and whose they are, for the teacher.
  void print(const Book& book) const {
    if (kernels_.empty()) return;
    std::cout << fmt::format("{} {}:\n", counted(kernels_.size(), "kernel"), heading_);
    for (const BookAttempt& attempt : book.attempts()) {
      if (kernels_.count({attempt.lab, attempt.sha256}) > 0)
        std::cout << fmt::format("  {}: {}\n", attempt.lab, visible_name(attempt.origin));
    }
  }

 private:
  std::string heading_;
  std::set<std::pair<std::string, std::string>> kernels_;
};

bool broke_the_grader(const Record& record) {
  return std::ranges::any_of(record.items, [](const Item& item) {
    return std::ranges::count(item.findings, FindingKind::grader_crash, &Finding::kind) > 0;
  });
}

bool needs_review(const Record& record) {
  return std::ranges::count(record.items, Status::review, &Item::status) > 0;
}

/// Prints how far the work had come when Ctrl-C ended it.
void print_interrupted(const BatchProgress& progress, std::size_t results) {
  std::cerr << fmt::format(
      "tessera: interrupted; {} of {} results are in the gradebook. The same command goes on with "
      "the others.\n",
      grouped(progress.done()), grouped(results));
}

/// Open files of the batch itself (the gradebook, its streams, the programs that it reads), of each
/// sandbox, and of a process that grades in one and uses CUDA.
constexpr std::uint64_t kOwnDescriptors = 20;
constexpr std::uint64_t kSandboxDescriptors = 12;
constexpr std::uint64_t kGpuDescriptors = 64;

/// Why `workers` at a time would run out of descriptors, each ending `infra`; nothing if they are
/// enough.
std::optional<Error> check_descriptors(int workers, std::size_t gpus) {
  const std::uint64_t needed =
      std::max(kOwnDescriptors + kSandboxDescriptors * static_cast<std::uint64_t>(workers),
               kOwnDescriptors + kGpuDescriptors * gpus);
  const auto allowed = short_of_descriptors(needed);
  if (!allowed) return std::nullopt;
  return Error{.message = fmt::format(
                   "{} at a time need {} open files, and this shell allows {}: nothing was "
                   "graded; raise the limit (ulimit -n {}){}",
                   counted(static_cast<std::uint64_t>(workers), "grading"), needed, *allowed,
                   needed, workers > 1 ? ", or give fewer --jobs" : "")};
}

}  // namespace

void add_grading_options(CLI::App& command, GradingOptions& options) {
  command.add_option("--gradebook", options.gradebook, "The gradebook (SQLite)")->required();
  command.add_option("--labs", options.labs_folder, "Folder of the labs");
  command.add_option("--jobs", options.jobs, "Gradings at once (default: one a core)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--backend", options.backend, "auto, simulator or gpu")
      ->check(CLI::IsMember({"auto", "simulator", "gpu"}));
  command.add_option("--gpus", options.gpus, "Which GPUs, counted from 0: 0,2 (default: all)")
      ->delimiter(',');
  command.add_option("--compiler", options.compiler, "auto, nvrtc or clang")
      ->check(CLI::IsMember({"auto", "nvrtc", "clang"}));
  command.add_option("--device", options.device, "Device profile that is simulated")
      ->capture_default_str();
  command.add_option("--timeout", options.timeout, "Seconds that one grading may take")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  command.add_option("--memory", options.memory_mib, "MiB that one grading may take")
      ->check(CLI::Range(256, 1 << 20))
      ->capture_default_str();
  command.add_flag("--accept-no-isolation", options.accept_no_isolation,
                   "Grade without a sandbox, under resource limits only");
}

std::variant<GradingSetup, ExitStatus> set_up_grading(const GradingOptions& options) {
  remove_abandoned_directories();
  const Expected<Locations> locations = find_locations(options.labs_folder);
  if (!locations) return usage_error(locations.error());
  const Expected<Course> course = course_of(locations->kit.labs);
  if (!course) return usage_error(course.error());
  const auto folders = chosen_labs({}, locations->kit.labs, *course);
  if (!folders) return usage_error(folders.error());
  const auto device = load_device_profile(options.device, locations->kit.devices());
  if (!device) return usage_error(device.error());
  auto labs = load_labs(*folders, *locations, *course);
  if (!labs) return kUsage;
  const auto gpus = chosen_gpus(*locations, options.backend, options.gpus);
  if (!gpus) return infrastructure_error(gpus.error());
  const int workers = options.jobs > 0 ? options.jobs : cores();
  if (const auto error = check_descriptors(workers, gpus->size()))
    return infrastructure_error(*error);
  const Isolation isolation = available_isolation();
  if (isolation.tier == IsolationTier::limits) {
    std::cerr << "tessera: no sandbox: " << isolation.reason << "\n";
    if (!options.accept_no_isolation) {
      std::cerr << "tessera: nothing was graded: a student's kernel could reach the files of "
                   "this user. `tessera doctor` says how to get a sandbox; --accept-no-isolation "
                   "grades without one\n";
      return kInfrastructure;
    }
  }
  GradingSetup setup;
  setup.labs = std::move(*labs);
  setup.course = *course;
  setup.grade = grade_options(*locations, options.compiler, *device);
  setup.gpus = *gpus;
  setup.workers = workers;
  setup.worker.program = program_file();
  setup.worker.tier = isolation.tier;
  setup.worker.limits.wall_seconds = options.timeout;
  setup.worker.limits.memory_bytes = static_cast<std::uint64_t>(options.memory_mib) << 20;
  setup.worker.backend = options.backend;
  setup.worker.compiler = options.compiler;
  setup.worker.device = options.device;
  setup.worker.device_name = device->name;
  return setup;
}

std::size_t results_of(const std::vector<Job>& jobs) {
  std::size_t results = 0;
  for (const Job& job : jobs) results += 1 + job.others.size();
  return results;
}

std::string runs_text(const std::vector<Job>& jobs) {
  const auto runs = static_cast<std::size_t>(
      std::ranges::count_if(jobs, [](const Job& job) { return job.graded.empty(); }));
  return fmt::format("{} different ones", grouped(runs));
}

void print_measurable(const Book& book, const GradingSetup& setup) {
  std::size_t waiting = 0;
  for (const Lab& lab : setup.labs) {
    const GradeAgain again = again_on(lab, setup.gpus, false);
    waiting += book.ungraded(lab.id, again).size() - book.ungraded(lab.id, {}).size();
  }
  if (waiting == 0) return;
  std::cout << fmt::format("points of {} waited for a GPU that is here: graded again\n",
                           counted(waiting, "result"));
}

ExitStatus grade_jobs(Book& book, std::vector<Job> jobs, const GradingSetup& setup) {
  if (jobs.empty()) {
    std::cout << "nothing to grade: the gradebook has all results\n";
    return kSuccess;
  }
  const std::size_t results = results_of(jobs);
  JobsRequest request;
  request.labs = setup.labs;
  request.grade = setup.grade;
  request.worker = setup.worker;
  request.seed_key = book.seed_key(fresh_key());
  request.gpus = setup.gpus;
  request.workers = setup.workers;
  BookRun run;
  run.started_at = format_time(std::time(nullptr));
  run.version = TESSERA_VERSION;
  run.machine = machine();
  run.isolation = to_string(setup.worker.tier);
  run.command = command_line();
  request.run = book.start_run(run);

  const auto start = BatchProgress::Clock::now();
  BatchProgress progress(std::cerr, results, isatty(STDERR_FILENO) == 1, start);
  Listed broken("broke the grader and got 0; a person has to look at");
  Listed open(
      "cannot be judged by the simulator: the points count 0 until a GPU grades them (the same "
      "command on such a machine) or a person does (`tessera gradebook adjust`)");
  std::atomic<bool> stop = false;
  std::promise<void> ended;
  std::optional<Error> error;
  {
    const InterruptWatch watch([&] {
      stop = true;
      // Workers are gone and their files removed when the jobs return.
      ended.get_future().wait_for(std::chrono::seconds(10));
      progress.finish();
      print_interrupted(progress, results);
    });
    std::cout << fmt::format("grading {} kernels, {}, {}\n", grouped(results), runs_text(jobs),
                             isolation_text(setup.worker.tier))
              << std::flush;
    error = do_jobs(
        book, std::move(jobs), request,
        [&](const JobEnd& end) {
          progress.add(end, BatchProgress::Clock::now());
          if (broke_the_grader(end.record)) broken.add(end, setup.labs);
          if (needs_review(end.record)) open.add(end, setup.labs);
        },
        stop);
    ended.set_value();
    while (stop) pause();  // the interrupt's thread ends the program
  }
  progress.finish();
  if (error) return infrastructure_error(*error);
  const double seconds = std::chrono::duration<double>(BatchProgress::Clock::now() - start).count();
  std::cout << fmt::format("{} results in {}, {} of them copied from an identical kernel\n",
                           grouped(progress.done()), duration_text(seconds),
                           grouped(progress.shared()));
  broken.print(book);
  open.print(book);
  if (progress.infra() == 0) return kSuccess;
  std::cout << fmt::format("not graded by our fault: {}; the same command tries again\n",
                           grouped(progress.infra()));
  return kInfrastructure;
}

}  // namespace tessera
